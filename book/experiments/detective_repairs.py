#!/usr/bin/env python3
"""Chapter 09: the programs of Puzzle 09 as they were handed in, half repaired and repaired: is the output right, and what is found?"""

import json
import tempfile
from pathlib import Path

from experiment import ROOT, print_table, simulated, write_mutants

PUZZLE = "09_detective_work"
# What the chapter calls the classes of findings; one that is not here is an error.
WORDS = {"oob_global": "an access outside of memory", "uninit_global": "a read of what nobody wrote", "divergent_barrier": "a divergent barrier",
         "race_shared": "a race"}
# Each row: what was done, and the mutant that does it; the solution where there is none.
TRIED = {
    "cold_store": [("as handed in", "cold_store_as_found"), ("guard in the kernel: null, so return", "cold_store_symptom_guarded"),
                   ("the parameter is the caller's pointer", None)],
    "weather": [("as handed in", "weather_as_found"), ("stop at the end of the array", "weather_guarded_at_the_end"),
                ("an array that is one longer", "weather_array_one_longer"), ("the loop ends before the next day", None)],
    "clicks": [("as handed in", "clicks_as_found"), ("the barrier in the condition removed", "clicks_inner_barrier_removed"),
               ("a barrier in both branches", "clicks_barrier_in_both_branches"), ("the barrier for all threads", None)],
}


def found(report: dict) -> str:
    classes = {finding["class"] for finding in report["findings"] if finding["severity"] == "error"}
    return ", ".join(WORDS[name] for name in sorted(classes, key=list(WORDS).index)) or "nothing"


def main() -> None:
    declared = json.loads((ROOT / "puzzles" / PUZZLE / "declared.json").read_text(encoding="utf-8"))
    wanted = {variant["file"].removesuffix(".cu"): variant["program"]["prints"] for variant in declared["variants"]}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_mutants("9", folder)
        for name, tried in TRIED.items():
            for words, mutant in tried:
                file = Path(folder, f"{mutant}.cu") if mutant else ROOT / "solutions" / PUZZLE / f"{name}.cu"
                printed, report = simulated(file)
                right = all(text in "\n" + printed for text in wanted[name])
                rows.append([f"`{name}.cu`", words, "right" if right else "wrong", found(report)])
    print_table(["Program", "What was done", "Output", "Found"], rows,
                "On the simulator. Output: whether the program prints what it should. Found: the errors of its report.")


if __name__ == "__main__":
    main()
