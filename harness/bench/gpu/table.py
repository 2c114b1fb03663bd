#!/usr/bin/env python3
"""Prints what a GPU measured beside what the simulator modelled and counted for the same launches.

    table.py RUNS.json [--torch torch.json] [--ncu DIR]

RUNS.json is `workbook export --format json`; the samples of all its correct solution runs on a GPU are pooled.
DIR holds <puzzle>.<variant>.csv of Nsight Compute, a row a launch in the order of the run's benchmarks.
Exits 1 when there is no such run.
"""
import argparse
import csv
import json
import pathlib
import sys


def quantile(values, q):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def median(values):
    return quantile(values, 0.5)


def spread(values):
    return f"{median(values):9.2f} [{quantile(values, 0.1):.2f} {quantile(values, 0.9):.2f}]" if values else "-"


def error(modelled, measured):
    return f"{100.0 * (modelled / median(measured) - 1.0):+7.1f}%" if modelled and measured else f"{'-':>8}"


def pooled(runs_file):
    """Benchmarks by (puzzle, variant, shape): the newest one, with the samples of all runs."""
    found = {}
    for entry in json.loads(pathlib.Path(runs_file).read_text())["runs"]:
        run = entry["run"]
        if run["backend"] != "cuda" or run["origin"] != "solution" or run["verdict"] != "correct":
            continue
        for benchmark in run["benchmarks"]:
            key = (run["puzzle"], run["variant"], benchmark["name"])
            if key not in found:
                found[key] = (run["device"], benchmark)
                continue
            known = found[key][1]
            for name in ("graph_warm_us", "graph_cold_us", "host_us"):
                known[name] += benchmark[name]
            for mine, more in zip(known["launches"], benchmark["launches"]):
                mine["warm_us"] += more["warm_us"]
                mine["cold_us"] += more["cold_us"]
    return dict(sorted(found.items()))


def line(name, warm, cold, modelled, bound=""):
    print(f"  {name:24} {spread(warm):>30} {spread(cold):>30} {modelled:9.2f} {error(modelled, warm)} "
          f"{error(modelled, cold)}  {bound}")


def print_times(benchmarks):
    for (puzzle, variant, shape), (device, b) in benchmarks.items():
        sizes = ", ".join(f"{name} {size}" for name, size in b["sizes"].items())
        print(f"\nPuzzle {puzzle:02} --{variant}, {shape} shape ({sizes}), {device}: microseconds, median [p10 p90]")
        print(f"  {'launch':24} {'measured warm':>30} {'measured cold':>30} {'modelled':>9} {'to warm':>8} {'to cold':>8}  bound")
        for launch in b["launches"]:
            m = launch.get("modelled") or {}
            line(launch["kernel"], launch["warm_us"], launch["cold_us"], m.get("total_us", 0.0), m.get("bound", ""))
        line("all, in one graph", b["graph_warm_us"], b["graph_cold_us"], b["modelled_total_us"])
        print(f"  {'launched from the host':24} {spread(b['host_us']):>30}")


def print_torch(benchmarks, torch_file):
    data = json.loads(pathlib.Path(torch_file).read_text())
    print(f"\nPyTorch {data['torch']} on {data['device']}, fp32 without TF32: microseconds in a graph, and our time over the better")
    for workload in data["workloads"]:
        times = {name[:-3]: median(samples) for name, samples in workload.items() if name.endswith("_us") and samples}
        print(f"  puzzle {workload['puzzle']:02} {workload['shape']:9}" + "".join(f"  {n} {t:.2f}" for n, t in times.items()))
        for (puzzle, variant, shape), (_, b) in benchmarks.items():
            if (puzzle, shape, b["sizes"]) != (workload["puzzle"], workload["shape"], workload["sizes"]):
                continue
            best = {t: min(times[f"eager_graph_{t}"], times[f"compile_graph_{t}"]) for t in ("warm", "cold")}
            print(f"    --{variant:14} warm x{median(b['graph_warm_us']) / best['warm']:.2f}  cold x{median(b['graph_cold_us']) / best['cold']:.2f}")


# What Nsight Compute calls it, and what the simulator counted; a sector is 32 bytes.
COUNTERS = [
    ("DRAM read KB", lambda r: r("dram__bytes_read.sum") / 1e3, lambda c: c["dram_bytes_read"] / 1e3),
    ("DRAM written KB", lambda r: r("dram__bytes_write.sum") / 1e3, lambda c: c["dram_bytes_written"] / 1e3),
    ("global requests", lambda r: r("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")
     + r("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), lambda c: c["global_requests"]),
    ("global sectors", lambda r: r("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")
     + r("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), lambda c: c["l2_sectors"]),
    ("shared passes", lambda r: r("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"), lambda c: c["shared_passes"]),
]


def print_counters(benchmarks, folder):
    print("\nCounted by the simulator / by Nsight Compute (cold caches); it also counts what the L1 answered and never left the SM")
    for file in sorted(folder.glob("*.csv")):
        puzzle, variant = file.stem.split(".")
        text = [row for row in file.read_text().splitlines() if row.startswith('"')]
        rows = list(csv.DictReader(text))[1:]  # the first row holds units
        launches = [(shape, launch) for shape in ("teaching", "real")
                    for launch in benchmarks.get((int(puzzle), variant, shape), (None, {"launches": []}))[1]["launches"]]
        if len(rows) != len(launches):
            print(f"  {file.name}: {len(rows)} launches profiled, {len(launches)} on record")
            continue
        for row, (shape, launch) in zip(rows, launches):
            def read(name):
                return float((row.get(name) or "nan").replace(",", ""))
            counters = launch.get("counters")
            if not counters:
                continue
            values = "  ".join(f"{name} {counted(counters):.0f} / {read_off(read):.0f}" for name, read_off, counted in COUNTERS)
            print(f"  {puzzle} {shape:8} {launch['kernel']:22} {values}  L1 hits {read('l1tex__t_sector_hit_rate.pct'):.0f} %"
                  f"  L2 hits {read('lts__t_sector_hit_rate.pct'):.0f} %  registers {read('launch__registers_per_thread'):.0f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs")
    parser.add_argument("--torch")
    parser.add_argument("--ncu", type=pathlib.Path)
    options = parser.parse_args()
    benchmarks = pooled(options.runs) if pathlib.Path(options.runs).exists() else {}
    if not benchmarks:
        print(f"{options.runs} holds no correct run of a solution on a GPU")
        return 1
    if options.ncu and options.ncu.is_dir():
        print_counters(benchmarks, options.ncu)
    if options.torch and pathlib.Path(options.torch).exists():
        print_torch(benchmarks, options.torch)
    print_times(benchmarks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
