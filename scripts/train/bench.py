"""The same model in tract (as the product runs it) and in onnxruntime, one thread each, by turns: milliseconds of processor time a cell and the ratio.

    bench.py [--model models/reader.onnx] [--turns 3]

Builds the example `time_widths` of the reader crate. The fastest of all runs counts for both.
"""

import argparse
import subprocess
import time
from pathlib import Path

import numpy as np
import onnxruntime

from cells import BUCKETS, HEIGHT

ROOT = Path(__file__).resolve().parents[2]
RUNS = 40


def tract(model):
    """{width: milliseconds} of the product's reader."""
    binary = ROOT / "target/release/examples/time_widths"
    lines = subprocess.run([str(binary), str(model)], check=True, capture_output=True, text=True).stdout.split("\n")
    return {int(width): float(milliseconds) for width, milliseconds in (line.split() for line in lines if line)}


def runtime(session, width):
    """Milliseconds of processor time of onnxruntime."""
    ink = np.random.default_rng(0).random((1, 1, HEIGHT, width), np.float32)
    times = []
    for _ in range(RUNS):
        start = time.thread_time()
        session.run(None, {"image": ink})
        times.append(time.thread_time() - start)
    return min(times) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=ROOT / "models/reader.onnx")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "--workspace", "--example", "time_widths"], cwd=ROOT, check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(arguments.model), options, providers=["CPUExecutionProvider"])
    ours, theirs = {}, {}
    for _ in range(arguments.turns):
        for width, milliseconds in tract(arguments.model).items():
            ours[width] = min(milliseconds, ours.get(width, np.inf))
        for width in BUCKETS:
            theirs[width] = min(runtime(session, width), theirs.get(width, np.inf))
    print("| width | tract | onnxruntime | ratio |\n|---|---|---|---|")
    for width in BUCKETS:
        print(f"| {width} | {ours[width]:.2f} ms | {theirs[width]:.2f} ms | {ours[width] / theirs[width]:.2f} |")


if __name__ == "__main__":
    main()
