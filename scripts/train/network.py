"""The reader network: a small convolutional text recogniser with two attention blocks.

Shape and weights come from PP-OCRv6 small recognition (Apache-2.0), see `pretrained.py`. Differences to the original:
one grey input channel (ink = 1, paper = 0), batch normalisation folded away, GELU replaced by the sigmoid form
x * sigmoid(1.702 x) whose factor is folded into the neighbouring weights (so that it is plain SiLU), and a head of the
letters of `models/alphabet.txt` only. Two of its thirteen blocks are left out (`KEPT`): they are what it misses least. The last pooling keeps every column (the original halves them): a letter in a cell is
half as wide as in a line of print, so that its pitch in time steps is the familiar one.

Input `N x 1 x 48 x W`, W a multiple of 4; output `N x W/4 x classes`, log-probabilities (natural logarithm).
"""

import torch
from torch import nn
from torch.nn import functional as F

HEIGHT = 48
STRIDE = 4
HEADS = 8
EMBEDDING = 120
# Per block of the original's backbone: channels in, channels out, vertical stride, squeeze-and-excitation.
BLOCKS = [
    (96, 96, 1, True), (96, 96, 1, False), (96, 96, 1, False),
    (96, 192, 2, False),
    (192, 192, 1, True), (192, 192, 1, False), (192, 192, 1, True),
    (192, 192, 1, False), (192, 192, 1, True), (192, 192, 1, False),
    (192, 384, 2, False),
    (384, 384, 1, True), (384, 384, 1, False),
]
# Numbers of the blocks that the reader has.
KEPT = (0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 12)


class Stem(nn.Module):
    """Quarter of the size in both directions, 96 channels."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 48, 3, 2, 1)
        self.branch_a = nn.Conv2d(48, 24, 2)
        self.branch_b = nn.Conv2d(24, 48, 2)
        self.join = nn.Conv2d(96, 48, 3, 2, 1)
        self.widen = nn.Conv2d(48, 96, 1)

    def forward(self, x):
        x = F.pad(F.relu(self.first(x)), (0, 1, 0, 1))
        y = F.pad(F.relu(self.branch_a(x)), (0, 1, 0, 1))
        y = F.relu(self.branch_b(y))
        x = torch.cat([F.max_pool2d(x, 2, 1), y], 1)
        return F.relu(self.widen(F.relu(self.join(x))))


class Block(nn.Module):
    """Depthwise 3x3 to mix places, two 1x1 to mix channels; the second part has a residual where the size stays.

    Between the two 1x1 lie the hidden channels, twice as many as go in unless told otherwise.
    """

    def __init__(self, channels, out, stride, excite, hidden=None):
        super().__init__()
        hidden = hidden or 2 * channels
        self.residual = channels == out
        self.activation = F.silu
        self.depthwise = nn.Conv2d(channels, channels, 3, (stride, 1), 1, groups=channels)
        self.excite = excite
        if excite:
            self.squeeze = nn.Conv2d(channels, channels // 4, 1)
            self.expand = nn.Conv2d(channels // 4, channels, 1)
        self.up = nn.Conv2d(channels, hidden, 1)
        self.down = nn.Conv2d(hidden, out, 1)

    def forward(self, x):
        x = self.depthwise(x)
        if self.excite:
            gate = self.expand(F.relu(self.squeeze(x.mean((2, 3), keepdim=True))))
            x = x * F.hardsigmoid(gate)
        y = self.down(self.activation(self.up(x)))
        return x + y if self.residual else y


class Attention(nn.Module):
    """Pre-norm self-attention over the time steps, then a two-layer perceptron."""

    def __init__(self, width=EMBEDDING):
        super().__init__()
        self.norm_1 = nn.LayerNorm(width, eps=1e-5)
        self.qkv = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.norm_2 = nn.LayerNorm(width, eps=1e-5)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = self.qkv(self.norm_1(x)).view(n, t, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, t, width)
        x = x + self.dropout(self.project(y))
        return x + self.dropout(self.down(F.silu(self.up(self.norm_2(x)))))


class Network(nn.Module):
    """Backbone, neck and head; see the module's text for shapes."""

    def __init__(self, classes, kept=KEPT, hidden=None):
        super().__init__()
        self.stem = Stem()
        hidden = hidden or [None] * len(kept)
        self.blocks = nn.ModuleList(Block(*BLOCKS[number], channels) for number, channels in zip(kept, hidden, strict=True))
        self.skip = nn.Conv2d(384, EMBEDDING, 1)
        self.reduce = nn.Conv2d(384, EMBEDDING, 1)
        self.local = nn.Conv2d(EMBEDDING, EMBEDDING, (1, 7), 1, (0, 3), groups=EMBEDDING)
        self.attention = nn.ModuleList([Attention(), Attention()])
        self.norm = nn.LayerNorm(EMBEDDING, eps=1e-6)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(EMBEDDING, classes)

    def neck(self, x):
        """From the `N x 384 x 3 x T` of the backbone to `N x T x 120`, what the head sees."""
        x = F.avg_pool2d(x, (3, 1))
        skip = F.silu(self.skip(x))
        x = F.silu(self.reduce(x))
        x = x + F.silu(self.local(x))
        x = x.squeeze(2).transpose(1, 2)
        for block in self.attention:
            x = block(x)
        return self.norm(x) + skip.squeeze(2).transpose(1, 2)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return F.log_softmax(self.head(self.dropout(self.neck(x))), 2)


def load_checkpoint(path, alphabet, other=None):
    """The network with the averaged weights of a checkpoint of `train.py`.

    Classes are only ever appended to the alphabet: a checkpoint of a smaller one keeps its rows of the head, and the rows that it
    lacks come from the network `other`. Of a checkpoint with all blocks of the original the kept ones are taken. The hidden channels are
    those of the checkpoint (`narrow.py`).
    """
    weights = torch.load(path, weights_only=True)["average"]
    if any(name.startswith(f"blocks.{len(KEPT)}.") for name in weights):
        numbers = {f"blocks.{old}": f"blocks.{new}" for new, old in enumerate(KEPT)}
        parts = {name: ".".join(name.split(".")[:2]) for name in weights if name.startswith("blocks.")}
        kept = {numbers[part] + name[len(part):]: weights[name] for name, part in parts.items() if part in numbers}
        weights = {name: value for name, value in weights.items() if name not in parts} | kept
    if other is not None:
        for name in ("head.weight", "head.bias"):
            weights[name] = torch.cat([weights[name], other.state_dict()[name][len(weights[name]):]])
    hidden = [len(weights[f"blocks.{block}.up.bias"]) for block in range(len(KEPT))]
    network = Network(len(alphabet), hidden=hidden)
    network.load_state_dict(weights)
    return network
