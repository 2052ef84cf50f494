"""Cells read as the product reads them: where one look leaves a cell in doubt, by the mean of several. Twin of the reader crate's `looks.rs`."""

import math

import torch
from torch.nn import functional as F

from cells import OTHER_LOOKS, to_input
from settle import scores

SURE = 0.7  # probability of the best text from which on one look is enough


def is_doubtful(output, alphabet):
    """Whether the text of the best path is not sure enough."""
    text = alphabet.decode_best_path(output.argmax(1).tolist())
    return not text or scores(output, [text], alphabet)[0] < math.log(SURE)


def read_cells(run, cells, alphabet):
    """Log-probabilities (T x classes) of cells (image, left, right); `run` gives those of a list of inputs, from one look each. And how many were looked at again."""
    found = list(run([to_input(*cell) for cell in cells]))
    doubtful = [i for i, output in enumerate(found) if is_doubtful(output, alphabet)]
    for look in OTHER_LOOKS:
        for i, other in zip(doubtful, run([to_input(*cells[i], look) for i in doubtful])):
            found[i] = found[i] + other
    for i in doubtful:
        found[i] = F.log_softmax(found[i] / (1 + len(OTHER_LOOKS)), 1)
    return found, len(doubtful)


def as_log_probabilities(outputs, temperature):
    """Log-probabilities of outputs of the network, with the temperature that its export divides the logits by."""
    return [F.log_softmax(torch.as_tensor(output).float() / temperature, 1) for output in outputs]
