#!/usr/bin/env python3
"""Chapter 10: what the atomic additions of Puzzle 10's meter cost, by how many samples are too loud, by the simulator's model."""

import tempfile
from pathlib import Path

from experiment import ROOT, changed, print_table, simulated, time

BLOCKS, SAMPLES_A_BLOCK = 128, 128 * 16


def with_constant(source: str, constant: str, value: int) -> str:
    return changed(source, rf"\b({constant} = )[\d']+", rf"\g<1>{value}")


def counted(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1g}"


def main() -> None:
    source = with_constant((ROOT / "solutions" / "10_sanitizers" / "meter.cu").read_text(encoding="utf-8"), "kBlocks", BLOCKS)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "meter.cu")
        for loudest in (30_000, 9_900, 9_000, 5_000, 0):
            file.write_text(with_constant(source, "kLoudest", loudest), encoding="utf-8")
            _, report = simulated(file)
            total = report["totals"]
            share = total["atomics"] / (BLOCKS * SAMPLES_A_BLOCK)
            rows.append([f"{100 * share:.2g} %" if share < 0.995 else "all", counted(total["atomics"] / BLOCKS), time(total["modelled_us"])])
    print_table(["Samples that are too loud", "Atomic additions a block", "Modelled"], rows,
                f"The repaired program with {BLOCKS} blocks and another kLoudest. Modelled: the simulator's clock for the {total['gpu']}.")


if __name__ == "__main__":
    main()
