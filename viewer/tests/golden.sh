#!/bin/sh
# Draws the pictures that golden_test.cpp compares with anew. Look at them before they are committed.
#   viewer/tests/golden.sh [FOLDER OF A BUILD WITH TESTS]
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=${1:-"$root/build/workbook"}
program=$build/viewer/tests/workbook_viewer_panel_tests
[ -x "$program" ] || { echo "golden: $program is missing: cmake --preset dev && cmake --build --preset dev" >&2; exit 1; }
mkdir -p "$root/viewer/tests/golden"
WORKBOOK_DRAW_GOLDEN=1 XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} xvfb-run -a "$program" "panels look as they did*,the help says*"
ls -l "$root/viewer/tests/golden"
