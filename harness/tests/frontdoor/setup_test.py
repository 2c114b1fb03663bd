"""cmake/setup.sh: what it finds missing, what it asks, what it installs. dpkg-query, apt-get, sudo and id are
stand-ins: `installed` in the folder of tools says what dpkg has, and the apt-get of the tests adds to it."""

import os
import pty
import unittest

from checkout import ROOT, CheckoutTest, write_program

TABLE = """# goal | package | probe | what for
run  | present     | -           | was always there
run  | absent-dev  | -           | has to be fetched
run  | elsewhere   | sh          | came without a package
test | also-absent | <no/such.h> | is for tests
"""
DPKG_QUERY = """#!/bin/sh
shift 2
for package do grep -qx "$package" "{tools}/installed" && echo "installed $package"; done
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >>"{tools}/calls"
case " $* " in *" update "*) touch "{tools}/updated"; exit ;; esac
[ -e "{tools}/updated" ] || {{ echo "E: Unable to locate package" >&2; exit 100; }}
for line in pmstatus:absent-dev:50.0:Unpacking pmstatus:absent-dev:amd64:75.5:Configuring "pmstatus:a:b:c:d" "odd line" \\
  pmstatus:: :; do echo "$line"; done
sleep 0.1
echo "a package's script fails when nobody reads this" || exit 100
for word do case $word in *absent*) echo "$word" >>"{tools}/installed" ;; esac; done
"""


def is_bookworm():
    try:
        return "VERSION_CODENAME=bookworm" in open("/etc/os-release").read()
    except OSError:
        return False


@unittest.skipUnless(is_bookworm(), "the table is for Debian 12")
class Setup(CheckoutTest):
    def setUp(self):
        super().setUp()
        (self.checkout.root / "cmake" / "packages.txt").write_text(TABLE)
        (self.checkout.tools / "installed").write_text("present\n")
        self.tool("dpkg-query", DPKG_QUERY)
        self.tool("apt-get", APT_GET)
        self.tool("id", "#!/bin/sh\necho 0\n")

    def tool(self, name, text):
        write_program(self.checkout.tools / name, text.format(tools=self.checkout.tools))

    def calls(self):
        calls = self.checkout.tools / "calls"
        return calls.read_text() if calls.exists() else ""

    def setup_sh(self, goals="run", **variables):
        return self.checkout.run(f"cmake/setup.sh {goals}", **variables)

    def not_root(self, sudo='#!/bin/sh\n[ "$1" = -n ] && shift\necho "sudo $*" >>"{tools}/calls"\nexec "$@"\n'):
        self.tool("id", "#!/bin/sh\necho 1000\n")
        self.tool("sudo", sudo)

    def answer(self, text):
        """Runs it on a terminal where somebody types the text."""
        ours, theirs = pty.openpty()
        try:
            os.write(ours, text.encode())
            with os.fdopen(theirs) as terminal:
                return self.checkout.run("cmake/setup.sh run", stdin=terminal)
        finally:
            os.close(ours)

    def test_root_is_told_and_not_asked(self):
        status, out, err = self.setup_sh()
        self.assertEqual((status, out), (0, ""), err)
        self.assertRegex(err, r"absent-dev +has to be fetched")
        self.assertNotIn("was always there", err)
        self.assertNotIn("came without", err)
        self.assertNotIn("is for tests", err)
        self.assertRegex(self.calls(), r"update\n.*install --no-install-recommends absent-dev\n")

    def test_the_second_time_nothing_is_looked_at(self):
        self.setup_sh()
        for name in ("dpkg-query", "apt-get", "awk"):
            self.tool(name, "#!/bin/sh\necho called >&2\nexit 1\n")
        self.assertEqual(self.setup_sh(), (0, "", ""))

    def test_a_changed_table_is_looked_at_again(self):
        self.setup_sh()
        with open(self.checkout.root / "cmake" / "packages.txt", "a") as table:
            table.write("run | absent-too | - | is new\n")
        status, _, err = self.setup_sh()
        self.assertEqual(status, 0)
        self.assertIn("is new", err)
        self.assertNotIn("has to be fetched", err)

    def test_goals_add_up(self):
        self.setup_sh("run test")
        self.assertIn("absent-dev also-absent", self.calls())

    def test_without_a_terminal_sudo_is_not_used_and_the_command_is_said(self):
        self.not_root()
        status, _, err = self.setup_sh()
        self.assertEqual(status, 5)
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends absent-dev\n", err)
        self.assertEqual(self.calls(), "")

    def test_yes_beforehand_uses_sudo(self):
        self.not_root()
        for name in ("WORKBOOK_YES", "CI"):
            with self.subTest(name=name):
                (self.checkout.tools / "installed").write_text("present\n")
                status, _, err = self.setup_sh(**{name: "1"})
                self.assertEqual(status, 0, err)
                self.assertRegex(self.calls(), r"sudo env .*apt-get .*install")

    def test_yes_beforehand_is_no_password(self):
        self.not_root(sudo="#!/bin/sh\nexit 1\n")
        status, _, err = self.setup_sh(WORKBOOK_YES=1)
        self.assertEqual(status, 5)
        self.assertIn("sudo apt-get install -y --no-install-recommends absent-dev\n", err)

    def test_on_a_terminal_the_answer_counts(self):
        self.not_root()
        status, _, err = self.answer("n\n")
        self.assertEqual(status, 5)
        self.assertIn("Install them now with sudo? [y/N]", err)
        self.assertEqual(self.calls(), "")
        status, _, err = self.answer("y\n")
        self.assertEqual(status, 0, err)
        self.assertIn("sudo env", self.calls())

    def test_an_installation_that_fails_shows_why(self):
        self.tool("apt-get", "#!/bin/sh\necho 'E: no space left' >&2\nexit 100\n")
        status, _, err = self.setup_sh()
        self.assertEqual(status, 5)
        self.assertIn("E: no space left", err)


class Table(unittest.TestCase):
    def test_every_row_has_four_columns_and_a_known_goal(self):
        rows = [line for line in (ROOT / "cmake" / "packages.txt").read_text().splitlines()
                if line and not line.startswith("#")]
        for row in rows:
            goal, package, probe, reason = (column.strip() for column in row.split("|"))
            self.assertIn(goal, ("run", "viewer", "page", "book", "test", "format", "bench"), row)
            self.assertRegex(package, r"^[a-z0-9.+-]+$")
            self.assertTrue(probe and reason, row)


if __name__ == "__main__":
    unittest.main()
