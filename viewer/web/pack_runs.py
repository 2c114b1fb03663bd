#!/usr/bin/env python3
"""Packs exported runs for the page: pack_runs.py OUT.js FILE.json... [--offer FILE.json...]

A page opened from a folder may not read files, but may load scripts: so the runs go into one. Of several runs
of a variant on a device the newest is kept. Those offered can be chosen to compare with; the others are shown.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def newest(entries: list[dict]) -> list[dict]:
    kept: dict[tuple, dict] = {}
    for entry in entries:
        run = entry["run"]
        key = tuple(run.get(name) for name in ("puzzle", "variant", "origin", "backend", "device"))
        if key not in kept or kept[key]["run"]["started_at"] < run["started_at"]:
            kept[key] = entry
    return sorted(kept.values(), key=lambda entry: entry["run"]["started_at"])


def pack(shown: list[Path], offered: list[Path]) -> str:
    lines = []
    for number, file in enumerate(shown + offered):
        content = json.loads(file.read_text(encoding="utf-8"))
        if "runs" in content:
            content["runs"] = newest(content["runs"])
        text = json.dumps(content, separators=(",", ":"))
        name = f"{'runs' if number < len(shown) else 'offered'}/{number:03}_{file.name}"
        lines.append(f"workbookRuns.push({json.dumps({'name': name, 'text': text})});\n")
    return "".join(lines)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("out", type=Path)
    arguments.add_argument("runs", type=Path, nargs="+")
    arguments.add_argument("--offer", type=Path, nargs="*", default=[])
    given = arguments.parse_args()
    given.out.write_text(pack(given.runs, given.offer), encoding="utf-8")
