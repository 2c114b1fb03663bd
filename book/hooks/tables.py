"""Numbers and tables of a chapter: from the puzzle's declared sizes and from run records.

Every table says below it where its figures come from: counted or modelled by the simulator, or
measured, and on what.
"""

from __future__ import annotations

import ast
import functools
import json
import operator

import missing
import puzzles
from puzzles import Puzzle
from records import DATA, Measured, NotRecorded, median, size, time, variants_on_record
from sources import BookError

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
              ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow}


def when_recorded(block: bool):
    """Says so where a run is not on record: a sentence in place of a table, two words in place of a number."""

    def wrap(directive):
        @functools.wraps(directive)
        def guarded(*arguments, **named):
            try:
                return directive(*arguments, **named)
            except NotRecorded as absent:
                if block:
                    return missing.sentence(str(absent), "book/refresh.py")
                missing.note(str(absent), "book/refresh.py")
                return "*(not on record)*"

        return guarded

    return wrap


def calc(puzzle: Puzzle, formula: str, at: str = "real", unit: str = "", digits: int = 3) -> str:
    """A formula over the puzzle's sizes: `calc("4*B*S*H", "real", unit="MB")`. Units: kB MB GB k M G us ms, or none."""
    number = evaluate(ast.parse(formula, mode="eval").body, _sizes(puzzle, at))
    scale = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "k": 1e3, "M": 1e6, "G": 1e9, "µs": 1e-6, "ms": 1e-3}.get(unit, 1)
    number /= scale
    whole = abs(number - round(number)) < 1e-9 and abs(number) < 10**6
    text = f"{round(number):,}" if whole or abs(number) >= 10**digits else f"{number:.{digits}g}"
    return text.replace(",", "\u202f") + (f" {unit}" if unit else "")


def sizes(puzzle: Puzzle, at: str = "real") -> str:
    """`B 8, S 512, H 768, O 3072`"""
    return ", ".join(f"{name}\u00a0{value}" for name, value in _sizes(puzzle, at).items())


def _sizes(puzzle: Puzzle, at: str) -> dict[str, int]:
    if not puzzle.sizes.get(at):
        raise BookError(f"puzzle {puzzle.number} declares no {at} sizes that could be read")
    return puzzle.sizes[at]


