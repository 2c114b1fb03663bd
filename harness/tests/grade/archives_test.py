"""Archives that would like to be something else: each is refused with its words, or read as what it is."""
import io
import subprocess
import tarfile
import unittest
import xml.etree.ElementTree

import class_test
from course import GradeTest


class Archives(GradeTest):
    PUZZLES = ("01_map",)

    def test_archives_that_would_like_to_be_something_else(self):
        (self.root / "course.toml").write_text("[[task]]\npuzzle = 1\npoints = 5\n")
        folder, right = self.root / "odd", self.solution("01_map").encode()
        folder.mkdir()
        class_test.zipped(folder / "inner.zip", {"1/kernels.cu": right})
        class_test.zipped(folder / "nested.zip", {"work.zip": (folder / "inner.zip").read_bytes()})
        class_test.zipped(folder / "absolute.zip", {"/1/kernels.cu": right})
        class_test.zipped(folder / "cases.zip", {"1/KERNELS.CU": b"other", "1/Kernels.cu": b"other", "1/kernels.cu": right})
        class_test.zipped(folder / "long.zip", {"1/" + 5000 * "a" + "/kernels.cu": right})
        class_test.zipped(folder / "locked.zip", {"1/kernels.cu": right})
        locked = bytearray((folder / "locked.zip").read_bytes())
        for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):  # as if there were a password
            locked[locked.index(mark) + flags] |= 1
        (folder / "locked.zip").write_bytes(locked)
        with open(folder / "kernels.cu", "wb") as file:
            file.truncate(1 << 40)
        subprocess.run(["tar", "--sparse", "-C", folder, "-cf", folder / "sparse.tar", "kernels.cu"], check=True)
        (folder / "kernels.cu").unlink()
        with tarfile.open(folder / "bytes.tar", "w", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
            entry = tarfile.TarInfo("\xff\xfe\x9b/1/kernels.cu")
            entry.size = len(right)
            archive.addfile(entry, io.BytesIO(right))
        status, said = self.grade(folder, "--course", "course.toml", "--out", "odd-grades")
        self.assertEqual(status, 0, said)
        rows = self.rows(self.root / "odd-grades")
        for learner, words in (("nested", "archives within archives are not opened"), ("absolute", "a path that leads out of it"),
                               ("long", "a path of more than 4096 characters"), ("locked", "the archive is encrypted"),
                               ("sparse", "is larger than 1024 KB")):
            self.assertIn(words, rows[learner]["trouble"])
            self.assertEqual(float(rows[learner]["score"]), 0)
        for learner in ("inner", "cases", "bytes"):
            self.assertEqual((float(rows[learner]["score"]), rows[learner]["trouble"]), (5, ""))
        xml.etree.ElementTree.parse(self.root / "odd-grades/junit.xml")
        (self.root / "odd-grades/index.html").read_text(encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
