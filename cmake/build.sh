#!/bin/sh
# Brings build/PRESET up to date: installs what is missing, configures when that is due, builds.
#
#   cmake/build.sh PRESET [TARGET...]      the presets are in CMakePresets.json
#
# Everything it says goes to standard error. With nothing to do it costs a few tens of milliseconds.
# Ends with status 5 when it cannot do its work. WORKBOOK_JOBS=N limits the compilers at work.
# shellcheck disable=SC3013  # -nt is in every sh that we know of: dash, bash, busybox, ksh
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
preset=$1
shift
build=$root/build/$preset
stamp=$build/.configured
say() { printf '%s\n' "$*" >&2; }

case $preset in
  sim | cuda) goals='run' ;;
  viewer) goals='run viewer' ;;
  *) goals='run viewer book test' ;;
esac
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
    say "workbook: waiting for another build of $preset"
    flock 9
  fi
fi

# A build folder that was moved or copied with its checkout still speaks of the old place.
configured_for=
if [ -r "$stamp" ]; then read -r configured_for <"$stamp" || :; fi
fresh=
if [ "$configured_for" != "$root" ] || [ "$root/CMakePresets.json" -nt "$stamp" ]; then
  say "workbook: configuring build/$preset"
  [ -z "$configured_for" ] || [ "$configured_for" = "$root" ] || fresh=--fresh
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
    export CUDACXX="${CUDACXX:-/usr/local/cuda/bin/nvcc}"
  fi
  generator=
  command -v ninja >/dev/null || generator='Unix Makefiles'
  log=$build/configure.log
  # shellcheck disable=SC2086
  if ! (cd "$root" && cmake --preset "$preset" $fresh ${generator:+-G "$generator"}) >"$log" 2>&1 9>&-; then
    grep -v "^-- " "$log" >&2
    rm -rf "$root/build/setup"  # perhaps a package went away: look again next time
    say "workbook: configuring failed; the lines above say why."
    exit 5
  fi
  printf '%s\n' "$root" >"$stamp"
fi

# Shows what is built, as one line that changes on a terminal and ten lines elsewhere, and says nothing when
# nothing is.
show_step() {
  step=${1%%]*}] file=${1##*/}
  if [ -t 2 ]; then
    printf '\r\033[K  %s %.60s' "$step" "${file%.o}" >&2
    return
  fi
  step=${step#?} done=${step%%/*} all=${step##*/} all=${all%]}
  case $done$all in *[!0-9]*) say "  $1"; return ;; esac  # make's "[ 50%] ..."
  if [ $((done * 10 / all)) -ne "$tenths" ]; then
    tenths=$((done * 10 / all))
    say "  $done of $all"
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
        [ -n "$begun" ] || say "workbook: building build/$preset"
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
if ! { NINJA_STATUS='[%f/%t] ' "$@" 2>&1 9>&- || echo "$failure"; } | show_build; then
  say "workbook: the build failed; the first error above says where. It is the workbook's own code, not yours."
  exit 5
fi
