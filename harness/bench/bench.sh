#!/usr/bin/env bash
# `make bench`: the simulator's speed beside its peers (bench.py), what `workbook optimize` and the viewer cost;
# where there is a GPU, harness/gpu/check.sh too.
#
#   harness/bench/bench.sh [--rounds N] [--out FILE]
#
# Peers that cannot be installed are left out, and the table says so.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/cmake/setup.sh" bench || echo "bench: without the peers that are missing" >&2
"$root/cmake/build.sh" sim workbook_cli workbook_more workbook_sim_libraries || exit 5
status=0
PYTHONDONTWRITEBYTECODE=1 python3 "$root/harness/bench/bench.py" "$@" || status=1
PYTHONDONTWRITEBYTECODE=1 python3 "$root/harness/bench/optimize.py" --out "$root/harness/bench/results/optimize.md" || status=1
if "$root/cmake/setup.sh" viewer; then
  "$root/viewer/bench/bench.sh" || status=1
fi
if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
  "$root/harness/gpu/check.sh" || status=1
fi
exit $status
