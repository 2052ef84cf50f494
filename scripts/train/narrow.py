"""Takes hidden channels out of a trained network's blocks, so that it reads faster.

    narrow.py CHECKPOINT OUT --hidden 192,192,192,288,288,288,288,288,384,512,512 --real CELLS --texts texts.tsv

A hidden channel lies between the two 1x1 convolutions of a block. The channels that add most to the block's output on a sample of cells stay, and the second convolution
is fitted anew (least squares with a small ridge), so that the remaining channels give the output of all as nearly as they can. Blocks are done from the first to the last, each on
what the narrowed ones before it give. Training then goes on from OUT.
"""

import argparse

import numpy as np
import torch

from alphabet import Alphabet
from network import load_checkpoint
from train import as_tensor, batches, drawn_cells

# Places of the feature maps that the fit looks at, per batch.
PLACES = 1500
RIDGE = 1e-3


def hidden_of(network, block, inputs, places):
    """What a block's hidden channels hold at chosen places: `places x hidden`."""
    caught = []
    handle = block.down.register_forward_pre_hook(lambda _, given: caught.append(given[0]))
    chosen = []
    rng = torch.Generator().manual_seed(1)
    for x in inputs:
        caught.clear()
        network(x)
        flat = caught[0].permute(0, 2, 3, 1).flatten(0, 2)
        chosen.append(flat[torch.randint(len(flat), (places,), generator=rng)])
    handle.remove()
    return torch.cat(chosen).double()


def narrow(block, hidden, wanted):
    """Keeps `wanted` hidden channels of a block; returns the share of the output's variance that is lost."""
    weight, bias = block.down.weight.flatten(1).double(), block.down.bias.double()
    output = hidden @ weight.T + bias
    kept = torch.topk(hidden.std(0) * weight.norm(dim=0), wanted).indices.sort().values
    ones = torch.ones(len(hidden), 1, dtype=torch.double)
    design = torch.cat([hidden[:, kept], ones], 1)
    gram = design.T @ design
    gram += RIDGE * gram.diagonal().mean() * torch.eye(len(gram), dtype=torch.double)
    fitted = torch.linalg.solve(gram, design.T @ output)
    lost = (design @ fitted - output).var(0).sum() / output.var(0).sum()

    up, down = block.up, block.down
    up.weight, up.bias = (torch.nn.Parameter(p[kept].clone()) for p in (up.weight, up.bias))
    down.weight = torch.nn.Parameter(fitted[:-1].T.float()[..., None, None].contiguous())
    down.bias = torch.nn.Parameter(fitted[-1].float())
    up.out_channels = down.in_channels = wanted
    return float(lost)


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--hidden", required=True, help="hidden channels of every block, separated by commas")
    parser.add_argument("--data", default="../shared/data", help="folder with characters/ and games/")
    parser.add_argument("--texts", required=True, help="texts of games for composed cells, see texts.py")
    parser.add_argument("--real", required=True, help="folders of labelled real cells, see real.py")
    parser.add_argument("--batches", type=int, default=30, help="of 32 cells")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.real_share, arguments.splice_share, arguments.agreement = 0.6, 0.0, 0.0
    alphabet = Alphabet()
    network = load_checkpoint(arguments.checkpoint, alphabet).eval().to(memory_format=torch.channels_last)
    drawn = batches(drawn_cells(arguments, alphabet, 5), 32)
    inputs = [as_tensor(next(drawn)[0]) for _ in range(arguments.batches)]
    for number, (block, wanted) in enumerate(zip(network.blocks, map(int, arguments.hidden.split(",")), strict=True)):
        if wanted < block.up.out_channels:
            lost = narrow(block, hidden_of(network, block, inputs, PLACES), wanted)
            print(f"block {number}: {wanted} channels, {lost:.4f} of the variance lost", flush=True)
    torch.save({"average": network.state_dict(), "letters": alphabet.letters}, arguments.out)


if __name__ == "__main__":
    main()
