"""Settles what the ink of every real cell says, by what a model sees, and writes `texts.tsv` beside the cells.

    settle.py --data DATA --set hcs|epfl --cells FOLDER --model CHECKPOINT

The published text of HCS is wrong in about one cell of twenty and EPFL knows only the move played, so that the candidates of a
cell are its label and the usual spellings of the move played; the one with the highest CTC probability wins. A cell of `train`
whose winner is far below the best free reading is left without a text: it is not trained on. For `val` the accepted texts are
the label and, where the game is known, every spelling of the move played; nothing is dropped.
"""

import argparse
from collections import Counter
from pathlib import Path

import torch
from torch.nn import functional as F

from alphabet import Alphabet
from cells import to_input
from network import load_checkpoint
from real import load_cells, read_table
from train import as_tensor, loose

FAR = 5.0  # nats below the best path of the network
# Nats that a spelling must be better by than the label or the plain SAN: a weak model favours short texts.
UNUSUAL, OTHER_MARK = 2.0, 0.7


def spellings(san):
    """Usual ways to write a move in English short algebraic."""
    if san.startswith("O-O"):
        body = san.rstrip("+#")
        return [body, san, body.replace("-", "")]
    mark = san[-1] if san[-1] in "+#" else ""
    body = san.rstrip("+#")
    bodies = [body]
    if "x" in body:
        bodies.append(body.replace("x", ""))
        if body[0] in "abcdefgh":
            start, target = body.split("x")
            bodies += [f"{start}x{target[0]}", start + target[0]]
        else:
            bodies.append(body.replace("x", ":"))
    if "=" in body:
        bodies += [b.replace("=", "") for b in bodies] + [b[:b.index("=")] + "(" + b[b.index("=") + 1:] + ")" for b in bodies if "=" in b]
    if body[0] in "KQRBN":
        plain = body.replace("x", "")
        if len(plain) > 3:  # without the needless or forgotten file or rank
            short = plain[0] + plain[-2:]
            bodies += [short] + ([short[0] + "x" + short[1:]] if "x" in body else [])
    else:
        bodies.append("P" + body)
    marks = ["", mark, "+", "++"] if mark else [""]
    return list(dict.fromkeys(b + m for b in bodies for m in marks))


def surprise(text, label, san):
    """Nats taken off a spelling that neither the label nor the plain SAN has."""
    if text in (label, san):
        return 0.0
    return OTHER_MARK if text.rstrip("+#") == san.rstrip("+#") else UNUSUAL


def sources(data, name):
    """{(page, number, column): (label or "", SAN or "", cost)} and {page: fold}."""
    folder = Path(data) / name
    fold = {row["page"]: row["fold"] for row in read_table(folder / "split.tsv")}
    known = {}
    if name == "hcs":
        for row in read_table(folder / "labels.tsv"):
            known[row["page"], int(row["move"]), row["colour"]] = (row["text"], "", 0.0)
        for row in read_table(folder / "played.tsv"):
            key = row["page"], int(row["number"]), row["colour"]
            if row["doubtful"] == "0":
                known[key] = (known.get(key, ("",))[0], row["san"], float(row["cost"]))
    else:
        for page in fold:
            lines = (folder / "games" / f"{page}.txt").read_text().split()
            for ply, san in enumerate(lines):
                known[page, ply // 2 + 1, "black" if ply % 2 else "white"] = ("", san, 0.0)
    return known, fold


@torch.no_grad()
def outputs(network, inputs, size=64):
    """Log-probabilities (T x classes) of every input."""
    found = [None] * len(inputs)
    by_width = {}
    for i, x in enumerate(inputs):
        by_width.setdefault(x.shape[1], []).append(i)
    import numpy as np

    for indices in by_width.values():
        for at in range(0, len(indices), size):
            chosen = indices[at:at + size]
            for i, row in zip(chosen, network(as_tensor(np.stack([inputs[i] for i in chosen])))):
                found[i] = row
    return found


def scores(output, texts, alphabet):
    """CTC log-probability of every text."""
    targets = [alphabet.encode(t) for t in texts]
    steps = torch.full((len(texts),), output.shape[0])
    lengths = torch.tensor([len(t) for t in targets])
    flat = torch.tensor([c for t in targets for c in t])
    many = output.unsqueeze(1).expand(-1, len(texts), -1)
    return (-F.ctc_loss(many, flat, steps, lengths, reduction="none")).tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--set", choices=["hcs", "epfl"], required=True)
    parser.add_argument("--cells", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--far", type=float, default=FAR, help="nats below the best free reading at which a text is not believed")
    parser.add_argument("--open", action="store_true", help="keep the rows of texts.tsv that have a text, settle the others only")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    alphabet = Alphabet()
    network = load_checkpoint(arguments.model, alphabet)
    network.eval().to(memory_format=torch.channels_last)
    known, folds = sources(arguments.data, arguments.set)
    cells = load_cells(arguments.cells)
    table = Path(arguments.cells) / "texts.tsv"
    kept = {(r["page"], int(r["number"]), r["column"]): r for r in read_table(table) if r["text"]} if arguments.open else {}
    keys = [k for k in cells if k in known and k[0] in folds and k not in kept]
    found = outputs(network, [to_input(cells[k].image, cells[k].left, cells[k].right) for k in keys])
    lines = ["\t".join(row.values()) for key, row in kept.items() if key in cells]
    tally = Counter({(folds[key[0]], "kept"): 0 for key in kept})
    tally.update((folds[key[0]], "kept") for key in kept if key in cells)
    for key, output in zip(keys, found):
        label, san, cost = known[key]
        path_score, path = output.max(1)
        free = alphabet.decode_best_path(path.tolist())
        candidates = [label] if label else []
        candidates += [s for s in (spellings(san) if san else []) if s not in candidates]
        candidates = [c for c in candidates if all(x in alphabet.index for x in c)]
        if not candidates:
            continue
        rated = [score - surprise(text, label, san) for score, text in zip(scores(output, candidates, alphabet), candidates)]
        best = max(range(len(candidates)), key=rated.__getitem__)
        if label and candidates[0] == label and cost == 0 and san:
            best = 0 if rated[0] > rated[best] - 3 or loose(label) == loose(candidates[best]) else best
        free_score = scores(output, [free], alphabet)[0] if free else float(path_score.sum())
        missing = max(free_score, rated[best]) - rated[best]
        reason = "label" if candidates[best] == label else "played"
        text = candidates[best]
        trusted = bool(san) and (not label or loose(label) == loose(candidates[best]))
        if missing > arguments.far * (3 if trusted else 1):
            reason, text = f"unlike ({text})", ""
        elif len(rated) > 1 and label and san and loose(label) != loose(san):
            others = [r for c, r in zip(candidates, rated) if loose(c) != loose(candidates[best])]
            if others and rated[best] - max(others) < 2:
                reason, text = f"unsure ({text})", ""
        tally[folds[key[0]], reason.split(" ")[0]] += 1
        accepted = dict.fromkeys(candidates)
        lines.append("\t".join([key[0], str(key[1]), key[2], folds[key[0]], label, san, text, " ".join(accepted), free, f"{missing:.2f}", reason]))
    header = "page\tnumber\tcolumn\tfold\tlabel\tsan\ttext\taccepted\tread\tmissing\treason\n"
    table.write_text(header + "\n".join(lines) + "\n", encoding="utf-8")
    print(dict(tally))


if __name__ == "__main__":
    main()
