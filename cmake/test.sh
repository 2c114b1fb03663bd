#!/bin/sh
# `make test`: installs what the tests need, builds everything with warnings as errors, runs every check and
# says at the end how each went. The arguments go to ctest:  make test ARGS='-L unit -R store'
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root" || exit 5
log=$root/build/workbook/ctest.log
timing=$(mktemp)
trap 'rm -f "$timing"' EXIT
summary='' passed=0 failed=0

# Notes the processor time of all that this shell has run so far: what other work on the machine does not change.
note_processor_time() {
  times >"$timing"
  spent=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }' "$timing")
}

# Runs one check and notes how it went, and how long it and its processors took.
check() {
  name=$1 began=$(date +%s)
  shift
  note_processor_time
  before=$spent
  printf '\n== %s\n' "$name"
  if "$@" 2>&1; then
    result=passed passed=$((passed + 1))
  else
    result=FAILED failed=$((failed + 1))
  fi
  note_processor_time
  summary="$summary$(printf '  %-9s %s  %4d s, %5d s of processors' "$name" "$result" $(($(date +%s) - began)) $((spent - before)))
"
}

# Three at a time on two processors: some wait for what is to be ended, for daemons or for a browser.
# The tests' own closing line is worth repeating in the summary.
run_tests() {
  { ctest --preset dev -j "${WORKBOOK_TEST_JOBS:-3}" "$@" || echo "ctest gave up"; } | tee "$log"
  ! grep -q '^ctest gave up$' "$log"
}

check build cmake/build.sh dev
if [ "$failed" -eq 0 ]; then
  check tests run_tests "$@"
  check book book/build.sh
else
  printf '\nWithout a build there is nothing to test.\n'
fi
check format cmake/style.sh check-format

printf '\n== summary\n%s' "$summary"
grep -hE '^[0-9]+% tests passed' "$log" 2>/dev/null
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
