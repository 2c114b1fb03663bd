#!/usr/bin/env python3
"""Times of found kernels beside PyTorch's on a GPU, a line of JSON a program: harness/gpu/optimizer_check.py calls it.

    optimize_table.py --cache DIR --out FILE.jsonl [--how default|max-autotune] [--until SECONDS] [--device cuda|cpu] PROGRAM ...

Each candidate in a CUDA graph, cold: the calls of a graph take turns with sets of inputs, the L2 is flushed before each replay, rounds interleaved; medians.
--how max-autotune compiles that way, and times it beside the found kernel. --until: seconds of this process after which no program is begun. With --warm
it only compiles. On the CPU (--device cpu) all runs once, on small inputs, without times.
"""
import argparse
import json
import math
import os
import signal
import statistics
import sys
import time
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "harness/python"), str(Path(__file__).parent)]
import workbook_optimizer as wo  # noqa: E402
from optimize_torch import PROGRAMS, inputs_of  # noqa: E402
from workbook_optimizer.graph_times import graph_of, time_us  # noqa: E402

FOLDER = ROOT / "harness/bench/optimize_programs"
FLUSH_BYTES, SET_BYTES, MOST_BYTES = 256 << 20, 150e6, 12e9
ROUNDS, ROUND_LIMIT_S, FEWEST = 15, 3.0, 3
COMPILE_LIMIT_S = 60
MOST_US = 1e6  # of a found kernel that is timed
BYTES_A_US, FLOPS_A_US = 4.27e6, 800e6  # of an H200, as measured


def kernel_of(name, cache, **search):
    return wo.optimize((FOLDER / f"{name}.wbp").read_text(), name=name, cache=cache, **search)


class TooLong(Exception):
    pass


def limited(seconds, function):
    def stop(*_):
        raise TooLong(f"more than {seconds} s")
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        return function()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def off_by(got, expected):
    got, expected = (t if isinstance(t, (tuple, list)) else (t,) for t in (got, expected))
    worst = 0.0
    for g, e in zip(got, expected):
        if g.shape != e.shape:
            return math.inf
        error = (g.float() - e.float()).abs().amax() / e.float().abs().amax().clamp(min=1e-30)
        worst = max(worst, math.inf if not torch.isfinite(error) else float(error))
    return worst


def timed(candidates, first, make):
    """Medians by candidate; and how many calls and rounds."""
    one_us = {}
    for name, function in candidates.items():
        function(*first)
        torch.cuda.synchronize()
        one_us[name] = time_us(lambda: function(*first))
    # One call from the host also has the host's time: too few calls, rather than too many of what is slow.
    calls = 1 if max(one_us.values()) > 5e4 else max(1, min(24, math.ceil(400.0 / min(one_us.values()))))
    if max(one_us.values()) < 60.0:
        calls = 24
    one_set = sum(t.numel() * t.element_size() for t in first)
    wanted = min(calls, math.ceil(SET_BYTES / one_set), max(1, int(MOST_BYTES / one_set)))
    sets = [first] + [make() for _ in range(wanted - 1)]
    pool = torch.cuda.graph_pool_handle()
    graphs = {name: graph_of(function, sets, calls, pool) for name, function in candidates.items()}
    buffer = torch.zeros(FLUSH_BYTES // 4, device="cuda", dtype=torch.int32)
    samples = {name: [] for name in graphs}
    begun = time.monotonic()
    for number in range(-2, ROUNDS):  # two rounds to raise the clocks
        for name, graph in graphs.items():
            buffer.amax()  # read, not written: lines that were written would go out in the timed part
            sample = time_us(graph.replay) / calls
            if number >= 0:
                samples[name].append(sample)
        if number >= FEWEST - 1 and time.monotonic() - begun > ROUND_LIMIT_S:
            break
    return {name: statistics.median(each) for name, each in samples.items()}, calls, len(next(iter(samples.values())))


def floor_us(kernel):
    """Every input and output moved once."""
    def bytes_of(shape, dtype):
        return math.prod(shape) * (4 if dtype.short == "f32" else 2)
    results = getattr(kernel, "kernels", [kernel])
    total = sum(map(bytes_of, kernel.shapes, kernel.dtypes)) + sum(bytes_of(each.shape, each.dtype) for each in results)
    return total / BYTES_A_US


def plan_words(kernel):
    plans = kernel.plan if isinstance(kernel.plan, list) else [kernel.plan]
    return {"modelled_us": sum(plan["us"] for plan in plans),
            "schedule": "; ".join(" + ".join(launch["path"] for launch in plan["launches"]) for plan in plans)}


def reference(function, arrays):
    """In float, where that fits."""
    if sum(t.numel() for t in arrays) > 4e8:
        return function(*arrays)
    try:
        return function(*(t.float() for t in arrays))
    except torch.OutOfMemoryError:
        return function(*arrays)


def measure(name, cache, how, device, warm):
    kernel = kernel_of(name, cache, search=False)
    functions = PROGRAMS[name].functions
    row = {"program": name, "how": how, "floor_us": floor_us(kernel), **plan_words(kernel)}
    first = inputs_of(name, kernel, device)
    candidates, errors, compile_s = {"found": kernel}, {}, {}
    if row["modelled_us"] > MOST_US:
        row["found failed"] = f"it is modelled at {row['modelled_us'] / 1e6:.1f} s, and not timed"
        candidates = {}
    if how == "default":
        candidates.update({f"eager {place}" if place else "eager": each for place, each in enumerate(functions)})
    mode = None if how == "default" else "max-autotune-no-cudagraphs"
    torch._dynamo.reset()
    for place, each in enumerate(functions):
        candidate = f"{'compile' if mode is None else 'autotune'}{f' {place}' if place else ''}"
        compiled, begun = torch.compile(each, dynamic=False, mode=mode), time.monotonic()
        try:
            limited(COMPILE_LIMIT_S, lambda: compiled(*first))
            candidates[candidate], compile_s[candidate] = compiled, time.monotonic() - begun
        except Exception as error:  # the row says so, and the others are timed
            row[f"{candidate} failed"] = str(error).strip().split("\n")[0][:200]
    row["compile_s"] = {key: round(value, 1) for key, value in compile_s.items()}
    if warm:
        return row
    wanted = reference(functions[0], first)
    for candidate, function in list(candidates.items()):
        try:
            errors[candidate] = off_by(function(*first), wanted)
        except Exception as error:
            row[f"{candidate} failed"] = str(error).strip().split("\n")[0][:200]
            del candidates[candidate]
    del wanted
    row["error"] = errors
    if device == "cuda":
        torch.cuda.synchronize()
        row["cold_us"], row["calls"], row["rounds"] = timed(candidates, first, lambda: inputs_of(name, kernel, device))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--how", choices=("default", "max-autotune"), default="default")
    parser.add_argument("--until", type=float, default=1e9)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--warm", action="store_true")
    parser.add_argument("programs", nargs="*")
    asked = parser.parse_args()
    begun = time.monotonic()
    if asked.device == "cpu":
        torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    for name in asked.programs or sorted(PROGRAMS):
        if time.monotonic() - begun > asked.until:
            break
        row = {"program": name, "how": asked.how}
        try:
            row = measure(name, asked.cache, asked.how, asked.device, asked.warm)
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {str(error).strip()[:400]}"
        with open(asked.out, "a") as file:
            file.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)
        if asked.device == "cuda":
            try:
                torch.cuda.synchronize()
                torch.cuda.empty_cache()
            except RuntimeError:
                os._exit(3)  # a kernel that failed takes its process with it; the next one goes on behind it


if __name__ == "__main__":
    main()
