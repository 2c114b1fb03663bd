#!/bin/sh
# Builds the book into build/book/site and prints where it begins. The tools go into a virtual environment below
# build/, from requirements.txt by hash; the pictures are drawn by the viewer as it is built (pictures.py). Each step is
# skipped when nothing changed.
#   book/build.sh [--text]      --text: without drawing pictures that are not there yet
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/build/book
venv=$work/venv
site=$work/site
page=$root/build/web/page
mkdir -p "$work"

wanted=$(sha256sum "$root/book/requirements.txt")
if [ "$(cat "$venv/stamp" 2>/dev/null)" != "$wanted" ]; then
  echo "book: installing MkDocs and its theme into build/book/venv (once)"
  rm -rf "$venv"
  if ! python3 -m venv "$venv" 2>"$work/venv.log"; then
    cat "$work/venv.log" >&2
    rm -rf "$venv"
    echo "book: python3 cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2
    exit 1
  fi
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --require-hashes \
    --requirement "$root/book/requirements.txt"
  echo "$wanted" >"$venv/stamp"
fi

# The pages say what is missing where a picture could not be drawn, and pictures.py has said it.
[ "${1-}" = --text ] || "$root/book/pictures.py" || [ $? -eq 3 ] || failed=1

# Names, sizes and times of all that the pages are made from: a deleted file counts as a change too.
inputs() {
  set -- "$root/book" "$root/puzzles" "$root/solutions" "$work/pictures"
  [ -d "$page" ] && set -- "$@" "$page"
  mkdir -p "$work/pictures"
  find "$@" -type f ! -path '*/__pycache__/*' -printf '%P %s %T@\n' | sort
}
state=$(inputs | sha256sum)
if [ "$(cat "$work/site.stamp" 2>/dev/null)" != "$state" ]; then
  rm -f "$work/site.stamp"
  cd "$root/book"
  PYTHONDONTWRITEBYTECODE=1 NO_MKDOCS_2_WARNING=1 "$venv/bin/python" -m mkdocs --quiet build --strict --site-dir "$site"
  echo "$state" >"$work/site.stamp"
fi
[ -e "$page/viewer.js" ] || echo "book: its pictures of the viewer are still; viewer/web/build.sh (with Debian's emscripten) makes them live"
echo "book: $site/index.html"
exit "${failed:-0}"
