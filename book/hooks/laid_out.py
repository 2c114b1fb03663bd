"""JSON as the files in book/data hold it: what fits into a line stands in one, so that a change shows as what changed."""

from __future__ import annotations

import json

WIDTH = 240  # a line of the source with all its counters


def dumps(value: object, indent: int = 0) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(text) + indent <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return text
    if isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value):
        return text  # samples: none of them is anything alone
    if isinstance(value, dict):
        parts = [f"{json.dumps(name, ensure_ascii=False)}:{dumps(each, indent + 1)}" for name, each in value.items()]
    else:
        parts = [dumps(each, indent + 1) for each in value]
    margin = "\n" + " " * (indent + 1)
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + margin + f",{margin}".join(parts) + "\n" + " " * indent + last
