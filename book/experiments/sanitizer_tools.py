#!/usr/bin/env python3
"""Chapter 10: which tool sees which fault: the programs of Puzzles 09 and 10 as they were handed in, on the simulator and under compute-sanitizer. What
compute-sanitizer says is read from what book/experiments/debug_h200.sh has kept in book/data/h200/debug."""

import re
import tempfile
from pathlib import Path

from experiment import ROOT, print_table, simulated, write_mutants

KEPT = ROOT / "book" / "data" / "h200" / "debug"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
FAULTS = {  # number of the puzzle, program: the fault in a few words
    ("10", "volume"): "store past an array's end",
    ("10", "meter"): "race on a shared sum",
    ("10", "peaks"): "atomic on memory never written",
    ("09", "cold_store"): "null pointer",
    ("09", "weather"): "loop one too far",
    ("09", "clicks"): "divergent barrier",
}


def first_cause(file: Path) -> str:
    """The class and line of the first cause that the simulator reports."""
    # A mutant's first lines say what it is: they are not the learner's, and lines are counted without them.
    file.write_text(re.sub(r"\A(// (expect|variant): .*\n)+", "", file.read_text(encoding="utf-8")), encoding="utf-8")
    _, report = simulated(file)
    found = report["findings"]
    # A divergent barrier leaves races behind it: the barrier is the cause.
    classes = [f["class"] for f in found if f["severity"] == "error"]
    first = next(f for f in found if f["class"] == ("divergent_barrier" if "divergent_barrier" in classes else classes[0]))
    return f"`{first['class']}`, line {first['line']}"


def measured(number: str, program: str, tool: str) -> str:
    """What the tool reported: its errors and the first line of the program that it names."""
    file = KEPT / f"{number}_{program}_{tool}.txt"
    if not file.is_file():
        return "–"
    text = file.read_text(encoding="utf-8")
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    if summary is None:
        return "hangs" if re.search(r"^exit: 124$", text, re.M) else "ended early"
    if summary[1] == "0":
        return "nothing"
    line = re.search(rf"{program}\.cu:(\d+)", text)
    return f"{summary[1]}, line {line[1]}" if line else f"{summary[1]}, no line"


def main() -> None:
    rows = []
    devices = set()
    with tempfile.TemporaryDirectory() as folder:
        for number in sorted({number for number, _ in FAULTS}):
            write_mutants(number, folder)
        for (number, program), fault in FAULTS.items():
            rows.append([f"`{program}.cu`", fault, first_cause(Path(folder, f"{program}_as_found.cu")),
                         *(measured(number, program, tool) for tool in TOOLS)])
            for file in KEPT.glob(f"{number}_{program}_*check.txt"):
                devices |= set(re.findall(r"^device: (.*)$", file.read_text(encoding="utf-8"), re.M))
    print_table(["Program", "Fault", "Simulator", *TOOLS], rows,
                "Simulator: the first cause it names. The other four are tools of compute-sanitizer: the errors that they count, and the first line "
                f"of the program that they name; {'measured: ' + ', '.join(sorted(devices)) if devices else 'no run on a GPU is on record yet'}; –: not run there.")


if __name__ == "__main__":
    main()
