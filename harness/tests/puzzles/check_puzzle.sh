#!/bin/sh
# What every puzzle must hold:  check_puzzle.sh WORKBOOK NN_name derived|skeleton|solution|mutants [REPOSITORY]
set -eu

workbook=$1
name=$2
check=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=${4:-$(CDPATH='' cd -- "$here/../../.." && pwd)}
number=${name%%_*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WORKBOOK_ROOT="$repository" WORKBOOK_STATE="$work/state" NO_COLOR=1

# What is compiled in advance is the same for every puzzle and check: made once for all.
if [ -n "${WORKBOOK_TEST_CACHE-}" ]; then
  mkdir -p "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE"
  ln -s "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE/cache"
fi

fail() {
  echo "FAILED: $*"
  exit 1
}

# declared KEY: every value of that key in the puzzle's own declaration of its variants.
declared() {
  "$workbook" describe "$number" | sed -n "/\"variants\"/,\$ s/^ *\"$1\": \"\(.*\)\",*\$/\1/p"
}

# From here on a copy, so that a learner who has begun can run the tests too: the puzzle as `reset` leaves it.
skeleton() {
  mkdir -p "$work/root/puzzles" "$work/root/solutions"
  cp -R "$repository/puzzles/$name" "$work/root/puzzles"
  cp -R "$repository/solutions/$name" "$work/root/solutions"
  export WORKBOOK_ROOT="$work/root"
  "$workbook" reset "$number" --yes >/dev/null
}

# beginnings: each variant, and how a learner finds it: with regions to fill, whole and to be repaired, or given, with nothing to
# write. Asked once for all: to start Python for each took most of this check.
beginnings() {
  python3 -c 'import json, sys
for v in json.load(open(sys.argv[1]))["variants"]:
    print(v["name"], "given" if v.get("given") else "whole" if v.get("begins") else "regions")' "$repository/puzzles/$name/declared.json"
}

# committed FILE: as the repository holds it, whatever a learner made of it since; as it is where nothing is committed.
committed() {
  git -C "$repository" show "HEAD:./puzzles/$name/$1" 2>/dev/null || cat "$repository/puzzles/$name/$1"
}

case $check in
  derived)
    "$workbook" derive "$number" --check || fail "what is kept of puzzle.cpp is out of date: workbook derive $number"
    ;;
  skeleton)
    skeleton
    files=$(declared file | sort -u)
    if [ -f "$work/root/puzzles/$name/answers.txt" ]; then files="$files answers.txt"; fi
    for file in $files; do
      committed "$file" >"$work/committed"
      cmp "$work/committed" "$work/root/puzzles/$name/$file" || fail "$file is not the solution without its regions"
    done
    begin=$(beginnings) || fail "declared.json cannot be read"
    for variant in $(declared name); do
      hints=$("$workbook" hint "$number" "--$variant" --all) || fail "--$variant has no hints"
      # shellcheck disable=SC2016
      case $hints in *'$'*) fail "a formula that a terminal cannot show is in the hints of --$variant: $hints" ;; esac
      width=$(printf '%s\n' "$hints" | LC_ALL=C.UTF-8 wc -L)
      [ "$width" -le 80 ] || fail "hints of --$variant are wider than a screen, $width columns: $hints"
      status=0
      output=$("$workbook" run "$number" "--$variant" 2>&1) || status=$?
      case $(printf '%s\n' "$begin" | sed -n "s/^$variant //p") in
        given)
          [ "$status" -eq 0 ] || fail "--$variant, which is given, ends with $status: $output"
          continue
          ;;
        whole)
          case $status in 1 | 4) continue ;; *) fail "--$variant as it begins ends with $status: $output" ;; esac
          ;;
        regions) ;;
        *) fail "declared.json does not say how --$variant begins" ;;
      esac
      [ "$status" -eq 1 ] || fail "--$variant of the skeleton ends with $status: $output"
      [ "$(printf '%s\n' "$output" | wc -l)" -eq 3 ] || fail "--$variant says more than where to begin: $output"
      case $output in "Open:  puzzles/$name/"*) ;; *) fail "--$variant does not begin with what to open: $output" ;; esac
    done
    ;;
  solution)
    "$workbook" verify "$number" --solutions || fail "the solution is not clean"
    "$workbook" export --format json --out "$work/runs.json" >/dev/null
    if [ -f "$repository/puzzles/$name/claims.json" ]; then
      python3 "$here/check_claims.py" "$repository" "$name" "$work/runs.json" || fail "the chapter claims what does not hold"
    fi
    python3 "$here/check_ladder.py" "$repository" "$name" "$work/runs.json" || fail "the modelled clock and an H200 disagree"
    # The book's pictures show these very runs.
    if [ -n "${WORKBOOK_TEST_CACHE-}" ] && [ -f "$repository/book/pictures.py" ]; then
      python3 "$repository/book/pictures.py" --keep "$WORKBOOK_STATE/runs.sqlite" "$number"
    fi
    ;;
  mutants)
    "$workbook" mutants "$number" || fail "a mutant survives or gets another diagnosis"
    ;;
  *) fail "no check $check" ;;
esac
