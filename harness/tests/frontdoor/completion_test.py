"""Tab completion that `activate` sets up: what bash and zsh offer for a line that was begun."""

import shutil
import unittest

from checkout import CheckoutTest, write_program

# Stands in for the program: it says what it was asked with, and offers two words.
PROGRAM = """#!/bin/sh
echo "$*" >>"$ASKED"
echo --fused
echo --unfused
"""


class Completion(CheckoutTest):
    def setUp(self):
        super().setUp()
        write_program(self.checkout.root / "build" / "workbook" / "harness" / "cli" / "workbook", PROGRAM)
        self.asked = self.checkout.root / "asked.txt"

    def run_in(self, shell, line):
        return self.checkout.run(line, shell=shell, WORKBOOK_PRESET="sim", ASKED=self.asked)

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_bash_offers_what_begins_as_the_word_does(self):
        status, out, err = self.run_in("bash", """. ./activate
            COMP_WORDS=(workbook run 22 --f) COMP_CWORD=3
            _workbook_complete
            echo "${COMPREPLY[@]}"
            complete -p workbook""")
        self.assertEqual((status, out), (0, "--fused\ncomplete -F _workbook_complete workbook\n"), err)
        self.assertEqual(self.asked.read_text(), "complete run 22\n")

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_bash_is_as_it_was_afterwards(self):
        status, out, err = self.run_in("bash", """. ./activate && deactivate_workbook
            complete -p workbook 2>/dev/null || echo gone; declare -F _workbook_complete || echo gone""")
        self.assertEqual((status, out), (0, "gone\ngone\n"), err)

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_registers_where_compinit_ran_and_asks_with_the_words_before(self):
        status, out, err = self.run_in("zsh", """autoload -Uz compinit && compinit -u -D
            . ./activate
            echo "$_comps[workbook]"
            compadd() { shift; echo "offers $*" }
            words=(workbook run 22 --f) CURRENT=4
            _workbook_complete""")
        self.assertEqual((status, out), (0, "_workbook_complete\noffers --fused --unfused\n"), err)
        self.assertEqual(self.asked.read_text(), "complete run 22\n")

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_without_compinit_is_left_alone(self):
        status, _, err = self.run_in("zsh", ". ./activate && ! typeset -f _workbook_complete")
        self.assertEqual((status, err), (0, ""))

    def test_nothing_is_built_for_a_press_of_tab(self):
        shutil.rmtree(self.checkout.root / "build")
        status, out, err = self.run_in("sh", "bin/workbook complete run")
        self.assertEqual((status, out, err), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
