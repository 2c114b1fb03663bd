#!/usr/bin/env python3
"""What it costs in --naive of Puzzle 16 to let x run down the rows of C, by the simulator's model.

Chapter 16 shows the table; book/refresh.py stores it in data/tables/. Needs a built workbook, as matmul_tiles.py.
"""

import json

from matmul_tiles import benchmark, loads, time

# Within its tile of C only: the grid stays as it is, and the result is right.
SWAPPED = [(r"blockIdx\.y \* blockDim\.y \+ threadIdx\.y", "blockIdx.y * blockDim.y + threadIdx.x"),
           (r"blockIdx\.x \* blockDim\.x \+ threadIdx\.x", "blockIdx.x * blockDim.x + threadIdx.y")]


def main() -> None:
    table = {"head": ["Along x, and so along a warp", "Sectors a load request", "Modelled"], "rows": []}
    for words, edits in (("the columns of C", []), ("the rows of C", SWAPPED)):
        launch = benchmark("naive", {"kernels.cu": edits})
        modelled = launch["modelled"]
        table["rows"].append([words, f"{loads(launch, 'sectors') / loads(launch, 'requests'):.3g}", time(modelled["total_us"])])
        gpu = modelled["gpu"]
    table["note"] = f"--naive, real shape; the results are the same. Modelled: the simulator's clock for the {gpu}."
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
