#!/bin/sh
# check.sh WORKBOOK SUITE: a suite of op_test.py, by a Python that has NumPy.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
"$root/harness/python/prepare.sh"
export PYTHONDONTWRITEBYTECODE=1
exec "$(cat "$root/build/op/python")" "$here/op_test.py" "$1" "$2"
