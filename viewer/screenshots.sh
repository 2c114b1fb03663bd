#!/bin/sh
# Draws the book's figures with the viewer, from the newest correct runs of the solutions: those that
# book/refresh.py made for the chapters' tables, else those in .workbook, or those named.
#   viewer/screenshots.sh [--viewer PROGRAM] [--out FOLDER] [what the viewer takes: --db FILE, --import FILE...]
# Writes NN_panel_light.png and NN_panel_dark.png.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
viewer=
out=$root/book/chapters/images
while [ $# -gt 0 ]; do
  case $1 in
    --viewer) viewer=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    *) break ;;
  esac
done
if [ -z "$viewer" ]; then
  for preset in viewer dev; do
    [ -x "$root/build/$preset/viewer/workbook-viewer" ] && viewer=$root/build/$preset/viewer/workbook-viewer && break
  done
fi
if [ ! -x "$viewer" ]; then
  echo "screenshots: the viewer is not built; make viewer builds it" >&2
  exit 1
fi

# On its own display even where there is a screen: pictures must not depend on whose it is.
if ! command -v xvfb-run >/dev/null; then
  echo "screenshots: xvfb-run is missing; on Debian: apt-get install xvfb xauth" >&2
  exit 1
fi
XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)}
export XDG_RUNTIME_DIR
# Exported records carry no traces, so figures need the store itself.
if [ $# -eq 0 ]; then
  runs=$root/build/book/puzzles/state/runs.sqlite
  [ -e "$runs" ] && set -- --db "$runs"
fi
mkdir -p "$out"

# draw NAME PANEL options...: one picture in both themes, at a size that reads well in a column of text.
draw() {
  name=$1 panel=$2
  shift 2
  for theme in light dark; do
    xvfb-run -a "$viewer" --origin solution --size 1320x900 --scale 1.5 --theme "$theme" --screenshot "$panel" "$out/${name}_$theme.png" "$@"
    echo "$out/${name}_$theme.png"
  done
}

draw 01_mapping mapping --puzzle 1 "$@"
# What a GPU measured, where the book has it: the same for whoever draws the figures.
draw 22_compare compare --puzzle 22 --b fused-block --shape real --import "$root/book/data/h200/runs.json"
draw 22_compare_minimal compare --puzzle 22 "$@"
draw 22_mapping mapping --puzzle 22 "$@"
