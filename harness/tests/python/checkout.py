"""A folder of puzzles to call from Python: the interface's examples, puzzle 22, and what a test makes of them."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from state import share_cache

REPOSITORY = Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "harness/tests/interface"


class Checkout:
    """The interface's examples and puzzle 22, in a folder of its own."""

    def __init__(self, program):
        self.program = program
        self.root = Path(tempfile.mkdtemp(prefix="op-test-"))
        for kind in ("puzzles", "solutions"):
            shutil.copytree(EXAMPLES / kind, self.root / kind)
            shutil.copytree(REPOSITORY / kind / "22_layernorm_linear", self.root / kind / "22_layernorm_linear")
        self.state = self.root / "state"
        self.state.mkdir()
        share_cache(self.state)
        os.environ.update(WORKBOOK_ROOT=str(self.root), WORKBOOK_STATE=str(self.state), NO_COLOR="1")
        for origin in ([], ["--solution"]):
            self.workbook("op", "22", "--env", "--python", sys.executable, *origin)
        self.loaded = 0

    def workbook(self, *words, status=0):
        done = subprocess.run([self.program, *words], capture_output=True, text=True)
        if done.returncode != status:
            raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def module(self, number, origin="solution"):
        self.loaded += 1
        name = f"puzzle{number:02}_{self.loaded}"
        spec = importlib.util.spec_from_file_location(name, self.state / f"op/{origin}/puzzle{number:02}.py")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def edited(self, folder, old, new):
        """The module of the solution with one change, as the learner's."""
        text = (self.root / "solutions" / folder / "kernels.cu").read_text()
        assert text.count(old) == 1, old
        (self.root / "puzzles" / folder / "kernels.cu").write_text(text.replace(old, new))
        return self.module(int(folder[:2]), "learner")

    def remove(self):
        shutil.rmtree(self.root)
