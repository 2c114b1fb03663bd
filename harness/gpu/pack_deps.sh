#!/usr/bin/env bash
# Packs the libraries that the workbook builds against into .deps/ (ignored by git), so that a GPU machine
# where nothing can be installed builds it too:
#
#   harness/gpu/pack_deps.sh                                    here, on Debian 12 with the packages installed
#   cmake --preset cuda -DCMAKE_PREFIX_PATH="$PWD/.deps"        there; check.sh does it when .deps exists
#
# Static libraries where there are some: built against this glibc, they link on any newer one.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=$root/.deps
limit_mib=40
multiarch=$(g++ -print-multiarch)
lib=lib/$multiarch

rm -rf "$deps"
mkdir -p "$deps/include" "$deps/$lib/cmake" "$deps/share"

# Copies /usr/PATH to .deps/PATH, links followed: what CMake's package files say about neighbours stays true.
take() {
  local path
  for path in "$@"; do
    [ -e "/usr/$path" ] || { echo "pack_deps: /usr/$path is missing; is its package installed?" >&2; exit 1; }
    mkdir -p "$deps/$(dirname "$path")"
    cp -rL "/usr/$path" "$deps/$(dirname "$path")/"
  done
}

# Command line, text, JSON
take include/CLI share/cmake/CLI11
take include/fmt "$lib/cmake/fmt" "$lib/libfmt.so.9" "$lib/$(basename "$(readlink -f "/usr/$lib/libfmt.so.9")")"
take include/nlohmann share/cmake/nlohmann_json
take include/ncursesw include/curses.h include/ncurses.h include/ncurses_dll.h include/unctrl.h
take "$lib/libncursesw.so" "$lib/libncursesw.so.6" "$lib/libtinfo.so" "$lib/libtinfo.so.6"
# Run records
take include/sqlite3.h "$lib/libsqlite3.a"
take include/zstd.h include/zstd_errors.h "$lib/libzstd.a"
# Tests
take include/catch2 lib/cmake/Catch2 lib/libCatch2WithMain.a

# Boost.Context: of Boost's 150 MB of headers only those that the simulator's includes reach.
boost=1.81.0
take "$lib/libboost_context.a" "$lib/cmake/Boost-$boost" "$lib/cmake/BoostDetectToolset-$boost.cmake" \
  "$lib/cmake/boost_headers-$boost" "$lib/cmake/boost_context-$boost"
# The shared variant stays behind, so its description must not promise it.
rm "$deps/$lib/cmake/boost_context-$boost/libboost_context-variant-shared.cmake"
{
  grep -rhoE '#include <boost/[^>]+>' "$root/harness" --include='*.h' --include='*.cpp' | sort -u
  echo '#include <boost/version.hpp>'
} | g++ -std=c++20 -M -x c++ - | tr ' \\' '\n\n' | sed -n 's|^/usr/\(include/boost/.*\)|\1|p' | sort -u |
  while read -r header; do take "$header"; done

# libbacktrace lives beside g++; another g++ may come without it.
cp "$(g++ -print-file-name=include/backtrace.h)" "$(g++ -print-file-name=include/backtrace-supported.h)" \
  "$deps/include/"
cp "$(g++ -print-file-name=libbacktrace.a)" "$deps/$lib/"

size_mib=$(du -sm "$deps" | cut -f1)
echo "pack_deps: $deps holds $size_mib MiB in $(find "$deps" -type f | wc -l) files"
[ "$size_mib" -le "$limit_mib" ] || { echo "pack_deps: more than $limit_mib MiB" >&2; exit 1; }
