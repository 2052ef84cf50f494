"""Figures of a reader on composed cells of hands that were not trained on, by language and system.

    composed.py CHECKPOINT --texts TEXTS [--cells 200]

Texts are moves of real games as the notation crate spells them; one writer in ten is kept out of training for this (`compose.Hands`).
"""

import argparse

import torch

from alphabet import Alphabet
from compose import Composer
from looks import as_log_probabilities, read_cells
from network import load_checkpoint
from settle import outputs
from texts import Texts, read_games
from train import loose

SEED = 4711


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--texts", required=True)
    parser.add_argument("--cells", type=int, default=200, help="cells for each language and system")
    parser.add_argument("--temperature", type=float, default=1.0, help="what the export divides the logits by")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    alphabet = Alphabet()
    network = load_checkpoint(arguments.checkpoint, alphabet).eval().to(memory_format=torch.channels_last)
    run = lambda inputs: as_log_probabilities(outputs(network, inputs), arguments.temperature)
    kinds = dict.fromkeys((language, system) for language, system, _ in read_games(arguments.texts))
    composer = Composer(arguments.data, None, alphabet, SEED, held_out=True)
    print("| language | system | cells | exactly | without optional marks |\n|---|---|---|---|---|")
    for language, system in sorted(kinds):
        composer.texts, composer.writer_cells = Texts(arguments.texts, SEED, language, system, moves_only=True), 0
        drawn = [composer.draw() for _ in range(arguments.cells)]
        found, _ = read_cells(run, [(cell, left, right) for cell, _, left, right in drawn], alphabet)
        texts = [(alphabet.decode_best_path(output.argmax(1).tolist()), alphabet.canonical(text)) for output, (_, text, _, _) in zip(found, drawn)]
        exact = sum(ours == text for ours, text in texts) / len(texts)
        near = sum(loose(ours) == loose(text) for ours, text in texts) / len(texts)
        print(f"| {language} | {system} | {len(texts)} | {exact:.3f} | {near:.3f} |", flush=True)


if __name__ == "__main__":
    main()
