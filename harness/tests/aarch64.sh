#!/bin/sh
# The workbook as an AArch64 Linux machine runs it (a container on an Apple laptop), on an x86-64 one with Debian 12:
# cross-compiles it to build/aarch64 and runs tests of it under QEMU. The arguments go to ctest:
#
#   harness/tests/aarch64.sh [-R NAME]       without arguments: the simulator's unit tests and the corpus
#
# What QEMU cannot show is a memory model weaker than x86-64's: it runs with this processor's.
set -eu

if [ "$(uname -m)" = aarch64 ]; then
  echo "This machine is one: make test" >&2
  exit 2
fi
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
build=build/aarch64

cmake/setup.sh run aarch64
if ! [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
  # What the packages do where an init system runs; a container has none.
  register='update-binfmts --enable qemu-aarch64'
  if [ "$(id -u)" -ne 0 ]; then
    echo "This kernel does not hand AArch64 programs to QEMU. To have it do so:  sudo $register" >&2
    exit 5
  fi
  echo "Having this kernel hand AArch64 programs to QEMU:  $register" >&2
  $register
fi

mkdir -p "$build"
log=$build/configure.log
if ! cmake --preset aarch64 >"$log" 2>&1; then
  grep -v '^-- ' "$log" >&2
  exit 5
fi
cmake --build "$build" -j "${WORKBOOK_JOBS:-$(nproc)}"
[ $# -gt 0 ] || set -- -L 'unit|corpus'
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "${WORKBOOK_TEST_JOBS:-2}" "$@"
