#!/bin/sh
# The layout and the lint of our C++ and CUDA sources:  cmake/style.sh format | check-format | tidy
# Everybody uses version 14, because versions differ in what they make of the same settings.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"

sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@"
  else
    for pattern do find harness puzzles solutions viewer book -name "$pattern"; done
  fi | while read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done
}

case ${1-} in
  format)
    cmake/setup.sh format
    sources '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -d '\n' clang-format-14 -i ;;
  check-format)
    cmake/setup.sh format
    # The first place in each file says enough.
    places=$(sources '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -d '\n' clang-format-14 --dry-run 2>&1 |
      awk -F: '/clang-format/ && !seen[$1]++ { print "  " $1 ":" $2 }')
    if [ -n "$places" ]; then
      printf 'Not in the house style, at the first place of each file:\n%s\nThis puts it right:  make format\n' "$places" >&2
      exit 1
    fi ;;
  tidy)
    command -v clang-tidy-14 >/dev/null || { echo "clang-tidy-14 is missing:  apt-get install clang-tidy-14" >&2; exit 5; }
    # File by file, as clang-tidy reads them; nothing is built there but what CMake writes.
    cmake --preset dev -B build/tidy -DWORKBOOK_UNITY=OFF >/dev/null
    sources '*.cpp' | xargs -d '\n' -P 2 -n 4 clang-tidy-14 -p build/tidy --quiet ;;
  *)
    echo "usage: cmake/style.sh format | check-format | tidy" >&2
    exit 2 ;;
esac
