"""A small checkout for the tests of the front door: the real activate, bin/, cmake/ scripts and Makefile, and
stand-ins for what they start. Its path has a space in it, as some people's have."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHELLS = [shell for shell in ("bash", "dash", "zsh") if shutil.which(shell)]


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Checkout:
    """Use as a context manager. `tools` is a folder that run() puts on PATH after the checkout's own."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="frontdoor-")
        base = pathlib.Path(self._folder.name).resolve()
        self.root = base / "work book"
        self.tools = base / "tools"
        self.tools.mkdir()
        (self.root / "cmake").mkdir(parents=True)
        shutil.copytree(ROOT / "bin", self.root / "bin")
        for name in ("Makefile", "activate"):
            shutil.copy(ROOT / name, self.root / name)
        for name in ("setup.sh", "build.sh", "packages.txt"):
            shutil.copy(ROOT / "cmake" / name, self.root / "cmake" / name)
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def run(self, command, shell="sh", cwd=None, stdin=subprocess.DEVNULL, **variables):
        """The command line's exit status, standard output and standard error."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("WORKBOOK_", "MAKE", "MFLAGS")) and name not in ("CI", "ARGS")}
        # `make test` may have come from an activated shell: its checkout is not the one under test.
        folders = [folder for folder in environment["PATH"].split(":") if not os.path.exists(f"{folder}/workbook")]
        environment["PATH"] = ":".join([str(self.tools), *folders])
        environment.update({name: str(value) for name, value in variables.items()})
        done = subprocess.run([shell, "-c", command], cwd=cwd or self.root, env=environment, stdin=stdin,
                              capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr


class CheckoutTest(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout()
        self.checkout.__enter__()
        self.addCleanup(self.checkout.__exit__)
