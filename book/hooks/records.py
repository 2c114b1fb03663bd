"""Run records (harness/runs/record.h, as JSON) as tables and figures of a chapter.

book/data/runs/ holds records of the simulator, written by book/refresh.py; book/data/h200/ holds
records measured on an H200. A record says itself what it is: file names carry no meaning.
"""

from __future__ import annotations

import copy
import functools
import json
import statistics
from pathlib import Path

from sources import ROOT, BookError, code_only

DATA = Path(__file__).resolve().parents[1] / "data"


class NotRecorded(BookError):
    """A run that the chapter shows has not been made yet."""


@functools.lru_cache(maxsize=None)
def _all() -> list[dict]:
    records = []
    for path in sorted([*DATA.glob("runs/*.json"), *DATA.glob("h200/*.json")]):
        found = json.loads(path.read_text(encoding="utf-8"))
        if "verdict" in found:
            records.append(found)  # one bare record
        elif found.get("format") == "workbook runs":
            records += [entry["run"] for entry in found["runs"]]  # what `workbook export` writes
    return records


def find(puzzle: int, variant: str, backend: str) -> list[dict]:
    """The correct runs of the solution as it stands, the newest first. Runs of earlier code are not shown."""
    runs = [
        r
        for r in _all()
        if r["puzzle"] == puzzle and r["variant"] == variant and r["backend"] == backend
        and r.get("origin") == "solution" and r.get("verdict") == "correct" and _is_present_code(r)
    ]
    return sorted(runs, key=lambda r: r.get("started_at", ""), reverse=True)


def _is_present_code(record: dict) -> bool:
    path = ROOT / "solutions" / record["puzzle_name"] / _file_of(record["puzzle_name"], record["variant"])
    return path.is_file() and code_only(record["source"]) == code_only(path.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def _file_of(puzzle: str, variant: str) -> str:
    """The learner's file in which a variant is written."""
    declared = json.loads((ROOT / "puzzles" / puzzle / "declared.json").read_text(encoding="utf-8"))
    return next((v["file"] for v in declared["variants"] if v["name"] == variant), "kernels.cu")


def benchmark(runs: list[dict], name: str) -> dict | None:
    """The benchmark called "teaching" or "real" of the newest run that has it, with the samples of all of them."""
    found = [b for run in runs for b in run.get("benchmarks", []) if b["name"] == name]
    if not found:
        return None
    pooled = copy.deepcopy(found[0])
    for more in found[1:]:
        if [x["kernel"] for x in more["launches"]] != [x["kernel"] for x in pooled["launches"]]:
            continue  # from before the variant was launched as it is now
        for mine, other in [(pooled, more), *zip(pooled["launches"], more["launches"])]:
            for samples in ("graph_warm_us", "graph_cold_us", "host_us", "warm_us", "cold_us"):
                if samples in mine:
                    mine[samples] += other.get(samples, [])
    return pooled


def _plain(launch: dict) -> str:
    return launch["kernel"].split("<")[0].rsplit("::", 1)[-1]


def variants_on_record() -> list[tuple[int, str]]:
    """Every puzzle's variants of which there is a run."""
    return sorted({(r["puzzle"], r["variant"]) for r in _all()})


def median(samples: list[float] | None) -> float | None:
    return statistics.median(samples) if samples else None


class Measured:
    """One variant at one shape: what the simulator counted and modelled, what a GPU measured."""

    def __init__(self, puzzle: int, variant: str, at: str):
        self.variant = variant
        sim, gpu = find(puzzle, variant, "sim"), find(puzzle, variant, "cuda")
        self.sim, self.gpu = benchmark(sim, at), benchmark(gpu, at)
        self.gpu_name = gpu[0]["device"] if self.gpu else None
        if self.sim is None and self.gpu is None:
            raise NotRecorded(f"puzzle {puzzle} --{variant} at the {at} shape")

    def launches(self) -> list[tuple[dict, dict | None]]:
        """Each launch as the simulator saw it, with the GPU's own beside it."""
        ours = (self.sim or self.gpu)["launches"]
        theirs = self.gpu["launches"] if self.gpu else [None] * len(ours)
        # On a GPU an instance of a template has the template's name, and no namespace before it.
        if [_plain(x) for x in ours] != [_plain(x or y) for x, y in zip(theirs, ours)] or len(ours) != len(theirs):
            raise BookError(f"the records of --{self.variant} disagree on its launches: refresh them")
        return list(zip(ours, theirs))

    def modelled_us(self) -> float | None:
        return (self.sim or {}).get("modelled_total_us") or (self.gpu or {}).get("modelled_total_us") or None

    def modelled_gpu(self) -> str | None:
        for launch in (self.sim or self.gpu)["launches"]:
            if launch.get("modelled"):
                return launch["modelled"]["gpu"]
        return None

    def warm_us(self) -> float | None:
        return median((self.gpu or {}).get("graph_warm_us"))

    def cold_us(self) -> float | None:
        return median((self.gpu or {}).get("graph_cold_us"))

    def dram_bytes(self, *ways: str) -> int | None:
        """Bytes "read" or "written" by all launches, or both."""
        counters = [launch.get("counters") for launch in (self.sim or self.gpu)["launches"]]
        if not all(counters):
            return None
        return sum(c[f"dram_bytes_{way}"] for c in counters for way in ways or ("read", "written"))

    def dram_us(self) -> float:
        """The modelled time in which DRAM moves the bytes of all launches, if it did nothing else."""
        return sum(launch["modelled"]["dram_us"] for launch in (self.sim or self.gpu)["launches"])

    def intermediate_bytes(self) -> int:
        return sum(t["bytes"] for t in (self.sim or self.gpu)["tensors"] if t["role"] == "intermediate")


def time(microseconds: float | None) -> str:
    if microseconds is None:
        return "–"
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3g} s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.3g} ms"
    return f"{microseconds:.3g} µs"


def size(count: float | None) -> str:
    """Bytes in decimal units, as bandwidths are."""
    if count is None:
        return "–"
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"
