#!/bin/sh
# Installs the packages that a goal needs and this machine lacks; see packages.txt for the goals, and for the systems whose
# names it knows: Debian 12 and those that have rows of their own.
#
#   cmake/setup.sh GOAL...      for example: cmake/setup.sh run
#
# Says what is missing and why, and asks before it uses sudo. WORKBOOK_YES=1 or CI=true answers yes. Where
# nobody can be asked, and on other systems, it says what to do and ends with status 5.
# Once all is there it costs a few milliseconds: a stamp remembers the answer for this very table.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
table=$root/cmake/packages.txt
stamps=$root/build/setup
say() { printf '%s\n' "$*" >&2; }

key=$(cksum <"$table")
todo=
for goal do
  known=
  if [ -r "$stamps/$goal" ]; then read -r known <"$stamps/$goal" || :; fi
  [ "$known" = "$key" ] || todo="$todo $goal"
done
[ -n "$todo" ] || exit 0

system=$(sed -n 's/^VERSION_CODENAME=//p' "${WORKBOOK_OS_RELEASE:-/etc/os-release}" 2>/dev/null) || :
case $system in
  bookworm) ;;
  *) system=$(awk -F' *[|] *' -v codename="$system" '!/^#/ && NF == 3 && $1 == codename { print $1; exit }' "$table") ;;
esac
command -v apt-get >/dev/null || system=

# "package | probe | what for" of the goals asked for, the columns trimmed, no package twice, under this system's names.
rows=$(awk -F' *[|] *' -v goals="$todo " -v codename="$system" '
  !/^#/ && NF == 3 && $1 == codename { name[$2] = $3 }
  !/^#/ && NF == 4 && index(goals, " " $1 " ") && !seen[$2]++ { row[++rows] = $2; rest[$2] = $3 "|" $4 }
  END {
    for (i = 1; i <= rows; ++i) {
      package = row[i] in name ? name[row[i]] : row[i]
      if (package != "-") print package "|" rest[row[i]]
    }
  }' "$table")

remember() {
  mkdir -p "$stamps" 2>/dev/null || return 0  # a folder that cannot be written: look again next time
  for goal in $todo; do echo "$key" >"$stamps/$goal"; done
}

# Of the rows on standard input those whose package dpkg does not have.
not_installed() {
  command -v dpkg-query >/dev/null || { cat; return; }
  lines=$(cat)
  native=$(dpkg --print-architecture)
  # shellcheck disable=SC2046  # one word a package
  have=$(dpkg-query -W -f='${db:Status-Status} ${Package}:${Architecture}\n' $(printf '%s\n' "$lines" | cut -d'|' -f1) 2>/dev/null |
    sed -n "s/:all\$//; s/:$native\$//; s/^installed //p") || :
  printf '%s\n' "$lines" | while IFS='|' read -r package rest; do
    printf '%s\n' "$have" | grep -qxF -- "$package" || printf '%s|%s\n' "$package" "$rest"
  done
}

# Of the rows on standard input those that the probe does not find either: things come from elsewhere, too.
not_found() {
  while IFS='|' read -r package probe reason; do
    case $probe in
      '') continue ;;
      -) [ -n "$system" ] || continue ;;
      '<'*) printf '#include %s\n' "$probe" | "${CXX:-g++}" -std=c++20 -E -x c++ - >/dev/null 2>&1 && continue ;;
      *' '*) $probe >/dev/null 2>&1 && continue ;;
      *) command -v "$probe" >/dev/null && continue ;;
    esac
    printf '%s|%s|%s\n' "$package" "$probe" "$reason"
  done
}

missing=$(printf '%s\n' "$rows" | not_installed | not_found)
if [ -z "$missing" ]; then
  remember
  exit 0
fi

packages=$(printf '%s\n' "$missing" | cut -d'|' -f1 | tr '\n' ' ')
packages=${packages% }
say "The workbook needs what this machine does not have yet (for:$todo):"
printf '%s\n' "$missing" | awk -F'|' '{ printf "  %-26s %s\n", $1, $3 }' >&2

if [ -z "$system" ]; then
  say "These are Debian 12's names. Install what your system calls them, then try again."
  exit 5
fi

install="apt-get install -y --no-install-recommends $packages"
foreign=
case "$packages " in
  *:arm64\ *) dpkg --print-foreign-architectures | grep -qx arm64 || foreign='dpkg --add-architecture arm64' ;;
esac
as_root=
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
  by_hand="${foreign:+sudo $foreign && }sudo apt-get update && sudo $install"
  answer=no
  if ! command -v sudo >/dev/null; then
    say "Ask whoever runs this machine for:  ${foreign:+$foreign && }apt-get update && $install"
    exit 5
  elif [ -n "${WORKBOOK_YES-}${CI-}" ]; then
    # Nobody may be there to type a password.
    if [ -t 0 ] || sudo -n true 2>/dev/null; then answer=yes; fi
  elif [ -t 0 ]; then
    printf 'Install them now with sudo? [y/N] ' >&2
    read -r answer || answer=no
  fi
  case $answer in
    y | Y | yes | Yes | YES) ;;
    *)
      say "Nothing was installed. To do it yourself:"
      say "  $by_hand"
      exit 5 ;;
  esac
fi

# Reads what apt-get says, among it its progress as kind:package:percent:text, where the package may have an
# architecture behind a colon of its own. Shown as one line that changes on a terminal, and as a line for each
# quarter elsewhere. It has to read to the end whatever comes: a package's script fails when nobody listens.
show_progress() {
  shown=
  while IFS=: read -r kind _ percent text; do
    case $kind in dlstatus) step=downloading ;; pmstatus) step=installing ;; *) continue ;; esac
    case $percent in *[!0-9.]*) percent=${text%%:*} text=${text#*:} ;; esac
    percent=${percent%%.*}
    case $percent in '' | *[!0-9]*) continue ;; esac
    if [ -t 2 ]; then
      printf '\r\033[K  %s %3s%%  %.60s' "$step" "$percent" "$text" >&2
    elif [ "$step$((percent / 25))" != "$shown" ]; then
      shown=$step$((percent / 25))
      say "  $step $percent%"
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

mkdir -p "$stamps"
log=$stamps/apt.log
# shellcheck disable=SC2094  # both only append to the log
apt() {
  # sudo closes descriptors above 2, so the progress leaves through standard output and the rest goes to the log.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o APT::Status-Fd=1 -o Dpkg::Use-Pty=0 "$@" 2>>"$log" </dev/null |
    tee -a "$log" | { show_progress || cat >/dev/null; }
}
installed() { [ -z "$(printf '%s\n' "$missing" | not_installed)" ]; }

: >"$log"
if [ -n "$foreign" ]; then
  say "Packages of another processor, too:  ${as_root:+$as_root }$foreign"
  # shellcheck disable=SC2086
  $as_root $foreign
fi
say "Installing:  ${as_root:+$as_root }$install"
# The lists of a fresh machine are missing or old: then the first try fails and the second one works.
if [ -n "$(find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null | head -n 1)" ]; then
  # shellcheck disable=SC2086
  apt install --no-install-recommends $packages || :
fi
if ! installed; then
  apt update || :
  # shellcheck disable=SC2086
  apt install --no-install-recommends $packages || :
fi
if ! installed; then
  say "The installation failed; the end of $log:"
  tail -n 15 "$log" >&2
  exit 5
fi
say "Installed."
remember
