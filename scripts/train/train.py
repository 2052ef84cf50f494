"""Fine-tunes the reader on composed and real cells with the CTC loss.

    train.py --start rapidocr.whl --run DIR --cells 200000 [--real CELLS_FOLDER] [--minutes 90]

One learning-rate cycle over the given number of cells (or minutes, whichever ends first). After every epoch the checkpoint
`DIR/last.pt` is written, from which the same command goes on; `DIR/best.pt` is the one with the best averaged weights on the
cells of `val`. Every line of `DIR/log.tsv` is one epoch.
"""

import argparse
import math
import multiprocessing
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from alphabet import Alphabet
from cells import augmented_input, augmented_pair, to_input
from compose import Composer
from network import load_checkpoint
from pretrained import load_network
from texts import Texts

EPOCH = 8000


def batches(draw, size, pool=16):
    """Endless batches (inputs, texts) of one width each from a function that draws (input or pair of inputs, text)."""
    waiting = {}
    while True:
        for _ in range(pool):
            image, text = draw()
            waiting.setdefault(image.shape[-1], []).append((image, text))
        for items in waiting.values():
            if len(items) >= size:
                chosen, items[:] = items[:size], items[size:]
                yield np.stack([i for i, _ in chosen]), [t for _, t in chosen]


def drawn_cells(arguments, alphabet, seed):
    """A function that draws (input, text): a real cell of `train` in the given share, else a composed one. With `--agreement` inputs are pairs."""
    augmented = augmented_pair if arguments.agreement else augmented_input
    rng = np.random.default_rng(seed)
    composer = Composer(arguments.data, Texts(arguments.texts, seed), alphabet, seed + 17)
    real, splicer = [], None
    if arguments.real:
        from real import load_real
        from splice import Splicer

        real = load_real(arguments.real, "train", alphabet)
        splicer = Splicer(real, arguments.real) if arguments.splice_share else None

    def draw():
        if real and rng.random() < arguments.real_share:
            cell = real[rng.integers(len(real))]
            joined = splicer.draw(cell, rng) if splicer and rng.random() < arguments.splice_share else None
            image, text, left, right = joined or (cell.image, cell.text, cell.left, cell.right)
            return augmented(image, left, right, rng), text
        image, text, left, right = composer.draw()
        return augmented(image, left, right, rng), text

    return draw


def work(queue, arguments, seed):
    """The process that draws batches, some ahead of the training."""
    cv2.setNumThreads(1)
    for batch in batches(drawn_cells(arguments, Alphabet(), seed), arguments.batch):
        queue.put(batch)


def as_tensor(images):
    """uint8 `N x H x W` to the network's float input."""
    x = torch.from_numpy(images).unsqueeze(1).float().div_(255)
    return x.contiguous(memory_format=torch.channels_last)


def loss_of(network, images, texts, alphabet, half, agreement=0.0):
    """CTC loss per cell, averaged; the network itself in bfloat16 where `half` is set.

    Where `images` are pairs (`N x 2 x H x W`), the two outputs of a cell are pulled towards each other with the weight `agreement`: the
    divergence of each step of one from the other, which is held still for that (consistency regularisation of CTC, Yao et al. 2024).
    """
    pairs = images.ndim == 4
    if pairs:
        images, texts = images.reshape(-1, *images.shape[2:]), [t for t in texts for _ in range(2)]
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        output = network(as_tensor(images))
    output = output.float()
    targets = [alphabet.encode(t) for t in texts]
    lengths = torch.tensor([len(t) for t in targets])
    flat = torch.tensor([c for t in targets for c in t])
    steps = torch.full((len(texts),), output.shape[1])
    loss = F.ctc_loss(output.transpose(0, 1), flat, steps, lengths, reduction="none", zero_infinity=True).mean()
    if pairs:
        other = output.view(-1, 2, *output.shape[1:]).flip(1).reshape(output.shape).detach()
        loss = loss + agreement * F.kl_div(output, other, reduction="sum", log_target=True) / len(texts)
    return loss


@torch.no_grad()
def read_texts(network, inputs, alphabet, size=64):
    """(best-path text, mean log-probability of its steps) of every input."""
    order = sorted(range(len(inputs)), key=lambda i: inputs[i].shape[1])
    texts = [None] * len(inputs)
    at = 0
    while at < len(order):
        width = inputs[order[at]].shape[1]
        chosen = [i for i in order[at:at + size] if inputs[i].shape[1] == width]
        at += len(chosen)
        output = network(as_tensor(np.stack([inputs[i] for i in chosen])))
        for i, row in zip(chosen, output):
            score, classes = row.max(1)
            texts[i] = (alphabet.decode_best_path(classes.tolist()), float(score.sum()))
    return texts


def loose(text):
    """Text of a move without the marks that are optional."""
    for mark in "x:-+#=!?()":
        text = text.replace(mark, "")
    return text


def validate(network, cells, alphabet):
    """Shares of cells read exactly and loosely; a cell is (input, accepted texts)."""
    network.eval()
    found = read_texts(network, [c[0] for c in cells], alphabet)
    network.train()
    exact = sum(text in accepted for (text, _), (_, accepted) in zip(found, cells))
    near = sum(loose(text) in {loose(a) for a in accepted} for (text, _), (_, accepted) in zip(found, cells))
    return exact / max(1, len(cells)), near / max(1, len(cells))


