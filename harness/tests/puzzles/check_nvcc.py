#!/usr/bin/env python3
"""Compiles puzzles with nvcc for every architecture that the book speaks of, linking nothing.

    check_nvcc.py WORKBOOK NN_name...

Solutions are compiled to machine code: launches.cu, and each file that is a program of its own. Skeletons and mutants
are compiled for the oldest architecture alone: what it has, the newer ones have; programs without device code are left
out of these. Most of nvcc's time goes to headers, so all that the named puzzles have is two translation units, a
namespace for each file. Where one of these does not compile, each file is compiled alone, and that decides.
"""
import dataclasses
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[3]
REPOSITORY = pathlib.Path(os.environ.get("WORKBOOK_ROOT", HERE))  # with puzzles and solutions
ARCHITECTURES = ("75", "80", "90")
REGISTERS = r"Compiling entry function '(\w+)' for 'sm_90'.*?Used (\d+) registers"
NOT_FOUND = 77


@dataclasses.dataclass
class Part:
    """What is compiled in a namespace of its own."""
    puzzle: str
    name: str
    file: pathlib.Path

    def text(self):
        """The workbook's names are found in a namespace of the same name within, so that each may define its launchers."""
        return (f"namespace {self.name} {{\nnamespace workbook {{\nusing namespace ::workbook;\n"
                f"extern const std::initializer_list<Launcher> launchers;\n}}\n#include \"{self.file}\"\n}}\n")


class Puzzle:
    """A puzzle's files, each variant's beside copies of the headers that it is given."""

    def __init__(self, workbook, name, work):
        self.name, self.work = name, work
        self.folder, self.solution = REPOSITORY / "puzzles" / name, REPOSITORY / "solutions" / name
        self.work.mkdir()
        self.times = itertools.count(100 * int(name[:2]))
        self.shared_time = next(self.times)
        self.given = self.with_headers("given", self.shared_time)
        self.variants = {v["name"]: v for v in json.loads((self.folder / "declared.json").read_text())["variants"]}
        self.programs = sorted({v["file"] for v in self.variants.values() if "program" in v})
        launched = any("program" not in v for v in self.variants.values())
        self.files = (["kernels.cu"] if launched else []) + self.programs
        self.solutions = [Part(name, f"solution_{i}", self.place(f"solution_{i}", self.solution / file, file, next(self.times)))
                          for i, file in enumerate(self.files)]
        sources = sorted({s for v in self.variants.values() for s in v.get("program", {}).get("sources", [])})
        self.solutions += [Part(name, f"source_{i}", self.place(f"source_{i}", self.folder / source, source, next(self.times)))
                           for i, source in enumerate(sources)]
        self.others = [*self.skeletons(workbook), *self.mutants(workbook)]

    def headers(self):
        return sorted([*self.folder.glob("*.cuh"), *self.folder.glob("*.h")])

    def with_headers(self, name, time):
        """A folder with what is given. #pragma once takes files of one text and time for one file: skeletons and mutants
        of a puzzle share theirs, a solution has its own; what adds to namespaces of others is there once."""
        folder = self.work / name
        folder.mkdir()
        for header in self.headers():
            shutil.copy(header, folder)
            of_all = self.shared_time if adds_to_others(header) else time
            os.utime(folder / header.name, (of_all, of_all))
        return folder

    def place(self, name, source, file, time=None):
        """The kernels beside their launches, or a program; gives the file to compile."""
        folder = self.with_headers(name, time or self.shared_time)
        shutil.copy(source, folder / file)
        if file in self.programs or file != "kernels.cu":
            return folder / file
        shutil.copy(self.folder / "launches.cu", folder)
        return folder / "launches.cu"

    def skeletons(self, workbook):
        """From a copy, so that a learner who has begun can run the tests too."""
        root = self.work / "root"
        for kind in ("puzzles", "solutions"):
            shutil.copytree(REPOSITORY / kind / self.name, root / kind / self.name)
        run_workbook(workbook, ["reset", self.name[:2], "--yes"], root, self.work)
        folder = root / "puzzles" / self.name
        return [Part(self.name, f"skeleton_{i}", self.place(f"skeleton_{i}", folder / file, file))
                for i, file in enumerate(self.files)]

    def mutants(self, workbook):
        written = self.work / "mutants"
        run_workbook(workbook, ["mutants", self.name[:2], "--write", str(written)], REPOSITORY, self.work)
        parts = []
        for mutant in sorted(written.glob("*.cu")):
            text = mutant.read_text()
            file = self.variants[re.search(r"^// variant: (.*)$", text, re.MULTILINE)[1]]["file"]
            if file in self.programs and not re.search("__global__|__device__", text):
                continue  # for the host's compiler alone, and that has compiled it
            parts.append(Part(self.name, f"mutant_{mutant.stem}", self.place(f"mutant_{mutant.stem}", mutant, file)))
        return parts

    def needs_global_scope(self):
        """Names functions by the global scope: within a namespace of ours these are not found."""
        return any(re.search(r"(?<![\w>:])::\w+\(", header.read_text()) for header in self.headers())

    def global_headers(self):
        return [self.given / header.name for header in self.headers() if adds_to_others(header)]

    def told_registers(self):
        """What sizes.h says of kernels' registers ("constexpr int kX = 64;  // nvcc, sm_90: some_kernel")."""
        sizes = self.folder / "sizes.h"
        said = re.findall(r"constexpr int \w+ = (\d+);\s*// nvcc, sm_90: (\w+)", sizes.read_text()) if sizes.is_file() else []
        return {kernel: registers for registers, kernel in said}


