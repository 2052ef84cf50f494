"""Figures of a reader on the real cells of `val`: raw readings by best path, before any chess.

    measure.py CHECKPOINT hcs=FOLDER epfl=FOLDER [--temperature T] [--corrected hcs=FOLDER/corrected.tsv] [--straight]

Cells in doubt are looked at again as the product does (`looks.py`), but with `--straight`. For HCS `label` is the share of cells read as the published label (exactly / without optional marks), `or played` also counts
the move played where the game is known; `corrected` compares with the transcription of `corrections.py`. EPFL knows the move played only: every usual spelling of it counts as exact.
`--temperature` is what the export divides the logits by. The temperature told is the one that, besides, makes the CTC probability of the settled texts largest; the calibration error is of the
probability of the best reading, in ten bins, with that temperature.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from alphabet import Alphabet
from cells import to_input
from looks import as_log_probabilities, read_cells
from network import load_checkpoint
from real import load_cells, read_table
from settle import outputs, scores
from train import loose


def read_set(run, folder, alphabet, straight):
    """Rows of `val` of a folder's texts, each with its log-probabilities and the cell's input width; and the share of cells looked at again."""
    cells = load_cells(folder)
    rows = [r for r in read_table(Path(folder) / "texts.tsv") if r["fold"] == "val" and (r["page"], int(r["number"]), r["column"]) in cells]
    chosen = [cells[r["page"], int(r["number"]), r["column"]] for r in rows]
    places = [(c.image, c.left, c.right) for c in chosen]
    inputs = [to_input(*place) for place in places]
    found, again = (run(inputs), 0) if straight else read_cells(run, places, alphabet)
    return [(row, output, x.shape[1]) for row, output, x in zip(rows, found, inputs)], again / len(rows)


def judge(row, text, alphabet):
    """(exact, loose, loose or played) of a reading."""
    label, san = alphabet.canonical(row["label"]), alphabet.canonical(row["san"])
    accepted = [alphabet.canonical(t) for t in row["accepted"].split(" ")]
    if not label:
        return text in accepted, loose(text) in {loose(t) for t in accepted}, loose(text) == loose(san)
    near = loose(text) == loose(label)
    return text == label, near, near or (bool(san) and loose(text) == loose(san))


def share_of_corrected(items, table, alphabet, form):
    """Share of cells read as the corrected transcription, both in a form."""
    texts = {(row["page"], row["number"], row["column"]): row["text"] for row in read_table(table)}
    verdicts = [
        form(alphabet.decode_best_path(output.argmax(1).tolist())) == form(alphabet.canonical(texts[key]))
        for row, output, _ in items if (key := (row["page"], row["number"], row["column"])) in texts
    ]
    return np.mean(verdicts)


def temperature_of(items, alphabet):
    """Temperature with the largest likelihood of the settled texts, by trial."""
    best = (float("inf"), 1.0)
    for temperature in np.arange(0.7, 1.81, 0.05):
        total = 0.0
        for row, output, _ in items:
            if row["text"]:
                total -= scores(F.log_softmax(output / float(temperature), 1), [row["text"]], alphabet)[0]
        best = min(best, (total, float(temperature)))
    return best[1]


def calibration_error(items, temperature, alphabet):
    """Expected calibration error of the best path's text."""
    bins = defaultdict(lambda: [0, 0.0, 0.0])
    for row, output, _ in items:
        scaled = F.log_softmax(output / temperature, 1)
        text = alphabet.decode_best_path(scaled.argmax(1).tolist())
        sure = float(np.exp(scores(scaled, [text], alphabet)[0])) if text else 0.0
        entry = bins[min(9, int(sure * 10))]
        entry[0] += 1
        entry[1] += sure
        entry[2] += judge(row, text, alphabet)[2]
    total = sum(n for n, _, _ in bins.values())
    return sum(abs(sure - right) for _, sure, right in bins.values()) / total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("sets", nargs="+", help="NAME=FOLDER of cells with texts.tsv")
    parser.add_argument("--corrected", action="append", default=[], help="NAME=TABLE of corrections.py")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--straight", action="store_true", help="one look at every cell")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    alphabet = Alphabet()
    network = load_checkpoint(arguments.checkpoint, alphabet)
    network.eval().to(memory_format=torch.channels_last)
    run = lambda inputs: as_log_probabilities(outputs(network, inputs), arguments.temperature)
    tables = dict(entry.split("=") for entry in arguments.corrected)
    everything = []
    for name, folder in (s.split("=") for s in arguments.sets):
        items, again = read_set(run, folder, alphabet, arguments.straight)
        everything += items
        verdicts, pages, widths = [], defaultdict(list), [w for _, _, w in items]
        for row, output, _ in items:
            verdicts.append(judge(row, alphabet.decode_best_path(output.argmax(1).tolist()), alphabet))
            pages[row["page"]].append(verdicts[-1][2])
        exact, near, either = np.mean(verdicts, axis=0)
        print(f"{name}: {len(items)} cells, exact {exact:.4f}, loose {near:.4f}, loose or played {either:.4f}, mean width {np.mean(widths):.0f}, looked at again {again:.3f}")
        if name in tables:
            print(f"  corrected: exact {share_of_corrected(items, tables[name], alphabet, str):.4f}, loose {share_of_corrected(items, tables[name], alphabet, loose):.4f}")
        worst = sorted((np.mean(v), len(v), p) for p, v in pages.items())
        print("  by page: " + ", ".join(f"{p} {share:.2f} of {n}" for share, n, p in worst))
    temperature = temperature_of(everything, alphabet)
    print(f"temperature {temperature:.2f}, calibration error {calibration_error(everything, temperature, alphabet):.3f} (at temperature 1: {calibration_error(everything, 1.0, alphabet):.3f})")


if __name__ == "__main__":
    main()
