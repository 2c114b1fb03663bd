#!/bin/sh
# What NVIDIA's tools say of the programs of Puzzles 09 and 10 as they were handed in: for chapters 09 and 10.
#   book/experiments/debug_h200.sh OUT
# On a machine with a GPU, nvcc, cuda-gdb and compute-sanitizer; a few minutes. Writes OUT/NN_program_tool.txt: a head (command, device,
# exit), an empty line, and what was printed, without lines that only name processes and threads of the host. Tools:
#   plain                 ten runs of an optimised build, and ten of a debugging one: each output with how often it came
#   cuda_gdb              the debugger in batch mode, with the commands that this script has for the program
#   memcheck, racecheck, initcheck, synccheck    compute-sanitizer's
# The programs are the learner's files below puzzles/: `workbook reset 9 --yes` and `workbook reset 10 --yes` make them what they begin as.
set -eu

[ $# -eq 1 ] || { sed -n '3,4s/^# *//p' "$0"; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
mkdir -p "$1"
out=$(CDPATH='' cd -- "$1" && pwd)
PATH=$PATH:/usr/local/cuda/bin
for program in nvcc cuda-gdb compute-sanitizer nvidia-smi; do
  command -v "$program" >/dev/null || { echo "debug_h200: $program is missing" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
device="$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 | sed 's/, /, driver /'), CUDA $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"

# keep NAME COMMAND...: runs it, and keeps what it prints as OUT/NAME.txt. A hang is a result: it is ended.
limit=40 limit_of_one=5  # seconds
keep() {
  name=$1
  shift
  status=0
  timeout --kill-after=5 "$limit" "$@" >raw.txt 2>&1 </dev/null || status=$?
  {
    printf 'command: %s\ndevice: %s\nexit: %s\n\n' "$shown" "$device" "$status"
    # Process and thread numbers, the folder of this run and colours say nothing; 200 lines say enough.
    sed -e 's/\x1b\[[0-9;]*m//g' -e "s|$work/||g" raw.txt \
      | grep -vE '^(\[(New|Switching to Thread|Detaching|Thread|Attaching|Missing).*|\[Inferior .*|warning: .*|Using host libthread_db.*|.*NVIDIA \(R\) cuda-gdb.*|)$' \
      | head -n 200
  } >"$out/$name.txt"
  echo "$out/$name.txt (exit status $status)"
}

# Ten runs each, counted by what they print.
plain() {
  for build in fast debug; do
    echo "$build build:"
    i=0
    while [ $i -lt 10 ]; do
      printed=$(timeout "$limit_of_one" "./$build" 2>&1) && status=0 || status=$?
      echo "exit $status: $(echo "$printed" | tr '\n' ';' | cut -c 1-200)"
      i=$((i + 1))
    done | sort | uniq -c
  done
}

# The program under its own name too, so that the tools print it; lines are those of the learner's file.
build() {
  cp "$root/puzzles/$1/$2.cu" .
  nvcc -std=c++20 -arch=native -O3 -lineinfo -o fast "$2.cu"
  nvcc -std=c++20 -arch=native -G -g -o "$2" "$2.cu"  # -G: device code as it is written; it has line numbers of its own
  cp "$2" debug
}

# line FILE TEXT: the number of its first line that holds TEXT.
line() { grep -nF -- "$2" "$1" | head -n 1 | cut -d: -f1; }

gdb() {  # PUZZLE PROGRAM words for cuda-gdb, each a command
  puzzle=$1 program=$2
  shift 2
  shown="cuda-gdb -batch"
  for word do shown="$shown -ex '$word'"; done
  shown="$shown ./$program"
  for word do
    set -- "$@" -ex "$word"
    shift
  done
  keep "${puzzle}_${program}_cuda_gdb" cuda-gdb -nx -batch "$@" "./$program"
}

sanitizers() {  # PUZZLE PROGRAM
  for tool in memcheck racecheck initcheck synccheck; do
    shown="compute-sanitizer --tool $tool ./$2"
    keep "$1_$2_$tool" compute-sanitizer --tool "$tool" --show-backtrace device --print-limit 3 "./$2"
  done
}

every() {  # PUZZLE FOLDER PROGRAM: what is the same for all
  build "$2" "$3"
  shown="./$3    (ten times each)"
  plain >plain.txt 2>&1
  keep "$1_$3_plain" cat plain.txt
  sanitizers "$1" "$3"
}

every 09 09_detective_work cold_store
gdb 09 cold_store run bt 'info cuda kernels' 'print calibration' 'print sensor'

every 09 09_detective_work weather
gdb 09 weather "break weather.cu:$(line weather.cu 'for (int at = midnight')" run 'cuda block 5 thread 44' 'info locals' \
  'print blockIdx.x * blockDim.x + threadIdx.x' 'print end - midnight' 'print days * 24' 'info cuda kernels'

for program in volume meter peaks; do every 10 10_sanitizers "$program"; done
gdb 10 meter "break meter.cu:$(line meter.cu 'if (level > kLoudest)')" run 'condition 1 level > 30000' continue 'cuda kernel block thread' 'print level' 'print excess' \
  continue 'cuda kernel block thread' 'print excess'

# Last, for it never ends: each of its runs takes as long as it may.
limit=15 limit_of_one=2
every 09 09_detective_work clicks
gdb 09 clicks "break clicks.cu:$(line clicks.cu '// all clicks are looked at')" run 'info cuda kernels' 'cuda kernel block thread' \
  'print part[threadIdx.x]' 'info cuda lanes'
