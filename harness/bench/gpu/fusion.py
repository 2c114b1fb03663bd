#!/usr/bin/env python3
"""The fusion puzzles' solutions beside PyTorch, in one process and by one protocol: each as a PyTorch operator (`workbook op`), inside a CUDA graph, cold
and warm, rounds interleaved.

    harness/bench/gpu/fusion.py --out fusion.json [--workbook PROGRAM] [--only 39,37]

Cold: the calls of a graph take turns with input sets, and the L2 is flushed before each replay; warm: one set, again and again. Prints a line a
workload and candidate: median and p10 to p90 in microseconds, and the ratio to the floor (every input and output moved once, or every operation done
once) and to the better of PyTorch's two, eager and torch.compile. fp32 is without TF32. Ends with 77 where there is no PyTorch.
"""
import argparse
import importlib
import json
import math
import re
import statistics
import subprocess
import sys
from pathlib import Path

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("fusion: this Python has no PyTorch")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
COPY_BYTES_PER_US = 4.27e6  # of an H200, measured: a copy of 1 GiB
FP32_FLOPS_PER_US = 60e6    # likewise: multiply-adds
FLUSH_BYTES = 256 << 20
SET_BYTES = 150e6           # more than the L2 holds
ROUNDS = 15


def normal(*shape, dtype=torch.float32, mean=0.0, deviation=1.0):
    return (torch.randn(*shape, device="cuda") * deviation + mean).to(dtype)


def layernorm_residual(x, residual, gamma, beta):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5) + residual


def gelu_chain(x):
    return 0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x * x * x)))


def softmax_by_hand(x):
    shifted = x - x.max(dim=1, keepdim=True)[0]
    powers = torch.exp(shifted)
    return powers / powers.sum(dim=1, keepdim=True)


def layernorm_linear(x, gamma, beta, weight, bias):
    return F.linear(F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5), weight, bias)


def layernorm_linear_backward(dy, x, gamma, beta, weight):
    """What autograd computes in the backward pass, from the inputs alone: the statistics are taken anew, as the puzzle does."""
    rows, hidden = x.shape[0] * x.shape[1], x.shape[-1]
    dy2, x2 = dy.reshape(rows, -1), x.reshape(rows, hidden)
    normalised, mean, inv_std = torch.native_layer_norm(x2, (hidden,), gamma, beta, 1e-5)
    dn = dy2 @ weight
    dx, dgamma, dbeta = torch.ops.aten.native_layer_norm_backward(dn, x2, (hidden,), mean, inv_std, gamma, beta, (True, True, True))
    return dx.reshape(x.shape), dgamma, dbeta, dy2.t() @ normalised, dy2.sum(0)


class Workload:
    """`ours`: variants of a puzzle by name; `theirs`: PyTorch's functions, each eager and compiled. All take what inputs() gives, by keyword."""

    def __init__(self, puzzle, name, inputs, ours, theirs, floor_us, tolerance):
        self.puzzle, self.name, self.inputs, self.ours, self.theirs = puzzle, name, inputs, ours, theirs
        self.floor_us, self.tolerance = floor_us, tolerance


def workloads():
    types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
    eps = {"f32": 2e-5, "f16": 8e-3, "bf16": 6e-2}
    for name, dtype in types.items():
        variants = {"f32": ["unfused", "fused", "welford", "vector"], "f16": ["vector_f16"], "bf16": ["vector_bf16"]}[name]
        for shape in ((1, 1, 2560), (2, 128, 2560), (4, 256, 2560), (1, 2048, 2560), (16, 2048, 2560)):
            moved = (3 * math.prod(shape) + 2 * shape[-1]) * dtype.itemsize
            yield Workload(39, f"LN + residual {name} {list(shape)}",
                           lambda s=shape, d=dtype: {"x": normal(*s, dtype=d), "residual": normal(*s, dtype=d), "gamma": normal(s[-1], dtype=d),
                                                     "beta": normal(s[-1], dtype=d)},
                           variants, {"layer_norm, add": layernorm_residual}, moved / COPY_BYTES_PER_US, eps[name])
    for count in (1 << 24, 1 << 28):
        yield Workload(36, f"GELU, tanh form, f32 [{count}]", lambda n=count: {"x": normal(n)}, ["chain", "fused", "vector"],
                       {"by hand": gelu_chain, "F.gelu": lambda x: F.gelu(x, approximate="tanh")}, 8 * count / COPY_BYTES_PER_US, 1e-5)
    for rows, columns in ((2048, 8192), (16384, 16384)):
        yield Workload(37, f"softmax f32 [{rows}, {columns}]", lambda r=rows, c=columns: {"x": normal(r, c)}, ["five", "three", "online", "registers"],
                       {"by hand": softmax_by_hand, "F.softmax": lambda x: torch.softmax(x, 1)}, 8 * rows * columns / COPY_BYTES_PER_US, 1e-6)
    for b, s, h, o in ((4, 4, 8, 16), (8, 512, 768, 3072)):
        def inputs(b=b, s=s, h=h, o=o):
            return {"x": normal(b, s, h, mean=0.75, deviation=1.5), "gamma": normal(h, mean=1.0, deviation=0.5), "beta": normal(h),
                    "weight": normal(o, h, deviation=0.25), "bias": normal(o)}

        def gradients(b=b, s=s, h=h, o=o):
            given = inputs(b, s, h, o)
            del given["bias"]
            return {"dy": normal(b, s, o), **given}

        product_us = 2 * b * s * h * o / FP32_FLOPS_PER_US
        yield Workload(22, f"LN + Linear f32 {[b, s, h, o]}", inputs, ["unfused", "fused_block", "fused_tiled"],
                       {"layer_norm, linear": layernorm_linear}, product_us, 2e-3)
        yield Workload(22, f"LN + Linear backward f32 {[b, s, h, o]}", gradients, ["backward_unfused", "backward_fused", "backward_two_stage"],
                       {"aten": layernorm_linear_backward}, 2 * product_us, 5e-2)


