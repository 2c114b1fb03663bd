#!/usr/bin/env python3
"""What the number of blocks costs the solution of Puzzle 06 at the real shape, by the simulator's model.

Chapter 06 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
WORKBOOK names, else bin/workbook. Other experiments launch the same kernel by way of it.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "06_blocks"
SMS = 132  # streaming multiprocessors of an H200 (NVIDIA's datasheet)
BLOCK = 64


class Bench:
    """A copy of the puzzle, in which --few has any number of blocks."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.program = os.environ.get("WORKBOOK", str(ROOT / "bin/workbook"))
        for part in ("puzzles", "solutions"):
            shutil.copytree(ROOT / part / PUZZLE, folder / part / PUZZLE)

    def launch(self, blocks: int, loop: str | None = None, variant: str = "few") -> tuple[dict, int]:
        """The launch of the real shape as recorded, and its elements; `loop` takes the place of the solution's."""
        given = self.folder / "puzzles" / PUZZLE / "given.cuh"
        given.write_text(replaced(r"(kFewBlocks = )\d+;", rf"\g<1>{blocks};", given.read_text(encoding="utf-8")), encoding="utf-8")
        source = (ROOT / "solutions" / PUZZLE / "kernels.cu").read_text(encoding="utf-8")
        if loop:
            source = replaced(r"for \(int i = first;.*", loop, source)
        (self.folder / "puzzles" / PUZZLE / "kernels.cu").write_text(source, encoding="utf-8")
        environment = dict(os.environ, WORKBOOK_ROOT=str(self.folder), WORKBOOK_STATE=str(self.folder / "state"))
        done = subprocess.run([self.program, "run", "6", f"--{variant}", "--backend", "sim", "--json"], check=True, text=True,
                              cwd=self.folder, env=environment, stdout=subprocess.PIPE)
        record = json.loads(done.stdout)
        record = record[0] if isinstance(record, list) else record.get("run", record)
        (real,) = (bench for bench in record["benchmarks"] if bench["name"] == "real")
        (launch,) = real["launches"]
        return launch, real["sizes"]["N"]


def replaced(pattern: str, by: str, text: str) -> str:
    changed, found = re.subn(pattern, by, text)
    assert found == 1, f"{pattern} stands once in the puzzle"
    return changed


def time(us: float) -> str:
    return f"{us / 1000:.3g} ms" if us >= 1000 else f"{us:.3g} µs"


def main() -> None:
    table = {"head": ["Blocks", "a multiprocessor", "Elements a thread", "Modelled", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(Path(temporary))
        for blocks in (1, 4, SMS, 8 * SMS, 32 * SMS, 64 * SMS, 256 * SMS, None):  # None: as many as --many has
            launch, size = bench.launch(blocks) if blocks else bench.launch(1, variant="many")
            modelled, blocks = launch["modelled"], launch["grid"][0]
            each = blocks / SMS
            turns = -(-size // (blocks * BLOCK))
            table["rows"].append([f"{blocks}", "–" if each < 1 else f"{each:.0f}", f"{turns}", time(modelled["total_us"]), modelled["bound"]])
            gpu = modelled["gpu"]
    table["note"] = (f"The solution's kernel with another kFewBlocks, blocks of {BLOCK} threads, real shape. Elements a thread: the most that one has. "
                     f"Modelled: the simulator's clock for the {gpu}.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
