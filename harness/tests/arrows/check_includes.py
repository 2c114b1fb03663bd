#!/usr/bin/env python3
"""Holds which folder may include which, and that no files include each other in a circle."""
import pathlib
import re
import sys

HARNESS = pathlib.Path(__file__).resolve().parents[2]
# By folder: those whose headers it may include, beside its own. Folders that are not named here are not looked at.
ARROWS = {
    "sim/source": {"runs"},
    "sim/engine": {"runs", "clock", "sim/source"},
    "sim/check": {"runs", "sim/source", "sim/engine"},
    "sim/runtime": {"runs", "clock", "sim/source", "sim/engine", "sim/check"},
    "sim/libraries": {"runs", "clock", "sim/source", "sim/engine", "sim/check", "sim/runtime"},
}


def included(path):
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
        for place in (path.parent / name, HARNESS / name):
            if place.is_file() and "include" not in place.parts:
                yield place.resolve()


def circle(path, files, open_files, done):
    if path in open_files:
        return [*open_files[open_files.index(path):], path]
    if path not in done:
        done.add(path)
        for other in files.get(path, []):
            if found := circle(other, files, [*open_files, path], done):
                return found
    return []


files = {path: sorted(included(path)) for folder in ARROWS for path in sorted((HARNESS / folder).glob("*.*"))}
wrong = []
for path, others in files.items():
    room = str(path.parent.relative_to(HARNESS))
    for other in others:
        if (to := str(other.parent.relative_to(HARNESS))) not in ARROWS[room] | {room}:
            wrong.append(f"{path.relative_to(HARNESS)} includes {other.relative_to(HARNESS)}: {room} may not know of {to}")
done = set()
for path in files:
    if found := circle(path, files, [], done):
        wrong.append("a circle: " + " -> ".join(str(p.relative_to(HARNESS)) for p in found))
sys.exit("\n".join(wrong) or 0)
