"""Charts drawn from run records as inline SVG, in the page's own colours, so that they follow light and dark."""

from __future__ import annotations

import missing
import tables
from drawings import WIDTH, scalable
from puzzles import Puzzle
from records import Measured, NotRecorded, size

_ROLES = ("input", "intermediate", "output")
_LABEL, _ROW, _BAR = 110, 46, 26


def traffic_chart(puzzle: Puzzle, *variants: str, at: str = "real") -> str:
    """A bar a variant: the bytes that its launches read and wrote, by the role of the tensor they belong to."""
    try:
        runs = [Measured(puzzle.number, variant, at) for variant in variants]
    except NotRecorded as absent:
        return missing.sentence(str(absent), "book/refresh.py")
    moved = [_by_role(run) for run in runs]
    scale = (WIDTH - _LABEL - 90) / max(sum(parts.values()) for parts in moved)
    rows = "".join(_bar(index, run, parts, scale) for index, (run, parts) in enumerate(zip(runs, moved)))
    height = _ROW * len(runs)
    said = "; ".join(f"{run.variant}: {size(sum(parts.values()))}, {size(parts['intermediate'])} of it for intermediate tensors"
                     for run, parts in zip(runs, moved))
    legend = "".join(f'<span class="key {role}">{role} tensors</span>' for role in _ROLES)
    return (
        f'<figure class="chart">{scalable(height, said, rows)}'
        f"<figcaption>{legend}<br>DRAM traffic of each variant, counted by the simulator. Sizes: {tables.sizes(puzzle, at)}."
        "</figcaption></figure>"
    )


def _by_role(run: Measured) -> dict[str, int]:
    bench = run.sim or run.gpu
    role = {tensor["id"]: tensor["role"] for tensor in bench["tensors"]}
    parts = dict.fromkeys(_ROLES, 0)
    for launch in bench["launches"]:
        for traffic in (launch.get("counters") or {}).get("traffic", []):
            parts[role[traffic["tensor"]]] += traffic["bytes_read"] + traffic["bytes_written"]
    return parts


def _bar(index: int, run: Measured, parts: dict[str, int], scale: float) -> str:
    top = index * _ROW + (_ROW - _BAR) / 2
    middle = top + _BAR / 2 + 4
    drawn = [f'<text class="name" x="0" y="{middle}">--{run.variant}</text>']
    left = float(_LABEL)
    for role in _ROLES:
        width = parts[role] * scale
        if width <= 0:
            continue
        drawn.append(f'<rect class="{role}" x="{left:.1f}" y="{top:.1f}" width="{max(width - 1.5, 0.5):.1f}" height="{_BAR}"/>')
        if width > 74:
            drawn.append(f'<text class="on {role}" x="{left + width / 2:.1f}" y="{middle}" text-anchor="middle">{size(parts[role])}</text>')
        left += width
    drawn.append(f'<text x="{left + 8:.1f}" y="{middle}">{size(sum(parts.values()))}</text>')
    return "".join(drawn)
