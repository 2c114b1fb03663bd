#!/usr/bin/env python3
"""Where the time of a token of Puzzle 40 goes at the size of Pythia-2.8b, measured on an H200: each fused kernel in a graph of its own,
and what it would take if only its bytes counted.

Chapter 40 shows the table; book/refresh.py stores it in data/tables/.
"""

import json

import decode_h200

BLOCKS = 32
PARTS = [("`norm_linear_kernel`", "norm_linear fused", BLOCKS), ("`rotary_attention_kernel`", "attention fused", BLOCKS),
         ("`linear_residual_kernel`", "residual fused", BLOCKS), ("`norm_linear_kernel`, logits", "head fused", 1), ("`choose_kernel`", "choose", 1)]


def main() -> None:
    own = decode_h200.lines("decode.txt")
    rows, total, least = [], 0.0, 0.0
    for words, name, times in PARTS:
        line = next(line for line in own if line["name"] == name)
        us, floor = float(line["us"]), float(line["floor"])
        rows.append([words, str(times), f"{us:.1f} µs", f"{us * times:,.0f} µs".replace(",", "\u202f"), f"{floor:.1f} µs", f"{floor / us * 100:.0f} %"])
        total, least = total + us * times, least + floor * times
    rows.append(["together", "", "", f"{total:,.0f} µs".replace(",", "\u202f"), "", f"{least / total * 100:.0f} %"])
    note = ("Measured on an NVIDIA H200: each kernel for all blocks in turn in a CUDA graph, so with cold weights, divided by the calls. Floor: its bytes at 4.27 TB/s." + decode_h200.remark())
    print(json.dumps({"head": ["Kernel", "A token", "One call", "A token's calls", "Floor of a call", "Of the floor"], "rows": rows, "note": note}, indent=1,
                     ensure_ascii=False))


if __name__ == "__main__":
    main()
