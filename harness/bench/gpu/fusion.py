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
import tempfile
from pathlib import Path

try:
    import torch
except ImportError:
    print("fusion: this Python has no PyTorch")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "harness/python"))
from found import found_by_search  # noqa: E402
from workbook_optimizer.graph_times import graph_of, time_us  # noqa: E402
from workloads import workloads  # noqa: E402

FLUSH_BYTES = 256 << 20
SET_BYTES = 150e6           # more than the L2 holds
ROUNDS = 15


def by_name(function):
    return lambda arguments: function(**arguments)


def off_by(got, expected):
    """The largest difference of a tensor, in units of the largest value that it should have."""
    got, expected = (t if isinstance(t, (tuple, list)) else (t,) for t in (got, expected))
    return max(float((g.double() - e.double()).abs().max() / e.double().abs().max().clamp(min=1e-30)) for g, e in zip(got, expected))


def summary(samples):
    ordered = sorted(samples)
    return {"median": statistics.median(ordered), "p10": ordered[int(0.1 * len(ordered))], "p90": ordered[int(0.9 * len(ordered))]}


def measure(work, flush, workbook, folder):
    module = importlib.import_module(f"puzzle{work.puzzle:02}")
    candidates = {f"--{name.replace('_', '-')}": getattr(module, name) for name in work.ours if hasattr(module, name)}
    for name, function in work.theirs.items():
        candidates[f"{name}, eager"] = function
        torch._dynamo.reset()
        candidates[f"{name}, compile"] = torch.compile(function, dynamic=False)
    first = work.inputs()
    # In double where PyTorch has it so; the types' own rounding is in the tolerance.
    reference = next(iter(work.theirs.values()))(**{name: t.double() for name, t in first.items()})
    if work.found is not None:
        program, sizes = work.found
        found = found_by_search(workbook, program, sizes, (reference.shape, next(iter(first.values())).dtype), folder)
        if found is not None:
            candidates["found by search"] = found
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
    graphs = {(name, kind): graph_of(by_name(function), [(each,) for each in (sets if kind == "cold" else sets[:1])], calls) for name, function in candidates.items()
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
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.set_float32_matmul_precision("highest")
    buffer = torch.zeros(FLUSH_BYTES // 4, device="cuda")
    rows = []
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name()}; microseconds, medians of {ROUNDS} rounds with p10 and p90")
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        for work in chosen:
            measured = measure(work, lambda: buffer.sum(), options.workbook, folder)
            show(measured)
            rows += measured
            torch.cuda.empty_cache()
    if options.out:
        Path(options.out).write_text(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": rows}, indent=1), encoding="utf-8")
    return 0 if all(row["right"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
