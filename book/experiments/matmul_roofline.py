#!/usr/bin/env python3
"""Chapter 16: the roofline of Puzzle 16's real shape: which bytes the roof is asked about, and what it then allows. Sizes come from the puzzle's
declared.json, the GPU's figures from harness/clock/gpus.cpp."""

import json
import re

from experiment import ROOT, print_table, size, time

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
    rows = []
    for words, moved in (("what --naive asks for", 8 * m * n * k + stores),
                         (f"what --tiled asks for, tiles of {tile}", 8 * m * n * k / tile + stores),
                         ("each matrix once", 4 * (m * k + k * n) + stores)):
        by_bytes, by_arithmetic = moved / bandwidth * 1e6, operations / peak * 1e6
        rows.append([words, size(moved), f"{operations / moved:.3g}", time(by_bytes), time(by_arithmetic), "bytes" if by_bytes > by_arithmetic else "arithmetic"])
    print_table(["If DRAM had to move", "Bytes", "Operations a byte", "The bytes take", "The arithmetic takes", "What decides"], rows,
                f"Real shape, {device['name']}: {bandwidth / 1e12:.3g} TB/s and {peak / 1e12:.3g} T operations a second by its datasheet; the roof "
                f"bends at {peak / bandwidth:.3g} operations a byte.")


if __name__ == "__main__":
    main()
