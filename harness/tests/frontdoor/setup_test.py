"""cmake/setup.sh: what it finds missing, what it asks, what it installs. dpkg, dpkg-query, apt-get, sudo, id and
/etc/os-release are stand-ins: `installed` in the folder of tools says what dpkg has, and the apt-get of the tests adds to it."""

import os
import pty
import re
import unittest

from checkout import ROOT, CheckoutTest, write_program

TABLE = """# goal | package | probe | what for
run  | present     | -           | was always there
run  | absent-dev  | -           | has to be fetched
run  | elsewhere   | sh          | came without a package
test | also-absent | <no/such.h> | is for tests
arm  | absent-dev:arm64 | - | is of another processor

trixie | absent-dev | absent-too
noble  | absent-dev | -
"""
SYSTEMS = ("bookworm", "trixie", "jammy", "noble")
DPKG_QUERY = """#!/bin/sh
shift 2
for package do
  grep -qx "$package" "{tools}/installed" || continue
  case $package in *:*) echo "installed $package" ;; *) echo "installed $package:amd64" ;; esac
done
"""
DPKG = """#!/bin/sh
case $1 in
  --print-architecture) echo amd64 ;;
  --print-foreign-architectures) cat "{tools}/foreign" ;;
  --add-architecture) echo "dpkg $*" >>"{tools}/calls"; echo "$2" >>"{tools}/foreign" ;;
esac
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


class Setup(CheckoutTest):
    def setUp(self):
        super().setUp()
        (self.checkout.root / "cmake" / "packages.txt").write_text(TABLE)
        (self.checkout.tools / "installed").write_text("present\n")
        (self.checkout.tools / "foreign").write_text("")
        self.system("bookworm")
        self.tool("dpkg", DPKG)
        self.tool("dpkg-query", DPKG_QUERY)
        self.tool("apt-get", APT_GET)
        self.tool("id", "#!/bin/sh\necho 0\n")

    def tool(self, name, text):
        write_program(self.checkout.tools / name, text.format(tools=self.checkout.tools))

    def system(self, codename):
        (self.checkout.tools / "os-release").write_text(f'ID=any\nVERSION_CODENAME={codename}\nNAME="VERSION_CODENAME=not"\n')

    def calls(self):
        calls = self.checkout.tools / "calls"
        return calls.read_text() if calls.exists() else ""

    def setup_sh(self, goals="run", **variables):
        return self.checkout.run(f"cmake/setup.sh {goals}", WORKBOOK_OS_RELEASE=self.checkout.tools / "os-release", **variables)

    def not_root(self, sudo='#!/bin/sh\n[ "$1" = -n ] && shift\necho "sudo $*" >>"{tools}/calls"\nexec "$@"\n'):
        self.tool("id", "#!/bin/sh\necho 1000\n")
        self.tool("sudo", sudo)

    def answer(self, text):
        """Runs it on a terminal where somebody types the text."""
        ours, theirs = pty.openpty()
        try:
            os.write(ours, text.encode())
            with os.fdopen(theirs) as terminal:
                return self.setup_sh(stdin=terminal)
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

    def test_a_package_goes_by_the_systems_name(self):
        self.system("trixie")
        status, _, err = self.setup_sh()
        self.assertEqual(status, 0, err)
        self.assertRegex(err, r"absent-too +has to be fetched")
        self.assertRegex(self.calls(), r"install --no-install-recommends absent-too\n")

    def test_what_a_system_does_not_have_is_not_asked_for(self):
        self.system("noble")
        self.assertEqual(self.setup_sh(), (0, "", ""))

    def test_on_other_systems_the_names_are_said_and_nothing_is_installed(self):
        for codename in ("forky", "bookworm-like", ".*", ""):
            with self.subTest(codename=codename):
                self.system(codename)
                status, _, err = self.setup_sh("run test")
                self.assertEqual(status, 5)
                self.assertRegex(err, r"also-absent +is for tests")
                self.assertIn("Debian 12's names", err)
                self.assertEqual(self.calls(), "")

    def test_the_tables_names_on_each_system(self):
        # As if nothing were there, of packages or otherwise.
        table = (ROOT / "cmake" / "packages.txt").read_text()
        table = re.sub(r"(?m)^(run *\|[^|]*\|)[^|]*\|", r"\1 - |", table)
        (self.checkout.root / "cmake" / "packages.txt").write_text(table)
        self.not_root()
        special = {"bookworm": {"g++", "libboost-context1.81-dev", "libgcc-12-dev"},
                   "trixie": {"g++", "libboost-context-dev", "libgcc-14-dev"},
                   "jammy": {"g++-12", "libboost-context-dev", "libgcc-12-dev"},
                   "noble": {"g++", "libboost-context-dev", "libgcc-13-dev"}}
        for codename in SYSTEMS:
            with self.subTest(codename=codename):
                self.system(codename)
                _, _, err = self.setup_sh()
                names = set(re.search(r"--no-install-recommends (.*)", err)[1].split())
                self.assertEqual({name for name in names if re.match(r"g\+\+|libboost|libgcc", name)}, special[codename])
                self.assertIn("nlohmann-json3-dev", names)

    def test_packages_of_another_processor_have_it_added_first(self):
        (self.checkout.tools / "installed").write_text("absent-dev\n")
        status, _, err = self.setup_sh("arm")
        self.assertEqual(status, 0, err)
        self.assertRegex(self.calls(), r"\Adpkg --add-architecture arm64\n(?s:.*)install .*absent-dev:arm64\n")
        self.assertIn("dpkg --add-architecture arm64", err)

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
    def test_every_row_is_a_package_of_a_goal_or_a_name_on_a_system(self):
        packages = set()
        for row in (ROOT / "cmake" / "packages.txt").read_text().splitlines():
            if not row or row.startswith("#"):
                continue
            columns = [column.strip() for column in row.split("|")]
            if len(columns) == 3:
                self.assertIn(columns[0], SYSTEMS[1:], row)
                self.assertIn(columns[1], packages, row)
                self.assertRegex(columns[2], r"^([a-z0-9.+-]+|-)$")
                continue
            goal, package, probe, reason = columns
            self.assertIn(goal, ("run", "op", "grade", "cluster", "viewer", "package", "page", "book", "pictures", "test", "format", "bench", "aarch64"), row)
            self.assertRegex(package, r"^[a-z0-9.+-]+(:arm64)?$")
            self.assertTrue(probe and reason, row)
            packages.add(package)


if __name__ == "__main__":
    unittest.main()
