"""The autograder for Gradescope, as its documents say it is used: setup.sh once, then run_autograder, as root and without a
network, in a container. bubblewrap plays the container, and somebody else's apt-get installs nothing."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
import zipfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
COURSE = """
name = "Two puzzles"
seed = 7
[limits]
run_s = 100
host_code = true
[[task]]
puzzle = 1
points = 3
[[task]]
puzzle = 3
variant = "near"
points = 2
"""
# What Docker gives to root, as far as it matters here.
CAPABILITIES = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETUID", "CAP_SYS_CHROOT")


def solution(name):
    return (REPOSITORY / "solutions" / name / "kernels.cu").read_text()


@unittest.skipUnless(os.geteuid() == 0, "a container's root can only be played by root")
class Gradescope(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="workbook-gradescope-"))
        for folder in ("opt", "autograder/results", "autograder/submission", "tools"):
            (cls.base / folder).mkdir(parents=True)
        apt = cls.base / "tools" / "apt-get"
        apt.write_text('#!/bin/sh\necho "$@" >>/autograder/apt.log\n')
        apt.chmod(0o755)
        course = cls.base / "course.toml"
        course.write_text(COURSE)
        archive = cls.base / "autograder.zip"
        environment = {name: value for name, value in os.environ.items() if name != "WORKBOOK_LAUNCHED"}
        environment.update(NO_COLOR="1", WORKBOOK_STATE=str(cls.base / "state"))
        subprocess.run([os.environ["WORKBOOK_GRADE"], "grade", "--gradescope", archive, course], check=True, env=environment,
                       stdout=subprocess.DEVNULL)
        with zipfile.ZipFile(archive) as packed:
            cls.names = packed.namelist()
            packed.extractall(cls.base / "autograder" / "source")
        cls.prepared = cls.inside("sh", "/autograder/source/setup.sh", sandbox=False)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.base, ignore_errors=True)

    @classmethod
    def container(cls, *command, sandbox=True):
        words = ["bwrap", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--cap-drop", "ALL"]
        for capability in CAPABILITIES:
            words += ["--cap-add", capability]
        words += ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
        for name in ("bin", "sbin", "lib", "lib32", "lib64"):
            path = pathlib.Path("/") / name
            if path.is_symlink():
                words += ["--symlink", os.readlink(path), str(path)]
            elif path.exists():
                words += ["--ro-bind", str(path), str(path)]
        for name in ("opt", "autograder"):
            words += ["--bind", str(cls.base / name), "/" + name]
        words += ["--ro-bind", str(cls.base / "tools"), "/tools"]
        if sandbox:  # the kernel lets a sandbox in it mount /proc only where all of one is seen
            words += ["--bind", "/proc", "/proc"]
        else:
            words += ["--unshare-pid", "--proc", "/proc", "--ro-bind", "/dev/null", shutil.which("bwrap")]
        return [*words, "--clearenv", "--setenv", "PATH", "/tools:/usr/bin:/usr/sbin:/bin", "--setenv", "HOME", "/root", *command]

    @classmethod
    def inside(cls, *command, sandbox=True):
        done = subprocess.run(cls.container(*command, sandbox=sandbox), text=True, capture_output=True)
        assert done.returncode == 0, f"{command}: {done.returncode}: {done.stdout}{done.stderr}"
        return " ".join(done.stdout.split())

    def hand_in(self, **files):
        """01_map="..." becomes submission/01_map/kernels.cu, and the results of the one before go."""
        submission = self.base / "autograder" / "submission"
        shutil.rmtree(submission)
        for name, text in files.items():
            (submission / name).mkdir(parents=True)
            (submission / name / "kernels.cu").write_text(text)
        self.results_file().unlink(missing_ok=True)

    def results_file(self):
        return self.base / "autograder" / "results" / "results.json"

    def results(self):
        return json.loads(self.results_file().read_text())

    def judged(self, sandbox=True):
        return self.inside("sh", "/autograder/source/run_autograder", sandbox=sandbox), self.results()

    def test_the_zip_has_what_gradescope_asks_for(self):
        self.assertEqual(sorted(self.names), ["course.toml", "run_autograder", "setup.sh", "workbook.tar.gz"])
        self.assertIn("install", (self.base / "autograder" / "apt.log").read_text())
        self.assertIn("2 tasks are ready", self.prepared)

    def test_marks_with_a_sandbox(self):
        self.hand_in(**{"01_map": solution("01_map"), "03_guards": "int broken"})
        said, results = self.judged()
        self.assertNotIn("users of their own", said)
        self.assertEqual(results["score"], 3, results)
        self.assertEqual(results["stdout_visibility"], "hidden")
        self.assertEqual([(test["score"], test["max_score"], test["status"]) for test in results["tests"]],
                         [(3, 3, "passed"), (0, 2, "failed")])

    def test_marks_and_attacks_where_no_sandbox_can_be_made(self):
        answer = "/opt/gpu-puzzle-workbook/workbook/solutions/03_guards/kernels.cu"
        self.hand_in(**{"01_map": solution("01_map"), "03_guards": f'#include "{answer}"\n'})
        said, results = self.judged(sandbox=False)
        self.assertIn("users of their own", said)
        self.assertEqual([test["status"] for test in results["tests"]], ["passed", "failed"])
        self.assertIn("Permission denied", " ".join(results["tests"][1]["output"].split()))
        # A program that looks around before its kernels run, and is right only where it could not.
        looks = ("#include <fcntl.h>\n#include <sys/socket.h>\n#include <unistd.h>\n#include <cstdlib>\n"
                 "__attribute__((constructor)) static void look() {\n"
                 f'  if (open("{answer}", O_RDONLY) >= 0 || open("/autograder/results/results.json", O_RDWR) >= 0 ||\n'
                 '      open("/autograder/source/course.toml", O_RDONLY) >= 0 || getuid() == 0 || fork() >= 0 ||\n'
                 "      socket(AF_INET, SOCK_STREAM, 0) >= 0 || std::getenv(\"WORKBOOK_STATE\") != nullptr)\n"
                 "    std::abort();\n}\n")
        self.hand_in(**{"01_map": looks + solution("01_map")})
        _, results = self.judged(sandbox=False)
        self.assertEqual([test["status"] for test in results["tests"]], ["passed", "failed"])
        self.assertEqual(results["score"], 3)

    def test_what_was_judged_counts_when_the_run_is_ended(self):
        waits = "#include <unistd.h>\n__attribute__((constructor)) static void wait() { for (;;) pause(); }\n"
        self.hand_in(**{"01_map": solution("01_map"), "03_guards": waits + solution("03_guards")})
        with subprocess.Popen(self.container("sh", "/autograder/source/run_autograder", sandbox=False), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and not (self.results_file().exists() and self.results()["score"] == 3):
                time.sleep(0.1)
            run.kill()
        tests = self.results()["tests"]
        self.assertEqual([test["status"] for test in tests], ["passed", "failed"])
        self.assertIn("not judged", tests[1]["output"])


if __name__ == "__main__":
    unittest.main()
