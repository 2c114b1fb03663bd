#!/usr/bin/env python3
"""Compiles a puzzle with nvcc for every architecture that the book speaks of, linking nothing. For check_puzzle.sh.

    check_nvcc.py NVCC REPOSITORY NN_name SKELETON_FOLDER MUTANTS_FOLDER

The solution is compiled as it is: launches.cu, and each file that is a program of its own. The skeleton and all
mutants follow in one translation unit, a namespace each, so that the headers are read once, and for the oldest
architecture alone: what it has, the newer ones have. Programs without device code are left out of these.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INTERFACE = pathlib.Path(__file__).resolve().parents[2] / "include"
ARCHITECTURES = ("75", "80", "90")


def angled_includes(files):
    """To be included outside the namespaces; inside they are then empty."""
    found = {}
    for file in files:
        for line in re.findall(r"^[ \t]*#[ \t]*include[ \t]*<[^>]*>", file.read_text(), re.MULTILINE):
            found[" ".join(line.split())] = None
    return list(found)


def in_namespace(name, file):
    """The workbook's names are found in a namespace of the same name within, so that each may define its launchers."""
    return (f"namespace {name} {{\nnamespace workbook {{\nusing namespace ::workbook;\n"
            f"extern const std::initializer_list<Launcher> launchers;\n}}\n#include \"{file}\"\n}}\n")


class Nvcc:
    def __init__(self, program, given):
        self.command = [program, "-std=c++20", "-I", str(INTERFACE), "-I", str(given),
                        "-diag-suppress", "177"]  # a function that is never used

    def assembles(self, file, what):
        """To machine code: what the assembler refuses (registers, shared memory) is seen, too."""
        return self.run([f"-gencode=arch=compute_{a},code=sm_{a}" for a in ARCHITECTURES] + ["-c"], file, what)

    def registers_hold(self, file, header):
        """What a header says of a kernel's registers ("constexpr int kX = 64;  // nvcc, sm_90: some_kernel")."""
        said = re.findall(r"constexpr int \w+ = (\d+);\s*// nvcc, sm_90: (\w+)", header.read_text()) if header.is_file() else []
        if not said:
            return True
        words = ["-arch=sm_90", "-cubin", "-Xptxas", "-v", "-x", "cu", str(file), "-o", "/dev/null"]
        output = subprocess.run([*self.command, *words], capture_output=True, text=True).stderr
        good = True
        for registers, kernel in said:
            used = re.search(rf"Compiling entry function '\w*\d{kernel}\w*'.*?Used (\d+) registers", output, re.DOTALL)
            if used is None or used[1] != registers:
                print(f"{header.name} says that {kernel} has {registers} registers; nvcc says {used[1] if used else 'nothing'}")
                good = False
        return good

    def translates(self, file, what):
        """The language alone, in half the time of PTX: a host function called by a kernel is what it does not see."""
        words = ["-fdevice-syntax-only", "-ptx", "-diag-suppress", "940"]  # main() in a namespace that returns nothing
        return self.run([f"-arch=compute_{ARCHITECTURES[0]}", *words], file, what)

    def run(self, words, file, what):
        run = subprocess.run([*self.command, *words, "-x", "cu", str(file), "-o", "/dev/null"], capture_output=True, text=True)
        print(f"{what}: {'compiles' if run.returncode == 0 else 'does not compile'}\n{run.stdout}{run.stderr}".strip())
        return run.returncode == 0


def main():
    program, repository, name, skeleton, mutants = (sys.argv[1], *map(pathlib.Path, sys.argv[2:6]))
    puzzle, solution = repository / "puzzles" / name, repository / "solutions" / name
    variants = {v["name"]: v for v in json.loads((puzzle / "declared.json").read_text())["variants"]}
    programs = sorted({v["file"] for v in variants.values() if "program" in v})
    launched = any("program" not in v for v in variants.values())
    work = pathlib.Path(tempfile.mkdtemp(prefix="check_nvcc."))
    try:
        given = work / "given"  # one copy, which #pragma once keeps one
        given.mkdir()
        for header in [*puzzle.glob("*.cuh"), *puzzle.glob("*.h")]:
            shutil.copy(header, given)
        nvcc = Nvcc(program, given)

        def place(folder, source, file):
            """The kernels beside their launches, or a program; gives the file to compile."""
            (work / folder).mkdir(exist_ok=True)
            shutil.copy(source, work / folder / file)
            if file in programs:
                return work / folder / file
            shutil.copy(puzzle / "launches.cu", work / folder)
            return work / folder / "launches.cu"

        files = (["kernels.cu"] if launched else []) + programs
        good = all([nvcc.assembles(place("solution", solution / file, file), f"solution, {file}") for file in files])
        if launched:
            good = nvcc.registers_hold(work / "solution" / "launches.cu", puzzle / "sizes.h") and good
        for given_source in sorted({s for v in variants.values() for s in v.get("program", {}).get("sources", [])}):
            good = nvcc.assembles(puzzle / given_source, given_source) and good
        others = [(f"skeleton_{i}", place(f"skeleton_{i}", skeleton / file, file)) for i, file in enumerate(files)]
        for mutant in sorted(mutants.glob("*.cu")):
            text = mutant.read_text()
            variant = re.search(r"^// variant: (.*)$", text, re.MULTILINE)[1]
            if variants[variant]["file"] in programs and not re.search("__global__|__device__", text):
                continue  # for the host's compiler alone, and that has compiled it
            others.append((f"mutant_{mutant.stem}", place(mutant.stem, mutant, variants[variant]["file"])))
        sources = [file for folder in work.iterdir() if folder.is_dir() for file in sorted(folder.iterdir())]
        together = work / "together.cu"
        together.write_text("\n".join(
            [*angled_includes(sources), "#include <workbook/run.h>", *(f'#include "{h.name}"' for h in sorted(given.iterdir()))]
            + [in_namespace(identifier, file) for identifier, file in others]))
        good = nvcc.translates(together, f"skeleton and {len(others) - len(files)} mutants") and good
        return 0 if good else 1
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
