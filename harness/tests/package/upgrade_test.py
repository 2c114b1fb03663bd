"""A package in place of an older one, and then none: a learner's folder goes on, with nothing that the older one compiled."""
import os
import shutil
import subprocess
import unittest

from installed import InstalledTest

HEADER = "lib/workbook/harness/include/workbook/run.h"
LATER = "03_guards"  # a puzzle that the older version does not have


class Upgrade(InstalledTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run(["chmod", "-R", "u+w", cls.prefix], check=True)
        cls.versions = {}
        for version in ("99.0.0", "99.0.1"):
            cls.versions[version] = cls.base / version
            shutil.copytree(cls.prefix, cls.versions[version], symlinks=True)
            (cls.versions[version] / "lib/workbook/installed").write_text(version + "\n")
        # A header that says nothing of its change but by what is in it: of as many bytes, at the same time.
        old, file = (cls.prefix / HEADER).stat(), cls.versions["99.0.0"] / HEADER
        file.write_text(("#error of another version\n" + file.read_text())[:old.st_size])
        os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
        for folder in ("puzzles", "solutions"):
            shutil.rmtree(cls.prefix / "lib/workbook" / folder / LATER)
        shutil.rmtree(cls.folder)
        cls.ask("begin", cls.folder)

    def install(self, version):
        shutil.rmtree(self.prefix)
        self.versions[version].rename(self.prefix)

    def mine(self):
        """The learner's own files: what is given are links, and what was recorded is in .workbook."""
        return {path: path.read_bytes() for path in sorted(self.folder.rglob("*"))
                if path.is_file() and not path.is_symlink() and ".workbook" not in path.parts}

    def test_a_folder_outlives_the_package_that_made_it(self):
        self.write(self.solution())
        self.assertIn("CORRECT on every shape", self.ask("run", 1, cwd=self.folder))
        before = self.mine()
        self.assertFalse((self.folder / "puzzles" / LATER / "kernels.cu").exists())

        self.install("99.0.0")
        self.assertIn("of another version", self.ask("run", 1, cwd=self.folder, status=None))
        self.install("99.0.1")
        self.assertIn("CORRECT on every shape", self.ask("run", 1, cwd=self.folder))
        self.assertIn("[x] done", self.ask("list", "--plain", cwd=self.folder))
        self.assertEqual(self.mine(), before)
        self.assertIn("1 file added", self.ask("begin", ".", cwd=self.folder))
        self.assertTrue((self.folder / "puzzles" / LATER / "kernels.cu").exists())
        after = self.mine()
        self.assertEqual({path: after[path] for path in before}, before)

        for name in ("01_map", LATER):  # the learner's own, and no links into what goes away
            self.assertIn(self.folder / "puzzles" / name / "kernels.cu", after)
        shutil.rmtree(self.prefix)
        self.assertEqual(self.mine(), after)
        self.assertTrue((self.folder / ".workbook" / "runs.sqlite").exists())


if __name__ == "__main__":
    unittest.main()
