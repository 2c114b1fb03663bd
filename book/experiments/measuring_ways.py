#!/usr/bin/env python3
"""Chapter 38: what each of its benchmarks says as it was handed in, half repaired and repaired."""

import re
import shutil
import tempfile
from pathlib import Path

from experiment import ROOT, print_table, simulated, write_mutants

PUZZLE = "38_measuring"
# Each row: the program, what was done, the mutant that does it (none: the solution), and the line of its output to show.
TRIED = [
    ("warm_up", "one of two kernels cold", "warm_up_as_found", r"(scale_kernel .* us)\n(faster: .*)"),
    ("warm_up", "the other one cold", "warm_up_other_one_cold", r"(scale_kernel .* us)\n(faster: .*)"),
    ("warm_up", "both warm", None, r"(scale_kernel .* us)\n(faster: .*)"),
    ("synchronise", "clock, launch, clock", "synchronise_as_found", r"(\d{5,} floats .* GB/s)[^\n]*\n(not possible|all below the roof)"),
    ("synchronise", "the warm-up still runs", "synchronise_warm_up_still_runs", r"(\d{5,} floats .* GB/s)[^\n]*\n(not possible|all below the roof)"),
    ("synchronise", "clock, launch, wait, clock", None, r"(\d{5,} floats .* GB/s)[^\n]*\n(not possible|all below the roof)"),
    ("trials", "the mean", "trials_mean_flushed", r"(typical .* us), with (.*)\n"),
    ("trials", "the least", "trials_least", r"(typical .* us), with (.*)\n"),
    ("trials", "flush() between the events", "trials_flush_measured", r"(typical .* us), with (.*)\n"),
    ("trials", "the median", None, r"(typical .* us), with (.*)\n"),
]


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_mutants("38", folder)
        shutil.copy(ROOT / "puzzles" / PUZZLE / "given.cuh", folder)
        for program, words, mutant, shown in TRIED:
            file = Path(folder, f"{mutant or program}.cu")
            if not mutant:
                shutil.copy(ROOT / "solutions" / PUZZLE / f"{program}.cu", file)
            printed, _ = simulated(file)
            found = re.search(shown, printed)
            assert found, f"{file.name} prints nothing like {shown}: {printed}"
            rows.append([f"`{program}.cu`", words, re.sub(r" +", " ", found[1]), found[2]])
    print_table(["Program", "How it measures", "Prints", "and"], rows, "Modelled on an H200: the last way of each program is right.")


if __name__ == "__main__":
    main()
