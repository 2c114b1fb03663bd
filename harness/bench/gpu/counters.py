#!/usr/bin/env python3
"""Checks the simulator's counters and its modelled clock against a GPU, kernel by kernel (kernels/kernels.cu).

    counters.py gpu --out counters_gpu.json        where there is an NVIDIA GPU, nvcc and ncu
    counters.py sim --out counters_sim.json        anywhere; two minutes
    counters.py join counters_gpu.json counters_sim.json --out DIR      writes DIR/{counters,times}.{tsv,md}

`join` asks the modelled clock for its times (ninja -C build/workbook workbook-sim-model). The results leave out whatever
names the machine. `gpu` ends within --limit seconds (110) whatever
the tools do: what is not measured by then is missing, and said so. Exits 1 when something is missing.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import counters_tables

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCE = HERE / "kernels" / "kernels.cu"

# The second is larger than the L2: what one launch leaves there is gone when the next one reads it.
SIZES = [{"elements": 1 << 22, "columns": 1024, "matmul": 256},
         {"elements": 1 << 24, "columns": 2048, "matmul": 512}]

# Base names; launch__ and *_pct ones are complete as they are, the others are summed over the chip.
METRICS = """
    gpu__time_duration smsp__inst_executed
    smsp__sass_thread_inst_executed_op_ffma_pred_on smsp__sass_thread_inst_executed_op_fadd_pred_on
    smsp__sass_thread_inst_executed_op_fmul_pred_on
    l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_requests_pipe_lsu_mem_global_op_st
    l1tex__t_requests_pipe_lsu_mem_global_op_red l1tex__t_requests_pipe_lsu_mem_global_op_atom
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_st
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit
    smsp__inst_executed_op_shared_ld smsp__inst_executed_op_shared_st smsp__inst_executed_op_shared_atom
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared
    lts__t_sectors_op_read lts__t_sectors_op_write lts__t_sectors_op_red lts__t_sectors_op_atom
    lts__t_sectors_srcunit_tex_op_read lts__t_sectors_srcunit_tex_op_write
    lts__t_sectors_srcunit_tex_lookup_hit lts__t_sectors_srcunit_tex_lookup_miss
    dram__bytes_read dram__bytes_write
    launch__registers_per_thread launch__occupancy_limit_registers launch__occupancy_limit_shared_mem
    launch__occupancy_limit_warps launch__occupancy_limit_blocks launch__shared_mem_per_block
""".split()
OCCUPANCY = ["sm__maximum_warps_per_active_cycle_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"]
# Seen to exist in the Nsight Compute of CUDA 13 on an H200: what is asked for where the list cannot be had.
KNOWN = """gpu__time_duration smsp__inst_executed dram__bytes_read dram__bytes_write lts__t_sectors_op_read
    lts__t_sectors_op_write l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_requests_pipe_lsu_mem_global_op_st
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_st
    launch__registers_per_thread launch__occupancy_limit_registers launch__occupancy_limit_shared_mem""".split()


class Clock:
    """What is left of the time that the whole thing may take."""

    def __init__(self, limit_s):
        self.end = time.monotonic() + limit_s

    def left(self, most):
        return max(1.0, min(most, self.end - time.monotonic()))


def output_of(command, clock, most_s, missing):
    """The command's standard output, or None; then `missing` says why. Never waits for longer than it may."""
    name = pathlib.Path(command[0]).name
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
    except OSError as error:
        missing.append(f"{name}: {error.strerror}")
        return None
    try:
        out, errors = process.communicate(timeout=clock.left(most_s))
    except subprocess.TimeoutExpired:
        # With all that it started: a profiler's program would keep the pipes open.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        missing.append(f"{name} was ended: too slow")
        return None
    if process.returncode != 0:
        missing.append(f"{name} ended with {process.returncode}")
        print((out + errors)[-2000:], file=sys.stderr)
        return None
    return out


def words_of(sizes):
    return [word for name, value in sizes.items() for word in (f"--{name}", str(value))]


def read_once(text):
    """Launches and checksums of a run without --time."""
    rows = [line.split("\t") for line in text.splitlines()]
    launches = [{"case": r[1], "kernel": r[2], "flops": float(r[3])} for r in rows if r[0] == "launch"]
    return launches, {r[1]: float(r[2]) for r in rows if r[0] == "check"}


def read_times(text):
    times = []
    for row in (line.split("\t") for line in text.splitlines()):
        if row[0] != "time":
            continue
        numbers = [float(x) for x in row[5:11]]
        times.append({"case": row[1], "kernel": row[2], "flops": float(row[3]), "calls": int(row[4]),
                      "warm_us": numbers[:3], "cold_us": numbers[3:]})
    return times


# ---- On the GPU

def find_tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    return found or name


def metrics_to_ask(ncu, clock):
    """Those of METRICS that this profiler knows: one unknown name, and it measures nothing at all."""
    known = output_of([ncu, "--query-metrics", "--chips", "gh100"], clock, 30, [])
    names = set(word.split()[0] for word in (known or "").splitlines() if word.strip())
    launch = output_of([ncu, "--query-metrics-collection", "launch", "--query-metrics", "--chips", "gh100"], clock, 20, [])
    names |= set(word.split()[0] for word in (launch or "").splitlines() if word.strip())
    wanted = [m for m in METRICS if m in names] if len(names) > 50 else KNOWN
    return [m if m.startswith("launch__") else m + ".sum" for m in wanted] + OCCUPANCY


