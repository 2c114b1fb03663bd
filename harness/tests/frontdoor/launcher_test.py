"""bin/workbook and cmake/build.sh: what is built, when, and what becomes of failures. The project that they
build here has no compiler to wait for: its program is a script that is copied into place."""

import json
import shutil
import unittest

from checkout import CheckoutTest, write_program

PRESETS = {
    "version": 6,
    "configurePresets": [{"name": "sim", "generator": "Ninja", "binaryDir": "${sourceDir}/build/sim"}],
}
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES NONE)
add_custom_command(OUTPUT harness/cli/workbook DEPENDS ${CMAKE_SOURCE_DIR}/program
  COMMAND grep -q . ${CMAKE_SOURCE_DIR}/program
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program harness/cli/workbook)
add_custom_target(workbook_cli ALL DEPENDS harness/cli/workbook)
"""


@unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "needs cmake and ninja")
class Launcher(CheckoutTest):
    def setUp(self):
        super().setUp()
        root = self.checkout.root
        (root / "cmake" / "packages.txt").write_text("# nothing is needed\n")
        (root / "CMakePresets.json").write_text(json.dumps(PRESETS))
        (root / "CMakeLists.txt").write_text(PROJECT)
        write_program(root / "program", '#!/bin/sh\necho "one $*"\nexit 3\n')

    def workbook(self, arguments="run 22", **options):
        return self.checkout.run(f"bin/workbook {arguments}", WORKBOOK_PRESET="sim", **options)

    def test_builds_at_first_and_then_only_what_changed(self):
        status, out, err = self.workbook("run 22 'a b'")
        self.assertEqual((status, out), (3, "one run 22 a b\n"))
        self.assertIn("configuring build/sim", err)
        self.assertIn("1 of 1", err)
        self.assertEqual(self.workbook(), (3, "one run 22\n", ""))

        write_program(self.checkout.root / "program", '#!/bin/sh\necho "two $*"\n')
        status, out, err = self.workbook()
        self.assertEqual((status, out), (0, "two run 22\n"))
        self.assertNotIn("configuring", err)
        self.assertIn("building build/sim", err)

    def test_works_from_anywhere_and_through_a_link(self):
        link = self.checkout.tools / "wb"
        link.symlink_to(self.checkout.root / "bin" / "workbook")
        status, out, _ = self.checkout.run("wb list", cwd="/", WORKBOOK_PRESET="sim")
        self.assertEqual((status, out), (3, "one list\n"))

    def test_a_build_that_fails_is_the_workbooks_fault(self):
        (self.checkout.root / "program").write_text("")
        status, out, err = self.workbook()
        self.assertEqual((status, out), (5, ""))
        self.assertIn("the build failed", err)

    def test_a_configuration_that_fails_says_why(self):
        (self.checkout.root / "CMakeLists.txt").write_text(PROJECT + 'message(FATAL_ERROR "no such luck")\n')
        status, out, err = self.workbook()
        self.assertEqual((status, out), (5, ""))
        self.assertIn("no such luck", err)

    def test_a_checkout_that_was_moved_is_built_again(self):
        self.workbook()
        moved = self.checkout.root.parent / "moved"
        self.checkout.root.rename(moved)
        write_program(moved / "program", "#!/bin/sh\necho moved\n")
        status, out, err = self.checkout.run("bin/workbook", cwd=moved, WORKBOOK_PRESET="sim")
        self.assertEqual((status, out), (0, "moved\n"), err)

    def test_two_at_once_wait_for_each_other(self):
        status, out, err = self.checkout.run("bin/workbook a & bin/workbook b & wait", WORKBOOK_PRESET="sim")
        self.assertEqual((status, sorted(out.splitlines())), (0, ["one a", "one b"]), err)

    def test_a_folder_that_cannot_be_written(self):
        (self.checkout.root / "build").write_text("")
        status, _, err = self.workbook()
        self.assertEqual(status, 5)
        self.assertIn("cannot be written", err)


if __name__ == "__main__":
    unittest.main()
