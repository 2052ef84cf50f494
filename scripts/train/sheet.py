"""A contact sheet of composed cells, beside real ones where a folder of those is given.

    sheet.py --texts TEXTS --out SHEET.png [--real CELLS_FOLDER[,CELLS_FOLDER]] [--language ru] [--rows 16]
"""

import argparse

import cv2
import numpy as np

from alphabet import Alphabet
from cells import CELL_HEIGHT, ink_columns
from compose import Composer
from texts import Texts

WIDTH = 200


def tile(cell, left, right):
    """The middle of a cell's ink on a white tile."""
    start = max(0, (left + right - WIDTH) // 2)
    cut = cell[:, start:start + WIDTH]
    canvas = np.full((CELL_HEIGHT + 6, WIDTH + 6), 255, np.uint8)
    canvas[:CELL_HEIGHT, :cut.shape[1]] = cut
    return canvas


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--texts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--real", help="folders of real cells: the left half of the sheet; such a sheet holds foreign images")
    parser.add_argument("--language")
    parser.add_argument("--system")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    alphabet = Alphabet()
    composer = Composer(arguments.data, Texts(arguments.texts, arguments.seed, arguments.language, arguments.system), alphabet, arguments.seed)
    count = arguments.rows * arguments.columns
    composed = []
    for _ in range(count):
        composer.writer_cells = min(composer.writer_cells, 1)
        cell, _, _, _ = composer.draw()
        composed.append(tile(cell, *ink_columns(cell)))
    blocks = [composed]
    if arguments.real:
        from real import load_real

        real = load_real(arguments.real, "train", alphabet)
        rng = np.random.default_rng(arguments.seed)
        blocks.insert(0, [tile(c.image, c.left, c.right) for c in (real[i] for i in rng.permutation(len(real))[:count])])
    halves = [np.vstack([np.hstack(b[i:i + arguments.columns]) for i in range(0, count, arguments.columns)]) for b in blocks]
    gap = np.full((halves[0].shape[0], 24), 255, np.uint8)
    cv2.imwrite(arguments.out, halves[0] if len(halves) == 1 else np.hstack([halves[0], gap, halves[1]]))


if __name__ == "__main__":
    main()
