#!/bin/sh
# check.sh WORKBOOK NN_name: the example's solution passes, its skeleton does not, its mutants get their words.
# check.sh WORKBOOK refusals: what a declaration or a command line is refused for, by its message.
set -eu

workbook=$1
name=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/puzzles" "$work/solutions"
cp -R "$here/puzzles/." "$work/puzzles"
cp -R "$here/solutions/." "$work/solutions"
export WORKBOOK_ROOT="$work" WORKBOOK_STATE="$work/state" NO_COLOR=1

# What is compiled in advance is the same for every test: made once for all.
if [ -n "${WORKBOOK_TEST_CACHE-}" ]; then
  mkdir -p "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE"
  ln -s "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE/cache"
fi

fail() {
  echo "FAILED: $*"
  exit 1
}

# expect STATUS WORDS ARGUMENT...: the command ends so and its output holds the words.
expect() {
  wanted=$1 words=$2
  shift 2
  status=0
  output=$("$workbook" "$@" 2>&1) || status=$?
  output=$(printf '%s' "$output" | tr -s ' \n' ' ')  # as wide as the words are
  [ "$status" -eq "$wanted" ] || fail "workbook $*: status $status instead of $wanted: $output"
  case $output in *"$words"*) ;; *) fail "workbook $*: '$words' is not in: $output" ;; esac
}

# edited OLD NEW: one line of example 05's puzzle.cpp is another. Under another name: in the cache that tests share, an example
# beside this may be compiling its own.
refused=$work/puzzles/95_refused/puzzle.cpp
edited() {
  cp "$refused" "$work/before"
  sed -i "s#$1#$2#" "$refused"
  cmp -s "$work/before" "$refused" && fail "nothing was changed: $1"
  return 0
}

# refused WORDS...: what was edited is refused with all of them; then it is as it was.
refused() {
  expect 5 "$1" solution 95
  for words; do
    case $output in *"$words"*) ;; *) fail "'$words' is not in: $output" ;; esac
  done
  sed 's/\.number = 5,/.number = 95,/' "$here/puzzles/05_two_outputs/puzzle.cpp" >"$refused"
}

if [ "$name" = refusals ]; then
  for folder in puzzles solutions; do cp -R "$here/$folder/05_two_outputs" "$work/$folder/95_refused"; done
  edited '\.number = 5,' '.number = 95,'
  # Faults that do not hide each other are said at once.
  edited '.tolerance = exact("it is an index")' ''
  edited '.regions = {"work"}' '.regions = {}'
  edited '{"H", 1}}}}' '{"H", 1}}, .fills = {{"y", normal(0, 1)}}}}'
  refused "the tensor 'where' is an output without a tolerance" "variant 'rows': it names no regions for the learner to fill" \
    "case 'one' fills the tensor 'y', which is not there"
  edited 'exact("it is an index")' 'exact("")'
  edited '.regions = {"work"}' '.regions = {"work"}, .given = true'
  edited ', .fill = uniform(-10.0, 10.0)' ''
  refused "has a tolerance that does not say where it comes from" "variant 'rows': it is given, and has regions" \
    "the tensor 'x' has no fill"
  edited '.regions = {"work"}' '.regions = {"work"}, .intermediates = {"middel"}, .outputs = {"where"}'
  refused "it names an intermediate 'middel', which is not there" "no variant uses the tensor 'total'"
  edited '.shape = {"R", "H"}' '.shape = {"R", "K"}'
  refused "no dimension is called 'K'"
  edited '.name = "rows", .title' '.name = "columns", .title'
  refused "launches.cu has no launcher for the variant 'columns'"
  edited '.type = Type::i64' '.type = Type::i32'
  refused "takes the tensor 'where' as i64, and it is declared as i32"
  edited '.number = 95' '.number = 6'
  refused "gives another number than its folder"
  expect 2 "H is at most 2048" solution 10 --size H=4096
  expect 2 "There is no size 'K' here. There are: H" solution 10 --size K=3
  exit 0
fi

number=${name%%_*}
"$workbook" derive "$number" --check || fail "declared.json is not what puzzle.cpp declares"
"$workbook" verify "$number" --solutions || fail "the solution is not clean"
for variant in $("$workbook" describe "$number" | sed -n '/"variants"/,$ s/^ *"name": "\(.*\)",*$/\1/p'); do
  expect 1 "Open: " run "$number" "--$variant"
done
"$workbook" mutants "$number" || fail "a mutant survives or gets other words"

# A program's launches are added up by kernel, and what is found in its headers is shown by the puzzle's paths.
if [ "$name" = 08_program ]; then
  "$workbook" mutants 8 --write "$work/mutants" >/dev/null
  expect 1 "puzzles/08_program/given.cuh:7" run 8 --kernels "$work/mutants/out_of_bounds.cu"
  "$workbook" solution 8 >/dev/null
  "$workbook" export --format json --out "$work/runs.json" >/dev/null
  python3 - "$work/runs.json" <<'END' || fail "the record of a program lacks its launches or their modelled time"
import json, sys
runs = [entry["run"] for entry in json.load(open(sys.argv[1]))["runs"] if entry["run"]["origin"] == "solution"]
launch, = runs[-1]["benchmarks"][0]["launches"]
sys.exit(0 if launch["count"] == 2 and launch["modelled"]["total_us"] > 0 and launch["modelled"]["bound"] else 1)
END
fi
