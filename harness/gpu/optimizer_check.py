#!/usr/bin/env python3
"""What found kernels promise on a GPU, with PyTorch: results, streams, graphs, torch.compile; their times beside PyTorch's; models by
torch.compile(backend="workbook").

    harness/gpu/optimizer_check.py prepare --cache DIR [--workbook PROGRAM]   searches, where there is no GPU
    harness/gpu/optimizer_check.py run --cache DIR --out DIR [--budget 470]   needs nvcc and PyTorch, and no search
    harness/gpu/optimizer_check.py dry --cache DIR --out DIR                  run's steps on the CPU's simulator, small and without times

run writes checks.txt, table.jsonl, models.jsonl and table.md into --out as it goes, within --budget seconds; what is not reached is said. It ends with
1 where a check fails, with 77 where there is no PyTorch or no GPU.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "harness/bench/gpu"
sys.path[:0] = [str(ROOT / "harness/python"), str(BENCH), str(Path(__file__).parent)]
# Of max-autotune, in this order, as far as the time goes: products first, where it chooses among more.
AUTOTUNE = ["attn_seed", "rms_t", "linear_t", "swiglu_down", "m_gqa", "m_mha", "gqa_folded", "causal_add", "m_rmsnorm", "rms_bf16", "mlp_gelu", "m_moe",
            "attn_bf16", "attn_f16", "attn_seed_ntd", "bmm_one", "gemv", "dup", "chain2", "chain3", "causal_mul", "ln_only", "logsoftmax", "softmax_max",
            "colsum", "meanvar2", "twoout", "exp_t", "outer", "neg", "copyin", "ragged_softmax", "tiny", "big_gemm", "vocab_softmax", "huge_gemm"]
SMALL = ["ragged_softmax", "tiny", "twoout"]  # which the simulator runs at their size
LARGE = {"huge_gemm", "vocab_softmax", "big_gemm"}  # whose arrays do not fit beside others


def program_names():
    return sorted(file.stem for file in (ROOT / "harness/bench/optimize_programs").glob("*.wbp"))


# ---- On a machine with time: searching ----------------------------------------------------------------

def prepare(asked):
    from optimize_table import kernel_of
    from optimizer_checks import KERNELS
    if asked.workbook:
        os.environ["WORKBOOK"] = os.path.abspath(asked.workbook)
    for name in program_names():
        try:
            print(f"{name}: {kernel_of(name, asked.cache, seconds=asked.seconds)}", flush=True)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
    for name, make in KERNELS.items():
        print(f"{name}: {make(cache=asked.cache, seconds=asked.seconds)}", flush=True)
    for words in ([], ["--not-always"]):
        subprocess.run([sys.executable, str(BENCH / "optimize_models.py"), "--cache", asked.cache, "--out", os.devnull, "--prepare", *words],
                       check=True)


# ---- On a machine with a GPU --------------------------------------------------------------------------

class Clock:
    def __init__(self, budget):
        self.begun, self.budget = time.monotonic(), budget

    def left(self):
        return self.budget - (time.monotonic() - self.begun)

    def say(self, words):
        print(f"[{time.monotonic() - self.begun:.0f} s] {words}", flush=True)


def compile_all(cache, device_index):
    """Every kernel of the cache, by as many compilers as there are processors. Those that nvcc refuses, in words."""
    from workbook_optimizer.gpu import architecture, compiled
    from workbook_optimizer.search import kernels_in
    arch = os.environ.get("WORKBOOK_ARCH") or architecture(device_index)
    kernels = kernels_in(cache)
    refused = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kernel, done in [(kernel, pool.submit(compiled, kernel, arch)) for kernel in kernels]:
            try:
                done.result()
            except Exception as error:
                refused.append(f"{kernel.name}: {str(error)[:1000]}")
    return len(kernels), refused


def python(script, *words, limit, log):
    """Ends with the time limit; what it wrote stays."""
    with open(log, "a") as file:
        try:
            return subprocess.run([sys.executable, str(script), *map(str, words)], timeout=max(1, limit), stdout=file, stderr=file,
                                  stdin=subprocess.DEVNULL).returncode
        except subprocess.TimeoutExpired:
            return 124


def rows_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(asked, out, clock, how, names, limit):
    """A process for all of them; after one that took its process with it another goes on behind it."""
    file, until = out / "table.jsonl", clock.left() - limit
    names = list(names)
    while names and clock.left() > until + 5:
        status = python(BENCH / "optimize_table.py", "--cache", asked.cache, "--out", file, "--how", how, "--device", asked.device, "--until",
                        clock.left() - until - 15, *names, limit=clock.left() - until, log=out / "table.log")
        done = {row["program"] for row in rows_of(file) if row["how"] == how}
        rest = [name for name in names if name not in done]
        if status == 0 or rest == names and status == 124:
            return rest
        if rest == names or status not in (0, 3):
            with open(file, "a") as lines:
                lines.write(json.dumps({"program": rest[0], "how": how, "failed": f"its process ended with status {status}"}) + "\n")
            rest = rest[1:]
        names = rest
    return names


def warm(asked, out, names, count=6):
    """Compiles what PyTorch compiles in several processes at once; those that come later find it in Inductor's cache."""
    names = [name for name in names if name not in LARGE]
    commands = [[str(BENCH / "optimize_table.py"), "--device", asked.device, "--warm", *names[place::count]] for place in range(count)]
    commands.append([str(BENCH / "optimize_models.py"), "--warm"])
    with open(out / "warm.log", "w") as log:
        return [subprocess.Popen([sys.executable, *words, "--cache", asked.cache, "--out", os.devnull], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                 env={**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "4"}) for words in commands]


