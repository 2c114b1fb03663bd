#!/bin/sh
# Builds the viewer as a page and prints where it lies:
#   viewer/web/build.sh [RUNS.json...]      runs exported with `workbook export --format json --out RUNS.json`;
#                                           without any, those measured for the book, and to compare with, those
#                                           modelled for it
# The page is the folder build/web/page: viewer.html, viewer.js (with the program inside) and runs.js. It opens
# from a folder and needs no server. Emscripten is Debian's, which this offers to install; without it the end is
# status 5.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
build=$root/build/web/${WORKBOOK_PAGE_BUILD:-release}
page=$root/build/web/page

"$root/cmake/setup.sh" run viewer page
"$root/viewer/fetch_imgui_sources.sh"
mkdir -p "$build" "$page"
if [ ! -e "$build/CMakeCache.txt" ]; then
  echo "page: compiling the viewer to WebAssembly (some minutes, once)" >&2
  generator=Ninja
  command -v ninja >/dev/null || generator='Unix Makefiles'
  launcher=
  command -v ccache >/dev/null && launcher="-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
  # shellcheck disable=SC2086
  emcmake cmake -S "$here" -B "$build" -G "$generator" $launcher -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" >"$build/configure.log" 2>&1 || {
    cat "$build/configure.log" >&2
    rm -f "$build/CMakeCache.txt"
    exit 1
  }
fi
# Where Debian keeps acorn, which Emscripten parses its JavaScript with: another node than Debian's looks elsewhere.
export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs"
if ! cmake --build "$build" -j "${WORKBOOK_JOBS:-$(nproc)}" >"$build/build.log" 2>&1; then
  { grep -A 3 'error:' "$build/build.log" || tail -n 20 "$build/build.log"; } | head -n 40 | cut -c 1-300 >&2
  echo "page: the build failed; all of it is in $build/build.log" >&2
  exit 1
fi

[ $# -gt 0 ] || set -- "$root"/book/data/h200/*.json --offer "$root"/book/data/runs/*.json
python3 "$here/pack_runs.py" "$page/runs.js" "$@"
cp "$here/viewer.html" "$build/viewer.js" "$page/"
echo "page: $page/viewer.html"
