//! Convolutions for tract that are faster than its own on small pictures.
//!
//! A dense convolution lays out the patches of its input as the columns of a matrix and multiplies: Chellapilla, Puri and Simard, "High Performance
//! Convolutional Neural Networks for Document Processing", 2006. A depthwise one runs over planes. Either keeps its kernel, which the plans of all
//! input widths share.

use std::borrow::Cow;
use std::sync::Arc;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::cast::Cast;
use tract_onnx::tract_core::ops::cnn::conv::{Conv, KernelFormat};
use tract_onnx::tract_core::ops::cnn::{PaddingSpec, PoolSpec};
use tract_onnx::tract_core::ops::nn::DataFormat;

use crate::product::LeftMatrix;

/// Puts [`Convolution`] in the place of every convolution of a model that it can do.
pub fn replace_convolutions(model: &mut TypedModel) -> TractResult<()> {
    for id in 0..model.nodes.len() {
        let Some(convolution) = replacement(model, id)? else {
            continue;
        };
        let node = model.node(id);
        let inputs = &node.inputs[..1];
        TypedModelPatch::replace_single_op(model, node, inputs, convolution)?.apply(model)?;
    }
    model.compact()
}

/// What does the work of a node, if it is a convolution whose output has more than one row.
fn replacement(model: &TypedModel, id: usize) -> TractResult<Option<Convolution>> {
    let node = model.node(id);
    let Some(conv) = node.op_as::<Conv>() else {
        return Ok(None);
    };
    let pool = &conv.pool_spec;
    let output = model.outlet_fact(id.into())?;
    let (before, after) = match &pool.padding {
        PaddingSpec::Explicit(before, after) => (before.to_vec(), after.to_vec()),
        PaddingSpec::Valid => (vec![0; pool.rank()], vec![0; pool.rank()]),
        _ => return Ok(None),
    };
    let (Some(kernel), Some(bias)) = (
        constant(model, node.inputs[1])?,
        constant(model, node.inputs[2])?,
    ) else {
        return Ok(None);
    };
    let fits = pool.data_format == DataFormat::NCHW
        && conv.kernel_fmt == KernelFormat::OIHW
        && conv.q_params.is_none()
        && output.datum_type == f32::datum_type()
        && pool.rank() == 2
        && pool.dilations().iter().all(|&step| step == 1)
        && (conv.group == 1 || is_plain_depthwise(conv))
        && bias.len() == pool.output_channels
        && !output.shape[2].is_one();
    if !fits {
        return Ok(None);
    }
    let kernel = kernel.try_as_plain_ram()?.as_slice::<f32>()?;
    let bias = bias.try_as_plain_ram()?.as_slice::<f32>()?;
    Ok(Some(Convolution {
        pool: pool.clone(),
        before: [before[0], before[1]],
        after: [after[0], after[1]],
        kernel: Arc::new(if conv.group == 1 {
            Kernel::Dense(LeftMatrix::new(kernel, bias))
        } else {
            Kernel::Depthwise(
                kernel
                    .as_chunks()
                    .0
                    .iter()
                    .copied()
                    .zip(bias.iter().copied())
                    .collect(),
            )
        }),
    }))
}

/// The value of an outlet, if it is a constant, seen through casts that change nothing.
fn constant(model: &TypedModel, outlet: OutletId) -> TractResult<Option<Arc<Tensor>>> {
    let fact = model.outlet_fact(outlet)?;
    let node = model.node(outlet.node);
    match node.op_as::<Cast>() {
        Some(cast) if cast.to == model.outlet_fact(node.inputs[0])?.datum_type => {
            constant(model, node.inputs[0])
        }
        _ => Ok(fact.konst.clone()),
    }
}

/// One 3x3 kernel a channel, and every column kept.
fn is_plain_depthwise(conv: &Conv) -> bool {
    let pool = &conv.pool_spec;
    conv.group == pool.input_channels
        && conv.group == pool.output_channels
        && *pool.kernel_shape == [3, 3]
        && pool.stride(1) == 1
}

/// A convolution of pictures of shape `N x C x H x W`.
#[derive(Debug, Clone, PartialEq)]
struct Convolution {
    pool: PoolSpec,
    /// Rows and columns of zeros above and left, below and right.
    before: [usize; 2],
    after: [usize; 2],
    kernel: Arc<Kernel>,
}

impl Eq for Convolution {}

/// The weights of a convolution.
#[derive(Debug, PartialEq)]
enum Kernel {
    /// All channels into each.
    Dense(LeftMatrix),
    /// For each channel a kernel of 3x3, and its bias.
    Depthwise(Vec<([f32; 9], f32)>),
}

impl Op for Convolution {
    fn name(&self) -> StaticName {
        "Convolution".into()
    }

    op_as_typed_op!();
}

impl TypedOp for Convolution {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let shape = self.pool.output_shape(&inputs[0].shape)?.shape;
        Ok(tvec!(f32::fact(shape)))
    }

    as_op!();
}