def evaluate(node: ast.AST, names: dict[str, int]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](evaluate(node.left, names), evaluate(node.right, names))
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ceil":
        return -(-evaluate(node.args[0], names) // 1)
    raise BookError(f"a formula may hold numbers, ceil() and the sizes {', '.join(names)}")


@when_recorded(block=False)
def value(puzzle: Puzzle, variant: str, what: str, at: str = "real", of: str | None = None) -> str:
    """One figure of a record: launches, dram, dram_time, intermediates, modelled, warm, cold; `of` names a kernel, or
    with `what="times"` the variant whose modelled time is divided by this one's."""
    run = Measured(puzzle.number, variant, at)
    if what == "times":
        other = Measured(puzzle.number, of, at).modelled_us()
        return _factor(other / run.modelled_us())
    if of:
        return _of_launch(run, what, of)
    return {
        "launches": lambda: str(len(run.launches())),
        "dram": lambda: size(run.dram_bytes()),
        "dram_time": lambda: time(run.dram_us()),
        "intermediates": lambda: size(run.intermediate_bytes()),
        "modelled": lambda: time(run.modelled_us()),
        "warm": lambda: time(run.warm_us()),
        "cold": lambda: time(run.cold_us()),
    }[what]()


def _factor(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def _of_launch(run: Measured, what: str, kernel: str) -> str:
    for ours, theirs in run.launches():
        if ours["kernel"] == kernel:
            model = ours.get("modelled") or {}
            if what == "share":
                return f"{100 * model['total_us'] / run.modelled_us():.0f} %"
            if what in ("grid", "block"):
                return _extent(ours[what])
            if what == "dram":
                return size(ours["counters"]["dram_bytes_read"] + ours["counters"]["dram_bytes_written"])
            return {"modelled": lambda: time(model["total_us"]), "bound": lambda: model["bound"],
                    "warm": lambda: time(median((theirs or {}).get("warm_us")))}[what]()
    raise BookError(f"--{run.variant} launches no {kernel}")


def _sizes_of(runs: list[Measured]) -> str:
    """The sizes that the runs were made at; more than once where their tasks have different ones."""
    shapes = [(run.sim or run.gpu)["sizes"] for run in runs]
    texts = [", ".join(f"{name}\u00a0{value}" for name, value in shape.items()) for shape in shapes]
    return "; ".join(dict.fromkeys(texts))


@when_recorded(block=True)
def launch_table(puzzle: Puzzle, *variants: str, at: str = "real") -> str:
    """Each launch of the variants: its shape, the bytes it moves, the modelled time, and the measured one if there is any."""
    runs = [Measured(puzzle.number, variant, at) for variant in variants]
    measured = any(run.gpu for run in runs)
    rows = [["Launch", "Grid", "Block", "Read", "Written", "Modelled", "Bound by"] + (_MEASURED if measured else [])]
    for run in runs:
        for ours, theirs in run.launches():
            counters, model = ours.get("counters") or {}, ours.get("modelled") or {}
            row = [f"`{ours['kernel']}`", _extent(ours["grid"]), _extent(ours["block"]), size(counters.get("dram_bytes_read")),
                   size(counters.get("dram_bytes_written")), time(model.get("total_us")), model.get("bound", "–")]
            warm, cold = median((theirs or {}).get("warm_us")), median((theirs or {}).get("cold_us"))
            rows.append(row + (_measured(model.get("total_us"), warm, cold) if measured else []))
        if len(run.launches()) > 1:
            total = [f"**all of --{run.variant}**", "", "", size(run.dram_bytes("read")), size(run.dram_bytes("written")),
                     f"**{time(run.modelled_us())}**", ""]
            rows.append(total + (_measured(run.modelled_us(), run.warm_us(), run.cold_us()) if measured else []))
    return markdown(rows, left=(0, 6)) + "\n\n" + _provenance(runs, _sizes_of(runs))


@when_recorded(block=True)
def variant_table(puzzle: Puzzle, *variants: str, at: str = "real") -> str:
    """The variants of a puzzle side by side."""
    runs = [Measured(puzzle.number, variant, at) for variant in variants]
    measured = any(run.gpu for run in runs)
    rows = [["Variant", "Launches", "Intermediate tensors", "DRAM traffic", "Modelled"]
            + (_MEASURED if measured else [])]
    for run in runs:
        row = [f"`--{run.variant}`", str(len(run.launches())), size(run.intermediate_bytes()), size(run.dram_bytes()),
               time(run.modelled_us())]
        rows.append(row + (_measured(run.modelled_us(), run.warm_us(), run.cold_us()) if measured else []))
    return markdown(rows, left=(0,)) + "\n\n" + _provenance(runs, _sizes_of(runs))


_MEASURED = ["Measured, warm", "Measured, cold", "Model's error"]


def _measured(modelled: float | None, warm: float | None, cold: float | None) -> list[str]:
    return [time(warm), time(cold), error(modelled, cold or warm)]


def data_table(_: Puzzle | None, name: str) -> str:
    """A table of book/data/tables, made by the script of that name in book/experiments."""
    path = DATA / "tables" / f"{name}.json"
    if not path.is_file():
        return missing.sentence(f"table {name}", "book/refresh.py")
    table = json.loads(path.read_text(encoding="utf-8"))
    note = f'<p class="provenance">{table["note"]} Made by <code>book/experiments/{name}.py</code>.</p>'
    return markdown([table["head"], *table["rows"]], left=tuple(table.get("left", ()))) + "\n\n" + note


def model_error(_: Puzzle | None) -> str:
    """How far the modelled clock is from all that was measured, in one sentence."""
    errors, devices = [], set()
    for puzzle, variant in variants_on_record():
        for at in ("teaching", "real"):
            try:
                run = Measured(puzzle, variant, at)
            except NotRecorded:
                continue
            for ours, theirs in run.launches():
                cold, model = median((theirs or {}).get("cold_us")), (ours.get("modelled") or {}).get("total_us")
                if cold and model:
                    errors.append(abs(model - cold) / cold)
                    devices.add(run.gpu_name)
    if not errors:
        return "No measured run is on record yet, so the error of the model is unknown."
    return (f"Against {len(errors)} launches measured on {' and '.join(sorted(devices))} the modelled time is off by "
            f"{100 * median(errors):.0f} % in the median and {100 * max(errors):.0f} % at worst.")


def error(modelled: float | None, measured: float | None) -> str:
    """How far the modelled time is from the measured one, in percent of the measured one."""
    if not modelled or not measured:
        return "–"
    return f"{100 * (modelled - measured) / measured:+.0f} %"


def _provenance(runs: list[Measured], shape: str) -> str:
    gpu = next((run.modelled_gpu() for run in runs if run.modelled_gpu()), None)
    device = next((run.gpu_name for run in runs if run.gpu_name), None)
    said = f"Sizes: {shape}. Bytes are counted by the simulator: every 32-byte sector once a launch."
    if gpu:
        said += f" Modelled: the simulator's clock for the {gpu}."
    if device:
        said += f" Measured: {device}, medians; the error compares with the cold time."
    else:
        said += " No measured run is on record yet."
    return f'<p class="provenance">{said}</p>'


def _extent(dim: dict | list) -> str:
    x, y, z = (dim["x"], dim["y"], dim["z"]) if isinstance(dim, dict) else dim
    kept = [x, y, z] if z > 1 else [x, y] if y > 1 else [x]
    return " × ".join(map(str, kept))


def markdown(rows: list[list[str]], left: tuple[int, ...]) -> str:
    rule = [":--" if column in left else "--:" for column in range(len(rows[0]))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]])


def puzzle_list(_: Puzzle | None) -> str:
    """All puzzles by part, each with its sentence and a link to its chapter."""
    rows, part = [], ""
    for puzzle in map(puzzles.load, puzzles.names()):
        if puzzle.part != part:
            part = puzzle.part
            rows += ["", f"**{part}**", ""]
        rows.append(f"- {puzzles.link(puzzle)}. {puzzle.summary}")
    return "\n".join(rows)
