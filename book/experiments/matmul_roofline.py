#!/usr/bin/env python3
"""The roofline of Puzzle 16's real shape: which bytes the roof is asked about, and what it then allows.

Chapter 16 shows the table; book/refresh.py stores it in data/tables/. Sizes come from the puzzle's declared.json, the GPU's
figures from harness/clock/gpus.cpp.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "puzzles" / "16_matmul"


def gpu(key: str) -> dict[str, str]:
    text = (ROOT / "harness" / "clock" / "gpus.cpp").read_text(encoding="utf-8")
    row = text[text.index(f'.key = "{key}"'):].split("}", 1)[0]
    return dict(re.findall(r"\.(\w+) = \"?([^,\"]+)", row))


def main() -> None:
    sizes = json.loads((FOLDER / "declared.json").read_text(encoding="utf-8"))["tasks"][0]["bench"]
    tile = int(re.search(r"kTile = (\d+);", (FOLDER / "tile.h").read_text(encoding="utf-8"))[1])
    m, n, k = sizes["M"], sizes["N"], sizes["K"]
    device = gpu("h200")
    bandwidth, peak = float(device["dram_gbps"]) * 1e9, float(device["fp32_tflops"]) * 1e12
    operations, stores = 2 * m * n * k, 4 * m * n
    table = {"head": ["If DRAM had to move", "Bytes", "Operations a byte", "The bytes take", "The arithmetic takes", "What decides"], "rows": []}
    for words, moved in (("what --naive asks for", 8 * m * n * k + stores),
                         (f"what --tiled asks for, tiles of {tile}", 8 * m * n * k / tile + stores),
                         ("each matrix once", 4 * (m * k + k * n) + stores)):
        by_bytes, by_arithmetic = moved / bandwidth * 1e6, operations / peak * 1e6
        table["rows"].append([words, f"{moved / 1e6:.3g} MB" if moved < 1e9 else f"{moved / 1e9:.3g} GB", f"{operations / moved:.3g}",
                              f"{by_bytes:,.3g} µs" if by_bytes < 1e3 else f"{by_bytes / 1e3:.3g} ms", f"{by_arithmetic:.3g} µs",
                              "bytes" if by_bytes > by_arithmetic else "arithmetic"])
    table["note"] = (f"Real shape, {device['name']}: {bandwidth / 1e12:.3g} TB/s and {peak / 1e12:.3g} T operations a second by its datasheet; the roof "
                     f"bends at {peak / bandwidth:.3g} operations a byte.")
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
