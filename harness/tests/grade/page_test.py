"""The page of results in a browser: at no width does it go beyond the window, in light and in dark. Skipped where there is no
Chromium. WORKBOOK_KEEP_PICTURES=FOLDER keeps what was drawn, for whoever wants to look."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# The page itself has no script: this is put behind a copy of it.
MEASURE = """<script>onload = () => {
  const root = document.documentElement;
  document.title = ["measured", root.scrollWidth - root.clientWidth].join(" ");
};</script>"""


@unittest.skipUnless(CHROMIUM, "no Chromium")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="workbook-page-"))
        cls.page = cls.folder / "index.html"
        subprocess.run([os.environ["WORKBOOK_GRADE_TESTS"], "[.sample]"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "WORKBOOK_SAMPLE_PAGE": str(cls.page)})

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def chromium(self, *words):
        return subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/profile", *words],
                              text=True, capture_output=True, check=True).stdout

    def test_nothing_goes_beyond_the_window(self):
        for width in (400, 1280):
            for part in ("", "#report-4-4"):
                with self.subTest(width=width, part=part):
                    # Chromium's window is at least 500 wide: a frame is not.
                    inner = self.folder / "inner.html"
                    inner.write_text(self.page.read_text() + MEASURE.replace("document.title", "parent.document.title"))
                    outer = self.folder / "outer.html"
                    outer.write_text(f'<!DOCTYPE html><iframe src="inner.html{part}" style="width: {width}px; height: 800px; border: 0"></iframe>')
                    said = self.chromium("--allow-file-access-from-files", "--window-size=1400,900", "--virtual-time-budget=4000", "--dump-dom", outer.as_uri())
                    measured = re.search(r"<title>measured (-?\d+)</title>", said)
                    self.assertTrue(measured, said[:400])
                    self.assertEqual(measured[1], "0")

    def test_it_can_be_looked_at(self):
        folder = pathlib.Path(os.environ.get("WORKBOOK_KEEP_PICTURES") or self.folder)
        for width in (400, 1280):
            for theme, words in (("light", []), ("dark", ["--blink-settings=preferredColorScheme=0"])):
                outer = self.folder / "outer.html"
                outer.write_text(f'<!DOCTYPE html><style>body {{ margin: 0 }}</style><iframe scrolling="no" src="index.html" '
                                 f'style="width: {width}px; height: 2600px; border: 0; color-scheme: {theme}"></iframe>')
                picture = folder / f"page-{width}-{theme}.png"
                self.chromium("--allow-file-access-from-files", *words, f"--window-size={max(width, 500)},2600", f"--screenshot={picture}", outer.as_uri())
                self.assertGreater(picture.stat().st_size, 10_000)


if __name__ == "__main__":
    unittest.main()
