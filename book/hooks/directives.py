"""The directives of a chapter: `{{ code("solutions/...", kernel="layernorm_kernel") }}` and the like.

A directive alone on its line becomes a block and keeps its indentation, so that it works inside a
collapsed box; one within a sentence becomes a number. book/STYLE.md lists them all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import charts
import claims
import curriculum
import drawings
import figures
import glossary
import hints
import missing
import mistakes
import puzzles
import tables
import workload
from puzzles import Puzzle
from records import DATA
from sources import BookError, excerpt

DIRECTIVE = re.compile(r"\{\{\s*(?P<call>\w+\((?:[^{}\"']|\"[^\"]*\"|'[^']*')*\))\s*\}\}")


def expand(markdown: str, page: str, puzzle: Puzzle | None) -> str:
    """`markdown` with every directive replaced; throws BookError naming page and line."""
    result = []
    for number, line in enumerate(markdown.split("\n"), 1):
        try:
            result.append(_line(line, puzzle))
        except BookError as error:
            raise BookError(f"{page}: {line.strip()[:80]!r} (line {number} of the text): {error}") from error
    return "\n".join(result)


def _line(line: str, puzzle: Puzzle | None) -> str:
    alone = re.fullmatch(rf"(?P<indent>\s*){DIRECTIVE.pattern}\s*", line)
    if alone:
        block = call(alone["call"], puzzle)
        return "\n".join(alone["indent"] + row if row else "" for row in block.split("\n"))
    return DIRECTIVE.sub(lambda match: call(match["call"], puzzle), line)


def call(text: str, puzzle: Puzzle | None) -> str:
    """Runs one directive; its arguments are literals."""
    node = ast.parse(text, mode="eval").body
    name = node.func.id
    if name not in DIRECTIVES:
        raise BookError(f"there is no directive {name}; these exist: {', '.join(sorted(DIRECTIVES))}")
    try:
        positional = [ast.literal_eval(argument) for argument in node.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords}
        return DIRECTIVES[name](puzzle, *positional, **named)
    except (TypeError, ValueError, KeyError) as error:
        raise BookError(f"{type(error).__name__}: {error}") from error


def code(_: Puzzle | None, path: str, *, region=None, kernel=None, skeleton=False, title=None) -> str:
    """Lines of a real file: a region, a function by name, or all; as solved, or with the gaps of the skeleton."""
    cut = excerpt(path, region=region, kernel=kernel, skeleton=skeleton)
    shown = title or (path.replace("solutions/", "puzzles/", 1) if skeleton else path)
    marks = f' hl_lines="{" ".join(map(str, cut.filled))}"' if cut.filled else ""
    language = "python" if path.endswith(".py") else "cuda"
    return f'```{{ .{language} title="{shown}" linenums="{cut.first}"{marks} }}\n' + "\n".join(cut.lines) + "\n```"


def output(_: Puzzle | None, command: str, *, mutant: str | None = None, start: str | None = None, stop: str | None = None,
           paragraph: str | None = None) -> str:
    """What a command printed, from book/data/output: all, from a line with `start` up to one with `stop`, or the
    paragraph that holds `paragraph`.

    `mutant` names the mistake that the learner's file held, one of puzzles/NN_name/mutants.
    """
    path = DATA / "output" / output_name(command, mutant)
    if not path.is_file():
        return missing.sentence(f"the output of {command}", "book/refresh.py")
    return _text_of(path, start, stop, paragraph)


def transcript(_: Puzzle | None, name: str, *, start: str | None = None, stop: str | None = None, paragraph: str | None = None) -> str:
    """What a tool printed on a GPU, from book/data/h200/debug/NAME.txt, cut as by output()."""
    path = DATA / "h200" / "debug" / f"{name}.txt"
    if not path.is_file():
        return missing.sentence(f"what {name} printed", "book/experiments/debug_h200.sh")
    return _text_of(path, start, stop, paragraph)


def _text_of(path: Path, start: str | None, stop: str | None, paragraph: str | None) -> str:
    """A kept text as a block: its head says which command printed it, where, and how it ended."""
    head, _, text = path.read_text(encoding="utf-8").partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.split("\n"))
    lines = text.rstrip("\n").split("\n")
    first = _row(lines, start, 0) if start else 0
    last = _row(lines, stop, first + 1) if stop else len(lines)
    if paragraph:
        middle = _row(lines, paragraph, 0)
        first = max((row + 1 for row in range(middle) if not lines[row].strip()), default=0)
        last = min((row for row in range(middle, len(lines)) if not lines[row].strip()), default=len(lines))
    cut = ["[...]"] if first else []
    shown = cut + lines[first:last] + (["[...]"] if last < len(lines) else [])
    while len(shown) > 1 and not shown[-1].strip():
        shown.pop()
    command = about["command"]
    return (
        f'```{{ .text .output title="$ {command}" }}\n' + "\n".join(shown) + "\n```\n"
        f"\n<p class=\"provenance\">{about['device']}; exit status {about['exit']}.</p>"
    )


def output_name(command: str, mutant: str | None = None) -> str:
    """`workbook solution 22 --unfused` is kept as solution_22_unfused.txt."""
    words = command.removeprefix("workbook ") + (f" with {mutant}" if mutant else "")
    return re.sub(r"\W+", "_", words).strip("_").lower() + ".txt"


def _row(lines: list[str], wanted: str, begin: int) -> int:
    for row in range(begin, len(lines)):
        if wanted in lines[row]:
            return row
    raise BookError(f"no line of the output holds {wanted!r}")


DIRECTIVES: dict[str, Callable[..., str]] = {
    "week": workload.week,
    "code": code,
    "output": output,
    "transcript": transcript,
    "hints": hints.ladder,
    "figure": figures.figure,
    "drawing": drawings.drawing,
    "calc": tables.calc,
    "value": tables.value,
    "sizes": tables.sizes,
    "tolerance": puzzles.tolerance,
    "claims": tables.when_recorded(block=True)(claims.claims),
    "term": glossary.term,
    "glossary": glossary.glossary,
    "data_table": tables.data_table,
    "traffic_chart": charts.traffic_chart,
    "launch_table": tables.launch_table,
    "model_error": tables.model_error,
    "variant_table": tables.variant_table,
    "puzzle_list": tables.puzzle_list,
    "puzzle_map": curriculum.puzzle_map,
    "mistakes": mistakes.mistakes,
}