def graph_of(function, sets, calls):
    """`calls` calls of `function`, which take turns with the input sets, as one graph. The results are kept until the end: freed at once, the next call
    would write to the same, cached memory."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(**sets[0])
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = [function(**sets[i % len(sets)]) for i in range(calls)]
        del results
    return graph


def time_us(enqueue):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    enqueue()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1000.0


def off_by(got, expected):
    """The largest difference of a tensor, in units of the largest value that it should have."""
    got, expected = (t if isinstance(t, (tuple, list)) else (t,) for t in (got, expected))
    return max(float((g.double() - e.double()).abs().max() / e.double().abs().max().clamp(min=1e-30)) for g, e in zip(got, expected))


def summary(samples):
    ordered = sorted(samples)
    return {"median": statistics.median(ordered), "p10": ordered[int(0.1 * len(ordered))], "p90": ordered[int(0.9 * len(ordered))]}


def measure(work, flush):
    module = importlib.import_module(f"puzzle{work.puzzle:02}")
    candidates = {f"--{name.replace('_', '-')}": getattr(module, name) for name in work.ours if hasattr(module, name)}
    for name, function in work.theirs.items():
        candidates[f"{name}, eager"] = function
        torch._dynamo.reset()
        candidates[f"{name}, compile"] = torch.compile(function, dynamic=False)
    first = work.inputs()
    # In double where PyTorch has it so; the types' own rounding is in the tolerance.
    reference = next(iter(work.theirs.values()))(**{name: t.double() for name, t in first.items()})
    errors = {}
    for name, function in list(candidates.items()):
        try:
            errors[name] = off_by(function(**first), reference)
        except ValueError as refused:  # a variant may refuse a size, in words
            print(f"left out: {refused}")
            del candidates[name]
    del reference
    torch.cuda.synchronize()
    one_set = sum(t.numel() * t.element_size() for t in first.values())
    calls = max(2, min(24, math.ceil(400.0 / max(work.floor_us, 1.0))))
    sets = [first] + [work.inputs() for _ in range(min(calls, math.ceil(SET_BYTES / one_set)) - 1)]
    graphs = {(name, kind): graph_of(function, sets if kind == "cold" else sets[:1], calls) for name, function in candidates.items()
              for kind in ("cold", "warm")}
    samples = {key: [] for key in graphs}
    for number in range(-2, ROUNDS):  # two rounds to raise the clocks
        for (name, kind), graph in graphs.items():
            flush() if kind == "cold" else graph.replay()
            sample = time_us(graph.replay) / calls
            if number >= 0:
                samples[name, kind].append(sample)
    best = min(statistics.median(samples[f"{name}, {how}", "cold"]) for name in work.theirs for how in ("eager", "compile"))
    rows = []
    for name in candidates:
        cold, warm = summary(samples[name, "cold"]), summary(samples[name, "warm"])
        rows.append({"puzzle": work.puzzle, "workload": work.name, "candidate": name, "floor_us": work.floor_us, "cold_us": cold, "warm_us": warm,
                     "to_floor": cold["median"] / work.floor_us, "to_best_torch": cold["median"] / best, "error": errors[name],
                     "right": errors[name] <= work.tolerance})
    return rows


def show(rows):
    print(f"\n{rows[0]['workload']}: floor {rows[0]['floor_us']:.2f} us")
    for row in rows:
        cold, warm = row["cold_us"], row["warm_us"]
        print(f"  {row['candidate']:28} cold {cold['median']:9.2f} [{cold['p10']:.2f} {cold['p90']:.2f}]  warm {warm['median']:9.2f}"
              f"  of the floor {row['to_floor']:8.2f}  of the best of PyTorch {row['to_best_torch']:6.2f}  error {row['error']:.0e}"
              f"{'' if row['right'] else '  WRONG'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="the fusion puzzles' solutions beside PyTorch on a GPU")
    parser.add_argument("--out")
    parser.add_argument("--workbook", default=str(ROOT / "bin/workbook"))
    parser.add_argument("--only", default="", help="numbers of puzzles, with commas between")
    options = parser.parse_args()
    wanted = [int(number) for number in options.only.split(",") if number]

    chosen = [work for work in workloads() if not wanted or work.puzzle in wanted]
    for number in sorted({work.puzzle for work in chosen}):
        said = subprocess.run([options.workbook, "op", str(number), "--solution", "--env", "--python", sys.executable], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        sys.path.insert(0, re.search(r"PYTHONPATH='([^']*)'", said)[1])

    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    buffer = torch.zeros(FLUSH_BYTES // 4, device="cuda")
    rows = []
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}; microseconds, medians of {ROUNDS} rounds with p10 and p90")
    with torch.no_grad():
        for work in chosen:
            found = measure(work, lambda: buffer.sum())
            show(found)
            rows += found
            torch.cuda.empty_cache()
    if options.out:
        Path(options.out).write_text(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, indent=1), encoding="utf-8")
    return 0 if all(row["right"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
