"""New cells of real hands: the beginning of one cell of a page joined to the end of another one of the same page.

    splice.py --cells FOLDER --model CHECKPOINT

writes `cuts.tsv` beside the cells and their `texts.tsv`: for every cell of `train` the column between each two letters, found by aligning
the text with the network's output (the best CTC path that spells it) and moving to the column with the least ink between the two letters.
`Splicer` joins cells there while training. Paper, pen and hand stay one writer's own; the texts are new, so that the network
cannot learn the few thousand cells by heart.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch

from alphabet import Alphabet
from cells import BUCKETS, EDGE, HEIGHT, CELL_HEIGHT, MARGIN, STRETCH, bucket_of, to_input
from network import STRIDE, load_checkpoint
from real import load_real, read_table
from settle import outputs

DARK = 60  # darkness from which on a pixel counts as ink of a letter
MOST_INK = 3  # dark pixels that a cut may run through
KINDS = {**{c: "piece" for c in "KQRBNTDLCASGJHVWE"}, **{c: "file" for c in "abcdefgh"}, **{c: "rank" for c in "12345678"}}


def kind(letter):
    """Letters that stand in for one another in a move."""
    return KINDS.get(letter, letter)


def aligned(output, classes):
    """First and last time step of every class on the best CTC path (`T x classes` log-probabilities) that spells them; None where there is none."""
    states = [0]
    for c in classes:
        states += [c, 0]
    steps, count = output.shape[0], len(states)
    score = np.full(count, -np.inf)
    score[:2] = output[0, states[:2]]
    back = np.zeros((steps, count), np.int8)
    skip = np.array([s >= 2 and states[s] != 0 and states[s] != states[s - 2] for s in range(count)])
    for t in range(1, steps):
        options = np.full((3, count), -np.inf)
        options[0] = score
        options[1, 1:] = score[:-1]
        options[2, 2:] = np.where(skip[2:], score[:-2], -np.inf)
        back[t] = options.argmax(0)
        score = options.max(0) + output[t, states]
    state = count - 1 if score[-1] >= score[-2] else count - 2
    if not np.isfinite(score[state]):
        return None
    spans = [None] * len(classes)
    for t in range(steps - 1, -1, -1):
        if state % 2:
            last = spans[state // 2]
            spans[state // 2] = (t, last[1] if last else t)
        state -= back[t, state]
    return spans


def cuts(cell, output, classes):
    """Columns of the cell between its letters; -1 where no column is nearly free of ink."""
    spans = aligned(output, classes)
    if spans is None:
        return None
    scale = HEIGHT / CELL_HEIGHT
    left = max(0.0, cell.left - MARGIN / scale)
    width = (min(float(cell.image.shape[1]), cell.right + MARGIN / scale) - left) * scale
    scale *= min(STRETCH, BUCKETS[bucket_of(width)] / width)
    dark = (255 - cell.image[EDGE:CELL_HEIGHT - EDGE] > DARK).sum(0)
    found = []
    for (_, before), (after, _) in zip(spans, spans[1:]):
        start, end = (round(left + (step + 0.5) * STRIDE / scale) for step in (before, after))
        window = dark[start:max(end, start + 1)]
        if not len(window):
            found.append(-1)
            continue
        # Of the columns with the least ink, the one in the middle.
        least = np.flatnonzero(window == window.min())
        found.append(start + int(least[len(least) // 2]) if window.min() <= MOST_INK else -1)
    return found


class Splicer:
    """Draws joined cells from the real cells of `train` that have cuts; `None` now and then, where no partner is found."""

    def __init__(self, cells, folders):
        known = {}
        for folder in folders.split(","):
            for row in read_table(Path(folder) / "cuts.tsv"):
                known[row["page"], int(row["number"]), row["column"]] = [int(c) for c in row["cuts"].split()]
        self.pages = defaultdict(list)
        usual = set()
        for cell in cells:
            usual.update(zip(map(kind, cell.text), map(kind, cell.text[1:])))
            places = known.get((cell.page, cell.number, cell.column))
            if places is not None and len(places) == len(cell.text) - 1 and len(places) > 0:
                self.pages[cell.page].append((cell, places))
        self.usual = usual

    def draw(self, cell, rng, tries=8):
        """(image, text, left, right): this cell's beginning with another's end, or the other way round."""
        partners = self.pages.get(cell.page, [])
        places = next((p for c, p in partners if c is cell), None)
        if places is None or len(partners) < 2:
            return None
        for _ in range(tries):
            first, second = (cell, places), partners[rng.integers(len(partners))]
            if rng.random() < 0.5:
                first, second = second, first
            (a, cuts_a), (b, cuts_b) = first, second
            k, m = int(rng.integers(len(cuts_a))), int(rng.integers(len(cuts_b)))
            text = a.text[:k + 1] + b.text[m + 1:]
            if a is b or cuts_a[k] < 0 or cuts_b[m] < 0 or not 2 <= len(text) <= 9 or text in (a.text, b.text):
                continue
            if (kind(a.text[k]), kind(b.text[m + 1])) not in self.usual or a.text[k] == b.text[m + 1]:
                continue
            image = np.hstack([a.image[:, :cuts_a[k]], b.image[:, cuts_b[m]:]])
            return image, text, a.left, cuts_a[k] + b.right - cuts_b[m]
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", required=True)
    parser.add_argument("--model", required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    alphabet = Alphabet()
    network = load_checkpoint(arguments.model, alphabet).eval().to(memory_format=torch.channels_last)
    cells = load_real(arguments.cells, "train", alphabet)
    found = outputs(network, [to_input(c.image, c.left, c.right) for c in cells])
    lines, places = [], 0
    for cell, output in zip(cells, found):
        columns = cuts(cell, output.numpy(), alphabet.encode(cell.text))
        if columns:
            lines.append(f"{cell.page}\t{cell.number}\t{cell.column}\t{' '.join(map(str, columns))}")
            places += sum(c >= 0 for c in columns)
    Path(arguments.cells, "cuts.tsv").write_text("page\tnumber\tcolumn\tcuts\n" + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} of {len(cells)} cells have cuts, {places} in all")


if __name__ == "__main__":
    main()
