#!/usr/bin/env python3
"""Tests of the page: it draws its panels in a browser, from a folder, neither blank nor cut off, and says what is wrong.

Standard library only. `page_test.py --build` builds the page, `page_test.py` tries it. Each ends with 77, and says why, where
Emscripten or Chromium is missing; with 1 where CI is set, too.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
from browser import Browser, Tab  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "build" / "web" / "page" / "viewer.html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND"]

LONG = 900  # seconds: more than a busy machine needs for anything here


def setUpModule():
    """One browser for all; and beside the page as it is a copy with the runs of one puzzle, which is read in a fraction of the time."""
    global chromium, small
    chromium = unittest.enterModuleContext(Browser(CHROMIUM, FLAGS))
    small = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()), "viewer.html")
    for name in ("viewer.html", "viewer.js"):
        shutil.copy(PAGE.with_name(name), small.with_name(name))
    shown, offered = (sorted(ROOT.glob(f"book/data/{folder}/22_*.json")) for folder in ("h200", "runs"))
    subprocess.run([sys.executable, HERE / "pack_runs.py", small.with_name("runs.js"), *shown, "--offer", *offered], check=True)


def opened(query: str, width: int, height: int, density: int = 1, page: Path | None = None) -> Tab:
    return Tab(chromium, f"{(page or small).as_uri()}?{query}", width, height, density)


class Picture:
    """A PNG of 8-bit RGB or RGBA, as Chromium writes it: rows of pixels, each three bytes."""

    def __init__(self, data: bytes):
        at, body = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            chunk = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", chunk[:10])
                assert depth == 8 and colour in (2, 6), "an unusual PNG"
                step = 4 if colour == 6 else 3
            elif kind == b"IDAT":
                body += chunk
            at += length + 12
        raw, stride = zlib.decompress(body), self.width * step
        above = bytearray(stride)
        self.rows = []
        for y in range(self.height):
            start = y * (stride + 1)
            row = bytearray(raw[start + 1:start + 1 + stride])
            unfilter(raw[start], row, above, step)
            self.rows.append([bytes(row[x:x + 3]) for x in range(0, stride, step)])
            above = row

    def colours(self, left: float = 0, right: float = 1, top: float = 0, bottom: float = 1) -> set[bytes]:
        """In a part of it, from 0 to 1."""
        across = slice(int(left * self.width), int(right * self.width))
        return {pixel for row in self.rows[int(top * self.height):int(bottom * self.height)] for pixel in row[across]}

    def edge(self) -> set[bytes]:
        """Of the top and the sides: below, a panel may go on and be scrolled."""
        return set(self.rows[0]) | {row[0] for row in self.rows} | {row[-1] for row in self.rows}


def sums(row: bytes, above: bytes) -> bytes:
    """Byte by byte, modulo 256, as one sum of long numbers: the upper bit of each byte apart, so that none carries into the next."""
    low, high = (int.from_bytes(bytes([bits]) * len(row), "big") for bits in (0x7f, 0x80))
    a, b = int.from_bytes(row, "big"), int.from_bytes(above, "big")
    return ((a & low) + (b & low) ^ (a ^ b) & high).to_bytes(len(row), "big")


def unfilter(kind: int, row: bytearray, above: bytearray, step: int) -> None:
    """One row, in place: the five filters of the PNG specification. Chromium's is the second, for every row."""
    if kind == 0:
        return
    if kind == 2:
        row[:] = sums(row, above)
        return
    for i in range(len(row)):
        a, b, c = (row[i - step] if i >= step else 0), above[i], (above[i - step] if i >= step else 0)
        if kind == 4:
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        else:
            near = (0, a, b, (a + b) // 2)[kind]
        row[i] = row[i] + near & 255


def drawn(tab: Tab) -> Picture:
    tab.wait("document.documentElement.dataset.frames > 3", LONG)
    return Picture(tab.screenshot())


@functools.cache
def shoot(query: str, width: int, height: int, density: int = 1, page: Path | None = None) -> Picture:
    with opened(query, width, height, density, page) as tab:
        picture = drawn(tab)
        if tab.errors:
            raise AssertionError(f"{query}: the console has errors: {tab.errors}")
        return picture


class Page(unittest.TestCase):
    def assert_filled(self, picture: Picture, query: str):
        """Something is drawn in all four corners' neighbourhoods, and nothing is cut by the picture's edge."""
        for left in (0, 0.5):
            for top in (0, 0.5):
                self.assertGreater(len(picture.colours(left, left + 0.5, top, top + 0.5)), 20, f"{query}: blank near {left}, {top}")
        self.assertEqual(len(picture.edge()), 1, f"{query}: cut off at its edge")

    def test_compare_and_mapping_are_neither_blank_nor_cut_off(self):
        for query in ("panel=compare&b=fused-block&shape=real&theme=light", "panel=compare&theme=dark", "panel=mapping&theme=light",
                      "panel=mapping&side=B&colour=thread&theme=dark"):
            with self.subTest(query):
                self.assert_filled(shoot(f"puzzle=22&solo=1&{query}", 900, 640), query)

    def test_every_panel_is_drawn_and_the_console_has_no_error(self):
        for panel in ("compare", "mapping", "steps", "memory", "roofline", "errors", "source", "timeline", "fusion"):
            with self.subTest(panel):
                self.assertGreater(len(shoot(f"puzzle=22&solo=1&panel={panel}&theme=light", 900, 640).colours()), 20, "the canvas is blank")

    def test_an_error_on_the_console_is_noticed(self):
        with Tab(chromium, "about:blank", 320, 240) as tab:
            tab.value("console.error('made up')")
            tab.value("setTimeout(() => { throw new Error('made up, too'); })")
            tab.wait("(() => { window.turns = (window.turns || 0) + 1; return window.turns > 3; })()", LONG)
            self.assertEqual([error.split("\n")[0] for error in tab.errors], ["made up", "Error: made up, too"])

    def test_themes_differ(self):
        light, dark = (shoot(f"puzzle=22&solo=1&panel=mapping&{theme}", 900, 640) for theme in
                       ("theme=light", "side=B&colour=thread&theme=dark"))
        self.assertGreater(sum(next(iter(light.edge()))), 3 * 200)
        self.assertLess(sum(next(iter(dark.edge()))), 3 * 60)

    def test_a_dense_screen_gets_all_its_pixels(self):
        query = "puzzle=22&panel=mapping&solo=1&theme=light"
        picture = shoot(query, 640, 480, density=2)
        self.assertEqual(picture.width, 1280)
        self.assert_filled(picture, query)

    def test_the_whole_viewer_has_its_bar_and_its_panels(self):
        picture = shoot("puzzle=22&panel=compare&theme=light", 900, 640, page=PAGE)  # with the runs of all puzzles
        self.assertGreater(len(picture.colours(bottom=0.1)), 20, "no bar")
        self.assertGreater(len(picture.colours(top=0.3)), 40, "no panel")

    def test_wheel_and_keys_reach_the_panels(self):
        def becomes(wanted, what: str):
            """The picture once it is as wanted: drawing takes its time."""
            end = time.monotonic() + LONG
            while not wanted(picture := Picture(tab.screenshot())):
                self.assertLess(time.monotonic(), end, what)
            return picture

        with opened("puzzle=22&panel=compare&theme=light", 640, 480) as tab:
            first = drawn(tab)
            tab.mouse("mouseMoved", 320, 240)
            tab.mouse("mouseWheel", 320, 240, deltaX=0, deltaY=300)
            scrolled = becomes(lambda now: now.rows[240:] != first.rows[240:], "the wheel scrolls nothing")
            self.assertEqual(scrolled.rows[:20], first.rows[:20], "the wheel scrolls the whole page")
            tab.press("3", "Digit3")
            mapping = becomes(lambda now: now.rows[240:] != scrolled.rows[240:], "3 brings no other panel")
            light = sum(mapping.rows[-1][0]) > 3 * 128
            tab.press("t", "KeyT")
            becomes(lambda now: (sum(now.rows[-1][0]) > 3 * 128) != light, "T changes no theme")

    def test_what_cannot_be_shown_is_said(self):
        for query, words in (("panel=nonsense", "no panel called 'nonsense'"), ("puzzle=x", "needs a number"), ("db=/a", "no option 'db'"),
                             ("run=4711", "no run 4711")):
            with self.subTest(query), opened(query, 640, 480) as tab:
                tab.wait(f"document.documentElement.outerHTML.includes({json.dumps(words)})", LONG)


if __name__ == "__main__":
    for tool, package in ((shutil.which("emcmake"), "emscripten"), (CHROMIUM, "chromium")):
        if not tool and os.environ.get("CI"):
            sys.exit(f"page_test: {package} is missing (Debian: {package}), and nothing is skipped where CI is set")
        if not tool:
            print(f"page_test: skipped: {package} is missing (Debian: {package})")
            sys.exit(77)
    if sys.argv[1:] == ["--build"]:
        sys.exit(subprocess.run([HERE / "build.sh"]).returncode)
    unittest.main(verbosity=1)
