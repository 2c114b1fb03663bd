#!/usr/bin/env python3
"""Puzzle 06 with a grid-stride loop and with a run of neighbouring elements for each thread, by the simulator's model.

Chapter 06 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook: the program that
WORKBOOK names, else bin/workbook.
"""

import json
import tempfile
from pathlib import Path

from grid_blocks import SMS, Bench, time

RUN = ("const int each = (size + step - 1) / step;\n"
       "  for (int i = first * each; i < size && i < (first + 1) * each; ++i) x[i] = x[i] / 2 + 3;")


def main() -> None:
    table = {"head": ["Blocks", "A thread takes", "Sectors a request", "Modelled", "Bound by"], "rows": []}
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(Path(temporary))
        for blocks in (32 * SMS, 4):
            for name, loop in (("every so many-th element", None), ("a run of neighbours", RUN)):
                launch, _ = bench.launch(blocks, loop)
                sites, modelled = launch["counters"]["sites"], launch["modelled"]
                sectors = sum(site["sectors"] for site in sites) / sum(site["requests"] for site in sites)
                table["rows"].append([f"{blocks}", name, f"{sectors:.3g}", time(modelled["total_us"]), modelled["bound"]])
    table["note"] = f"Puzzle 06 at the real shape. Modelled: the simulator's clock for the {modelled['gpu']}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