def profile(ncu, program, sizes, asked, clock, missing):
    """The counters of every launch, in order."""
    text = output_of([ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
                      ",".join(asked), program, *words_of(sizes)], clock, 60, missing)
    rows = list(csv.DictReader(line for line in (text or "").splitlines() if line.startswith('"')))[1:]  # 1st: units
    launches = []
    for row in rows:
        numbers = {}
        for name in asked:
            try:
                numbers[name] = float((row.get(name) or "").replace(",", ""))
            except ValueError:
                pass
        launches.append(numbers)
    return launches


def measure_gpu(options):
    clock, missing, runs = Clock(options.limit), [], []
    nvcc, ncu = find_tool("nvcc"), find_tool("ncu")
    device = output_of(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], clock, 10, missing)
    if device is None:
        print("counters.py: no NVIDIA GPU", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = str(pathlib.Path(folder) / "kernels")
        if output_of([nvcc, "-std=c++20", "-O3", "-arch=native", str(SOURCE), "-o", program], clock, 60, missing) is None:
            return 1
        for sizes in SIZES:
            once = output_of([program, *words_of(sizes)], clock, 20, missing)
            launches, checks = read_once(once or "")
            times = output_of([program, *words_of(sizes), "--time"], clock, 25, missing)
            runs.append({"sizes": sizes, "launches": launches, "checks": checks, "times": read_times(times or "")})
        asked = metrics_to_ask(ncu, clock)
        for run in runs:
            counted = profile(ncu, program, run["sizes"], asked, clock, missing)
            if len(counted) != len(run["launches"]):
                missing.append(f"{len(counted)} of {len(run['launches'])} launches were profiled")
                continue
            for launch, numbers in zip(run["launches"], counted):
                launch["metrics"] = numbers
    result = {"device": device.splitlines()[0].strip(), "missing": missing, "runs": runs}
    write_json(options.out, result)
    for line in missing:
        print("counters.py:", line)
    print(f"{sum('metrics' in launch for run in runs for launch in run['launches'])} launches counted, "
          f"{sum(len(run['times']) for run in runs)} times measured")
    return 1 if missing else 0


# ---- On the simulator

def measure_sim(options):
    clock, missing, runs = Clock(options.limit), [], []
    source = str(SOURCE.relative_to(ROOT))  # as it will stand in the results
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        simulate = [options.workbook, "sim", source, "-std=c++20", "--report", str(report), "--"]
        for sizes in SIZES[:options.sizes]:
            cases = (output_of([*simulate, *words_of(sizes), "--list"], clock, 300, missing) or "").split()
            launches, checks = [], {}
            for case in cases:
                text = output_of([*simulate, *words_of(sizes), case], clock, 300, missing)
                if text is None:
                    continue
                mine, sums = read_once(text)
                kernels = {k["kernel"]: k for k in json.loads(report.read_text())["totals"]["kernels"]}
                for launch in mine:
                    counted = kernels[launch["kernel"]]
                    launch["record"] = {name: counted[name] for name in ("kernel", "grid", "block", "shared_bytes", "counters")}
                    launch["record"]["counters"]["flops"] = launch["flops"]
                launches += mine
                checks.update(sums)
            runs.append({"sizes": sizes, "launches": launches, "checks": checks})
    write_json(options.out, {"missing": missing, "runs": runs})
    for line in missing:
        print("counters.py:", line)
    return 1 if missing else 0


# ---- Both

def join(options):
    gpu, sim = (json.loads(pathlib.Path(file).read_text()) for file in (options.gpu, options.sim))
    for run in sim["runs"]:
        cases = {}
        for launch in run["launches"]:
            cases.setdefault(launch["case"], []).append(launch)
        asked = json.dumps([[launch["record"] for launch in case] for case in cases.values()])
        answer = subprocess.run([options.model], input=asked, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        for case, times in zip(cases.values(), json.loads(answer.stdout)):
            for launch, time_of in zip(case, times):
                launch["modelled"] = time_of
    return counters_tables.write(gpu, sim, pathlib.Path(options.out))


def write_json(file, value):
    file = pathlib.Path(file)
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps(value, indent=1) + "\n")
    draft.replace(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    part = parts.add_parser("gpu")
    part.add_argument("--out", required=True)
    part.add_argument("--limit", type=float, default=110.0, help="seconds")
    part.set_defaults(run=measure_gpu)
    part = parts.add_parser("sim")
    part.add_argument("--workbook", default=str(ROOT / "bin" / "workbook"))
    part.add_argument("--out", required=True)
    part.add_argument("--sizes", type=int, default=len(SIZES), help="how many of the sizes, smallest first")
    part.add_argument("--limit", type=float, default=1800.0, help="seconds")
    part.set_defaults(run=measure_sim)
    part = parts.add_parser("join")
    part.add_argument("gpu")
    part.add_argument("sim")
    part.add_argument("--model", default=str(ROOT / "build" / "workbook" / "harness" / "clock" / "workbook-sim-model"))
    part.add_argument("--out", required=True)
    part.set_defaults(run=join)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