class Average:
    """Exponential moving average of the weights."""

    def __init__(self, network, decay):
        self.decay, self.steps = decay, 0
        self.weights = {k: v.detach().clone() for k, v in network.state_dict().items()}

    def update(self, network):
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (20 + self.steps))
        with torch.no_grad():
            for k, v in network.state_dict().items():
                self.weights[k].lerp_(v, 1 - decay) if v.dtype.is_floating_point else self.weights[k].copy_(v)


def rate(progress, warm=0.03, floor=0.01):
    """One cycle: linear warm-up, then a cosine down to the floor."""
    if progress < warm:
        return progress / warm
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, (progress - warm) / (1 - warm))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", help="folder with characters/ and games/")
    parser.add_argument("--texts", required=True, help="texts of games for composed cells, see texts.py")
    parser.add_argument("--start", required=True, help="rapidocr wheel, PP-OCRv6 ONNX file, or a checkpoint")
    parser.add_argument("--letters", help="wheel or ONNX file that gives the letters that the checkpoint lacks")
    parser.add_argument("--run", required=True, help="folder for checkpoints and the log")
    parser.add_argument("--real", help="folder of labelled real cells, see real.py")
    parser.add_argument("--real-share", type=float, default=0.6)
    parser.add_argument("--splice-share", type=float, default=0.0, help="of the real cells, joined from two, see splice.py")
    parser.add_argument("--cells", type=int, default=200000)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--stop", type=int, default=10**9, help="end after this many cells, before the cycle is over")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--body", type=float, default=6e-4, help="learning rate of all but the head")
    parser.add_argument("--head", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.999, help="of the moving average")
    parser.add_argument("--checks", type=int, default=800, help="cells that every epoch is checked on, drawn once")
    parser.add_argument("--agreement", type=float, default=0.0, help="each cell is drawn twice, and the two readings are made to agree with this weight")
    parser.add_argument("--half", action="store_true", help="bfloat16: twice as fast on processors that have it")
    parser.add_argument("--threads", type=int, default=1, help="besides the process that draws the cells")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(arguments.seed)
    run = Path(arguments.run)
    run.mkdir(parents=True, exist_ok=True)
    alphabet = Alphabet()

    if arguments.start.endswith((".whl", ".onnx")):
        network = load_network(arguments.start, alphabet)
    else:
        network = load_checkpoint(arguments.start, alphabet, arguments.letters and load_network(arguments.letters, alphabet))
    network = network.to(memory_format=torch.channels_last).train()
    head = list(network.head.parameters())
    body = [p for n, p in network.named_parameters() if not n.startswith("head.")]
    optimizer = torch.optim.AdamW([{"params": body, "peak": arguments.body}, {"params": head, "peak": arguments.head}], weight_decay=0.02)
    average = Average(network, arguments.decay)
    done, spent, best = 0, 0.0, -1.0
    if (run / "last.pt").exists():
        state = torch.load(run / "last.pt", weights_only=True)
        network.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        average.weights, average.steps = state["average"], state["steps"]
        done, spent, best = state["done"], state["spent"], state["best"]

    if arguments.real:
        from real import load_real

        checks = [(to_input(c.image, c.left, c.right), c.accepted) for c in load_real(arguments.real, "val", alphabet)]
        order = np.random.default_rng(0).permutation(len(checks))[:arguments.checks]
        checks = [checks[i] for i in order]
    else:
        unseen = Composer(arguments.data, Texts(arguments.texts, 999), alphabet, 999, held_out=True)
        checks = [(to_input(image, left, right), {alphabet.canonical(text)}) for image, text, left, right in (unseen.draw() for _ in range(arguments.checks))]

    queue = multiprocessing.Queue(16)
    worker = multiprocessing.Process(target=work, args=(queue, arguments, arguments.seed + done), daemon=True)
    worker.start()
    log = open(run / "log.tsv", "a", buffering=1)
    started, epoch_loss, epoch_count, epoch_started = time.time() - spent, 0.0, 0, time.time()
    while True:
        progress = max(done / arguments.cells, (time.time() - started) / 60 / arguments.minutes)
        if (progress >= 1 or done >= arguments.stop) and epoch_count == 0:
            break
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * rate(progress)
        images, texts = queue.get(timeout=600)
        loss = loss_of(network, images, texts, alphabet, arguments.half, arguments.agreement)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        average.update(network)
        done += len(texts)
        epoch_loss += float(loss.detach()) * len(texts)
        epoch_count += len(texts)
        if epoch_count >= EPOCH or progress >= 1:
            speed = epoch_count / (time.time() - epoch_started)
            kept = {k: v.clone() for k, v in network.state_dict().items()}
            network.load_state_dict(average.weights)
            exact, near = validate(network, checks, alphabet)
            network.load_state_dict(kept)
            state = {"model": kept, "average": average.weights, "steps": average.steps, "optimizer": optimizer.state_dict(), "done": done,
                     "spent": time.time() - started, "best": max(best, exact + near)}
            torch.save(state, run / "writing.pt")
            (run / "writing.pt").replace(run / "last.pt")
            if exact + near > best:
                best = exact + near
                torch.save({"average": average.weights, "letters": alphabet.letters, "done": done, "exact": exact, "loose": near}, run / "writing.pt")
                (run / "writing.pt").replace(run / "best.pt")
            log.write(f"{done}\t{epoch_loss / epoch_count:.4f}\t{exact:.4f}\t{near:.4f}\t{speed:.1f}\t{time.strftime('%H:%M:%S')}\n")
            epoch_loss, epoch_count, epoch_started = 0.0, 0, time.time()


if __name__ == "__main__":
    main()
