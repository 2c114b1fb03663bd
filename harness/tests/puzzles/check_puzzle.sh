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

# begins_whole VARIANT: whether its file is to be repaired and has no regions.
begins_whole() {
  python3 -c 'import json, sys
variants = json.load(open(sys.argv[1]))["variants"]
sys.exit(0 if any(v["name"] == sys.argv[2] and v.get("begins") for v in variants) else 1)' "$repository/puzzles/$name/declared.json" "$1"
}

# is_given VARIANT: whether it is whole in the puzzle's own files, with nothing to write.
is_given() {
  python3 -c 'import json, sys
variants = json.load(open(sys.argv[1]))["variants"]
sys.exit(0 if any(v["name"] == sys.argv[2] and v.get("given") for v in variants) else 1)' "$repository/puzzles/$name/declared.json" "$1"
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
    for variant in $(declared name); do
      hints=$("$workbook" hint "$number" "--$variant" --all) || fail "--$variant has no hints"
      # shellcheck disable=SC2016
      case $hints in *'$'*) fail "a formula that a terminal cannot show is in the hints of --$variant: $hints" ;; esac
      wide=$(printf '%s\n' "$hints" | PYTHONUTF8=1 python3 -c 'import sys; sys.stdout.writelines(line for line in sys.stdin if len(line) > 81)')
      [ -z "$wide" ] || fail "hints of --$variant are wider than a screen: $wide"
      status=0
      output=$("$workbook" run "$number" "--$variant" 2>&1) || status=$?
      if is_given "$variant"; then
        [ "$status" -eq 0 ] || fail "--$variant, which is given, ends with $status: $output"
        continue
      fi
      if begins_whole "$variant"; then
        case $status in 1 | 4) continue ;; *) fail "--$variant as it begins ends with $status: $output" ;; esac
      fi
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
