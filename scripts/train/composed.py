"""Figures of a reader on composed cells of hands that were not trained on, by language and system.

    composed.py CHECKPOINT --texts TEXTS [--cells 200]

Texts are moves of real games as the notation crate spells them; one writer in ten is kept out of training for this (`compose.Hands`).
"""

import argparse

import torch

from alphabet import Alphabet
from cells import to_input
from compose import Composer
from network import load_checkpoint
from texts import Texts, read_games
from train import validate

SEED = 4711


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--texts", required=True)
    parser.add_argument("--cells", type=int, default=200, help="cells for each language and system")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    alphabet = Alphabet()
    network = load_checkpoint(arguments.checkpoint, alphabet).eval().to(memory_format=torch.channels_last)
    kinds = dict.fromkeys((language, system) for language, system, _ in read_games(arguments.texts))
    composer = Composer(arguments.data, None, alphabet, SEED, held_out=True)
    print("| language | system | cells | exactly | without optional marks |\n|---|---|---|---|---|")
    for language, system in sorted(kinds):
        composer.texts, composer.writer_cells = Texts(arguments.texts, SEED, language, system, moves_only=True), 0
        drawn = (composer.draw() for _ in range(arguments.cells))
        cells = [(to_input(cell, left, right), {alphabet.canonical(text)}) for cell, text, left, right in drawn]
        exact, near = validate(network, cells, alphabet)
        print(f"| {language} | {system} | {len(cells)} | {exact:.3f} | {near:.3f} |", flush=True)


if __name__ == "__main__":
    main()
