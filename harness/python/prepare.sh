#!/bin/sh
# Makes a Python ready for the modules of `workbook op`: one that has NumPy, and the compiled part of workbook_op
# (arrays.cpp and nanobind) for it, in build/op, or in $WORKBOOK_PYTHON, as an installed workbook has it. Writes the
# interpreter's path to `python` there. With nothing to do it costs the start of that interpreter.
#
#   harness/python/prepare.sh [PYTHON]     default: python3 where it has NumPy, else one of the workbook's own, in
#                                      build/op/venv with what requirements.txt pins by hash
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
work=${WORKBOOK_PYTHON:-$root/build/op}
deps=${WORKBOOK_PYTHON:-$root/build/deps}
wanted_python=${1-}
say() { printf '%s\n' "$*" >&2; }
mkdir -p "$work"

if command -v flock >/dev/null; then  # one at a time
  exec 9>"$work/.lock"
  flock 9
fi

own_python() {
  venv=$work/venv
  wanted=$(cksum <"$here/requirements.txt")
  if [ "$(cat "$venv/stamp" 2>/dev/null)" != "$wanted" ]; then
    say "workbook: installing NumPy and nanobind into $venv (20 MB, once)"
    rm -rf "$venv"
    if ! python3 -m venv "$venv" >"$work/venv.log" 2>&1; then
      cat "$work/venv.log" >&2
      rm -rf "$venv"
      say "python3 cannot make a virtual environment; on Debian: apt-get install python3-venv"
      exit 5
    fi
    if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --require-hashes \
      --requirement "$here/requirements.txt" >&2; then
      rm -rf "$venv"
      say "NumPy and nanobind could not be fetched. A Python that has both will do: workbook op 18 --python PYTHON"
      exit 5
    fi
    echo "$wanted" >"$venv/stamp"
  fi
  python=$venv/bin/python
}

if ! command -v python3 >/dev/null && [ -z "$wanted_python" ]; then
  say "There is no python3; on Debian: apt-get install python3 python3-dev python3-venv"
  exit 5
fi
if [ -n "$wanted_python" ]; then
  python=$(command -v "$wanted_python") || { say "There is no Python '$wanted_python'."; exit 5; }
  if ! "$python" -c 'import numpy' 2>/dev/null; then
    say "$wanted_python has no NumPy: $wanted_python -m pip install numpy, or leave --python away."
    exit 5
  fi
elif python3 -c 'import numpy' 2>/dev/null; then
  python=$(command -v python3)
else
  own_python
fi

# Where it is, for what it is, and where nanobind's sources are, if it has them.
facts=$("$python" - <<'END'
import os
import sys
import sysconfig

try:
    import nanobind
    sources = os.path.dirname(nanobind.__file__)
except ImportError:
    sources = ""
print(sys.executable)
print(sysconfig.get_config_var("EXT_SUFFIX"))
print(sysconfig.get_paths()["include"])
print(sources)
END
)
interpreter=$(printf '%s\n' "$facts" | sed -n 1p)
suffix=$(printf '%s\n' "$facts" | sed -n 2p)
include=$(printf '%s\n' "$facts" | sed -n 3p)
nanobind=$(printf '%s\n' "$facts" | sed -n 4p)

module=$work/_workbook_arrays$suffix
key=$(cat "$here/arrays.cpp" "$here/library.h" "$here/prepare.sh" "$here/requirements.txt" | cksum)
if [ "$(cat "$module.key" 2>/dev/null)" != "$key" ] || ! [ -e "$module" ]; then
  if ! [ -e "$include/Python.h" ]; then
    say "$interpreter has no header files ($include/Python.h); on Debian: apt-get install python3-dev"
    exit 5
  fi
  if [ -z "$nanobind" ]; then
    nanobind=$deps/nanobind/nanobind
    pin=$(sed -n '/^nanobind==/,/# via/p' "$here/requirements.txt" | grep -v '# via' | sed '$s/ *\\$//')
    if [ "$(cat "$deps/nanobind/pin" 2>/dev/null)" != "$pin" ]; then
      fetched=$(mktemp -d "$work/nanobind.XXXXXX")
      printf '%s\n' "$pin" >"$fetched/requirements.txt"
      if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --dest "$fetched" --requirement "$fetched/requirements.txt" >&2; then
        rm -rf "$fetched"
        say "nanobind could not be fetched; a Python that has it will do: $interpreter -m pip install nanobind"
        exit 5
      fi
      "$python" -m zipfile -e "$fetched"/nanobind-*.whl "$fetched/unpacked"
      printf '%s\n' "$pin" >"$fetched/unpacked/pin"
      mkdir -p "$deps"
      rm -rf "$deps/nanobind"
      mv "$fetched/unpacked" "$deps/nanobind"
      rm -rf "$fetched"
    fi
  fi
  compiler=${CXX:-g++}
  launcher=${CMAKE_CXX_COMPILER_LAUNCHER:-$(command -v ccache || :)}
  say "workbook: compiling the Python side (once)"
  compile() {  # SOURCE OBJECT
    # shellcheck disable=SC2086
    $launcher "$compiler" -std=c++20 -O2 -DNDEBUG -fPIC -fvisibility=hidden -fno-strict-aliasing -w -I"$include" \
      -I"$nanobind/include" -I"$nanobind/ext/robin_map/include" -I"$here" -c "$1" -o "$2"
  }
  objects=$(mktemp -d "$work/objects.XXXXXX")
  trap 'rm -rf "$objects"' EXIT INT TERM
  compile "$nanobind/src/nb_combined.cpp" "$objects/nanobind.o" &
  other=$!
  compile "$here/arrays.cpp" "$objects/arrays.o" || { wait "$other" || :; exit 5; }
  wait "$other" || exit 5
  "$compiler" -shared -s "$objects/nanobind.o" "$objects/arrays.o" -ldl -o "$module.new"
  mv "$module.new" "$module"
  echo "$key" >"$module.key"
fi
printf '%s\n' "$interpreter" >"$work/python"
