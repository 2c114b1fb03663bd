#!/usr/bin/env python3
"""Times in PyTorch what the puzzles compute, in the same run and by the same protocol as the workbook times
them: fp32 without TF32, inside a CUDA graph warm and cold, launched from the host, rounds interleaved.

    torch_baseline.py --out torch.json --runs RUNS.json [--passes 3] [--rounds 5] [--between COMMAND]

Shapes are taken from the GPU runs in RUNS.json (`workbook export`). Before each pass COMMAND runs:
check.sh times the workbook's own variants there, so that both see the same minutes of the machine.
"""
import argparse
import json
import math
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from workbook_optimizer.graph_times import graph_of, time_us  # noqa: E402

FLUSH_BYTES = 256 << 20  # as flush.cu
SAMPLE_US = 400.0        # as benchmark.cpp


def random(*shape, mean=0.0, deviation=1.0):
    return torch.randn(*shape, device="cuda") * deviation + mean


def layernorm_linear(x, gamma, beta, weight, bias):
    return F.linear(F.layer_norm(x, (x.shape[-1],), gamma, beta, 1e-5), weight, bias)


def layernorm_linear_inputs(s):
    return (random(s["B"], s["S"], s["H"], mean=0.75, deviation=1.5), random(s["H"], mean=1.0, deviation=0.5),
            random(s["H"]), random(s["O"], s["H"], deviation=0.25), random(s["O"]))


def random_half(*shape):
    return random(*shape).half()


def add_ten(a):
    return a + 10


# By puzzle number: the operation as a PyTorch user writes it, and inputs for given sizes.
OPERATIONS = {
    1: (add_ten, lambda s: (random(s["N"]),)),
    12: (torch.dot, lambda s: (random(s["N"]), random(s["N"]))),
    16: (torch.matmul, lambda s: (random(s["M"], s["K"]), random(s["K"], s["N"]))),
    22: (layernorm_linear, layernorm_linear_inputs),
    33: (torch.matmul, lambda s: (random_half(s["M"], s["K"]), random_half(s["K"], s["N"]))),
}


class Workload:
    """One operation at one shape: eager and compiled, each warm and cold in a graph; eager from the host."""

    def __init__(self, puzzle, shape, sizes):
        self.puzzle, self.shape, self.sizes = puzzle, shape, sizes
        function, inputs = OPERATIONS[puzzle]
        compiled = torch.compile(function, dynamic=False)
        first = inputs(sizes)
        compiled(*first)
        function(*first)
        torch.cuda.synchronize()
        one_us = min(time_us(lambda: function(*first)) for _ in range(5))
        calls = math.ceil(SAMPLE_US / one_us)
        self.calls = min(max(calls, 20), 100) if one_us < 30.0 else min(max(calls, 1), 40)
        sets = [first] + [inputs(sizes) for _ in range(self.calls - 1)]
        self.inputs = sets
        self.host = lambda: [function(*sets[i % len(sets)]) for i in range(self.calls)]
        self.graphs = {
            (provider, temperature): graph_of(f, sets if temperature == "cold" else sets[:1], self.calls)
            for provider, f in (("eager", function), ("compile", compiled)) for temperature in ("warm", "cold")}
        self.samples = {"eager_host_us": []}
        self.samples.update({f"{p}_graph_{t}_us": [] for p, t in self.graphs})
        expected = function(*[t.double() for t in first])
        self.errors = {p: float((f(*first).double() - expected).abs().max())
                       for p, f in (("eager", function), ("compile", compiled))}

    def round(self, flush, record):
        for (provider, temperature), graph in self.graphs.items():
            if temperature == "cold":
                flush()
            else:
                graph.replay()  # brings the data into the caches
            sample = time_us(graph.replay) / self.calls
            if record:
                self.samples[f"{provider}_graph_{temperature}_us"].append(sample)
        sample = time_us(self.host) / self.calls
        if record:
            self.samples["eager_host_us"].append(sample)


def shapes_of(runs_file):
    """(puzzle, shape's name, sizes) of every benchmark in the exported runs, each once."""
    with open(runs_file) as file:
        runs = json.load(file)["runs"]
    found = {}
    for run in runs:
        record = run["run"]
        for benchmark in record.get("benchmarks", []):
            if record["puzzle"] in OPERATIONS:
                found.setdefault((record["puzzle"], benchmark["name"]), benchmark["sizes"])
    return [(puzzle, name, sizes) for (puzzle, name), sizes in sorted(found.items())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out")
    parser.add_argument("--runs")
    parser.add_argument("--known", action="store_true", help="print the numbers of the puzzles, as a pattern, and end")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--between", default="true")
    options = parser.parse_args()
    if options.known:
        return print("|".join(f"{puzzle:02}" for puzzle in OPERATIONS))

    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    buffer = torch.zeros(FLUSH_BYTES // 4, device="cuda")

    workloads = [Workload(*shape) for shape in shapes_of(options.runs)]
    between_failed = 0
    for _ in range(options.passes):
        between_failed |= subprocess.run(shlex.split(options.between)).returncode != 0
        for number in range(-2, options.rounds):  # two rounds to raise the clocks again
            for workload in workloads:
                workload.round(lambda: buffer.sum(), number >= 0)

    result = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "workloads": [
        {"puzzle": w.puzzle, "shape": w.shape, "sizes": w.sizes, "calls_a_sample": w.calls,
         "max_error": w.errors, **w.samples} for w in workloads]}
    with open(options.out, "w") as file:
        json.dump(result, file, indent=1)
    for w in workloads:
        medians = "  ".join(f"{name[:-3]} {statistics.median(values):.2f}" for name, values in w.samples.items())
        print(f"puzzle {w.puzzle:02} {w.shape:10} {medians} us")
    return 1 if between_failed else 0


if __name__ == "__main__":
    sys.exit(main())
