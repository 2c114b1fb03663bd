"""Holds the arrows between the rooms, and that no files include each other in a circle: ALLOWED names, for each room, the rooms whose files its own may include.

A room is a folder, with the folders in it that are no rooms themselves. A new room needs a row. What stands here must
be free of circles; a room that is not named in any row (the viewer) is included by nobody. Tests and benches may
include what they look at, but the viewer is for its own alone.
"""
import graphlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
ALLOWED = {room: rooms.split() for room, rooms in {
    "harness/include": "",
    "harness/runs": "",
    "harness/clock": "harness/runs",
    "harness/translate": "",
    "harness/core": "harness/include harness/runs",
    "harness/apart": "harness/include harness/runs harness/core",
    "harness/gpu": "harness/include harness/runs harness/core",
    "harness/sim/include": "",
    "harness/sim/source": "harness/runs",
    "harness/sim/engine": "harness/sim/include harness/sim/source harness/runs harness/clock",
    "harness/sim/check": "harness/sim/include harness/sim/source harness/sim/engine harness/runs harness/clock",
    "harness/sim/runtime": "harness/sim/include harness/sim/source harness/sim/engine harness/sim/check harness/runs harness/clock",
    "harness/sim/calls": "harness/sim/include harness/sim/source harness/sim/engine harness/sim/check harness/sim/runtime harness/runs harness/clock",
    "harness/sim/libraries": "harness/sim/include harness/sim/source harness/sim/engine harness/sim/check harness/sim/runtime harness/sim/calls harness/runs harness/clock",
    "harness/sim": "harness/sim/source harness/sim/engine harness/sim/check harness/sim/runtime harness/sim/calls harness/include harness/runs harness/core harness/clock",
    "harness/optimizer/device": "",
    "harness/optimizer/graph": "",
    "harness/optimizer/language": "harness/optimizer/graph",
    "harness/optimizer/algebra": "harness/optimizer/graph",
    "harness/optimizer/search": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra",
    "harness/optimizer/judge": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/search",
    "harness/optimizer/store": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/search harness/optimizer/judge harness/runs",
    "harness/optimizer/plan": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra",
    "harness/optimizer/launch": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/runs",
    "harness/optimizer/forms/nests": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/row": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/gemv": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/strip": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/turned": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/tensor": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms/attention": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/runs harness/clock",
    "harness/optimizer/forms": "harness/optimizer/graph harness/optimizer/algebra harness/optimizer/plan harness/optimizer/launch harness/optimizer/forms/nests harness/optimizer/forms/row harness/optimizer/forms/gemv harness/optimizer/forms/strip harness/optimizer/forms/turned harness/optimizer/forms/tensor harness/optimizer/forms/attention",
    "harness/optimizer/schedule": "harness/optimizer/graph harness/optimizer/language harness/optimizer/algebra harness/optimizer/search harness/optimizer/judge harness/optimizer/store harness/optimizer/plan harness/optimizer/launch harness/optimizer/forms harness/runs harness/clock",
    "harness/python": "harness/include harness/core",
    "harness/cli/base": "harness/runs harness/sim/engine",
    "harness/cli/listing": "harness/cli/base",
    "harness/cli/project": "harness/cli/base harness/runs harness/optimizer/language",
    "harness/cli/compile": "harness/cli/base harness/cli/listing harness/cli/project harness/runs harness/clock harness/translate",
    "harness/cli/run": "harness/cli/base harness/cli/listing harness/cli/project harness/cli/compile harness/runs harness/sim/engine harness/optimizer/plan harness/optimizer/schedule",
    "harness/cli/report": "harness/cli/base harness/cli/listing harness/cli/project harness/cli/compile harness/cli/run harness/runs harness/clock harness/optimizer/language harness/optimizer/judge harness/optimizer/store harness/optimizer/forms",
    "harness/cli/grade": "harness/cli/base harness/cli/project harness/cli/compile harness/cli/run harness/cli/report harness/runs harness/clock harness/translate",
    "harness/cli/commands": "harness/cli/base harness/cli/listing harness/cli/project harness/cli/compile harness/cli/run harness/cli/report harness/cli/grade harness/runs harness/sim/engine harness/optimizer/language harness/optimizer/plan harness/optimizer/store harness/optimizer/schedule",
    "harness/cli": "harness/cli/base harness/cli/commands",
    "viewer/model": "harness/runs harness/clock",
    "viewer/widgets": "viewer/model harness/runs",
    "viewer/session": "viewer/widgets viewer/model harness/runs",
    "viewer/panels": "viewer/session viewer/widgets viewer/model harness/runs harness/clock",
    "viewer": "viewer/panels viewer/session viewer/widgets viewer/model harness/runs",
    "viewer/web": "viewer viewer/panels viewer/session viewer/widgets viewer/model harness/runs",
}.items()}
FREE = ["harness/tests", "harness/bench", "viewer/tests", "viewer/bench"]


def room_of(path):
    return next((str(p) for p in path.relative_to(ROOT).parents if str(p) in ALLOWED or str(p) in FREE), None)


def includes(file):
    """What it includes of this repository, by the words that do so."""
    places = (file.parent, ROOT / "harness", ROOT / "viewer", ROOT / "harness/include")
    for words in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(errors="replace"), re.M):
        if found := next((p / words for p in places if (p / words).is_file()), None):
            yield words, found.resolve()


def faults(files):
    for file, included in files.items():
        room = room_of(file)
        if room is None:
            yield f"{file.relative_to(ROOT)} lies in no room that has a row"
        for words, found in included:
            target = room_of(found)
            if room in FREE:
                allowed = file.is_relative_to(ROOT / "viewer") or not (target or "").startswith("viewer")
            else:
                allowed = target in (None, room) or target in ALLOWED.get(room, [])
            if not allowed:
                yield f'{file.relative_to(ROOT)} includes "{words}": {room} may not include {target}'


sources = [f for top in ("harness", "viewer") for f in sorted((ROOT / top).rglob("*")) if f.suffix in (".h", ".cpp", ".cu", ".cuh")]
files = {file: list(includes(file)) for file in sources}
graphlib.TopologicalSorter(ALLOWED).prepare()  # throws for a circle
graphlib.TopologicalSorter({file: [found for _, found in included] for file, included in files.items()}).prepare()
found = list(faults(files))
print("\n".join(found))
sys.exit(1 if found else 0)
