"""An installed workbook in a prefix of its own, and a learner's folder of somebody who may not write to the prefix."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

NOBODY = 65534
SOLVED, WRONG, USAGE = 0, 1, 2


class InstalledTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="workbook-package-"))
        cls.base.chmod(0o755)
        cls.prefix = cls.base / "pre fix"
        for component in ("grader", "workbook"):
            subprocess.run(["cmake", "--install", os.environ["WORKBOOK_BUILD"], "--component", component, "--prefix", cls.prefix],
                           check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["chmod", "-R", "a-w", cls.prefix], check=True)
        cls.home = cls.base / "home"
        cls.home.mkdir()
        if os.geteuid() == 0:
            os.chown(cls.home, NOBODY, NOBODY)
        cls.folder = cls.home / "my class" / "ein Ordner"
        cls.told = cls.ask("begin", cls.folder)

    @classmethod
    def tearDownClass(cls):
        subprocess.run(["chmod", "-R", "u+w", cls.base], check=False)
        shutil.rmtree(cls.base, ignore_errors=True)

    @classmethod
    def ask(cls, *words, cwd=None, status=SOLVED):
        """What the installed program says, to a user who owns the learner's folder and nothing else. `status` None: any."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WORKBOOK_", "XDG_"))}
        environment.update(HOME=str(cls.home), NO_COLOR="1")
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run([cls.prefix / "bin" / "workbook", *map(str, words)], cwd=cwd or cls.home, env=environment, text=True,
                              capture_output=True, **user)
        said = " ".join((done.stdout + done.stderr).split())
        assert status is None or done.returncode == status, f"workbook {words}: {done.returncode} instead of {status}: {said}"
        return said

    def kernels(self):
        return self.folder / "puzzles" / "01_map" / "kernels.cu"

    def solution(self, name="01_map"):
        return (self.prefix / "lib/workbook/solutions" / name / "kernels.cu").read_text()

    def write(self, text):
        self.kernels().write_text(text)
