"""Real cells cut by `scoresheet cells`, with what the hand wrote in them.

A folder of cells holds `<page>.png` and `cells.tsv` as the product writes them, and `texts.tsv` as `settle.py` writes it.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from cells import CELL_HEIGHT, ink_columns


@dataclass
class Cell:
    """One cell with writing; `text` is empty where it is not known."""

    page: str
    number: int
    column: str
    image: np.ndarray  # grey, dark ink, 64 high
    left: int
    right: int
    text: str = ""
    accepted: frozenset = frozenset()


def read_table(path):
    """Rows of a table with tabs as dictionaries; quotation marks mean nothing."""
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def load_cells(folder):
    """All cells with ink of a folder, keyed by (page, number, column)."""
    folder, cells, strips = Path(folder), {}, {}
    for row in read_table(folder / "cells.tsv"):
        if row["state"] != "ink":
            continue
        page, at = row["page"], int(row["index"]) * CELL_HEIGHT
        if page not in strips:
            strips[page] = cv2.imread(str(folder / f"{page}.png"), cv2.IMREAD_GRAYSCALE)
        image = np.ascontiguousarray(strips[page][at:at + CELL_HEIGHT, :int(row["width"])])
        left, right = ink_columns(image)
        cells[page, int(row["number"]), row["column"]] = Cell(page, int(row["number"]), row["column"], image, left, right)
    return cells


def load_real(folders, fold, alphabet):
    """Cells of one fold with settled texts; folders are separated by commas."""
    found = []
    for folder in folders.split(","):
        cells = load_cells(folder)
        for row in read_table(Path(folder) / "texts.tsv"):
            cell = cells.get((row["page"], int(row["number"]), row["column"]))
            if cell is None or row["fold"] != fold or (fold == "train" and not row["text"]):
                continue
            cell.text = row["text"]
            cell.accepted = frozenset(alphabet.canonical(t) for t in row["accepted"].split(" ") if t)
            found.append(cell)
    return found
