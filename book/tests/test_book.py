#!/usr/bin/env python3
"""Tests of the book: it builds strictly, every puzzle has its chapter, nothing is fetched, search works on file://.

Standard library only. Run it directly, or `ctest -L book`. `test_book.py NAME` runs one class or test.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from html.parser import HTMLParser
from pathlib import Path

sys.dont_write_bytecode = True
BOOK = Path(__file__).resolve().parents[1]
SITE = BOOK.parent / "build" / "book" / "site"
sys.path[:0] = [str(BOOK / "hooks"), str(BOOK)]

import claims  # noqa: E402
import curriculum  # noqa: E402
import directives  # noqa: E402
import drawings  # noqa: E402
import figures  # noqa: E402
import missing  # noqa: E402
import pictures  # noqa: E402
import puzzles  # noqa: E402
import records  # noqa: E402
import sources  # noqa: E402
import tables  # noqa: E402
from sources import BookError  # noqa: E402

SECTIONS = ["What it costs", "The idea", "Predict", "The task", "Hints", "Run it", "Read the picture", "Measure",
            "The solution", "Why it works", "Go further", "Remember"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMIUM_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
                  "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=8000",
                  "--host-resolver-rules=MAP * ~NOTFOUND"]


def build() -> subprocess.CompletedProcess:
    return subprocess.run([BOOK / "build.sh"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def mentioned(text: str) -> list[int]:
    """The numbers of the puzzles that a text names: "Puzzle 06", "puzzles 12, 15 and 24"."""
    runs = re.findall(r"\b[Pp]uzzles?\s+(\d\d(?:(?:,\s+and|,|\s+and|\s+or|\s+to)\s+\d\d)*)\b", text)
    return [int(number) for run in runs for number in re.findall(r"\d\d", run)]


def pages_of_puzzles() -> list[Path]:
    return sorted(BOOK.glob("chapters/[0-9][0-9]_*.md"))


def chapters() -> list[Path]:
    return [path for path in pages_of_puzzles() if not puzzles.is_further(path.name)]


def further_pages() -> list[Path]:
    return [path for path in pages_of_puzzles() if puzzles.is_further(path.name)]


class Chapters(unittest.TestCase):
    def test_every_puzzle_has_a_chapter_and_every_chapter_a_puzzle(self):
        self.assertEqual([path.stem for path in chapters()], puzzles.names())

    def test_sections_are_the_fixed_ones_in_order(self):
        for path in chapters():
            with self.subTest(path.name):
                self.assertEqual(re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.M), SECTIONS)

    def test_a_further_page_has_some_of_the_sections_in_order_and_its_chapter_leads_to_it(self):
        for path in further_pages():
            with self.subTest(path.name):
                found = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.M)
                self.assertEqual(found, [section for section in SECTIONS if section in found])
                chapter = path.with_name(puzzles.of_page(path.name) + ".md")
                self.assertIn(f"]({path.name})", chapter.read_text(encoding="utf-8"))

    def test_no_hint_and_no_claim_is_left_out_by_a_chapter_with_two_pages(self):
        for path in further_pages():
            name = puzzles.of_page(path.name)
            text = path.with_name(f"{name}.md").read_text(encoding="utf-8") + path.read_text(encoding="utf-8")
            hinted = {region for named in re.findall(r"\{\{ hints\((.*)\) \}\}", text) for region in re.findall(r'"(\w+)"', named)}
            regions = re.findall(r"^## (.+)$", (BOOK.parent / "puzzles" / name / "hints.md").read_text(encoding="utf-8"), re.M)
            self.assertEqual(hinted, set(regions), path.name)
            self.assertEqual(bool(claims.on_page(name, further=True)), "{{ claims(further=True) }}" in text, path.name)

    def test_what_a_puzzle_builds_on_is_there_and_comes_before_it(self):
        numbers = {puzzles.load(name).number for name in puzzles.names()}
        for puzzle in map(puzzles.load, puzzles.names()):
            with self.subTest(puzzle.name):
                self.assertLessEqual(set(puzzle.builds_on), {number for number in numbers if number < puzzle.number})
                self.assertTrue(puzzle.builds_on or puzzle.number == min(numbers))

    def test_a_chapter_stands_on_nothing_from_which_the_map_does_not_lead_to_it(self):
        for path in chapters():
            with self.subTest(path.name):
                first = path.read_text(encoding="utf-8").partition("## What it costs\n\n")[2].partition("\n\n")[0]
                named = {number for said in re.findall(r"(?:It stands on|You (?:have|know)) [^.]*", first) for number in mentioned(said)}
                self.assertLessEqual(named, curriculum.grounds(puzzles.load(path.stem).number))

    def test_no_text_sends_a_reader_to_a_puzzle_that_does_not_exist(self):
        numbers = {puzzles.load(name).number for name in puzzles.names()}
        root = BOOK.parent
        for path in [*BOOK.glob("chapters/*.md"), root / "README.md", root / "CONTRIBUTING.md",
                     *(each for folder in ("puzzles", "solutions") for each in root.glob(f"{folder}/*/*.*"))]:
            if path.suffix in {".md", ".cu", ".cuh", ".h", ".cpp", ".py"}:
                self.assertLessEqual(set(mentioned(path.read_text(encoding="utf-8"))), numbers, path)

    def test_every_directive_resolves_and_everything_shown_is_on_record(self):
        missing.found.clear()
        for path in sorted(BOOK.glob("chapters/*.md")):
            name = puzzles.of_page(path.name)
            directives.expand(path.read_text(encoding="utf-8"), path.name, puzzles.load(name) if name else None)
        self.assertEqual(missing.found, [])

    def test_no_code_is_written_by_hand(self):
        for path in pages_of_puzzles():
            with self.subTest(path.name):
                fences = re.findall(r"^ *``` *(\w*)", path.read_text(encoding="utf-8"), re.M)
                self.assertEqual(set(fences) - {"", "sh"}, set())

    def test_sizes_are_read_from_every_declaration(self):
        for name in puzzles.names():
            with self.subTest(name):
                sizes = puzzles.load(name).sizes
                if not sizes:
                    self.assertTrue(puzzles.load(name).is_programs)
                    continue
                self.assertTrue(sizes["teaching"] and sizes["teaching"].keys() == sizes["real"].keys() == sizes["large"].keys())


    def test_a_declaration_of_several_tasks_is_read_by_their_names(self):
        def task(name: str, n: int, tensor: str) -> dict:
            shape = {"N": n}
            return {"name": name, "teaching": shape, "large": shape, "bench": {"N": 10 * n},
                    "tensors": [{"name": "x"}, {"name": tensor, "tolerance": f"of {tensor}"}]}
        puzzle = puzzles.read({"number": 7, "title": "T", "part": "P", "summary": "S",
                               "tasks": [task("forward", 1, "y"), task("backward", 2, "dx")]}, "07_t")
        self.assertEqual(puzzle.sizes["real"], {"N": 10})
        self.assertEqual(puzzle.sizes["backward real"], {"N": 20})
        self.assertEqual(puzzles.tolerance(puzzle, "y"), "of y")
        self.assertEqual(puzzles.tolerance(puzzle, "backward dx"), "of dx")
        with self.assertRaisesRegex(BookError, "no tolerance for x"):
            puzzles.tolerance(puzzle, "x")

    def test_a_puzzle_that_was_not_derived_says_what_to_do(self):
        with unittest.mock.patch.object(puzzles, "ROOT", BOOK / "tests" / "nowhere"):
            with self.assertRaisesRegex(BookError, "chapter 98_none.md has no puzzle"):
                puzzles.load("98_none")
        with self.assertRaisesRegex(KeyError, "title"):
            puzzles.read({"number": 1}, "01_map")


class Directives(unittest.TestCase):
    SOLUTION = "solutions/22_layernorm_linear/kernels.cu"

    def refused(self, text: str, reason: str):
        with self.assertRaisesRegex(BookError, reason):
            directives.expand(text, "a.md", puzzles.load("22_layernorm_linear"))

    def test_what_does_not_exist_is_an_error(self):
        self.refused(f'{{{{ code("{self.SOLUTION}", region="nonsense") }}}}', "0 markers for region nonsense")
        self.refused(f'{{{{ code("{self.SOLUTION}", kernel="nonsense") }}}}', "defines no function nonsense")
        self.refused('{{ code("solutions/22_layernorm_linear/nonsense.cu") }}', "there is no file")
        self.refused("{{ nonsense() }}", "no directive nonsense")
        self.refused('{{ calc("4*Q") }}', "a formula may hold")
        self.refused('{{ hints("nonsense") }}', "hints.md has no region nonsense")
        self.refused("{{ sizes(7, 8) }}", "TypeError")

    def test_the_learners_file_is_never_quoted(self):
        self.refused('{{ code("puzzles/22_layernorm_linear/kernels.cu") }}', "learner's file")

    def test_a_function_is_cut_with_its_comment_and_nothing_else(self):
        cut = sources.excerpt(self.SOLUTION, kernel="layernorm_kernel")
        self.assertTrue(cut.lines[0].startswith("//") and cut.lines[-1] == "}")
        self.assertEqual(sum("__global__" in line for line in cut.lines), 1)
        self.assertTrue(cut.filled)

    def test_a_skeleton_has_markers_and_nothing_between(self):
        lines = sources.excerpt(self.SOLUTION, skeleton=True).lines
        opened = [i for i, line in enumerate(lines) if "// FILL ME IN" in line]
        self.assertTrue(opened and all("// END:" in lines[i + 1] for i in opened))

    def test_a_block_keeps_the_indentation_of_its_directive(self):
        text = directives.expand(f'    {{{{ code("{self.SOLUTION}", region="layernorm") }}}}', "a.md", None)
        self.assertTrue(all(line.startswith("    ") for line in text.split("\n") if line))

    def test_calc_gives_numbers_with_units(self):
        puzzle = puzzles.Puzzle(0, "00_x", "X", "", "", {"real": {"N": 1 << 24, "M": 3}})
        self.assertEqual(tables.calc(puzzle, "8*N", unit="MB"), "134 MB")
        self.assertEqual(tables.calc(puzzle, "ceil(M/2)"), "2")
        self.assertEqual(tables.calc(puzzle, "N"), "16 777 216".replace(" ", "\u202f"))


    def test_drawings_show_what_the_kernels_compute(self):
        puzzle = puzzles.load("22_layernorm_linear")
        self.assertEqual(drawings.of_chapter(puzzle.name).butterfly([3, 1, 4, 2]), [[3, 1, 4, 2], [7, 3, 7, 3], [10, 10, 10, 10]])
        rows = directives.expand('{{ drawing("shared_rows", "A caption.") }}', "a.md", puzzle)
        stored = [int(lane) for lane in re.findall(r'class="on small">(\d+)<', rows)]
        self.assertEqual(stored, list(range(32)))  # eight rows of four outputs: lane 4r + j
        self.refused('{{ drawing("nonsense", "A caption.") }}', "no drawing nonsense in book/drawings/22_layernorm_linear.py")

    def test_where_a_picture_is_not_drawn_the_page_says_why(self):
        with unittest.mock.patch.object(figures, "PICTURES", BOOK / "nowhere"), tempfile.TemporaryDirectory() as folder:
            problem = Path(folder) / "problem.txt"
            problem.write_text("this machine has no screen. apt-get install xvfb", encoding="utf-8")
            for file, reason in ((problem, "not drawn: this machine has no screen. apt-get install xvfb"), (Path(folder) / "none", "make book draws it")):
                with unittest.mock.patch.object(figures, "PROBLEM", file):
                    figure = directives.expand('{{ figure("22_mapping", "A caption.") }}', "a.md", puzzles.load("22_layernorm_linear"))
                self.assertIn(reason, figure)
                self.assertNotIn("<img", figure)
                self.assertIn("A caption.", figure)
        missing.found.clear()

    def test_hints_are_a_box_a_variant_and_no_region_stands_twice(self):
        text = directives.expand("{{ hints() }}", "a.md", puzzles.load("37_softmax"))
        self.assertEqual(re.findall(r'^\?\?\? tip "`--([\w-]+)`"', text, re.M), list(puzzles.load("37_softmax").regions))
        self.assertEqual(text.count("`row_max`: see `--five`"), 1)
        rungs = sum(len(re.findall("^### ", part, re.M)) for part in
                    (BOOK.parent / "puzzles/37_softmax/hints.md").read_text(encoding="utf-8").split("\n## ")[1:])
        self.assertEqual(len(re.findall(r'^    \?\?\? tip "Hint', text, re.M)), rungs)

    def test_a_picture_is_offered_live_only_where_the_page_was_built(self):
        directive = '{{ figure("22_mapping", "A caption.", live="panel=mapping") }}'
        for built in (False, True):
            with unittest.mock.patch.object(figures, "page_is_built", lambda: built):
                figure = directives.expand(directive, "a.md", puzzles.load("22_layernorm_linear"))
            self.assertIn("images/22_mapping_light.png", figure)
            self.assertEqual('data-live="viewer/viewer.html?puzzle=22&amp;panel=mapping"' in figure, built)


class Pictures(unittest.TestCase):
    def test_every_list_draws_what_a_chapter_shows_and_nothing_else(self):
        shown = {name for page in BOOK.glob("chapters/*.md") for name in re.findall(r'figure\("(\w+)"', page.read_text(encoding="utf-8"))}
        listed = {picture.name for chapter in pictures.chapters() for picture in chapter.pictures}
        self.assertEqual(listed - shown, {picture.name for picture in pictures.of_readme()})
        self.assertEqual(shown - listed, set())

    def test_what_a_learner_writes_changes_no_picture_and_what_a_solution_computes_does(self):
        chapter = next(chapter for chapter in pictures.chapters() if chapter.number == "22")
        files = {path.relative_to(BOOK.parent).as_posix() for path in pictures.sources(chapter)}
        self.assertNotIn("puzzles/22_layernorm_linear/kernels.cu", files)
        self.assertLessEqual({"puzzles/22_layernorm_linear/given.cuh", "solutions/22_layernorm_linear/kernels.cu"}, files)

    def test_runs_of_the_variants_that_are_shown_are_made(self):
        def of(*lines: str) -> list[str]:
            chapter = pictures.Chapter("22_layernorm_linear", [pictures.Picture("22_x", "mapping", tuple(line.split())) for line in lines])
            return chapter.variants()
        self.assertEqual(of(""), ["unfused", "fused"])
        self.assertEqual(of("--b fused-tiled", "--a fused-block"), ["unfused", "fused", "fused-block", "fused-tiled"])
        self.assertEqual(of("--measured", "--origin a_mistake"), [])

    def test_the_readme_shows_what_the_viewer_draws(self):
        compare = BOOK.parent / "build/workbook/viewer/tests/workbook_viewer_compare_pictures"
        if not compare.exists():
            self.skipTest("the viewer's tests are not built: nothing compares the README's pictures")
        readme = (BOOK.parent / "README.md").read_text(encoding="utf-8")
        for picture in pictures.of_readme():
            for file in picture.files:
                self.assertIn(f"(book/figures/readme/{file})", readme)
                self.assertLessEqual((pictures.README / file).stat().st_size, 60_000)
                done = subprocess.run([compare, pictures.README / file, pictures.PICTURES / file], text=True, stdout=subprocess.PIPE)
                self.assertEqual(done.returncode, 0, f"{file}: {done.stdout}If it is meant to look different now: book/pictures.py --readme")


class Records(unittest.TestCase):
    def run_record(self, backend: str, **extra) -> dict:
        launch = {"kernel": "k", "grid": [2, 1, 1], "block": [32, 1, 1], "modelled": {"gpu": "H200", "total_us": 12.0, "bound": "DRAM"},
                  "counters": {"dram_bytes_read": 1000, "dram_bytes_written": 500}, "warm_us": [], "cold_us": []}
        bench = {"name": "real", "sizes": {"N": 8}, "tensors": [], "launches": [launch], "modelled_total_us": 12.0}
        source = (BOOK.parent / "solutions/01_map/kernels.cu").read_text(encoding="utf-8")
        return {"puzzle": 1, "puzzle_name": "01_map", "source": source, "variant": "map", "origin": "solution", "backend": backend, "verdict": "correct", "device": "NVIDIA H200",
                "benchmarks": [bench], **extra}

    def with_records(self, *found: dict):
        original = records._all
        records._all = lambda: list(found)
        self.addCleanup(setattr, records, "_all", original)

    def test_modelled_and_measured_stand_side_by_side_with_the_error(self):
        gpu = self.run_record("cuda")
        gpu["benchmarks"][0]["launches"][0].update(counters=None, modelled=None, warm_us=[9.0, 8.0, 99.0], cold_us=[10.0])
        self.with_records(self.run_record("sim"), gpu)
        table = tables.launch_table(puzzles.load("01_map"), "map")
        for expected in ("| 12 µs | DRAM | 9 µs | 10 µs | +20 % |", "Measured: NVIDIA H200", "clock for the H200"):
            self.assertIn(expected, table)

    def test_samples_of_several_runs_are_pooled(self):
        runs = [self.run_record("cuda", started_at=f"2026-01-0{day}") for day in (1, 2)]
        for run, warm in zip(runs, (8.0, 10.0)):
            run["benchmarks"][0]["launches"][0]["warm_us"] = [warm]
        self.with_records(*runs)
        self.assertEqual(records.benchmark(records.find(1, "map", "cuda"), "real")["launches"][0]["warm_us"], [10.0, 8.0])

    def test_without_a_measured_run_the_table_says_so(self):
        self.with_records(self.run_record("sim"))
        self.assertIn("No measured run is on record", tables.launch_table(puzzles.load("01_map"), "map"))

    def test_a_run_of_other_code_is_not_shown_but_one_with_other_comments_is(self):
        run = self.run_record("sim")
        self.with_records({**run, "source": run["source"].replace("10.0f", "11.0f")})
        self.assertEqual(records.find(1, "map", "sim"), [])
        self.with_records({**run, "source": "// Other words.\n" + run["source"]})
        self.assertEqual(len(records.find(1, "map", "sim")), 1)

    def test_a_wrong_or_a_learners_run_is_never_shown(self):
        self.with_records(self.run_record("sim", verdict="wrong"), self.run_record("sim", origin="learner"))
        self.assertEqual(records.find(1, "map", "sim"), [])


    def program_bench(self, times: str) -> dict:
        run = self.run_record("sim", learner_output=f"batch x1 10.0 us\nbatch x4 {times} us\n")
        run["benchmarks"][0].update(name="program", calls=[{"kind": kind} for kind in ("launch", "launch", "graph", "wait", "kernel")])
        run["benchmarks"][0]["launches"][0]["count"] = 7
        return claims.benchmark([run], "real")

    def test_a_claim_can_be_about_a_number_that_a_program_prints(self):
        claim = {"says": "", "metric": "printed", "of": "map", "find": r"^batch x4 ([\d.]+)", "per": r"^batch x1 ([\d.]+)", "at_most": 1.1}
        for times, holds in (("10.4", True), ("38.0", False)):
            value = claims.number(claim, lambda variant, at, times=times: self.program_bench(times))
            self.assertEqual(claims.holds(claim, value, {}), holds)
        with self.assertRaisesRegex(BookError, "nothing like"):
            claims.number({**claim, "find": "^width ([0-9])"}, lambda variant, at: self.program_bench("1"))

    def test_a_program_is_claimed_about_by_its_launches_and_its_calls(self):
        bench = self.program_bench("1")
        self.assertEqual([claims.metric(bench, name) for name in ("launches", "host_launches", "host_waits")], [7, 3, 1])

    def test_what_chapter_38_says_of_its_measured_numbers_holds(self):
        for claim in claims.load("38_measuring"):
            if "/" in claim["of"]:
                self.assertTrue(claims.holds(claim, claims.number(claim, None), {}), claim["says"])


class Links(HTMLParser):
    """What a page loads by itself, and where its links go."""

    def __init__(self):
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("src"):
            self.loads.append(values["src"])
        if values.get("href"):
            loaded = tag == "link" and values.get("rel") not in ("canonical", "next", "prev")
            (self.loads if loaded else self.links).append(values["href"])


class Prose(HTMLParser):
    """What is read of a page from top to bottom: without closed boxes, code and the words of drawings."""

    VOID = {"br", "circle", "hr", "img", "input", "line", "link", "meta", "path", "rect"}

    def __init__(self):
        super().__init__()
        self.words, self.open = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "article" in self.open and not {"button", "details", "pre", "script", "style", "svg"}.intersection(self.open):
            self.words.append(data)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.built = build()
        if cls.built.returncode != 0:
            raise AssertionError(f"book/build.sh ended with {cls.built.returncode}:\n{cls.built.stdout}")

    def pages(self):
        for path in sorted(SITE.glob("*.html")):
            parser = Links()
            parser.feed(path.read_text(encoding="utf-8"))
            yield path, parser

    def test_the_second_build_does_nothing(self):
        before = (SITE / "index.html").stat().st_mtime_ns
        self.assertEqual(build().returncode, 0)
        self.assertEqual((SITE / "index.html").stat().st_mtime_ns, before)

    def test_every_chapter_has_a_page(self):
        for path in pages_of_puzzles():
            self.assertTrue((SITE / f"{path.stem}.html").is_file(), path.stem)

    def test_nothing_is_fetched_from_elsewhere(self):
        for path, page in self.pages():
            self.assertEqual([url for url in page.loads if re.match(r"(\w+:)?//", url)], [], path.name)
        for sheet in SITE.rglob("*.css"):
            self.assertNotRegex(sheet.read_text(encoding="utf-8"), r"@import|url\(['\"]?(https?:)?//", sheet.name)

    def test_every_local_link_leads_somewhere(self):
        for path, page in self.pages():
            for url in page.loads + page.links:
                target = re.sub(r"[?#].*", "", url)
                if target and not re.match(r"\w+:", target) and path.name != "404.html":
                    self.assertTrue((path.parent / target).exists(), f"{path.name}: {url}")

    def test_the_viewer_takes_its_pictures_place(self):
        if not figures.page_is_built():
            self.skipTest("the viewer's page is not built (viewer/web/build.sh): the book's pictures are still")
        if not CHROMIUM:
            self.skipTest("no chromium on this machine: no picture was tried in a browser")
        page = SITE / "22_layernorm_linear.html"
        click = '<script>addEventListener("load", () => document.querySelector("button[data-live]").click())</script></body>'
        tried = SITE / "tried.html"
        self.addCleanup(tried.unlink)
        tried.write_text(page.read_text(encoding="utf-8").replace("</body>", click), encoding="utf-8")
        done = subprocess.run([CHROMIUM, *CHROMIUM_FLAGS, "--dump-dom", tried.as_uri()], text=True, capture_output=True, timeout=900)
        frame = re.search(r'<iframe src="(viewer/viewer\.html)\?([^"]*)"', done.stdout)
        self.assertTrue(frame, done.stderr[-2000:])
        self.assertTrue((SITE / frame[1]).is_file())
        self.assertIn("panel=compare", frame[2])
        self.assertIn("theme=", frame[2])

    def test_a_chapter_takes_twelve_minutes(self):
        for path in pages_of_puzzles():
            with self.subTest(path.name):
                prose = Prose()
                prose.feed((SITE / f"{path.stem}.html").read_text(encoding="utf-8"))
                self.assertLessEqual(len(" ".join(prose.words).split()), 12 * 220)

    def test_no_directive_and_no_raw_formula_is_left(self):
        for path, _ in self.pages():
            self.assertNotRegex(path.read_text(encoding="utf-8"), r"\{\{ |class=\"arithmatex\"", path.name)

    def test_the_search_has_no_hint_no_solution_and_no_drawing(self):
        index = (SITE / "search" / "search_index.json").read_text(encoding="utf-8")
        self.assertIn("layernorm_kernel", index)
        self.assertNotIn("Hint 1 of", index)
        self.assertNotIn("sum_of_squares / hidden", index)
        self.assertNotIn("the sum so far shrinks by", index, "a drawing's words, with its numbers among them")

    def test_search_works_from_the_file_system(self):
        if not CHROMIUM:
            self.skipTest("no chromium on this machine: the search was not tried in a browser")
        page = (SITE / "index.html").as_uri() + "?q=fusion"
        done = subprocess.run([CHROMIUM, *CHROMIUM_FLAGS, "--dump-dom", page], text=True, capture_output=True, timeout=900)
        found = re.findall(r'class="md-search-result__link"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*class="md-search-result__link"', done.stdout)
        self.assertTrue(any("22_layernorm_linear.html" in "".join(link) for link in found), done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main(verbosity=1)
