#!/bin/sh
# The screens of a learner at 80 columns:  screens.sh WORKBOOK FOLDER [FOLDER FOR NEW TEXTS]
# FOLDER holds puzzles/ and solutions/. Each screen is compared with screens/NAME.txt word by word, numbers and
# their units apart, so that a line may break elsewhere. With a third argument the screens are written there
# instead: look at them, then copy them over.
set -u

workbook=$1
root=$2
new=${3-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export WORKBOOK_ROOT="$root" WORKBOOK_STATE="$root/screens-state" COLUMNS=80 TERM=xterm-256color
cd "$root" || exit 1
failed=0

# words FILE: one a line, with a # for each number and its unit.
words() {
  sed -E 's/-?[0-9][0-9,.]*(e[-+][0-9]+)?( ?([kMGT]?B|us|ms|s)\b)?/#/g; s/=+|\^~*/ /g' "$1" | tr -s ' \n' '\n\n'
}

plain_of() { sed -E "s/$(printf '\033')\\[[0-9;]*m//g" "$1" | tr -d '\r'; }

# screen NAME STATUS ARGUMENTS...
screen() {
  name=$1 wanted=$2
  shift 2
  NO_COLOR=1 "$workbook" "$@" >"$name.plain" 2>&1
  status=$?
  [ "$status" -eq "$wanted" ] || { echo "FAILED: $name ends with $status instead of $wanted"; failed=1; }
  wide=$(awk 'length($0) > 80' "$name.plain")
  [ -z "$wide" ] || { echo "FAILED: $name is wider than 80 columns: $wide"; failed=1; }
  if [ -n "$new" ]; then
    cp "$name.plain" "$new/$name.txt"
    return
  fi
  words "$name.plain" >"$name.words"
  words "$here/screens/$name.txt" | diff -u - "$name.words" || { echo "FAILED: $name reads otherwise"; failed=1; }
  if grep -q "$(printf '\033')" "$name.plain"; then echo "FAILED: $name is coloured with NO_COLOR"; failed=1; fi
  # In a terminal there are colours, and under them the same words.
  command -v script >/dev/null || return
  env -u NO_COLOR script -qec "'$workbook' $*" "$name.typed" </dev/null >/dev/null 2>&1
  sed -e '/^Script started/d' -e '/^Script done/d' "$name.typed" >"$name.coloured"
  grep -q "$(printf '\033')" "$name.coloured" || { echo "FAILED: $name has no colour in a terminal"; failed=1; }
  plain_of "$name.coloured" >"$name.stripped"
  words "$name.stripped" | sed '/^$/d' >"$name.again"
  sed '/^$/d' "$name.words" | diff -u - "$name.again" || { echo "FAILED: $name reads otherwise in colour"; failed=1; }
  wide=$(awk 'length($0) > 80' "$name.stripped")
  [ -z "$wide" ] || { echo "FAILED: $name is wider than 80 columns in colour: $wide"; failed=1; }
}

first=puzzles/01_map/kernels.cu second=puzzles/22_layernorm_linear/kernels.cu
"$workbook" mutants 1 --write mutants-01 >/dev/null
"$workbook" mutants 22 --write mutants-22 >/dev/null

screen empty 1 run 22 --unfused
cp mutants-22/unfused_forgets_beta.cu "$second"
screen wrong 1 run 22 --unfused
cp mutants-01/no_guard.cu "$first"
screen finding 1 run 1
cp solutions/01_map/kernels.cu "$first"
screen correct 0 run 1
cp solutions/22_layernorm_linear/kernels.cu "$second"
"$workbook" run 22 --all >/dev/null || { echo "FAILED: the solution is not correct"; failed=1; }
screen compare 0 compare 22
exit $failed
