"""activate, bin/make and the Makefile: what reaches make, and what reaches the workbook."""

import json
import shlex
import sys
import unittest

from checkout import SHELLS, Checkout, CheckoutTest, write_program

RECORDER = f"""#!{sys.executable} -IS
import json, sys
print(json.dumps(sys.argv[1:]))
"""


class WhatMakeGets(CheckoutTest):
    """The real make is replaced by a program that prints what it was given."""

    def setUp(self):
        super().setUp()
        write_program(self.checkout.tools / "make", RECORDER)

    def make(self, line, shell="sh", cwd=None):
        root = shlex.quote(str(self.checkout.root))
        go = f"cd {shlex.quote(str(cwd))} && " if cwd else ""
        status, out, err = self.checkout.run(f"cd {root} && . ./activate && {go}make {line}", shell)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def unharmed(self, line, **options):
        self.assertEqual(self.make(line, **options), shlex.split(line), line)

    def test_what_is_not_for_a_puzzle_passes_unharmed(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                for line in ("", "-j2", "-n", "--dry-run test", "-C 'a folder' all", "-f other.mk x", "nonsense",
                             "CFLAGS='-O2 -g' A='it''s $x \"y\"' all", "-- --odd", "--unknown", "''", "'*' '~' a\\\\b",
                             "-j 2 -k test", "puzzle22", "puzzle22 unfused", "puzzle22 V=1 -j2 -n --dry-run -k",
                             "p1 ARGS='--unfused --size H=64'", "--unfused puzzle22"):
                    self.unharmed(line, shell=shell)

    def test_options_after_a_puzzle_become_its_arguments(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                self.assertEqual(self.make("puzzle22 --unfused", shell), ["puzzle22", "ARGS_puzzle22='--unfused' "])
        self.assertEqual(self.make("puzzle22 -- --unfused"), ["puzzle22", "--", "ARGS_puzzle22='--unfused' "])
        self.assertEqual(self.make("-j2 p22 --fused -n V=1 test"),
                         ["-j2", "p22", "-n", "V=1", "test", "ARGS_p22='--fused' "])

    def test_values_stay_with_their_options(self):
        self.assertEqual(self.make("puzzle22 --size H=64 --backend sim --gpu=h200 fused"),
                         ["puzzle22", "fused", "ARGS_puzzle22='--size' 'H=64' '--backend' 'sim' '--gpu=h200' "])

    def test_each_puzzle_has_its_own_arguments(self):
        self.assertEqual(self.make("puzzle1 --a puzzle22 --b"),
                         ["puzzle1", "ARGS_puzzle1='--a' ", "puzzle22", "ARGS_puzzle22='--b' "])

    def test_quotes_blanks_and_dollars_survive(self):
        self.assertEqual(self.make("""puzzle22 '--note=it'"'"'s $5, "two words"'"""),
                         ["puzzle22", """ARGS_puzzle22='--note=it'\\''s $$5, "two words"' """])

    def test_another_makefile_is_left_alone(self):
        other = self.checkout.tools / "other"
        other.mkdir(exist_ok=True)
        (other / "Makefile").write_text("all:\n")
        root = self.checkout.root
        for line in (f"-C {other} puzzle22 --unfused", f"-kC {other} puzzle22 --unfused",
                     f"--directory={other} puzzle22 --unfused", f"-f {other}/Makefile puzzle22 --unfused"):
            self.unharmed(line)
        self.unharmed("puzzle22 --unfused", cwd=other)
        self.unharmed("puzzle22 --unfused", cwd="/")
        for line in (f"-C {shlex.quote(str(root))}", f"-f {shlex.quote(str(root))}/Makefile"):
            self.assertEqual(self.make(f"{line} puzzle22 --x", cwd=other),
                             [*shlex.split(line), "puzzle22", "ARGS_puzzle22='--x' "])

    def test_two_checkouts_on_path_do_not_hand_it_to_each_other(self):
        with Checkout() as other:
            root, foreign = shlex.quote(str(self.checkout.root)), shlex.quote(str(other.root / "bin"))
            status, out, err = self.checkout.run(
                f"cd {root} && PATH={foreign}:$PATH && . ./activate && make puzzle22 --unfused")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(json.loads(out), ["puzzle22", "ARGS_puzzle22='--unfused' "])

    def test_a_puzzle_goal_works_in_the_folders_below(self):
        below = self.checkout.root / "puzzles" / "22_x"
        below.mkdir(parents=True, exist_ok=True)
        self.assertEqual(self.make("puzzle22 --x", cwd=below),
                         ["--no-print-directory", "-C", str(self.checkout.root), "puzzle22", "ARGS_puzzle22='--x' "])
        self.unharmed("test", cwd=below)


class WhatTheWorkbookGets(CheckoutTest):
    """GNU make and our Makefile; the launcher is replaced by a program that prints what it was given."""

    def setUp(self):
        super().setUp()
        write_program(self.checkout.root / "bin" / "workbook", RECORDER)

    def lines(self, command, shell="sh"):
        status, out, err = self.checkout.run(command, shell)
        self.assertEqual((status, err), (0, ""), command)
        return [json.loads(line) for line in out.splitlines()]

    def test_every_spelling_reaches_the_same_place(self):
        for command in (". ./activate && make puzzle22 --unfused", "make puzzle22 unfused", "make p22 unfused",
                        "make puzzle22 -- --unfused", "make puzzle22 ARGS=--unfused", "make -j2 puzzle22 unfused"):
            with self.subTest(command=command):
                self.assertEqual(self.lines(command), [["run", "22", "--unfused"]])
        for shell in SHELLS:
            with self.subTest(shell=shell):
                self.assertEqual(self.lines(". ./activate && make puzzle22 --unfused", shell),
                                 [["run", "22", "--unfused"]])

    def test_numbers_are_handed_over_as_typed(self):
        self.assertEqual(self.lines("make puzzle1"), [["run", "1"]])
        self.assertEqual(self.lines("make puzzle01"), [["run", "01"]])

    def test_words_become_flags_of_the_puzzle_before_them(self):
        self.assertEqual(self.lines("make puzzle1 a b puzzle22 fused list"),
                         [["run", "1", "--a", "--b"], ["run", "22", "--fused"], ["list"]])
        self.assertEqual(self.lines("make puzzle22 -- --backend sim fused"),
                         [["run", "22", "--backend", "sim", "--fused"]])
        self.assertEqual(self.lines("""make puzzle22 ARGS='--size H=64 "a b"'"""),
                         [["run", "22", "--size", "H=64", "a b"]])
        self.assertEqual(self.lines(""". ./activate && make puzzle22 --size H=64 '--note=it'"'"'s $HOME'"""),
                         [["run", "22", "--size", "H=64", "--note=it's $HOME"]])

    def test_a_file_called_like_a_goal_is_no_obstacle(self):
        for name in ("puzzle22", "unfused", "list"):
            (self.checkout.root / name).write_text("")
        self.assertEqual(self.lines("make puzzle22 unfused list"), [["run", "22", "--unfused"], ["list"]])

    def test_a_dry_run_runs_nothing(self):
        status, out, _ = self.checkout.run(". ./activate && make -n puzzle22 --unfused")
        self.assertEqual(status, 0)
        self.assertEqual(shlex.split(out)[:4], ["./bin/workbook", "run", "22", "--unfused"])

    def test_the_workbooks_status_is_visible(self):
        write_program(self.checkout.root / "bin" / "workbook", "#!/bin/sh\nexit 1\n")
        status, out, err = self.checkout.run("make puzzle22 unfused")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"puzzle22\] Error 1\n$")

    def test_an_unknown_goal_is_refused(self):
        status, _, err = self.checkout.run(". ./activate && make nonsense")
        self.assertEqual(status, 2)
        self.assertIn("No rule to make target 'nonsense'", err)

    def test_make_alone_lists_the_goals(self):
        status, out, err = self.checkout.run("make")
        self.assertEqual((status, err), (0, ""))
        for goal in ("puzzle22", "test", "viewer", "book", "watch", "list", "doctor", "bench", "format", "clean"):
            self.assertRegex(out, rf"(?m)^  {goal} ")


class Activate(CheckoutTest):
    def test_twice_is_as_good_as_once_and_deactivate_undoes_it(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                status, out, err = self.checkout.run(
                    "set -eu; before=$PATH; . ./activate; . ./activate; once=$PATH; deactivate_workbook; "
                    "[ \"$PATH\" = \"$before\" ] && echo \"${once%%:*}\"; command -v deactivate_workbook || echo gone",
                    shell)
                self.assertEqual((status, err), (0, ""))
                self.assertEqual(out, f"{self.checkout.root}/bin\ngone\n")

    def test_bash_and_zsh_find_the_folder_from_anywhere(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                status, out, err = self.checkout.run(
                    f". {shlex.quote(str(self.checkout.root))}/activate && echo \"${{PATH%%:*}}\"", shell, cwd="/")
                if shell == "dash":
                    self.assertEqual(out, "")
                    self.assertNotEqual(status, 0)
                    self.assertIn("Go there first", err)
                else:
                    self.assertEqual((status, out, err), (0, f"{self.checkout.root}/bin\n", ""))

    def test_a_second_checkout_takes_over(self):
        with Checkout() as other:
            for shell in SHELLS:
                with self.subTest(shell=shell):
                    _, out, _ = self.checkout.run(
                        f". ./activate; cd {shlex.quote(str(other.root))}; . ./activate; echo \"$PATH\"", shell)
                    self.assertTrue(out.startswith(f"{other.root}/bin:"))
                    self.assertNotIn(str(self.checkout.root), out)


if __name__ == "__main__":
    unittest.main()
