#!/bin/sh
# Draws the book's figures with the viewer.
#   viewer/screenshots.sh [--viewer PROGRAM] [--workbook PROGRAM] [--out FOLDER] [--state FOLDER] [NN ...]
# book/figures/NN_name.txt lists those of a chapter (all chapters, unless some are named), one a line:
#   NAME PANEL [options of the viewer]    a picture NAME_light.png and NAME_dark.png; the runs are the solution's,
#                                         unless --origin MISTAKE or --measured (book/data/h200) says otherwise
#   mistake: NAME --VARIANT               a mutant that is run as well, for --origin NAME
#   run: WORDS                            a further command of workbook, before the pictures are drawn
# Runs are made once, in build/screenshots (or --state); remove it to have them made again.
# A picture that cannot be drawn is said, the others are drawn, and the status is 1.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
viewer=
workbook=$root/bin/workbook
out=$root/book/chapters/images
state=$root/build/screenshots
numbers=
while [ $# -gt 0 ]; do
  case $1 in
    --viewer) viewer=$2 ;;
    --workbook) workbook=$2 ;;
    --out) out=$2 ;;
    --state) state=$2 ;;
    [0-9]*)
      numbers="$numbers $(printf '%02d' "${1#0}")"
      shift
      continue
      ;;
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

# Exported records carry no traces, so figures need runs of their own: NUMBER FILE.
make_runs() {
  rm -rf "$WORKBOOK_STATE"
  mkdir -p "$WORKBOOK_STATE/mistakes"
  "$workbook" solution "$1" --all --backend sim >&2 || return
  while read -r word rest; do
    # shellcheck disable=SC2086
    case $word in
      run:)
        case $rest in sass\ * | ptx\ *) backend= ;; *) backend='--backend sim' ;; esac  # a listing runs nothing
        "$workbook" $rest $backend >&2 </dev/null || return
        ;;
      mistake:)
        "$workbook" mutants "$1" --write "$WORKBOOK_STATE/mistakes" >&2 </dev/null || return
        # It is wrong, and says so by its status.
        "$workbook" run "$1" "${rest#* }" --backend sim --kernels "$WORKBOOK_STATE/mistakes/${rest%% *}.cu" >&2 </dev/null \
          || [ $? -eq 1 ] || return
        ;;
    esac
  done <"$2"
  : >"$WORKBOOK_STATE/complete"
}

# Each picture in both themes, at a size that reads well in a column of text.
failed=0
draw() {  # NUMBER NAME PANEL options...
  number=$1 name=$2 panel=$3
  shift 3
  origin='--origin solution' from="--db $WORKBOOK_STATE/runs.sqlite"
  for word do
    shift
    case $word in
      --origin) origin= ;;
      --measured) origin='' from="--import $root/book/data/h200/runs.json"; continue ;;
    esac
    set -- "$@" "$word"
  done
  for theme in light dark; do
    # shellcheck disable=SC2086
    if xvfb-run -a "$viewer" --size 1320x900 --scale 1.5 --theme "$theme" \
      --screenshot "$panel" "$out/${name}_$theme.png" --puzzle "$number" "$@" $origin $from </dev/null; then
      # 256 colours are as many as a panel needs, in a quarter of the bytes.
      command -v pngquant >/dev/null && pngquant --quality 85-100 --speed 1 --strip --force --ext .png "$out/${name}_$theme.png"
      echo "$out/${name}_$theme.png"
    else
      echo "screenshots: $panel could not be drawn as $name" >&2
      failed=1
    fi
  done
}

for file in book/figures/[0-9][0-9]_*.txt; do
  chapter=${file##*/}
  chapter=${chapter%%_*}
  case " ${numbers:-$chapter} " in *" $chapter "*) ;; *) continue ;; esac
  export WORKBOOK_STATE="$state/$chapter"
  if ! [ -e "$WORKBOOK_STATE/complete" ] && ! make_runs "$chapter" "$file" </dev/null; then
    echo "screenshots: the runs of chapter $chapter could not be made" >&2
    failed=1
    continue
  fi
  while read -r name panel options; do
    # shellcheck disable=SC2086
    case $name in '' | '#'* | *:) ;; *) draw "$chapter" "$name" "$panel" $options ;; esac
  done <"$file"
done
exit $failed
