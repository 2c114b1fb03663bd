#!/bin/sh
# What was built in build/workbook, and the seconds that it took, by folder of harness/: after the first command in a
# fresh clone, what a learner waits for. .ci/run prints it there, so that nobody is surprised by what that grows to.
# The seconds are ninja's, of each compiler and linker from start to end: a processor's where nothing else is at work.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
log=$root/build/workbook/.ninja_log
goal=90  # for all that a first verdict needs

[ -r "$log" ] || { echo "cost: ninja has built nothing here" >&2; exit 1; }
awk -F '\t' -v goal="$goal" '
  NF == 5 { seconds[$4] = ($2 - $1) / 1000 }  # the last entry of a file is the newest
  END {
    for (file in seconds) {
      parts = split(file, folder, "/")
      part[parts > 2 && folder[1] == "harness" ? folder[2] : "other"] += seconds[file]
      all += seconds[file]
    }
    for (name in part) printf "%7.1f s  %s\n", part[name], name | "sort -rn"
    close("sort -rn")
    printf "%7.1f s  in all; the goal is %d s\n", all, goal
  }' "$log"
