#!/bin/sh
# check.sh WORKBOOK SUITE [FILE]: a suite of op_test.py, or of another file here, by a Python that has NumPy.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
"$root/harness/python/prepare.sh"
export PYTHONDONTWRITEBYTECODE=1
exec "$(cat "$root/build/op/python")" "$here/${3:-op_test.py}" "$1" "$2"
