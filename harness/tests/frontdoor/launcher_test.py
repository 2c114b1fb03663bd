"""bin/workbook and cmake/build.sh: what is built, when, and what becomes of failures. The project that they
build here has no compiler to wait for: its program is a script that is copied into place."""

import json
import shutil
import unittest

from checkout import CheckoutTest, write_program

PRESETS = {
    "version": 3,
    "configurePresets": [
        {"name": "sim", "generator": "Ninja", "binaryDir": "${sourceDir}/build/workbook"},
        {"name": "viewer", "inherits": "sim", "cacheVariables": {"WITH_VIEWER": True}},
    ],
}
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(stand_in LANGUAGES NONE)
add_custom_command(OUTPUT harness/cli/workbook DEPENDS ${CMAKE_SOURCE_DIR}/program
  COMMAND grep -q . ${CMAKE_SOURCE_DIR}/program
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program harness/cli/workbook)
add_custom_target(workbook_cli ALL DEPENDS harness/cli/workbook)
add_custom_command(OUTPUT more.built DEPENDS ${CMAKE_SOURCE_DIR}/more
  COMMAND grep -q . ${CMAKE_SOURCE_DIR}/more
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/more harness/cli/workbook_more
  COMMAND ${CMAKE_COMMAND} -E touch more.built)
add_custom_target(workbook_more DEPENDS more.built)
foreach(name workbook_sim_libraries workbook_viewer tests)
  if(name STREQUAL workbook_viewer AND NOT WITH_VIEWER)
    continue()
  endif()
  add_custom_command(OUTPUT ${name}.built COMMAND ${CMAKE_COMMAND} -E touch ${name}.built)
  add_custom_target(${name} ALL DEPENDS ${name}.built)
endforeach()
"""
# Six steps, one after the other because each needs the one before it.
SLOW = PROJECT.replace("DEPENDS ${CMAKE_SOURCE_DIR}/program", "DEPENDS ${CMAKE_SOURCE_DIR}/program step5") + """
foreach(step RANGE 1 5)
  math(EXPR before "${step} - 1")
  if(step EQUAL 1)
    set(before "")
  else()
    set(before step${before})
  endif()
  add_custom_command(OUTPUT step${step} DEPENDS ${before} COMMAND ${CMAKE_COMMAND} -E sleep 0.6
    COMMAND ${CMAKE_COMMAND} -E touch step${step})
endforeach()
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
        self.assertIn("configuring (sim)", err)
        self.assertIn("1 of 1", err)
        self.assertEqual(self.built(), [])
        self.assertEqual(self.workbook(), (3, "one run 22\n", ""))

        write_program(self.checkout.root / "program", '#!/bin/sh\necho "two $*"\n')
        status, out, err = self.workbook()
        self.assertEqual((status, out), (0, "two run 22\n"))
        self.assertNotIn("configuring", err)
        self.assertIn("workbook: building", err)

    def built(self):
        """What was built beside the program."""
        return sorted(path.stem for path in (self.checkout.root / "build" / "workbook").glob("*.built"))

    def test_what_only_sim_links_is_built_when_it_is_asked_for(self):
        self.workbook("run 22 sim")
        self.assertEqual(self.built(), [])
        _, _, err = self.workbook("sim a.cu")
        self.assertIn("1 of 1", err)
        self.assertEqual(self.built(), ["workbook_sim_libraries"])
        self.assertEqual(self.workbook("sim a.cu"), (3, "one sim a.cu\n", ""))

    def test_a_verb_of_another_program_is_built_when_it_is_asked_for(self):
        # What the program does that lacks the verb: harness/cli/commands/elsewhere.cpp.
        write_program(self.checkout.root / "program", '#!/bin/sh\n[ -n "$WORKBOOK_LAUNCHED" ] || exit 9\n'
                      'WORKBOOK_PART=workbook_more exec "${0%/build/*}/bin/workbook" "$@"\n')
        write_program(self.checkout.root / "more", '#!/bin/sh\necho "more $* ${WORKBOOK_PART-}"\nexit 4\n')
        status, out, err = self.workbook("sweep 'a b'")
        self.assertEqual((status, out), (4, "more sweep a b \n"), err)
        self.assertIn("`sweep` needs a part of the workbook that the first verdict does not wait for: it is built now, once.", err)
        self.assertEqual(self.workbook("sweep 1"), (4, "more sweep 1 \n", ""))
        write_program(self.checkout.root / "more", "")
        status, out, err = self.workbook("sweep 1")
        self.assertEqual((status, out), (5, ""))
        self.assertIn("the build failed", err)

    def test_a_preset_adds_to_the_folder_and_the_others_stay_configured(self):
        self.workbook()
        program = self.checkout.root / "build" / "workbook" / "harness" / "cli" / "workbook"
        made = program.stat().st_mtime_ns
        status, _, err = self.checkout.run("cmake/build.sh viewer")
        self.assertEqual(status, 0, err)
        self.assertIn("configuring (viewer)", err)
        self.assertEqual(self.built(), ["workbook_viewer"])
        self.assertEqual(self.workbook(), (3, "one run 22\n", ""))
        self.assertEqual(self.checkout.run("cmake/build.sh viewer"), (0, "", ""))
        self.assertEqual(program.stat().st_mtime_ns, made)

    def test_what_is_left_is_said_in_seconds(self):
        (self.checkout.root / "CMakeLists.txt").write_text(SLOW)
        _, _, err = self.workbook()
        self.assertRegex(err, r"(?m)^  4 of 6, about [1-9][0-9]* s left$")
        self.assertRegex(err, r"(?m)^  6 of 6$")

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

    def test_a_preset_that_cannot_be_configured_leaves_the_others_alone(self):
        (self.checkout.root / "CMakeLists.txt").write_text(
            PROJECT + 'if(WITH_VIEWER)\n  message(FATAL_ERROR "nothing to be had")\nendif()\n')
        for _ in range(2):
            status, _, err = self.checkout.run("cmake/build.sh viewer")
            self.assertEqual(status, 5)
            self.assertIn("nothing to be had", err)
            status, out, err = self.workbook()
            self.assertEqual((status, out), (3, "one run 22\n"), err)

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
