#!/usr/bin/env python3
"""The search of Puzzle 47 with one of its questions left out at a time: how many states it goes through, and what it finds.

Chapter 47 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that WORKBOOK names, else
bin/workbook.
"""

import subprocess
import tempfile
from pathlib import Path

from experiment import PROGRAM, ROOT, changed, print_table, with_region

PUZZLE = "47_superoptimizer"
NAMES = ("rmsnorm_linear", "lora_linear", "gated_mlp", "qknorm_attention")
MAIN = """
#include "judge_search.h"

int main() {
  for (const judge::Expected& one : judge::expected()) {
    Search search(one.program, judge::operations(one.program), judge::kDraws);
    search.prune = kPrune;
    extend(search);
    std::printf("%d %zu\\n", search.states > Search::kMost ? -1 : search.states, search.found.size());
  }
}
"""


def searched(text: str, prune: bool = True) -> list[tuple[int, int]]:
    """States and graphs of each program, by a solution with something changed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "search.cu"
        file.write_text(changed(text, r"int main\(.*", lambda _: MAIN.replace("kPrune", str(prune).lower())), encoding="utf-8")
        done = subprocess.run([PROGRAM, "sim", "--fast", "-I", str(ROOT / "puzzles" / PUZZLE), str(file)], check=True, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines() if line[:1].isdigit() or line[:1] == "-"]


def main() -> None:
    solution = (ROOT / "solutions" / PUZZLE / "kernels.cu").read_text(encoding="utf-8")
    ways = [("all questions", searched(solution)),
            ("without the order", searched(changed(solution, *with_region("order", "")))),
            ("without asking what can still be joined",
             searched(changed(solution, r"if \(search\.loose\(\) - 1 <= search\.left\(\)\) extend\(search\);", "extend(search);"))),
            ("without forms", searched(solution, prune=False))]
    rows = [[way, *(f"{states:,}".replace(",", "\u202f") + f" ({found})" if states >= 0 else "given up" for states, found in results)]
            for way, results in ways]
    print_table(["States (graphs found)", *(f"`{name}`" for name in NAMES)], rows,
                "The solution, with one question left out at a time, and as many operations as the program has. Given up: after 150\u202f000 states. "
                "Without the order a graph is found once for each order.")


if __name__ == "__main__":
    main()
