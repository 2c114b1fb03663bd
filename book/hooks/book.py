"""The book's hook into MkDocs: navigation from the chapters present, directives, formulas.

A chapter is chapters/NN_name.md and belongs to puzzles/NN_name; it may have a second page, NN_name.further.md. There is no list of
chapters anywhere.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import latex2mathml.converter
from mkdocs.exceptions import PluginError

import curriculum
import directives
import figures
import missing
import puzzles
from sources import BookError

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"


def on_config(config):
    """Navigation: how to use it, then the chapters by the part that their puzzle declares, then the other pages."""
    try:
        pages = sorted((page.name for page in CHAPTERS.glob("*.md")), key=lambda page: (puzzles.of_page(page), puzzles.is_further(page), page))
        others = [page for page in pages if not puzzles.of_page(page) and page != "index.md"]
        parts: dict[str, list] = {}
        for page in filter(puzzles.of_page, pages):
            puzzle = puzzles.load(puzzles.of_page(page))
            title = "further rungs" if puzzles.is_further(page) else puzzle.title
            parts.setdefault(puzzle.part, []).append({f"{puzzle.number:02}  {title}": page})
        config.nav = ["index.md"] + [{part: chapters} for part, chapters in parts.items()] + others
    except BookError as error:
        raise PluginError(str(error)) from error
    return config


def on_page_markdown(markdown, page, **_):
    name = puzzles.of_page(page.file.src_path)
    try:
        puzzle = puzzles.load(name) if name else None
        text = directives.expand(markdown, page.file.src_path, puzzle)
    except BookError as error:
        raise PluginError(str(error)) from error
    if puzzle and puzzles.is_further(page.file.src_path):
        text = f"# Puzzle {puzzle.number:02}: {puzzle.title}, further rungs\n\n{text}"
    elif puzzle:
        head = f'# Puzzle {puzzle.number:02}: {puzzle.title}\n\n<p class="lead">{puzzle.summary}.</p>\n\n'
        text = head + curriculum.ground(puzzle) + text.rstrip() + curriculum.what_comes_next(puzzle)
    return text


def on_post_build(config, **_):
    figures.copy_pictures(Path(config.site_dir))
    figures.copy_page(Path(config.site_dir))
    for line in missing.found:
        print(f"book: not on record yet: {line}")


def on_page_content(content, page, **_):
    """Formulas become MathML here, so that a page needs neither scripts nor fonts to show them; and the search
    leaves out hints and solutions, which a reader wants to open and not to come across."""
    content = re.sub(r'<details class="(tip|success)"', r'<details class="\1" data-search-exclude', content)
    return re.sub(r'<(span|div) class="arithmatex">(.*?)</\1>', lambda m: _formula(m, page), content, flags=re.S)


def _formula(match, page):
    source = html.unescape(match[2]).strip()
    if not re.fullmatch(r"\\\(.*\\\)|\\\[.*\\\]", source, re.S):
        raise PluginError(f"{page.file.src_path}: not a formula: {source}")
    display = "block" if source.startswith(r"\[") else "inline"
    mathml = latex2mathml.converter.convert(source[2:-2].strip(), display=display)
    return mathml if display == "inline" else f'<div class="formula">{mathml}</div>'
