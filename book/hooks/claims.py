"""What a chapter claims, as something that can fail: puzzles/NN_name/claims.json.

A list of claims, each an object:
  says       the claim, a sentence without its full stop
  metric     what is counted or modelled: see METRICS; or "printed", a number in a text
  of         the variant of which it is said; with "printed" also a file of the repository, by its path ("book/data/h200/debug/38_measure.txt")
  find, per  with "printed": regular expressions (a line's begin is ^), each with one group round a number in the text that `of` has printed. With
             `per` the claim is about the first divided by the second
  against    a variant: then the number is metric(against) / metric(of), "so many times less than"
  kernel     only this kernel's launches; absent: all
  at         "teaching" or "real" (absent); a variant that is a program has neither, it is measured as a whole
  at_least, at_most, equals    a number, or a formula over the sizes such as "8*N"
  further    true: it stands on the chapter's second page, claims(further=True)
  measured   true: the ratio of measured times, where there are any, must hold as well (metric modelled_us)

Read by the directive claims() of a chapter, from the records that the book keeps, and by
harness/tests/puzzles/check_claims.py, from runs made there and then.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from pathlib import Path

import records
import tables
from puzzles import Puzzle
from records import Measured, NotRecorded
from sources import ROOT, BookError

_COUNTERS = ("atomics", "barriers", "cluster_barriers", "dram_bytes_read", "dram_bytes_written", "flops", "global_requests", "grid_barriers",
             "l2_sectors", "remote_requests", "shared_passes", "shared_requests", "threads", "warp_operations")
_LIMITS = {"at_least": ("at least", lambda value, limit: value >= limit), "at_most": ("at most", lambda value, limit: value <= limit),
           "equals": ("exactly", lambda value, limit: value == limit)}


def metric(bench: dict, name: str, kernel: str | None = None) -> float:
    """One number of a benchmark of a record, over all its launches or those of one kernel."""
    if name in _CALL_METRICS:
        return sum(map(_CALL_METRICS[name], bench["calls"]))
    launches = [launch for launch in bench["launches"] if kernel in (None, launch["kernel"])]
    if not launches:
        raise BookError(f"no launch of {kernel} is on record")
    return sum(METRICS[name](launch) for launch in launches)


def _sites(launch: dict, what: str, kind: str = "global") -> float:
    return sum(site[what] for site in launch["counters"]["sites"] if site["kind"].startswith(kind))


METRICS = {name: (lambda launch, name=name: launch["counters"][name]) for name in _COUNTERS} | {
    "launches": lambda launch: launch.get("count", 1),
    "blocks": lambda launch: launch["grid"][0] * launch["grid"][1] * launch["grid"][2],
    "modelled_us": lambda launch: launch["modelled"]["total_us"],
    "dram_bytes": lambda launch: launch["counters"]["dram_bytes_read"] + launch["counters"]["dram_bytes_written"],
    "conflicts": lambda launch: launch["counters"]["shared_passes"] - launch["counters"]["shared_requests"],
    "global_sectors": lambda launch: _sites(launch, "sectors"),
    "wasted_sectors": lambda launch: _sites(launch, "sectors") - _sites(launch, "ideal_sectors"),
    "global_load_requests": lambda launch: _sites(launch, "requests", "global load"),
    "global_store_requests": lambda launch: _sites(launch, "requests", "global store"),
    "l2_load_sectors": lambda launch: _sites(launch, "sectors", "global load") - _sites(launch, "l1_sectors", "global load"),
    "l1_found_percent": lambda launch: 100 * _sites(launch, "l1_sectors", "global load") / _sites(launch, "sectors", "global load"),  # of one launch
    "memory_waits": lambda launch: launch["counters"]["chained_misses"],
}
# Of the calls that a program's host made.
_CALL_METRICS = {"host_launches": lambda call: call["kind"] in ("launch", "graph"), "host_waits": lambda call: call["kind"] == "wait"}
_FIELDS = {"says", "metric", "of", "against", "kernel", "at", "measured", "find", "further", "per", *_LIMITS}


def load(name: str) -> list[dict]:
    """The claims of puzzles/`name`; none where there is no file."""
    path = ROOT / "puzzles" / name / "claims.json"
    if not path.is_file():
        return []
    try:
        claims = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BookError(f"puzzles/{name}/claims.json: {error}") from error
    for claim in claims:
        wrong = [field for field in claim if field not in _FIELDS] or [f for f in ("says", "metric", "of") if f not in claim]
        if claim.get("metric") == "printed":
            wrong += ["find"] if "find" not in claim else [f for f in ("kernel", "measured") if f in claim]
        elif "find" in claim or "per" in claim:
            wrong += ["find"]
        if wrong or claim["metric"] not in {*METRICS, *_CALL_METRICS, "printed"} or not any(limit in claim for limit in _LIMITS):
            raise BookError(f"puzzles/{name}/claims.json: {claim.get('says', claim)}: it needs says, of, a limit ({', '.join(_LIMITS)}), and "
                            f"a metric ({', '.join(sorted({*METRICS, *_CALL_METRICS}))}; or printed, with find), and nothing else than {', '.join(sorted(_FIELDS))}")
    return claims


def benchmark(runs: list[dict], at: str) -> dict:
    """The benchmark that a claim is about, of the first record that has it: the one of that name, or a program's only one. With what the run printed."""
    for run in runs:
        for found in run["benchmarks"]:
            if found["name"] in (at, "program"):
                return found | {"printed": run.get("learner_output", "")}
    raise BookError(f"no benchmark at the {at} shape is on record")


