"""A learner's folder with an installed workbook: from `begin` to a verdict, by a user who may not write to the prefix."""
import os
import shutil
import subprocess
import unittest

from installed import NOBODY, USAGE, WRONG, InstalledTest


def tree(folder):
    """Every file with its time and size: the same again where nothing was written."""
    return {path: (path.lstat().st_mtime_ns, path.lstat().st_size) for path in sorted(folder.rglob("*"))}


class Installed(InstalledTest):
    def test_1_a_skeleton_is_asked_for_and_a_solution_is_correct(self):
        self.assertIn("ein Ordner' && workbook run 1", self.told)
        before = tree(self.prefix)
        said = self.ask("run", 1, cwd=self.folder, status=WRONG)
        self.assertIn("Open: puzzles/01_map/kernels.cu:18", said)
        skeleton = self.kernels().read_text()
        self.write(self.solution())
        self.assertIn("CORRECT on every shape", self.ask("run", 1, cwd=self.folder / "puzzles"))
        self.assertIn("[x] done", self.ask("list", "--plain", cwd=self.folder))
        self.assertIn("Undo: cp", self.ask("reset", 1, "--yes", cwd=self.folder))
        self.assertEqual(self.kernels().read_text(), skeleton)
        self.assertEqual(tree(self.prefix), before)
        self.assertTrue((self.folder / ".workbook" / "runs.sqlite").exists())

    def test_2_a_wrong_line_is_shown_where_the_learner_wrote_it(self):
        self.write(self.solution().replace("a[i] + 10", "a[i] + 11"))
        self.assertIn("puzzles/01_map/kernels.cu:", self.ask("run", 1, cwd=self.folder, status=WRONG))

    def test_begin_again_adds_what_is_missing_and_nothing_else(self):
        mine = self.folder / "puzzles" / "03_guards" / "kernels.cu"
        mine.write_text("// mine\n")
        gone = self.folder / "puzzles" / "04_map_2d" / "kernels.cu"
        skeleton = gone.read_text()
        gone.unlink()
        self.assertIn("1 file added", self.ask("begin", self.folder))
        self.assertEqual(mine.read_text(), "// mine\n")
        self.assertEqual(gone.read_text(), skeleton)
        self.assertIn("nothing was changed", self.ask("begin", ".", cwd=self.folder))

    def test_a_folder_with_files_is_left_alone(self):
        taken = self.home / "taken"
        taken.mkdir()
        (taken / "thesis.tex").write_text("years of work")
        self.assertIn("Nothing was written", self.ask("begin", taken, status=USAGE))
        self.assertEqual([path.name for path in taken.iterdir()], ["thesis.tex"])
        self.assertIn("is no folder", self.ask("begin", taken / "thesis.tex", status=USAGE))

    def test_a_new_repository_of_git_is_an_empty_folder(self):
        if not shutil.which("git"):
            self.skipTest("there is no git")
        folder = self.home / "repository"
        folder.mkdir()
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        subprocess.run(["git", "init", "-q", folder], check=True)
        self.ask("begin", folder)
        subprocess.run(["git", "-c", "safe.directory=*", "-C", folder, "add", "-A"], check=True)
        added = subprocess.run(["git", "-c", "safe.directory=*", "-C", folder, "ls-files"], check=True, text=True,
                               capture_output=True).stdout.splitlines()
        self.assertIn("puzzles/01_map/kernels.cu", added)
        self.assertIn(".workbook-folder", added)
        links = [name for name in added if (folder / name).is_symlink()]
        self.assertEqual(links, [])

    def test_outside_of_a_folder_it_says_how_to_begin(self):
        self.assertIn("workbook begin FOLDER", self.ask("run", 1, status=USAGE))
        self.assertIn("workbook begin FOLDER", self.ask("list", status=USAGE))

    def test_a_program_of_ones_own_needs_no_folder(self):
        program = self.home / "own.cu"
        program.write_text("#include <cstdio>\n__global__ void fill(int* p) { p[threadIdx.x] = 1; }\n"
                           "int main() {\n  int* p;\n  cudaMalloc(&p, 31 * sizeof(int));\n  fill<<<1, 32>>>(p);\n"
                           "  cudaDeviceSynchronize();\n  std::puts(\"done\");\n}\n")
        said = self.ask("sim", program, status=WRONG)
        self.assertIn("done", said)
        self.assertIn("own.cu:2", said)

    def test_puzzles_are_written_in_a_checkout(self):
        self.assertIn("checkout", self.ask("new", 99, "mine", cwd=self.folder, status=USAGE))

    def test_zz_a_prefix_that_was_moved_goes_on(self):
        moved = self.base / "moved"
        type(self).prefix = self.prefix.rename(moved)
        given = self.folder / "puzzles" / "01_map" / "launches.cu"
        self.assertFalse(given.exists())
        self.ask("begin", ".", cwd=self.folder)
        self.assertTrue(given.resolve().is_relative_to(moved))
        self.write(self.solution())
        self.assertIn("CORRECT on every shape", self.ask("run", 1, cwd=self.folder))


if __name__ == "__main__":
    unittest.main()