impl EvalOp for Convolution {
    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let size = Size::new(self, input.shape())?;
        let shape = [
            size.count,
            self.pool.output_channels,
            size.rows,
            size.columns,
        ];
        let mut output = Tensor::zero::<f32>(&shape)?;
        let mut plain = output.try_as_plain_ram_mut()?;
        let products = plain.as_slice_mut::<f32>()?;
        let images = input.try_as_plain_ram()?.as_slice::<f32>()?;
        match &*self.kernel {
            Kernel::Dense(matrix) => {
                matrix.times(&size.patches(images), size.rows * size.columns, products);
            }
            Kernel::Depthwise(kernels) => {
                dispatch!(Level::new(), simd => size.depthwise(simd, images, kernels, products));
            }
        }
        Ok(tvec!(output.into_tvalue()))
    }

    op_out_of_plan!();
}

/// The sizes of one run.
struct Size {
    /// Of the input.
    count: usize,
    channels: usize,
    height: usize,
    width: usize,
    kernel: [usize; 2],
    stride: [usize; 2],
    before: [usize; 2],
    /// Of the input with its zeros around.
    padded: [usize; 2],
    /// Of the output.
    rows: usize,
    columns: usize,
}

impl Size {
    fn new(convolution: &Convolution, shape: &[usize]) -> TractResult<Self> {
        let pool = &convolution.pool;
        let &[count, channels, height, width] = shape else {
            bail!("pictures of shape {shape:?}");
        };
        let kernel = [pool.kernel_shape[0], pool.kernel_shape[1]];
        let stride = [pool.stride(0), pool.stride(1)];
        let padded = [
            height + convolution.before[0] + convolution.after[0],
            width + convolution.before[1] + convolution.after[1],
        ];
        ensure!(
            channels == pool.input_channels && padded[0] >= kernel[0] && padded[1] >= kernel[1]
        );
        Ok(Self {
            count,
            channels,
            height,
            width,
            kernel,
            stride,
            before: convolution.before,
            padded,
            rows: (padded[0] - kernel[0]) / stride[0] + 1,
            columns: (padded[1] - kernel[1]) / stride[1] + 1,
        })
    }

    /// For every channel and place of the kernel, what it meets at all places of the output.
    fn patches<'a>(&self, images: &'a [f32]) -> Cow<'a, [f32]> {
        if self.kernel == [1, 1]
            && self.stride == [1, 1]
            && self.padded == [self.height, self.width]
        {
            return Cow::Borrowed(images);
        }
        let places = self.rows * self.columns;
        let taps = self.kernel[0] * self.kernel[1];
        let mut patches = vec![0.0; self.count * self.channels * taps * places];
        let mut plane = vec![0.0; self.padded[0] * self.padded[1]];
        let channels = images.chunks_exact(self.height * self.width);
        for (channel, patches) in channels.zip(patches.chunks_exact_mut(taps * places)) {
            self.pad(channel, &mut plane);
            for (tap, patch) in patches.chunks_exact_mut(places).enumerate() {
                let (down, right) = (tap / self.kernel[1], tap % self.kernel[1]);
                for (row, line) in patch.chunks_exact_mut(self.columns).enumerate() {
                    let start = (row * self.stride[0] + down) * self.padded[1] + right;
                    if self.stride[1] == 1 {
                        line.copy_from_slice(&plane[start..start + self.columns]);
                    } else {
                        let met = plane[start..].iter().step_by(self.stride[1]);
                        line.iter_mut().zip(met).for_each(|(to, &from)| *to = from);
                    }
                }
            }
        }
        Cow::Owned(patches)
    }

    /// Writes a channel into a plane that has zeros around it.
    fn pad(&self, channel: &[f32], plane: &mut [f32]) {
        let rows = plane.chunks_exact_mut(self.padded[1]).skip(self.before[0]);
        for (from, to) in channel.chunks_exact(self.width).zip(rows) {
            to[self.before[1]..self.before[1] + self.width].copy_from_slice(from);
        }
    }

    /// Every channel with its own kernel, every column kept.
    ///
    /// The kernel runs over the padded plane as over one line, and over the rows that the stride leaves out too: it is fastest without a break.
    #[inline(always)]
    fn depthwise<S: Simd>(
        &self,
        simd: S,
        images: &[f32],
        kernels: &[([f32; 9], f32)],
        output: &mut [f32],
    ) {
        let [height, width] = self.padded;
        let places = ((height - 2) * width).next_multiple_of(S::f32s::LEN);
        let mut plane = vec![0.0; places + 2 * width + 2];
        let mut sums = vec![0.0; places];
        let channels = images.chunks_exact(self.height * self.width);
        let outputs = output.chunks_exact_mut(self.rows * self.columns);
        for ((channel, output), (kernel, bias)) in channels.zip(outputs).zip(kernels.iter().cycle())
        {
            self.pad(channel, &mut plane);
            filter(simd, &plane, width, kernel, *bias, &mut sums);
            let lines = sums.chunks(self.stride[0] * width);
            for (line, sums) in output.chunks_exact_mut(self.columns).zip(lines) {
                line.copy_from_slice(&sums[..self.columns]);
            }
        }
    }
}