def printed(claim: dict, of: str, bench_of) -> float:
    """The number that the claim finds in a text."""
    text = (ROOT / of).read_text(encoding="utf-8") if "/" in of else bench_of(of, claim.get("at", "real"))["printed"]
    values = []
    for pattern in (claim[field] for field in ("find", "per") if field in claim):
        match = re.search(pattern, text, re.MULTILINE)
        if match is None:
            raise BookError(f"nothing like {pattern} is printed by {of}")
        values.append(float(match[1]))
    return values[0] / values[1] if "per" in claim else values[0]


def number(claim: dict, bench_of) -> float:
    """What the claim is about; `bench_of(variant, at)` gives the benchmark of a record."""
    if claim["metric"] == "printed":
        own = printed(claim, claim["of"], bench_of)
        return printed(claim, claim["against"], bench_of) / own if "against" in claim else own
    at = claim.get("at", "real")
    own = metric(bench_of(claim["of"], at), claim["metric"], claim.get("kernel"))
    return metric(bench_of(claim["against"], at), claim["metric"]) / own if "against" in claim else own


def limits(claim: dict, sizes: dict[str, int]) -> list[tuple[str, float]]:
    """Each limit by its name, as a number."""
    return [(name, float(value) if not isinstance(value, str) else tables.evaluate(ast.parse(value, mode="eval").body, sizes))
            for name in _LIMITS if (value := claim.get(name)) is not None]


def holds(claim: dict, value: float, sizes: dict[str, int]) -> bool:
    return all(_LIMITS[name][1](value, limit) for name, limit in limits(claim, sizes))


def on_page(name: str, further: bool = False) -> list[dict]:
    """The claims that stand on the chapter's first page, or on its second."""
    return [claim for claim in load(name) if claim.get("further", False) == further]


def claims(puzzle: Puzzle, *, further: bool = False) -> str:
    """The claims of the puzzle as a table in a box: what is claimed, the limit, what the simulator says and what a GPU says."""
    found = on_page(puzzle.name, further)
    if not found:
        raise BookError(f"puzzles/{puzzle.name}/claims.json holds no claims")

    def modelled(variant: str, at: str) -> dict:
        runs = records.find(puzzle.number, variant, "sim")
        if not runs:
            raise NotRecorded(f"puzzle {puzzle.number} --{variant} on the simulator")
        return benchmark(runs, at)

    rows, device = [["Claim", "Wanted", "Simulator", "GPU"]], None
    for claim in found:
        sizes = puzzle.sizes.get(claim.get("at", "real"), {})
        value = number(claim, modelled)
        if not holds(claim, value, sizes):
            raise BookError(f"puzzles/{puzzle.name}/claims.json: {claim['says']}: it is {value:g}")
        wanted = ", ".join(f"{_LIMITS[name][0]} {_say(claim, limit)}" for name, limit in limits(claim, sizes))
        gpu = measured(puzzle, claim)
        if gpu:
            device = gpu[1]
        here, there = _say(claim, value), _say(claim, gpu[0]) if gpu else "–"
        rows.append([claim["says"], wanted, *(("–", here) if "/h200/" in claim["of"] else (here, there))])
    note = "Each line is a check that runs with the workbook's tests. Counted or modelled by the simulator"
    note += ", a whole run of each program" if puzzle.is_programs else " at the real shape, unless the line says otherwise"
    if puzzle.is_programs and any("/h200/" in claim["of"] for claim in found):
        note += "; what stands under GPU was measured on an NVIDIA H200"
    note += f"; measured: {device}, cold, medians." if device else "."
    table = tables.markdown(rows, left=(0,)) + f'\n\n<p class="provenance">{note}</p>'
    return f'??? info "What this chapter claims, as checks: {len(rows) - 1} of them"\n\n' + textwrap.indent(table, "    ")


def measured(puzzle: Puzzle, claim: dict) -> tuple[float, str] | None:
    """The claim's ratio or time as a GPU measured it, with the GPU's name."""
    if claim["metric"] != "modelled_us" or "kernel" in claim:
        return None
    times = []
    for variant in [claim["against"], claim["of"]] if "against" in claim else [claim["of"]]:
        try:
            run = Measured(puzzle.number, variant, claim.get("at", "real"))
        except NotRecorded:
            return None
        if (us := run.cold_us()) is None:
            return None
        times.append(us)
    value = times[0] / times[-1] if "against" in claim else times[0]
    if claim.get("measured") and not holds(claim, value, puzzle.sizes[claim.get("at", "real")]):
        raise BookError(f"puzzles/{puzzle.name}/claims.json: {claim['says']}: measured on {run.gpu_name} it is {value:g}")
    return value, run.gpu_name


def _say(claim: dict, value: float) -> str:
    text = f"{round(value):,}".replace(",", "\u202f") if abs(value - round(value)) < 1e-9 else f"{value:.3g}"
    return f"{text}×" if "against" in claim or "per" in claim else f"{text} µs" if claim["metric"] == "modelled_us" else text
