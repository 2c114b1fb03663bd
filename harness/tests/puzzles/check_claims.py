#!/usr/bin/env python3
"""Do the runs just made bear out what the puzzle's chapter claims?  For check_puzzle.sh.

    check_claims.py REPOSITORY NN_name RUNS.json

RUNS.json is what `workbook export` writes of runs of every variant's solution; the claims are puzzles/NN_name/claims.json.
"""
import json
import pathlib
import sys

repository, name = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(repository / "book" / "hooks"))
import claims  # noqa: E402
import puzzles  # noqa: E402


def main():
    runs = [entry["run"] for entry in json.loads(pathlib.Path(sys.argv[3]).read_text())["runs"]]

    def benchmark(variant, at):
        return claims.benchmark([run for run in runs if run["variant"] == variant], at)

    failed = 0
    for claim in claims.load(name):
        sizes = puzzles.load(name).sizes.get(claim.get("at", "real"), {})
        value = claims.number(claim, benchmark)
        wanted = ", ".join(f"{limit} {number:g}" for limit, number in claims.limits(claim, sizes))
        good = claims.holds(claim, value, sizes)
        print(f"{'holds' if good else 'FAILED'}: {claim['says']}: {value:g} (wanted: {wanted})")
        failed += not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
