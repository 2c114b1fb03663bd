#!/usr/bin/env python3
"""What each step of Puzzle 40 saves of a token at the size of Pythia-2.8b, measured on an H200, and what is left above the floor.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/.
"""

import json

import decode_h200
from decode_h200 import time

FUSIONS = ("norm-linear", "rotary-attention", "residual")


def main() -> None:
    ways = decode_h200.ways()
    unfused, fused, graph = ways["unfused"], ways["fused"], ways["graph"]

    def row(name: str, launches: int, us: float) -> list[str]:
        return [name, str(launches) if launches else "", time(us), f"{us / launches:.1f} µs" if launches else ""]

    rows = [row(f"`--{name}` alone", unfused.launches - ways[name].launches, unfused.us - ways[name].us) for name in FUSIONS]
    rows.append(row("the three, added up", sum(unfused.launches - ways[n].launches for n in FUSIONS), sum(unfused.us - ways[n].us for n in FUSIONS)))
    rows.append(row("`--fused`", unfused.launches - fused.launches, unfused.us - fused.us))
    rows.append(row("`--graph`, beyond `--fused`", 0, fused.us - graph.us))
    above = graph.us - graph.floor_us
    rows.append(["**above the floor still**", f"{graph.launches} left", time(above), f"{above / graph.launches:.1f} µs"])
    note = "Differences of the times in the table above. --graph has the kernels of --fused; it saves what the host does between two tokens."
    print(json.dumps({"head": ["Step", "Launches fewer", "Saves of a token", "A launch"], "rows": rows, "note": note}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
