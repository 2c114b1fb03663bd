#!/usr/bin/env python3
"""Keeps what check.sh measured: book and viewer show it, and the modelled clock is held to it.

    record.py RUNS.json...      what check.sh wrote (several: of several calls)

book/data/h200/NN_name.json has the runs of a puzzle's solution as it stands; a variant in RUNS.json takes the place of what was known of it.
harness/bench/results/h200/variants.tsv has the median with cold caches of the real shape: of the variant as a whole in one CUDA graph (launch `*`), and of each
launch that takes a twentieth of that at least (`N kernel`), if there are several.
"""
import csv
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "book" / "hooks"))

import laid_out  # noqa: E402

BOOK = ROOT / "book" / "data" / "h200"
TABLE = ROOT / "harness" / "bench" / "results" / "h200" / "variants.tsv"
WORTH_A_ROW = 0.05


def key(run):
    return run["puzzle"], run["variant"]


def rows_of(runs):
    """Rows of the table, of runs of one variant."""
    found = {}
    for run in runs:
        for benchmark in run["benchmarks"]:
            if benchmark["name"] == "real" and benchmark["graph_cold_us"]:
                sizes = ",".join(f"{name}={size}" for name, size in dict(benchmark["sizes"]).items())
                found.setdefault(sizes, []).append(benchmark)
    for sizes, benchmarks in found.items():
        row = {"puzzle": runs[0]["puzzle_name"], "variant": runs[0]["variant"], "sizes": sizes, "from": "book/data/h200"}
        whole = statistics.median(us for b in benchmarks for us in b["graph_cold_us"])
        yield {**row, "launch": "*", "cold_us": round(whole, 2)}
        launches = benchmarks[0]["launches"]
        for number, launch in enumerate(launches if len(launches) > 1 else []):
            cold = statistics.median(launch["cold_us"]) if launch["cold_us"] else 0.0
            if cold >= WORTH_A_ROW * whole:
                yield {**row, "launch": f"{number} {launch['kernel']}", "cold_us": round(cold, 2)}


def keep(file, new, replaced):
    """Puts the new runs of a puzzle into its file in place of those of the same variants."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"format": "workbook runs", "version": 1, "runs": []}
    # Without traces, which are the simulator's and most of the bytes: who wants one runs the simulator.
    known["runs"] = [{"run": entry["run"]} for entry in known["runs"] if key(entry["run"]) not in replaced] + [{"run": run} for run in new]
    file.write_text(laid_out.dumps(known) + "\n", encoding="utf-8")


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    new = [entry for name in sys.argv[1:] for entry in json.loads(pathlib.Path(name).read_text(encoding="utf-8"))["runs"]]
    new = [entry for entry in new if entry["run"]["backend"] == "cuda" and entry["run"]["origin"] == "solution" and entry["run"]["verdict"] == "correct"]
    replaced = {key(entry["run"]) for entry in new}
    for name in sorted({entry["run"]["puzzle_name"] for entry in new}):
        keep(BOOK / f"{name}.json", [entry["run"] for entry in new if entry["run"]["puzzle_name"] == name], replaced)

    with open(TABLE, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, delimiter="\t")
        rows, fields = list(table), table.fieldnames
    fresh = [row for which in sorted(replaced) for row in rows_of([entry["run"] for entry in new if key(entry["run"]) == which])]
    places = {(row["puzzle"], row["variant"], row["sizes"]) for row in fresh}
    rows = [row for row in rows if (row["puzzle"], row["variant"], row["sizes"]) not in places] + fresh
    rows.sort(key=lambda row: row["puzzle"])
    with open(TABLE, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, fields, delimiter="\t", lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    print(f"{len(new)} runs of {len(replaced)} variants, {len(fresh)} rows")


if __name__ == "__main__":
    main()
