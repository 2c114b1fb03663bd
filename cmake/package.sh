#!/bin/sh
# `make package`: builds everything that is installed and makes of it a Debian package and a tar file, in build/package.
#
#   cmake/package.sh [pictures|text|none]     the book: with its pictures (default), without, or no book
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build/workbook
book=${1-pictures}
say() { printf '%s\n' "$*" >&2; }

"$root/cmake/setup.sh" run op grade viewer package
# As bin/workbook: a folder that was configured without grading's packages does not know of it.
grep -qs workbook_grade "$build/build.ninja" "$build/Makefile" || rm -f "$build/.configured"
"$root/cmake/build.sh" viewer workbook_cli workbook_more workbook_optimizer workbook_grade workbook_sim_libraries workbook_viewer

case $book in
  pictures)
    "$root/cmake/setup.sh" book pictures
    "$root/book/build.sh" || say "package: the book lacks pictures; the lines above say why"
    ;;
  text)
    "$root/cmake/setup.sh" book
    "$root/book/build.sh" --text
    ;;
  none) ;;
  *)
    say "package: the book is made with pictures, as text, or is none: not '$book'"
    exit 2
    ;;
esac

# Declarations as harness/cli/project/declared.cpp compiles them, so that a first run does not have to.
say "package: compiling what the puzzles declare"
objects=$build/declarations
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
launcher=$(command -v ccache || :)
rm -rf "$objects"
mkdir -p "$objects"
cd "$root"
export compiler launcher objects
printf '%s\n' puzzles/*/puzzle.cpp | xargs -P "${WORKBOOK_JOBS:-$(nproc)}" -I '{}' sh -eu -c '
  name=${1#puzzles/}
  name=${name%/puzzle.cpp}
  mkdir -p "$objects/$name"
  $launcher "$compiler" -std=c++20 -O1 -fPIC -fsigned-char -ffp-contract=off -w -Iharness/include -c "$1" \
    -o "$objects/$name/puzzle.o"' compile '{}'

# What the programs link with, under its packages' names, but for what is brought along (cmake/package.cmake). The viewer's
# window is recommended: graders have none.
rm -rf "$build/shlibs"
mkdir -p "$build/shlibs/debian"
cd "$build/shlibs"
: >debian/control
WORKBOOK_PACKAGE_DEPENDS=$(dpkg-shlibdeps -O "$build"/harness/cli/workbook "$build"/harness/cli/workbook_[a-z]* \
  2>/dev/null | sed -n 's/^shlibs:Depends=//p' | sed 's/libfmt[^,]*, //')
[ -n "$WORKBOOK_PACKAGE_DEPENDS" ] || { say "package: dpkg-shlibdeps does not say what the programs need"; exit 5; }
WORKBOOK_PACKAGE_DEPENDS="$WORKBOOK_PACKAGE_DEPENDS, "
export WORKBOOK_PACKAGE_DEPENDS

rm -rf "$root/build/package"
cd "$build"
if ! { cmake "$build" && cpack; } >"$build/package.log" 2>&1; then
  tail -n 20 "$build/package.log" >&2
  say "package: CPack failed; $build/package.log has all it said"
  exit 5
fi
rm -rf "$root/build/package/_CPack_Packages"
printf '%s\n' "$root"/build/package/*
