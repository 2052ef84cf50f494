"""The corrected transcription that `settle.py` arrived at, as a table with reasons, and a montage of every change for the eye.

    corrections.py --cells FOLDER --out FOLDER [--fold val] [--decided DECIDED.tsv]

Writes `corrected.tsv` (page, number, column, fold, label, text, reason) of all cells with a label, and `changes-N.png` with every cell whose
label did not stand: label > text, what the reader sees, and the reason. A cell that was not settled keeps its label with the reason `unsettled`.
Decisions of a person are in DECIDED.tsv (page, number, column, text; the text may be empty where the ink says nothing) and come first.
The montages hold cells of the data set: they stay where the data is.
"""

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from cells import CELL_HEIGHT
from real import load_cells, read_table

TILE_WIDTH, CAPTION, COLUMNS, ROWS = 300, 34, 5, 9


def corrected_rows(folder, fold, decided):
    """Rows of `texts.tsv` that have a label, each with its corrected `text` and `why`."""
    for row in read_table(Path(folder) / "texts.tsv"):
        key = row["page"], row["number"], row["column"]
        if not row["label"] or (fold and row["fold"] != fold):
            continue
        if key in decided:
            text, why = decided[key], "seen by a person"
        elif row["text"]:
            text, why = row["text"], "label" if row["text"] == row["label"] else "played move, by the reader"
        else:
            text, why = row["label"], f"unsettled: {row['reason']}"
        yield row | {"text": text, "why": why}


def tile(cell, row):
    """A cell with its caption below."""
    canvas = np.full((CELL_HEIGHT + CAPTION, TILE_WIDTH), 255, np.uint8)
    cut = cell.image[:, :TILE_WIDTH]
    canvas[:CELL_HEIGHT, :cut.shape[1]] = cut
    place = f"{row['page']} {row['number']}{row['column'][0]}"
    lines = [f"{row['label']} > {row['text']}  reads {row['read']}", f"{place} played {row['san'] or '-'} {row['reason'].split(' ')[0]}"]
    for i, line in enumerate(lines):
        cv2.putText(canvas, line, (2, CELL_HEIGHT + 13 + 15 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.42, 0, 1, cv2.LINE_AA)
    return canvas


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", required=True, help="folder of cells with texts.tsv")
    parser.add_argument("--out", required=True)
    parser.add_argument("--fold")
    parser.add_argument("--decided")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    decided = {(r["page"], r["number"], r["column"]): r["text"] for r in read_table(arguments.decided)} if arguments.decided else {}
    cells = load_cells(arguments.cells)
    names = ["page", "number", "column", "fold", "label", "text", "why"]
    tally, tiles = Counter(), []
    with open(out / "corrected.tsv", "w", encoding="utf-8") as table:
        table.write("\t".join(names) + "\n")
        for row in corrected_rows(arguments.cells, arguments.fold, decided):
            table.write("\t".join(row[name] for name in names) + "\n")
            tally[row["fold"], row["why"].split(" ")[0]] += 1
            if row["why"] != "label":
                tiles.append(tile(cells[row["page"], int(row["number"]), row["column"]], row))
    size = COLUMNS * ROWS
    for number, at in enumerate(range(0, len(tiles), size), 1):
        chosen = tiles[at:at + size]
        chosen += [np.full_like(tiles[0], 255)] * (-len(chosen) % COLUMNS)
        cv2.imwrite(str(out / f"changes-{number}.png"), np.vstack([np.hstack(chosen[i:i + COLUMNS]) for i in range(0, len(chosen), COLUMNS)]))
    print({f"{fold} {why}": count for (fold, why), count in sorted(tally.items())})


if __name__ == "__main__":
    main()