def run(asked):
    import torch
    out = Path(asked.out)
    out.mkdir(parents=True, exist_ok=True)
    dry = asked.device == "cpu"
    clock, names, failed = Clock(1e6 if dry else asked.budget), SMALL if dry else program_names(), False
    for file in ("table.jsonl", "models.jsonl", "checks.txt", "table.log", "models.log"):
        (out / file).unlink(missing_ok=True)
    clock.say(f"PyTorch {torch.__version__} on {'the simulator' if dry else torch.cuda.get_device_name()}")
    warming = [] if dry else warm(asked, out, names)
    count, refused = compile_all(asked.cache, 0) if not dry or os.environ.get("WORKBOOK_ARCH") else (0, [])
    clock.say(f"nvcc compiled {count - len(refused)} of {count} kernels")
    for words in refused:
        print(words, flush=True)
    failed |= bool(refused)
    for each in warming:
        try:
            each.wait(timeout=max(1, min(60, clock.left() - 330)))
        except subprocess.TimeoutExpired:
            each.kill()
    clock.say("what PyTorch compiles is compiled")
    status = python(ROOT / "harness/gpu/optimizer_checks.py", "--cache", asked.cache, "--device", asked.device, limit=min(clock.left(), 1800 if dry else 90),
                    log=out / "checks.txt")
    print((out / "checks.txt").read_text(), flush=True)
    failed |= status != 0
    clock.say(f"checks: status {status}")
    rest = table(asked, out, clock, "default", sorted(names, key=lambda name: (name in LARGE, name)), min(clock.left(), 3600 if dry else 170))
    clock.say(f"table; not reached: {' '.join(rest) or 'nothing'}")
    show(out)
    status = python(BENCH / "optimize_models.py", "--cache", asked.cache, "--out", out / "models.jsonl", *(["--small"] if dry else []),
                    limit=min(clock.left(), 1800 if dry else 110), log=out / "models.log")
    clock.say(f"models: status {status}")
    print((out / "models.log").read_text()[-6000:], flush=True)
    if not dry:
        rest = table(asked, out, clock, "max-autotune", AUTOTUNE, clock.left() - 5)
        clock.say(f"max-autotune; not reached: {' '.join(rest) or 'nothing'}")
        show(out)
    return 1 if failed else 0


def show(out):
    """table.md, of all that is there."""
    rows = {}
    for row in rows_of(out / "table.jsonl"):
        rows.setdefault(row["program"], {})[row["how"]] = row
    lines = ["Cold medians in microseconds. Best: the least of PyTorch's, eager, compiled or by max-autotune; a - was not reached or failed.", "",
             "| program | schedule | modelled | found | floor | eager | compile | max-autotune | found / best | error |", "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name in sorted(rows):
        first, second = rows[name].get("default", {}), rows[name].get("max-autotune", {})
        times, tuned = first.get("cold_us", {}), second.get("cold_us", {})
        found = times.get("found", tuned.get("found"))
        cells = [min((us for key, us in group.items() if key.startswith(word)), default=None)
                 for group, word in ((times, "eager"), (times, "compile"), (tuned, "autotune"))]
        best = min((us for us in cells if us is not None), default=None)
        schedule = first.get("schedule", second.get("schedule", first.get("failed", "")[:60]))
        error = first.get("error", {}).get("found")

        def cell(value, digits=2):
            return "-" if value is None else f"{value:.{digits}f}"
        lines.append(f"| {name} | {schedule} | {cell(first.get('modelled_us'))} | {cell(found)} | {cell(first.get('floor_us'))} | "
                     + " | ".join(map(cell, cells)) + f" | {cell(found / best if found and best else None)} | "
                     + ("-" if error is None else f"{error:.0e}") + " |")
        for key, words in {**first, **second}.items():
            if key.endswith("failed"):
                lines.append(f"| {name} | {key}: {str(words)[:150]} |")
    (out / "table.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("prepare", "run", "dry"))
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", default=str(ROOT / "build/optimizer-check"))
    parser.add_argument("--budget", type=float, default=470)
    parser.add_argument("--seconds", type=int, default=120, help="of each search, at most")
    parser.add_argument("--workbook")
    asked = parser.parse_args()
    asked.cache, asked.out = os.path.abspath(asked.cache), os.path.abspath(asked.out)
    asked.device = "cuda" if asked.what == "run" else "cpu"
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(Path(tempfile.gettempdir()) / "inductor"))
    os.environ.setdefault("WORKBOOK_STATE", str(ROOT / "build/optimizer-check/state"))
    try:
        import torch
    except ImportError:
        print("optimizer_check: this Python has no PyTorch")
        sys.exit(77)
    if asked.what == "prepare":
        prepare(asked)
        return
    if asked.what == "run" and not torch.cuda.is_available():
        print("optimizer_check: PyTorch sees no GPU")
        sys.exit(77)
    sys.exit(run(asked))


if __name__ == "__main__":
    main()
