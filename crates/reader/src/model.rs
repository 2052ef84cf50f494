//! The handwriting model: an ONNX network run by tract.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use image::GrayImage;
use scoresheet_notation::{Alphabet, AlphabetError, Lattice, LatticeError};
use sha2::{Digest, Sha256};
use thiserror::Error;
use tract_onnx::prelude::*;

use crate::convolution::replace_convolutions;
use crate::input::{BUCKETS, INPUT_HEIGHT, Look, network_input};
use crate::looks::{is_doubtful, mean};

const EMBEDDED_MODEL: &[u8] = include_bytes!("../../../models/reader.onnx");
const EMBEDDED_ALPHABET: &str = include_str!("../../../models/alphabet.txt");

/// Name of the file beside a model that lists its classes, one a line.
const ALPHABET_FILE: &str = "alphabet.txt";

/// Why a model cannot be used, or did not read a cell.
#[derive(Debug, Error)]
pub enum ReaderError {
    /// The model file, or the alphabet beside it, cannot be read.
    #[error("model {}: cannot be read ({source}); check the name and the permissions", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The alphabet is not one class a line.
    #[error("the model's alphabet is unusable: {0}")]
    Alphabet(#[from] AlphabetError),
    /// The file is no ONNX network of the expected form.
    #[error(
        "the model is unusable ({0}); it must be an ONNX network from 1 x 1 x 48 x width to 1 x steps x classes"
    )]
    Model(String),
    /// The network's output does not fit the alphabet.
    #[error("the model's output does not fit its alphabet: {0}")]
    Output(#[from] LatticeError),
}

type Plan = Arc<TypedRunnableModel>;

/// A handwriting model, shared by all workers.
///
/// Each input width gets a plan of its own, made when it is first needed: tract is fastest when every size is known.
#[derive(Debug)]
pub struct Reader {
    bytes: Cow<'static, [u8]>,
    alphabet: Arc<Alphabet>,
    sha256: String,
    network: OnceLock<Result<(TypedModel, Symbol), String>>,
    plans: [OnceLock<Result<Plan, String>>; BUCKETS.len()],
}

impl Reader {
    /// The model that ships with the program.
    ///
    /// # Errors
    /// [`ReaderError::Alphabet`] or [`ReaderError::Model`], if the program was built with files that do not fit.
    pub fn embedded() -> Result<Self, ReaderError> {
        Self::new(Cow::Borrowed(EMBEDDED_MODEL), EMBEDDED_ALPHABET)
    }

    /// A model from a file, with the `alphabet.txt` beside it, or with the shipped alphabet where there is none.
    ///
    /// # Errors
    /// A [`ReaderError`] that says what is wrong with the file.
    pub fn from_file(file: &Path) -> Result<Self, ReaderError> {
        let io = |file: &Path, source| ReaderError::Io {
            file: file.to_path_buf(),
            source,
        };
        let network = std::fs::read(file).map_err(|source| io(file, source))?;
        let beside = file.with_file_name(ALPHABET_FILE);
        let alphabet = if beside.is_file() {
            std::fs::read_to_string(&beside).map_err(|source| io(&beside, source))?
        } else {
            EMBEDDED_ALPHABET.to_owned()
        };
        let reader = Self::new(Cow::Owned(network), &alphabet)?;
        // A wrong file shall fail here and not at the first cell.
        reader
            .worker()
            .run(0, vec![0.0; INPUT_HEIGHT * BUCKETS[0]])?;
        Ok(reader)
    }

    fn new(network: Cow<'static, [u8]>, alphabet: &str) -> Result<Self, ReaderError> {
        Ok(Self {
            sha256: Sha256::digest(&network)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
            alphabet: Arc::new(Alphabet::from_lines(alphabet)?),
            bytes: network,
            network: OnceLock::new(),
            plans: Default::default(),
        })
    }

    /// SHA-256 of the model file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The classes of the model's output.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// A worker for one thread.
    pub fn worker(&self) -> Worker<'_> {
        Worker {
            reader: self,
            states: Default::default(),
        }
    }

    fn plan(&self, bucket: usize) -> Result<&Plan, ReaderError> {
        self.plans[bucket]
            .get_or_init(|| self.make_plan(bucket).map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|message| ReaderError::Model(message.clone()))
    }

    fn make_plan(&self, bucket: usize) -> TractResult<Plan> {
        let (model, width) = self
            .network
            .get_or_init(|| self.load().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|message| TractError::msg(message.clone()))?;
        let known = HashMap::from([(width.clone(), BUCKETS[bucket].to_dim())]);
        let mut model = model.set_symbols(&known)?;
        model.optimize()?;
        model.into_runnable()
    }

    /// The network with its width left open, simplified once for all widths.
    fn load(&self) -> TractResult<(TypedModel, Symbol)> {
        let mut model = tract_onnx::onnx().model_for_read(&mut Cursor::new(&self.bytes))?;
        let width = model.symbols.sym("width");
        let shape = [
            1.to_dim(),
            1.to_dim(),
            INPUT_HEIGHT.to_dim(),
            width.to_dim(),
        ];
        model.set_input_fact(0, f32::fact(shape).into())?;
        let mut model = model.into_typed()?;
        replace_convolutions(&mut model)?;
        Ok((model.into_decluttered()?, width))
    }
}

/// Reads cells, one after another. Each thread has its own.
#[derive(Debug)]
pub struct Worker<'reader> {
    reader: &'reader Reader,
    states: [Option<TypedSimpleState>; BUCKETS.len()],
}

impl Worker<'_> {
    /// Reads a cell image (dark ink on white paper, any width); where one look leaves it in doubt, the mean of several.
    ///
    /// # Errors
    /// [`ReaderError::Model`] or [`ReaderError::Output`], if the network cannot run or its output does not fit.
    pub fn read(&mut self, cell: &GrayImage) -> Result<Lattice, ReaderError> {
        let straight = self.look(cell, Look::STRAIGHT)?;
        if !is_doubtful(&straight) {
            return Ok(straight);
        }
        let mut seen = vec![straight];
        for look in Look::OTHERS {
            seen.push(self.look(cell, look)?);
        }
        Ok(mean(&seen)?)
    }

    /// Reads a cell image from one look.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn look(&mut self, cell: &GrayImage, look: Look) -> Result<Lattice, ReaderError> {
        let input = network_input(cell, look);
        self.run(input.bucket, input.values)
    }

    fn run(&mut self, bucket: usize, values: Vec<f32>) -> Result<Lattice, ReaderError> {
        let failed = |error: TractError| ReaderError::Model(format!("{error:#}"));
        let state = match &mut self.states[bucket] {
            Some(state) => state,
            none => none.insert(self.reader.plan(bucket)?.spawn().map_err(failed)?),
        };
        let input =
            Tensor::from_shape(&[1, 1, INPUT_HEIGHT, BUCKETS[bucket]], &values).map_err(failed)?;
        let output = state.run(tvec!(input.into())).map_err(failed)?;
        let classes = self.reader.alphabet.len();
        let (steps, values) = match output.first() {
            Some(scores) if scores.rank() == 3 && scores.shape()[2] == classes => {
                let view = scores.to_plain_array_view::<f32>().map_err(failed)?;
                (scores.shape()[1], view.iter().copied().collect())
            }
            other => {
                let shape = other.map(|scores| scores.shape().to_vec());
                return Err(ReaderError::Model(format!(
                    "output of shape {shape:?} for {classes} classes"
                )));
            }
        };
        Ok(Lattice::new(
            steps,
            Arc::clone(&self.reader.alphabet),
            values,
        )?)
    }
}
