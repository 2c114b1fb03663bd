#!/bin/sh
# Brings build/workbook up to date: installs what is missing, configures when that is due, builds.
#
#   cmake/build.sh PRESET [TARGET...]      the presets are in CMakePresets.json; without targets the preset's
#
# All presets share the folder. One that is new to it adds its targets; what is there already is not compiled again.
# Everything it says goes to standard error. With nothing to do it costs a few tens of milliseconds.
# Ends with status 5 when it cannot do its work. WORKBOOK_JOBS=N limits the compilers at work.
# shellcheck disable=SC3013  # -nt is in every sh that we know of: dash, bash, busybox, ksh
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
preset=$1
shift
build=$root/build/workbook
stamp=$build/.configured
say() { printf '%s\n' "$*" >&2; }

case $preset in
  sim | cuda) goals='run' target=workbook_cli ;;
  viewer) goals='run viewer' target=workbook_viewer ;;
  *) goals='run op grade viewer book test' target=all ;;
esac
[ $# -gt 0 ] || set -- "$target"
# shellcheck disable=SC2086
"$root/cmake/setup.sh" $goals

if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
  say "workbook: $build cannot be written, and the workbook is built there."
  exit 5
fi

# One build at a time: a second `workbook`, started meanwhile, waits here and then finds all done.
if command -v flock >/dev/null; then
  exec 9>"$build/.lock"
  if ! flock -n 9; then
    say "workbook: waiting for another build"
    flock 9
  fi
fi

# The stamp says where the folder was configured and for which presets. A build folder that was moved or copied with
# its checkout still speaks of the old place.
configured_for='' presets=''
if [ -r "$stamp" ]; then { read -r configured_for && read -r presets; } <"$stamp" || :; fi
if [ "$configured_for" != "$root" ] || [ "$root/CMakePresets.json" -nt "$stamp" ]; then
  [ -z "$configured_for" ] || [ "$configured_for" = "$root" ] || rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  presets=
fi
case " $presets " in *" $preset "*) is_configured=yes ;; *) is_configured= ;; esac
if [ -z "$is_configured" ]; then
  say "workbook: configuring ($preset)"
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
    export CUDACXX="${CUDACXX:-/usr/local/cuda/bin/nvcc}"
  fi
  # Ubuntu 22.04's g++ is too old, and its g++ 12 goes by that name.
  if [ -z "${CXX-}" ] && ! echo '#include <expected>' | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; then
    for newer in g++-14 g++-13 g++-12; do
      if command -v "$newer" >/dev/null; then export CXX="$newer"; break; fi
    done
  fi
  generator=
  command -v ninja >/dev/null || generator='Unix Makefiles'
  log=$build/configure.log
  if ! (cd "$root" && cmake --preset "$preset" ${generator:+-G "$generator"}) >"$log" 2>&1 9>&-; then
    grep -v "^-- " "$log" >&2
    rm -rf "$root/build/setup"  # perhaps a package went away: look again next time
    rm -f "$stamp" "$build/CMakeCache.txt"  # where this preset would stay and fail the others
    say "workbook: configuring failed; the lines above say why."
    exit 5
  fi
  printf '%s\n' "$root" "${presets:+$presets }$preset" >"$stamp"
fi

# Shows how far the build is, as one line that changes on a terminal and a line every tenth elsewhere, and says nothing
# when nothing is built. The steps are few and some are long: what is left is said in seconds, too, as far as the
# steps that are done let one guess.
show_step() {  # [DONE/ALL SECONDS] what is done
  status=${1%%]*} file=${1##*/}
  status=${status#?} done=${status%%/*} all=${status##*/}
  all=${all%% *} seconds=${status##* }
  case $done$all$seconds in *[!0-9.]* | '') say "  $1"; return ;; esac  # make's "[ 50%] ..."
  seconds=${seconds%%.*}
  left=
  if [ "$done" -ge 4 ] && [ "$seconds" -ge 2 ] && [ "$done" -lt "$all" ]; then
    left=", about $((seconds * (all - done) / done + 1)) s left"
  fi
  if [ -t 2 ]; then
    file=${file%.o} file=${file%_cxx.cxx}
    printf '\r\033[K  %s of %s%s  %.40s' "$done" "$all" "$left" "${file#unity_}" >&2
  elif [ $((done * 10 / all)) -ne "$tenths" ]; then
    tenths=$((done * 10 / all))
    say "  $done of $all$left"
  fi
}
show_build() {
  begun='' failed='' tenths=-1
  while IFS= read -r line; do
    case $line in
      *'Re-checking globbed'* | *'no work to do'* | *'Entering directory'* | '-- '* | '') continue ;;
      *'Built target'* | *'Consolidate compiler'*) continue ;;
      "$failure") failed=yes ;;
      *)
        [ -n "$begun" ] || say "workbook: building"
        begun=yes
        case $line in
          '['*) show_step "$line" ;;
          *) if [ -t 2 ]; then printf '\r\033[K%s\n' "$line" >&2; else say "$line"; fi ;;
        esac ;;
    esac
  done
  if [ -n "$begun" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
  [ -z "$failed" ]
}
failure='the build tool gave up'

jobs=${WORKBOOK_JOBS:-$(nproc 2>/dev/null || echo 2)}
if [ -f "$build/build.ninja" ]; then
  set -- ninja -C "$build" -j "$jobs" "$@"
else
  for target do
    shift
    set -- "$@" --target "$target"
  done
  set -- cmake --build "$build" -j "$jobs" "$@"
fi
if ! { NINJA_STATUS='[%f/%t %e] ' "$@" 2>&1 9>&- || echo "$failure"; } | show_build; then
  say "workbook: the build failed; the first error above says where. It is the workbook's own code, not yours."
  exit 5
fi
