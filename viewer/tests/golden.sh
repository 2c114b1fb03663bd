#!/bin/sh
# Draws those of the pictures that golden_test.cpp compares with anew that look different now. Look at them, in
# build/golden, before they are committed.
#   viewer/tests/golden.sh [FOLDER OF A BUILD WITH TESTS]
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=${1:-"$root/build/workbook"}
program=$build/viewer/tests/workbook_viewer_panel_tests
[ -x "$program" ] || { echo "golden: $program is missing: cmake --preset dev && cmake --build --preset dev" >&2; exit 1; }
full=$root/build/golden
mkdir -p "$root/viewer/tests/golden" "$full"
WORKBOOK_DRAW_GOLDEN=$full XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} xvfb-run -a "$program" "*looks as it did*,*look as they did*,the help says*"
echo "golden: the same at full size, to look at: $full"
