"""Averages the weights of checkpoints of one network.

    average.py OUT.pt SHARE=CHECKPOINT ...

Checkpoints along one path of training lie in one valley, whose middle reads hands that were not trained on better than its sides. The weights are the
moving averages that `train.py` keeps, in `best.pt` and `last.pt`. The shares should sum to 1.
"""

import argparse

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("parts", nargs="+", metavar="SHARE=CHECKPOINT")
    arguments = parser.parse_args()
    total, letters = {}, None
    for share, path in (part.split("=", 1) for part in arguments.parts):
        checkpoint = torch.load(path, weights_only=True)
        letters = letters or checkpoint.get("letters")
        for name, value in checkpoint["average"].items():
            total[name] = total.get(name, 0) + float(share) * value
    torch.save({"average": total, "letters": letters}, arguments.out)


if __name__ == "__main__":
    main()
