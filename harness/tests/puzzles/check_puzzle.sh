#!/bin/sh
# What every puzzle must hold:  check_puzzle.sh WORKBOOK NN_name skeleton|solution|mutants|nvcc
set -eu

workbook=$1
name=$2
check=$3
number=${name%%_*}
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
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

# variants: the puzzle's variant names, from its own declaration.
variants() {
  "$workbook" describe "$number" | sed -n '/"variants"/,$ s/^ *"name": "\(.*\)",*$/\1/p'
}

# nvcc_check FILE: compiles for every architecture that the book speaks of, linking nothing.
nvcc_check() {
  "$nvcc" -std=c++20 -I "$repository/harness/include" -gencode arch=compute_75,code=sm_75 \
    -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -diag-suppress 177 -x cu -c "$1" -o /dev/null \
    || fail "nvcc does not compile $2"
}

case $check in
  skeleton)
    # A copy, so that a learner who has begun can run the tests too.
    mkdir -p "$work/root/puzzles" "$work/root/solutions"
    cp -R "$repository/puzzles/$name" "$work/root/puzzles"
    cp -R "$repository/solutions/$name" "$work/root/solutions"
    export WORKBOOK_ROOT="$work/root"
    "$workbook" reset "$number" --yes >/dev/null
    if git -C "$repository" rev-parse -q --verify HEAD >/dev/null 2>&1; then
      git -C "$repository" show "HEAD:puzzles/$name/kernels.cu" >"$work/committed" 2>/dev/null \
        || cp "$repository/puzzles/$name/kernels.cu" "$work/committed"
      cmp "$work/committed" "$work/root/puzzles/$name/kernels.cu" \
        || fail "the skeleton is not the solution without its regions"
    fi
    for variant in $(variants); do
      status=0
      output=$("$workbook" run "$number" "--$variant" 2>&1) || status=$?
      [ "$status" -eq 1 ] || fail "--$variant of the skeleton ends with $status: $output"
      [ "$(printf '%s\n' "$output" | wc -l)" -eq 3 ] || fail "--$variant says more than where to begin: $output"
      case $output in "Open:  puzzles/$name/"*) ;; *) fail "--$variant does not begin with what to open: $output" ;; esac
    done
    ;;
  solution)
    "$workbook" verify "$number" --solutions || fail "the solution is not clean"
    ;;
  mutants)
    [ "$(find "$repository/puzzles/$name/mutants" -name '*.edit' | wc -l)" -ge 4 ] || fail "fewer than four mutants"
    "$workbook" mutants "$number" || fail "a mutant survives or gets another diagnosis"
    ;;
  nvcc)
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    [ -x "$nvcc" ] || { echo "there is no nvcc here"; exit 77; }
    cp "$repository/puzzles/$name"/*.cuh "$repository/puzzles/$name/puzzle.cu" "$work" 2>/dev/null || :
    cp "$repository/solutions/$name/kernels.cu" "$work/kernels.cu"
    nvcc_check "$work/puzzle.cu" "the solution of $name"
    nvcc_check "$repository/puzzles/$name/puzzle.cu" "puzzles/$name"
    "$workbook" mutants "$number" --write "$work/mutants"
    for mutant in "$work"/mutants/*.cu; do
      nvcc_check "$mutant" "the mutant $(basename "$mutant" .cu)"
    done
    ;;
  *) fail "no check $check" ;;
esac
