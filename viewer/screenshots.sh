#!/bin/sh
# Draws the book's figures with the viewer: every panel of Puzzle 22, and what the chapters show besides.
#   viewer/screenshots.sh [--viewer PROGRAM] [--workbook PROGRAM] [--out FOLDER] [--state FOLDER]
# The runs drawn are the solutions', a sweep and one plausible mistake. They are made once, in
# build/screenshots (or --state); remove it to have them made again.
# Writes NN_panel_light.png and NN_panel_dark.png. A picture that cannot be drawn is said, the others are drawn,
# and the status is 1.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
viewer=
workbook=$root/bin/workbook
out=$root/book/chapters/images
state=$root/build/screenshots
while [ $# -gt 0 ]; do
  case $1 in
    --viewer) viewer=$2 ;;
    --workbook) workbook=$2 ;;
    --out) out=$2 ;;
    --state) state=$2 ;;
    *)
      echo "screenshots: unknown option $1; the first lines of $0 list them" >&2
      exit 2
      ;;
  esac
  shift 2
done
viewer=${viewer:-"$root/build/workbook/viewer/workbook-viewer"}
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
cd "$root"
mkdir -p "$out"

# Exported records carry no traces, so figures need runs of their own.
mistake=unfused_row_of_batch
make_runs() {
  mkdir -p "$state/mistakes"
  for variant in unfused fused fused-block; do "$workbook" solution 22 --$variant --backend sim >&2; done
  "$workbook" solution 1 --backend sim >&2
  "$workbook" sweep 22 --solution --backend sim >&2
  "$workbook" mutants 22 --write "$state/mistakes" >&2
  # It is wrong, and says so by its status.
  "$workbook" run 22 --unfused --backend sim --kernels "$state/mistakes/$mistake.cu" >&2 || [ $? -eq 1 ]
  : >"$state/complete"
}
export WORKBOOK_STATE="$state"
if ! [ -e "$state/complete" ]; then
  rm -rf "$state"
  make_runs
fi
runs=$state/runs.sqlite

# draw NAME PANEL options...: one picture in both themes, at a size that reads well in a column of text.
failed=0
draw() {
  name=$1 panel=$2
  shift 2
  for theme in light dark; do
    if xvfb-run -a "$viewer" --size 1320x900 --scale 1.5 --theme "$theme" \
      --screenshot "$panel" "$out/${name}_$theme.png" "$@"; then
      echo "$out/${name}_$theme.png"
    else
      echo "screenshots: $panel could not be drawn as $name" >&2
      failed=1
    fi
  done
}

draw 01_mapping mapping --puzzle 1 --origin solution --db "$runs"
# What a GPU measured, where the book has it: the same for whoever draws the figures.
draw 22_compare compare --puzzle 22 --b fused-block --shape real --import "$root/book/data/h200/runs.json"
draw 22_compare_minimal compare --puzzle 22 --origin solution --db "$runs"
draw 22_puzzles puzzles --puzzle 22 --origin solution --db "$runs"
draw 22_mapping mapping --puzzle 22 --origin solution --db "$runs"
draw 22_mapping_both mapping --puzzle 22 --side both --b fused-block --origin solution --db "$runs"
draw 22_steps steps --puzzle 22 --launch 2 --step 1 --moment 4 --origin solution --db "$runs"
draw 22_memory memory --puzzle 22 --b fused-block --side B --origin solution --db "$runs"
draw 22_source source --puzzle 22 --b fused-block --side B --origin solution --db "$runs"
draw 22_roofline roofline --puzzle 22 --b fused-block --shape real --origin solution --db "$runs"
draw 22_errors errors --puzzle 22 --origin $mistake --db "$runs"
exit $failed
