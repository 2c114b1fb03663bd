#!/bin/sh
# `make test`: installs what the tests need, builds everything with warnings as errors, runs every check and
# says at the end how each went. The arguments go to ctest:  make test ARGS='-L unit -R store'
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root" || exit 5
log=$root/build/workbook/ctest.log
summary='' passed=0 failed=0

# Runs one check and notes how it went, and how long it took.
check() {
  name=$1 began=$(date +%s)
  shift
  printf '\n== %s\n' "$name"
  if "$@" 2>&1; then
    result=passed passed=$((passed + 1))
  else
    result=FAILED failed=$((failed + 1))
  fi
  summary="$summary$(printf '  %-9s %s  %4d s' "$name" "$result" $(($(date +%s) - began)))
"
}

# The tests' own closing line is worth repeating in the summary.
run_tests() {
  { ctest --preset dev -j "${WORKBOOK_TEST_JOBS:-2}" "$@" || echo "ctest gave up"; } | tee "$log"
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
