#!/usr/bin/env python3
"""A token of Puzzle 40 at the size of Pythia-2.8b, measured on an H200, beside PyTorch: from harness/bench/results/h200/decode.txt, which
is what harness/gpu/check.sh --fusion printed.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/.
"""

import json
import re
from dataclasses import dataclass

from experiment import ROOT

MEASURED = ROOT / "harness/bench/results/h200/decode.txt"
WAYS = ("unfused", "norm-linear", "rotary-attention", "residual", "fused", "graph")
TORCH = {"PyTorch, eager": "eager, {}, cache cut to length", "PyTorch, `torch.compile`": "compile default, {}"}
COPY_RATE = 4.27e12  # bytes a second that an H200 copies, measured


@dataclass
class Way:
    launches: int
    us: float
    floor_us: float  # the time in which an H200 copies as many bytes as the weights have


def ways() -> dict[str, Way]:
    """What each variant of the solution took for a token."""
    text = MEASURED.read_text(encoding="utf-8")
    found = {}
    for name in WAYS:
        match = re.search(rf"^--{name}: .*\nlaunches a token: (\d+)\n.*\n([\d.]+) us a token .*, ([\d.]+) GB of weights", text, re.M)
        found[name] = Way(int(match[1]), float(match[2]), float(match[3]) * 1e9 / COPY_RATE * 1e6)
    return found


def torch(line: str) -> float:
    return float(re.search(rf"^{re.escape(line)} +([\d.]+) us ", MEASURED.read_text(encoding="utf-8"), re.M)[1])


def time(us: float) -> str:
    return f"{us:,.0f} µs".replace(",", "\u202f")


def main() -> None:
    own = ways()
    floor = own["graph"].floor_us
    row = lambda name, launches, us, how: [name, launches, how, time(us), f"{floor / us * 100:.0f} %"]  # noqa: E731
    rows = [row(f"`--{name}`", str(way.launches), way.us, "a graph a token" if name == "graph" else "the host") for name, way in own.items()]
    for name, line in TORCH.items():
        rows += [row(name, "", torch(line.format("host")), "the host"), row(name, "", torch(line.format("graph")), "a graph a token")]
    machine = MEASURED.read_text(encoding="utf-8").split(";")[0]
    note = (f"Measured, {machine}: medians; 32 blocks, H = 2560, 32 heads, vocabulary 50304, one token at a time, weights of 16 bits, which no cache holds. "
            "The puzzle's program: tokens 4 to 67 of a text, with all that the host does between two of them. "
            f"PyTorch 2.11, half precision throughout: token 96, cache cut to the tokens that are there. The floor is the time in which an H200 copies as many bytes as the weights have, {time(floor)}.")
    print(json.dumps({"head": ["Way", "Kernels a token", "Launched by", "A token", "Of the floor"], "rows": rows, "note": note}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
