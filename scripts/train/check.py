"""Checks the product's reading of a sheet against onnxruntime on the same cells.

    check.py [SHEET ...] [--binary target/release/scoresheet] [--model models/reader.onnx]

The product cuts the cells and saves its lattices; onnxruntime reads the same cells through the input code of training. Prints the
largest and mean difference of probability and how many best paths differ; ends with status 1 where more than a hundredth does.
So it covers the export, tract, and the twin of `cells.py` in the reader crate at once.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import torch

from alphabet import Alphabet
from cells import CELL_HEIGHT, ink_columns
from looks import read_cells

ROOT = Path(__file__).resolve().parent.parent.parent
MAGIC = b"scoresheet.lattices/1\n"


def lattices(path):
    """(index of the cell, steps x classes log probabilities) of each inked cell of a lattice file."""
    data = path.read_bytes()
    assert data.startswith(MAGIC), path
    length = int.from_bytes(data[len(MAGIC):len(MAGIC) + 4], "little")
    start = len(MAGIC) + 4
    header = json.loads(data[start:start + length])
    values = np.frombuffer(data[start + length:], "<u2").astype(np.float32) / -1024
    classes, at = len(header["alphabet"]) + 1, 0
    for index, cell in enumerate(header["cells"]):
        if cell["steps"]:
            size = cell["steps"] * classes
            yield index, values[at:at + size].reshape(-1, classes)
            at += size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheets", nargs="*", type=Path, default=[ROOT / "datasets/samples/clean-scan.jpg", ROOT / "datasets/samples/pencil-faint.jpg"])
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/scoresheet")
    parser.add_argument("--model", type=Path, default=ROOT / "models/reader.onnx")
    options = parser.parse_args()
    session = onnxruntime.InferenceSession(str(options.model))
    alphabet = Alphabet()

    def run(inputs):
        drawn = (x.astype(np.float32)[None, None] / 255 for x in inputs)
        return [torch.from_numpy(session.run(None, {session.get_inputs()[0].name: x})[0][0]) for x in drawn]

    largest, total, cells, other = 0.0, 0.0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for sheet in options.sheets:
            program = str(options.binary)
            subprocess.run([program, "cells", str(sheet), "-o", scratch, "--quiet"], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([program, "read", str(sheet), "--model", str(options.model), "--save-lattices", scratch, "--quiet"], check=True, stdout=subprocess.DEVNULL)
            strip = cv2.imread(f"{scratch}/{sheet.stem}.png", cv2.IMREAD_GRAYSCALE)
            rows = [line.split("\t") for line in Path(scratch, "cells.tsv").read_text().splitlines()[1:]]
            widths = [int(row[5]) for row in rows if row[0] == sheet.stem]
            for index, ours in lattices(Path(scratch, sheet.stem + ".lattice")):
                cell = strip[index * CELL_HEIGHT:(index + 1) * CELL_HEIGHT, :widths[index]]
                theirs = read_cells(run, [(cell, *ink_columns(cell))], alphabet)[0][0].numpy()
                cells += 1
                if theirs.shape != ours.shape:
                    other += 1
                    continue
                difference = np.abs(np.exp(ours) - np.exp(theirs))
                largest, total = max(largest, float(difference.max())), total + float(difference.mean())
                other += not np.array_equal(ours.argmax(1), theirs.argmax(1))
    print(f"{cells} cells: largest difference of a probability {largest:.4f}, mean {total / max(1, cells):.6f}, best paths that differ {other}")
    sys.exit(other * 100 > cells)


if __name__ == "__main__":
    main()
