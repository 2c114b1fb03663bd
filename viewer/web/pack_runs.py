#!/usr/bin/env python3
"""Packs exported runs for the page: pack_runs.py OUT.js FILE.json...

A page opened from a folder may not read files, but may load scripts: so the runs go into one. Of several runs
of a variant on a device the newest is kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def newest(entries: list[dict]) -> list[dict]:
    kept: dict[tuple, dict] = {}
    for entry in entries:
        run = entry["run"]
        key = tuple(run.get(name) for name in ("puzzle", "variant", "origin", "backend", "device"))
        if key not in kept or kept[key]["run"]["started_at"] < run["started_at"]:
            kept[key] = entry
    return sorted(kept.values(), key=lambda entry: entry["run"]["started_at"])


def pack(files: list[Path]) -> str:
    lines = []
    for number, file in enumerate(files):
        content = json.loads(file.read_text(encoding="utf-8"))
        if "runs" in content:
            content["runs"] = newest(content["runs"])
        text = json.dumps(content, separators=(",", ":"))
        lines.append(f"workbookRuns.push({json.dumps({'name': f'{number:02}_{file.name}', 'text': text})});\n")
    return "".join(lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(pack([Path(each) for each in sys.argv[2:]]), encoding="utf-8")
