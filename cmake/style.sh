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
  format | check-format)
    cmake/setup.sh format
    if [ "$1" = format ]; then options=-i; else options='--dry-run -Werror'; fi
    # shellcheck disable=SC2086
    if sources '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -d '\n' clang-format-14 $options; then exit 0; fi
    echo "The files above are not in the house style:  make format" >&2
    exit 1 ;;
  tidy)
    command -v clang-tidy-14 >/dev/null || { echo "clang-tidy-14 is missing:  apt-get install clang-tidy-14" >&2; exit 5; }
    cmake/build.sh dev
    sources '*.cpp' | xargs -d '\n' -P 2 -n 4 clang-tidy-14 -p build/dev --quiet ;;
  *)
    echo "usage: cmake/style.sh format | check-format | tidy" >&2
    exit 2 ;;
esac