/// A 3x3 kernel over a plane of lines of some width; every sum stands where its first value does.
#[inline(always)]
fn filter<S: Simd>(
    simd: S,
    plane: &[f32],
    width: usize,
    kernel: &[f32; 9],
    bias: f32,
    sums: &mut [f32],
) {
    let vectors = sums.chunks_exact_mut(S::f32s::LEN);
    for (start, sums) in (0..).step_by(S::f32s::LEN).zip(vectors) {
        let mut sum = S::f32s::splat(simd, bias);
        for (tap, &factor) in kernel.iter().enumerate() {
            let met = &plane[start + tap / 3 * width + tap % 3..][..S::f32s::LEN];
            sum = S::f32s::from_slice(simd, met).mul_add(factor, sum);
        }
        sum.store_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Channels in and out, groups, kernel, strides, zeros before and after.
    type Case = ([usize; 3], [usize; 2], [usize; 2], [usize; 2], [usize; 2]);

    fn numbers(shape: &[usize]) -> Tensor {
        let values: Vec<f32> = (0..shape.iter().product())
            .map(|i: usize| (i * 7 % 11) as f32 - 5.0)
            .collect();
        Tensor::from_shape(shape, &values).unwrap()
    }

    fn convolution((channels, kernel, strides, before, after): Case) -> TypedModel {
        let [input_channels, output_channels, group] = channels;
        let mut model = TypedModel::default();
        let image = model
            .add_source("image", f32::fact([2, input_channels, 9, 21]))
            .unwrap();
        let shape = [
            output_channels,
            input_channels / group,
            kernel[0],
            kernel[1],
        ];
        let weights = model.add_const("kernel", numbers(&shape)).unwrap();
        let bias = model
            .add_const("bias", numbers(&[output_channels]))
            .unwrap();
        let conv = Conv {
            pool_spec: PoolSpec {
                data_format: DataFormat::NCHW,
                kernel_shape: kernel[..].into(),
                padding: PaddingSpec::Explicit(before[..].into(), after[..].into()),
                dilations: None,
                strides: Some(strides[..].into()),
                input_channels,
                output_channels,
            },
            kernel_fmt: KernelFormat::OIHW,
            group,
            q_params: None,
        };
        let output = model
            .wire_node("conv", conv, &[image, weights, bias])
            .unwrap();
        model.select_output_outlets(&output).unwrap();
        model
    }

    fn run(model: TypedModel) -> Tensor {
        let shape = model.input_fact(0).unwrap().shape.as_concrete().unwrap();
        let image = numbers(shape);
        let outputs = model
            .into_runnable()
            .unwrap()
            .run(tvec!(image.into()))
            .unwrap();
        outputs[0].clone().into_tensor()
    }

    #[test]
    fn a_replaced_convolution_gives_the_same() {
        let cases: [Case; 7] = [
            ([5, 7, 1], [1, 1], [1, 1], [0, 0], [0, 0]),
            ([1, 6, 1], [3, 3], [2, 2], [1, 1], [1, 1]),
            ([4, 3, 1], [2, 2], [1, 1], [0, 0], [1, 1]),
            ([3, 8, 1], [3, 2], [1, 2], [1, 0], [0, 1]),
            ([6, 6, 6], [3, 3], [1, 1], [1, 1], [1, 1]),
            ([6, 6, 6], [3, 3], [2, 1], [1, 1], [1, 1]),
            ([6, 6, 6], [3, 3], [1, 1], [0, 0], [0, 0]),
        ];
        for case in cases {
            let model = convolution(case);
            let mut replaced = model.clone();
            replace_convolutions(&mut replaced).unwrap();
            assert!(
                replaced
                    .nodes
                    .iter()
                    .any(|node| node.op_is::<Convolution>()),
                "{case:?}"
            );
            let expected = run(model);
            run(replaced).close_enough(&expected, true).unwrap();
        }
    }

    #[test]
    fn other_convolutions_stay() {
        for case in [
            ([6, 6, 6], [1, 7], [1, 1], [0, 3], [0, 3]),
            ([6, 6, 6], [3, 3], [2, 2], [1, 1], [1, 1]),
            ([6, 6, 2], [3, 3], [1, 1], [1, 1], [1, 1]),
            ([4, 3, 1], [9, 21], [1, 1], [0, 0], [0, 0]),
        ] {
            let mut model = convolution(case);
            replace_convolutions(&mut model).unwrap();
            assert!(
                model.nodes.iter().any(|node| node.op_is::<Conv>()),
                "{case:?}"
            );
        }
    }
}
