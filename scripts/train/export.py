"""Writes the network as an ONNX file for tract: a hand-laid graph of plain operators, no shapes stored inside.

`export.py CHECKPOINT MODEL.onnx` writes the averaged weights of a checkpoint and compares onnxruntime with torch.
The height is fixed by the network, the number of cells and the width (a multiple of 4) are free: the reader fixes them before it optimises.
"""

import argparse

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from alphabet import Alphabet
from cells import BUCKETS
from network import EMBEDDING, HEADS, HEIGHT, load_checkpoint

OPSET = 13


class Graph:
    """Collects nodes and tensors; every method returns the name of its output."""

    def __init__(self):
        self.nodes, self.tensors = [], []

    def constant(self, array):
        name = f"w{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind, *inputs, **attributes):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def convolution(self, x, layer, pads=None):
        height, width = layer.padding
        return self.add(
            "Conv", x, self.constant(layer.weight.numpy()), self.constant(layer.bias.numpy()),
            kernel_shape=list(layer.kernel_size), strides=list(layer.stride), group=layer.groups,
            pads=pads or [height, width, height, width])

    def silu(self, x):
        return self.add("Mul", x, self.add("Sigmoid", x))

    def linear(self, x, layer):
        product = self.add("MatMul", x, self.constant(layer.weight.numpy().T))
        return self.add("Add", product, self.constant(layer.bias.numpy()))

    def norm(self, x, layer):
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes=[2], keepdims=1))
        square = self.add("Mul", centred, centred)
        variance = self.add("ReduceMean", square, axes=[2], keepdims=1)
        deviation = self.add("Sqrt", self.add("Add", variance, self.constant(np.float32(layer.eps))))
        scaled = self.add("Mul", self.add("Div", centred, deviation), self.constant(layer.weight.numpy()))
        return self.add("Add", scaled, self.constant(layer.bias.numpy()))

    def block(self, x, block):
        x = self.convolution(x, block.depthwise)
        if block.excite:
            gate = self.add("ReduceMean", x, axes=[2, 3], keepdims=1)
            gate = self.convolution(self.add("Relu", self.convolution(gate, block.squeeze)), block.expand)
            x = self.add("Mul", x, self.add("HardSigmoid", gate, alpha=1 / 6, beta=0.5))
        y = self.convolution(self.silu(self.convolution(x, block.up)), block.down)
        return self.add("Add", x, y) if block.residual else y

    def attention(self, x, block):
        size = EMBEDDING // HEADS
        y = self.norm(x, block.norm_1)
        parts = []
        for i in range(3):  # one product each for queries, keys and values: no slicing at run time
            rows = slice(i * EMBEDDING, (i + 1) * EMBEDDING)
            scale = size ** -0.5 if i == 0 else 1.0
            weight = self.constant(block.qkv.weight.numpy()[rows].T * np.float32(scale))
            part = self.add("MatMul", y, weight)
            part = self.add("Add", part, self.constant(block.qkv.bias.numpy()[rows] * np.float32(scale)))
            part = self.add("Reshape", part, self.constant(np.array([0, -1, HEADS, size], np.int64)))
            parts.append(self.add("Transpose", part, perm=[0, 2, 3, 1] if i == 1 else [0, 2, 1, 3]))
        weights = self.add("Softmax", self.add("MatMul", parts[0], parts[1]), axis=3)
        y = self.add("Transpose", self.add("MatMul", weights, parts[2]), perm=[0, 2, 1, 3])
        y = self.add("Reshape", y, self.constant(np.array([0, -1, EMBEDDING], np.int64)))
        x = self.add("Add", x, self.linear(y, block.project))
        y = self.silu(self.linear(self.norm(x, block.norm_2), block.up))
        return self.add("Add", x, self.linear(y, block.down))

    def steps(self, x):
        """N x C x 1 x T to N x T x C."""
        return self.add("Transpose", self.add("Squeeze", x, self.constant(np.array([2], np.int64))), perm=[0, 2, 1])


def build(network, temperature=1.0):
    """The ONNX model of a network in evaluation mode, for any number of cells of one width; logits are divided by the temperature."""
    g = Graph()
    stem = network.stem
    x = g.add("Relu", g.convolution("image", stem.first))
    y = g.add("Relu", g.convolution(x, stem.branch_a, [0, 0, 1, 1]))
    y = g.add("Relu", g.convolution(y, stem.branch_b, [0, 0, 1, 1]))
    x = g.add("MaxPool", x, kernel_shape=[2, 2], strides=[1, 1], pads=[0, 0, 1, 1])
    x = g.add("Concat", x, y, axis=1)
    x = g.add("Relu", g.convolution(x, stem.join))
    x = g.add("Relu", g.convolution(x, stem.widen))
    for block in network.blocks:
        x = g.block(x, block)
    x = g.add("AveragePool", x, kernel_shape=[3, 1], strides=[3, 1])
    skip = g.silu(g.convolution(x, network.skip))
    x = g.silu(g.convolution(x, network.reduce))
    x = g.add("Add", x, g.silu(g.convolution(x, network.local)))
    x = g.steps(x)
    for block in network.attention:
        x = g.attention(x, block)
    x = g.add("Add", g.norm(x, network.norm), g.steps(skip))
    head = network.head
    x = g.add("MatMul", x, g.constant(head.weight.numpy().T / np.float32(temperature)))
    x = g.add("Add", x, g.constant(head.bias.numpy() / np.float32(temperature)))
    g.nodes.append(helper.make_node("LogSoftmax", [x], ["log_probabilities"], "log_probabilities", axis=2))
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["cells", 1, HEIGHT, "width"])
    output = helper.make_tensor_value_info("log_probabilities", TensorProto.FLOAT, ["cells", "steps", head.out_features])
    graph = helper.make_graph(g.nodes, "scoresheet-reader", [image], [output], g.tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8,
                             producer_name="scoresheet-digitizer")


def difference(network, model):
    """Largest difference of a probability between torch and onnxruntime at several widths."""
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    worst = 0.0
    for width in BUCKETS:
        ink = torch.rand(2, 1, HEIGHT, width)
        with torch.no_grad():
            ours = network(ink).numpy()
        theirs = session.run(None, {"image": ink.numpy()})[0]
        worst = max(worst, float(np.abs(np.exp(ours) - np.exp(theirs)).max()))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", help="checkpoint of train.py, or the rapidocr wheel for the untrained start")
    parser.add_argument("model", help="ONNX file to write")
    parser.add_argument("--temperature", type=float, default=1.0, help="divides the logits (calibration)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.checkpoint.endswith((".whl", ".onnx")):
        from pretrained import load_network

        network = load_network(arguments.checkpoint)
    else:
        network = load_checkpoint(arguments.checkpoint, Alphabet())
    network.eval().requires_grad_(False)
    model = build(network)
    worst = difference(network, model)
    if worst > 1e-3:
        raise SystemExit(f"onnxruntime differs from torch by {worst}")
    onnx.save(build(network, arguments.temperature), arguments.model)
    print(f"{arguments.model}: largest difference to torch {worst:.1e}")


if __name__ == "__main__":
    main()
