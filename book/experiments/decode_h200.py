#!/usr/bin/env python3
"""A token of Puzzle 40 at the size of Pythia-2.8b, measured on an H200, beside PyTorch: from what book/data/h200/decode holds.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/. decode.txt is what book/experiments/decode_h200.cu printed,
torch.txt what decode_torch.py did.
"""

import json
import re
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data/h200/decode"
LINE = re.compile(r"^(?P<name>.*?)\s+(?P<us>[\d.]+) us\s+\(p10\s+[\d.]+, p90\s+[\d.]+\)\s+floor\s+(?P<floor>[\d.]+)(?: us)?,?\s+(?P<share>[\d.]+) %(?:\s+(?P<how>graph|host))?")
# What each way is called in the chapter, and in decode.txt: which parts of a block are fused.
WAYS = {"--unfused": "apart apart apart", "--norm-linear": "fused apart apart", "--rotary-attention": "apart fused apart",
        "--residual": "apart apart fused", "--fused, --graph": "fused fused fused"}
TORCH = {"PyTorch, eager": "eager, {}, cache cut to length", "PyTorch, torch.compile": "compile default, {}"}


def lines(file: str) -> list[dict]:
    return [match.groupdict() for match in map(LINE.match, (DATA / file).read_text(encoding="utf-8").splitlines()) if match]


def remark() -> str:
    """What decode.txt says of itself in its first line, where that begins with #; for the note below a table."""
    first = (DATA / "decode.txt").read_text(encoding="utf-8").split("\n")[0]
    return first.replace("#", "", 1) if first.startswith("#") else ""


def time(us: str) -> str:
    return f"{float(us):,.0f} µs".replace(",", "\u202f")


def main() -> None:
    own, torch = lines("decode.txt"), lines("torch.txt")
    rows = []
    for name, parts in WAYS.items():
        a, b, c = parts.split()
        wanted = re.compile(rf"token: norm_linear {a}, attention {b}, residual {c}, (\d+) launches")
        found = {line["how"]: line for line in own if wanted.match(line["name"])}
        launches = wanted.match(found["graph"]["name"])[1]
        rows.append([f"`{name}`".replace(", ", "`, `"), launches, time(found["host"]["us"]), time(found["graph"]["us"]), f"{found['graph']['share']} %"])
    for name, pattern in TORCH.items():
        host, graph = (next(line for line in torch if line["name"] == pattern.format(how)) for how in ("host", "graph"))
        rows.append([name, "", time(host["us"]), time(graph["us"]), f"{graph['share']} %"])
    floor = next(line["floor"] for line in own if line["name"].startswith("token"))
    note = ("Measured on an NVIDIA H200, medians, cold weights: 32 blocks, H = 2560, 32 heads, vocabulary 50304, token 96, one token at a time, weights of 16 bits. The floor is the time in which "
            f"an H200 copies as many bytes ({time(floor)}). "
            "PyTorch 2.11: half precision throughout, cache cut to the tokens that are there." + remark())
    print(json.dumps({"head": ["Way", "Kernels a token", "Launched by the host", "In a CUDA graph", "Of the floor, in a graph"], "rows": rows, "note": note},
                     indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
