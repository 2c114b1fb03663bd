#!/bin/sh
# program_test.sh VIEWER MAKE_FIXTURE XVFB_RUN: what the program says and returns, from the outside.
set -u
viewer=$1 make_fixture=$2 xvfb=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS WORDS command...: the exit status and some words of the output.
expect() {
  status=$1 words=$2
  shift 2
  output=$("$@" 2>&1)
  got=$?
  if [ "$got" -ne "$status" ]; then
    echo "FAILED: $* exits with $got, not $status: $output"
    failures=$((failures + 1))
  fi
  case $output in
    *"$words"*) ;;
    *) echo "FAILED: $* does not say '$words': $output"; failures=$((failures + 1)) ;;
  esac
}

"$make_fixture" "$work/runs.json" || exit 1
echo "no database, but long enough to be taken for one, were it not for its first bytes" > "$work/damaged.sqlite"
echo '{"format": ' > "$work/damaged.json"

expect 0 "--screenshot" "$viewer" --help
expect 2 "unknown option" "$viewer" --nonsense
expect 2 "there is no file" "$viewer" --db "$work/missing.sqlite"
expect 5 "damaged.sqlite" "$viewer" --db "$work/damaged.sqlite" --screenshot compare "$work/no.png"
expect 5 "damaged.json" "$viewer" --import "$work/damaged.json" --screenshot compare "$work/no.png"
expect 2 "no run 99" "$viewer" --import "$work/runs.json" --run 99 --screenshot compare "$work/no.png"
expect 5 "no display" env -u DISPLAY -u WAYLAND_DISPLAY "$viewer" --import "$work/runs.json"
# What it advises works when it is typed, with runs and without any.
advice=$(env -u DISPLAY -u WAYLAND_DISPLAY "$viewer" --import "$work/runs.json" 2>&1 | sed -n 's/.*drawn: xvfb-run -a \(.*\) viewer.png .*/\1/p')
[ -n "$advice" ] || { echo "FAILED: without a display no command is named"; failures=$((failures + 1)); }
mkdir "$work/state"
# shellcheck disable=SC2086
expect 0 "" env WORKBOOK_STATE="$work/state" "$xvfb" -a $advice "$work/advice.png"
[ -s "$work/advice.png" ] || { echo "FAILED: no advice.png"; failures=$((failures + 1)); }
expect 5 "cannot write" "$xvfb" -a "$viewer" --import "$work/runs.json" --screenshot compare "$work/no/such/folder.png"
expect 2 "no tensor called" "$xvfb" -a "$viewer" --import "$work/runs.json" --cell nothing:1 --screenshot mapping "$work/no.png"
"$make_fixture" "$work/gpu.json" measured || exit 1
expect 2 "no access trace" "$xvfb" -a "$viewer" --import "$work/gpu.json" --screenshot mapping "$work/no.png"
expect 2 "at a shape called 'huge', but at: teaching, real" "$viewer" --import "$work/runs.json" --shape huge --screenshot compare "$work/no.png"
expect 2 "no run to draw" "$viewer" --import "$work/runs.json" --puzzle 7 --screenshot compare "$work/no.png"
"$make_fixture" "$work/fusion.json" fusion || exit 1
head -c 300 "$work/fusion.json" >"$work/cut.json"
expect 5 "cut.json cannot be read: this is not JSON" "$viewer" --import "$work/cut.json" --screenshot fusion "$work/no.png"
expect 2 "workbook optimize rmsnorm_linear" "$xvfb" -a "$viewer" --import "$work/runs.json" --puzzle 41 --screenshot fusion "$work/no.png"
expect 2 "there are 2 plans" "$xvfb" -a "$viewer" --import "$work/fusion.json" --plan 3 --screenshot fusion "$work/no.png"
[ -e "$work/no.png" ] && { echo "FAILED: a picture was written in spite of an error"; failures=$((failures + 1)); }

expect 2 "there is no file" "$viewer" --screenshots "$work/missing.txt"

# The whole window by itself, each panel in one process for all.
expect 0 "" "$xvfb" -a "$viewer" --import "$work/runs.json" --size 800x600 --screenshot app "$work/alone.png"
[ -s "$work/alone.png" ] || { echo "FAILED: no alone.png"; failures=$((failures + 1)); }
words() { printf '%s' "$1"; shift; printf '\t%s' "$@"; printf '\n'; }
panels='puzzles compare mapping steps memory roofline source fusion occupancy app'
for panel in $panels; do
  for theme in light dark; do
    words --import "$work/runs.json" "$work/fusion.json" --program rmsnorm_linear --theme "$theme" --size 800x600 --screenshot "$panel" "$work/$panel-$theme.png"
  done
done >"$work/pictures.txt"
expect 0 "$work/app-dark.png" "$xvfb" -a "$viewer" --screenshots "$work/pictures.txt"
for panel in $panels; do
  for theme in light dark; do
    [ -s "$work/$panel-$theme.png" ] || { echo "FAILED: no $panel-$theme.png"; failures=$((failures + 1)); }
  done
done

# One that cannot be drawn is said, and the others are drawn.
{
  words --import "$work/runs.json" --puzzle 7 --screenshot compare "$work/no.png"
  words --import "$work/runs.json" --screenshot compare "$work/after.png"
} >"$work/pictures.txt"
expect 1 "no.png: there is no run to draw" "$xvfb" -a "$viewer" --screenshots "$work/pictures.txt"
[ -s "$work/after.png" ] || { echo "FAILED: no picture after one that cannot be drawn"; failures=$((failures + 1)); }
exit "$((failures > 0))"
