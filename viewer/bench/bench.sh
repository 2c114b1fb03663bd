#!/bin/sh
# What the viewer costs, on this machine: builds and runs workbook_viewer_bench on a display of its own.
#   viewer/bench/bench.sh [--db FILE] [--runs N]
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
if ! command -v xvfb-run >/dev/null; then
  echo "viewer bench: xvfb-run is missing; on Debian: apt-get install xvfb xauth" >&2
  exit 1
fi
"$root/cmake/build.sh" viewer workbook_viewer_bench
XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)}
export XDG_RUNTIME_DIR
# -noreset: it opens a display several times, and Xvfb would start over whenever the last client leaves.
exec xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$root/build/workbook/viewer/workbook_viewer_bench" "$@"
