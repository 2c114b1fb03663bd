#!/usr/bin/env python3
"""The simulator's findings on the corpus beside compute-sanitizer's on a GPU, as Markdown.

    corpus_table.py SIMULATOR.json SANITIZER.tsv [--programs]

SIMULATOR.json is written by `harness/tests/corpus/run.py --write`, where no GPU is needed; SANITIZER.tsv by
sanitize_corpus.py on a GPU. A program counts as found where every finding it expects came at its line (simulator),
and where any tool named any line that it marks (compute-sanitizer). Advice about speed is not compute-sanitizer's
business and is counted for the simulator alone. Programs of which only one file tells are left out and named.
"""
import argparse
import csv
import json
import pathlib
import sys

SPEED = {"uncoalesced", "bank_conflict"}


def read(simulator, sanitizer):
    """{program: (simulator's entry, sanitizer's row)}"""
    ours = {entry["program"]: entry for entry in json.loads(simulator.read_text())["programs"]}
    with sanitizer.open() as file:
        theirs = {row["program"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    ours = {name: entry for name, entry in ours.items() if name.startswith(("buggy/", "clean/"))}
    both = ours.keys() & theirs.keys()
    if not both:
        raise SystemExit("corpus_table.py: the two files have no program in common")
    if only := sorted((ours.keys() | theirs.keys()) - both):
        print(f"left out, for only one of the two files tells of them: {', '.join(only)}", file=sys.stderr)
    return {name: (ours[name], theirs[name]) for name in sorted(both)}


def classes(entry):
    return list(dict.fromkeys(expected["class"] for expected in entry["expected"]))


def print_summary(programs):
    buggy = {name: pair for name, pair in programs.items() if pair[0]["expected"]}
    print("| class | programs | simulator, right line | compute-sanitizer, right line | another line | nothing |")
    print("|---|---|---|---|---|---|")
    sums = [0, 0, 0, 0, 0]
    for klass in dict.fromkeys(c for entry, _ in buggy.values() for c in classes(entry)):
        # A program that expects several classes stands with the first.
        pairs = [pair for pair in buggy.values() if classes(pair[0])[0] == klass]
        if not pairs:
            continue
        verdicts = [row["verdict"] for _, row in pairs]
        same, other = verdicts.count("same line"), verdicts.count("other line")
        counts = [len(pairs), sum(entry["as_expected"] for entry, _ in pairs), same, other, len(pairs) - same - other]
        if klass in SPEED:
            print(f"| {klass} | {counts[0]} | {counts[1]} | | | |")
            continue
        sums = [a + b for a, b in zip(sums, counts)]
        print(f"| {klass} | " + " | ".join(map(str, counts)) + " |")
    print("| **all but advice** | " + " | ".join(f"**{count}**" for count in sums) + " |")
    clean = [pair for pair in programs.values() if not pair[0]["expected"]]
    quiet = sum(row["verdict"] == "quiet" for _, row in clean)
    print(f"| clean | {len(clean)} | {sum(entry['as_expected'] for entry, _ in clean)} quiet | {quiet} quiet | | |")


def print_programs(programs):
    print("\n| program | expects | simulator | compute-sanitizer | the program alone on the GPU |")
    print("|---|---|---|---|---|")
    for name, (entry, row) in programs.items():
        expects = ", ".join(f"{e['class']} at {e['line']}" for e in entry["expected"]) or "nothing"
        said = "; ".join(f"{tool}: {row[tool]}" for tool in ("memcheck", "racecheck", "initcheck", "synccheck")
                         if row[tool] not in ("-", "not run"))
        ours = ("found" if entry["expected"] else "quiet") if entry["as_expected"] else "**no**"
        theirs = f"{row['verdict']} ({said})" if said else row["verdict"]
        print(f"| {name} | {expects} | {ours} | {theirs.replace('|', '/')} | {row['alone']} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("simulator", type=pathlib.Path)
    parser.add_argument("sanitizer", type=pathlib.Path)
    parser.add_argument("--programs", action="store_true", help="a line for each program too")
    options = parser.parse_args()
    programs = read(options.simulator, options.sanitizer)
    print_summary(programs)
    if options.programs:
        print_programs(programs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