def run_workbook(workbook, words, root, work):
    environment = {**os.environ, "WORKBOOK_ROOT": str(root), "WORKBOOK_STATE": str(work / "state"), "NO_COLOR": "1"}
    subprocess.run([workbook, *words], env=environment, check=True, stdout=subprocess.DEVNULL)


def adds_to_others(header):
    """To namespaces that are not the workbook's: within one of ours it would not. Such a header has nothing else in it."""
    return re.search(r"^namespace (cooperative_groups|cuda|std)\b[^=]*$", header.read_text(), re.MULTILINE)


def angled_includes(files):
    """To be included outside the namespaces; inside they are then empty."""
    found = {}
    for file in files:
        for line in re.findall(r"^[ \t]*#[ \t]*include[ \t]*<[^>]*>", file.read_text(), re.MULTILINE):
            found[" ".join(line.split())] = None
    return list(found)


class Nvcc:
    def __init__(self, work):
        program = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if not os.access(program, os.X_OK):
            sys.exit(NOT_FOUND)
        self.work = work
        self.command = [program, "-std=c++20", "-I", str(HERE / "harness" / "include"),
                        "-diag-suppress", "177,940"]  # functions never used; main() in a namespace that returns nothing

    def assembles(self, puzzles):
        """Solutions, without warnings, to machine code: what the assembler refuses (registers, shared memory) is seen."""
        words = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in ARCHITECTURES]
        # Of the host's side, what its compiler says is wanted, and no code: a tenth of the time. No return: main(), as above.
        words += ["-c", "-Xptxas", "-v", "-Xcompiler", "-fsyntax-only,-Wno-return-type"]
        good, said = self.compiles(words, puzzles, lambda puzzle: puzzle.solutions, "solutions")
        warnings = re.findall(r"^.*(?:warning #|\[-W).*$", said, re.MULTILINE)  # ptxas warns of what an old architecture lacks
        if warnings:
            print("Solutions compile with warnings:", *warnings, sep="\n")
            good = False
        for puzzle in puzzles:
            for kernel, registers in puzzle.told_registers().items():
                used = {count for function, count in re.findall(REGISTERS, said, re.DOTALL)
                        if re.search(rf"\d{kernel}", function) and (puzzle.name in function or "puzzle_" not in function)}
                if used != {registers}:
                    print(f"sizes.h of {puzzle.name} says that {kernel} has {registers} registers; nvcc says {used or 'nothing'}")
                    good = False
        return good

    def translates(self, puzzles):
        """The language alone, in half the time of PTX: a host function called by a kernel is what it does not see."""
        words = [f"-arch=compute_{ARCHITECTURES[0]}", "-fdevice-syntax-only", "-ptx"]
        return self.compiles(words, puzzles, lambda puzzle: puzzle.others, "skeletons and mutants")[0]

    def compiles(self, words, puzzles, parts_of, what):
        """Whether all do, and all that nvcc says of those that do."""
        alone = [puzzle for puzzle in puzzles if puzzle.needs_global_scope()]
        together = [puzzle for puzzle in puzzles if puzzle not in alone]
        files = [part.file for puzzle in together for part in parts_of(puzzle)]
        good, said = self.run(words, self.joined(together, parts_of)) if files else (True, "")
        if good:
            print(f"{what} of {', '.join(puzzle.name for puzzle in together)}: {len(files)} compile together")
        else:
            alone, good = puzzles, True
        for puzzle in alone:
            for part in parts_of(puzzle):
                compiled, output = self.run(words, part.file)
                print(f"{puzzle.name}, {part.name}: {'compiles' if compiled else f'does not compile{chr(10)}{output}'}")
                good, said = good and compiled, said + output
        return good, said

    def joined(self, puzzles, parts_of):
        """One source for all of them. Headers that a puzzle's parts share are included in its namespace, once."""
        shared_headers = parts_of(puzzles[0]) is puzzles[0].others
        sources = [file for puzzle in puzzles for part in parts_of(puzzle) for file in sorted(part.file.parent.iterdir())
                   if file.suffix in (".cu", ".cuh", ".h")]
        lines = [*angled_includes(sources), "#include <workbook/run.h>"]
        lines += [f'#include "{header}"' for puzzle in puzzles for header in puzzle.global_headers()]
        for puzzle in puzzles:
            lines.append(f"namespace puzzle_{puzzle.name} {{")
            if shared_headers:
                lines += [f'#include "{header}"' for header in sorted(puzzle.given.iterdir())]
            lines += [part.text() for part in parts_of(puzzle)]
            lines.append("}")
        source = self.work / "together.cu"
        source.write_text("\n".join(lines))
        return source

    def run(self, words, file):
        run = subprocess.run([*self.command, *words, "-x", "cu", str(file), "-o", "/dev/null"], capture_output=True, text=True)
        return run.returncode == 0, run.stdout + run.stderr


def main():
    workbook, names = sys.argv[1], sys.argv[2:]
    work = pathlib.Path(tempfile.mkdtemp(prefix="check_nvcc."))
    try:
        nvcc = Nvcc(work)
        puzzles = [Puzzle(workbook, name, work / name) for name in names]
        return 0 if all([nvcc.assembles(puzzles), nvcc.translates(puzzles)]) else 1
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
