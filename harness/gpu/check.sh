#!/usr/bin/env bash
# Everything there is to know from a GPU, in one go: builds the workbook, runs its unit tests, judges every
# kernels.cu on the GPU, compares simulator and GPU element by element, times the solutions beside PyTorch, and
# prints the error of the modelled clock. Takes six to eight minutes with 16 cores.
#
#   harness/gpu/check.sh [--out DIR] [--puzzles 01,22] [--no-mutants]   with all puzzles it takes longer: two calls, a half each
#   harness/gpu/check.sh --fusion [--puzzles 39,41] [--out DIR]   the fusion puzzles beside PyTorch: operators, their times, what
#                                                 `workbook optimize` finds, a decoded token
#   harness/gpu/check.sh --truth [--out DIR]      what the simulator is held against, also some seven minutes:
#                                                 counters and times of single kernels, the corpus under
#                                                 compute-sanitizer, ordinary programs and what they print
#
# DIR (default $OUT, else build/gpu-report) gets summary.txt, runs.json (importable with `workbook import`),
# probe.json, torch.json, ncu.csv and logs.tar.gz (with --fusion the figures are in there); with --truth counters_gpu.json,
# corpus_sanitizer.tsv and programs_gpu.json instead. A part that fails does not stop the others; the exit status is then 1, and 77 where
# there is no GPU. Needs nvcc 13, CMake, Ninja, g++ and
# Python 3; libraries that are not installed are taken from .deps (harness/gpu/pack_deps.sh). PyTorch, ncu and
# compute-sanitizer are used if there.
# The parts and their settings are used by the shells that step() starts:
# shellcheck disable=SC2034,SC2317
set -uo pipefail

set -a  # exported: every part runs in a shell of its own, under a time limit
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
out=${OUT:-$root/build/gpu-report}
puzzles=
truth='' fusion='' no_mutants=''
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift 2 ;;
    --puzzles) puzzles=$2; shift 2 ;;
    --truth) truth=yes; shift ;;
    --fusion) fusion=yes; shift ;;
    --no-mutants) no_mutants=--no-mutants; shift ;;
    *) echo "check.sh: unknown option $1" >&2; exit 2 ;;
  esac
done

mkdir -p "$out"
out=$(cd "$out" && pwd)
tools=$root/harness/bench/gpu
build=$root/build/workbook
work=$build/check          # what need not come back
logs=$work/logs
children=$work/children    # compiled by check_kernels.py: <puzzle>/<origin>/child
workbook=$build/harness/cli/workbook
probe=$build/harness/gpu/workbook-gpu-probe
PATH=$PATH:/usr/local/cuda/bin
PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 NO_COLOR=1
WORKBOOK_ROOT=$root WORKBOOK_STATE=$work/state
if [ -d .deps ]; then
  CMAKE_PREFIX_PATH=$root/.deps
  # For the child programs, which the workbook compiles without CMake.
  CPLUS_INCLUDE_PATH=$root/.deps/include
  LIBRARY_PATH=$root/.deps/lib/$(g++ -print-multiarch)
  LD_LIBRARY_PATH=$LIBRARY_PATH${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
set +a
optional_until=${CHECK_OPTIONAL_UNTIL:-400}  # seconds: profilers are not started later than this

rm -rf "$work"
mkdir -p "$logs"
rm -f "$out"/{runs,torch,probe,counters_gpu,programs_gpu}.json "$out"/{ncu.csv,corpus_sanitizer.tsv}
nvidia-smi -L >"$logs/nvidia-smi.log" 2>&1 || { echo "check.sh: no NVIDIA GPU (nvidia-smi -L fails)" >&2; exit 77; }

# ---- The parts -------------------------------------------------------------------------------------

facts() {
  nvidia-smi
  nvcc --version
  g++ --version
  cmake --version
  python3 --version
  uname -a
  nproc
}

configure() {
  cmake --preset cuda -DWORKBOOK_BUILD_TESTS=ON
}

compile() { cmake --build "$build" -- -k 0; }  # one broken test must not cost the figures

probe() { "$probe" >"$out/probe.json"; }

kernels() {
  python3 "$tools/check_kernels.py" --build "$build" --out "$children" --puzzles "$puzzles" $no_mutants
}

unit_tests() { ctest --test-dir "$build" -L unit --output-on-failure -j8 --no-tests=error; }

# One run of every solution (or of those in the file named): checked by simulator and GPU, counted, modelled, timed, recorded.
solutions() {
  local puzzle variant bad=0
  while read -r puzzle variant; do
    echo "== $puzzle --$variant"
    # --all: one program has all variants, which `compare` runs again.
    "$workbook" solution "${puzzle%%_*}" "--$variant" --all --backend cuda --timeout 60 </dev/null || bad=1
  done <"$work/${1-variants}"
  return "$bad"
}

# The puzzle interface's examples (types, starts, streams, graphs, tasks), each judged on the GPU too.
interface() {
  local folder bad=0
  for folder in "$root"/harness/tests/interface/puzzles/*/; do
    folder=$(basename "$folder")
    echo "== $folder"
    WORKBOOK_ROOT=$root/harness/tests/interface WORKBOOK_STATE=$work/interface \
      "$workbook" solution "$((10#${folder%%_*}))" --all --backend cuda --timeout 60 </dev/null || bad=1
  done
  return "$bad"
}

# The arrays of all cases from both backends. The simulator's children were built by `solutions`.
compare() {
  local puzzle variant bad=0 sim gpu dumps factors
  while read -r puzzle variant; do
    case $variant in tensor*) factors=--half-factors ;; *) factors='' ;; esac
    echo "== $puzzle --$variant"
    sim=$WORKBOOK_STATE/build/$puzzle/solution gpu=$children/$puzzle/solution dumps=$work/dumps/$puzzle.$variant
    mkdir -p "$dumps/sim" "$dumps/gpu"
    "$sim/sim-diag/child" --variant "$variant" --phase check --dump --out "$dumps/sim" &&
      "$sim/sim-fast/child" --variant "$variant" --phase large --dump --out "$dumps/sim" &&
      "$gpu/child" --variant "$variant" --phase check --dump --out "$dumps/gpu" &&
      "$gpu/child" --variant "$variant" --phase large --dump --out "$dumps/gpu" &&
      python3 "$tools/compare_dumps.py" $factors "$dumps/sim/dump" "$dumps/gpu/dump" || bad=1
  done <"$work/variants"
  return "$bad"
}

# Kernels called from Python: no copies, the caller's stream, torch.compile, gradients.
op() { python3 harness/gpu/op_check.py --workbook "$workbook"; }

# Of puzzles that are programs alone there are no runs.
export_runs() {
  [ ! -s "$work/variants" ] || "$workbook" export --format json --out "$out/runs.json"
}

# PyTorch keeps its graphs between its passes; before each the workbook times its own once more.
torch_baseline() {
  grep -E "^($(python3 "$tools/torch_baseline.py" --known))_" "$work/variants" >"$work/again" || return 0
  python3 "$tools/torch_baseline.py" --out "$out/torch.json" --runs "$out/runs.json" --passes 2 --rounds 8 \
    --between "bash -c 'solutions again'"
}

metrics=gpu__time_duration.sum,smsp__cycles_elapsed.max,smsp__inst_executed.sum
metrics+=,dram__bytes_read.sum,dram__bytes_write.sum
metrics+=,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum,lts__t_sector_hit_rate.pct
metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics+=,l1tex__t_sector_hit_rate.pct,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
metrics+=,sm__warps_active.avg.pct_of_peak_sustained_active,launch__registers_per_thread
metrics+=,launch__occupancy_limit_registers,launch__occupancy_limit_shared_mem
export metrics

# The clocks of a lent GPU are left alone: --clock-control none.
profile() {
  local puzzle variant bad=0
  mkdir -p "$work/ncu"
  while read -r puzzle variant; do
    WORKBOOK_GPU_ONCE=1 ncu --clock-control none --csv --page raw --print-units base --metrics "$metrics" \
      "$children/$puzzle/solution/child" --variant "$variant" --phase bench --out "$work/ncu" \
      >"$work/ncu/$((10#${puzzle%%_*})).$variant.csv" </dev/null || bad=1
  done <"$work/variants"
  grep -hv "^==" "$work"/ncu/*.csv >"$out/ncu.csv"  # without the profiler's own messages
  return "$bad"
}

# Kernels of different character: Nsight Compute's counters and their times, for the simulator to be held against.
counters() { python3 "$tools/counters.py" gpu --out "$out/counters_gpu.json" --limit 110; }

sanitize() {
  local puzzle variant tool bad=0
  mkdir -p "$work/sanitize"
  while read -r puzzle variant; do
    for tool in memcheck racecheck; do
      echo "== $puzzle --$variant $tool"
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$children/$puzzle/solution/child" \
        --variant "$variant" --phase check --out "$work/sanitize" </dev/null || bad=1
    done
  done <"$work/variants"
  return "$bad"
}

# Every program of the corpus under every tool of compute-sanitizer. It keeps to its own time.
corpus() {
  python3 "$tools/sanitize_corpus.py" --out "$out/corpus_sanitizer.tsv" --work "$work/corpus" --budget 270
}

# Ordinary programs, unmodified: what they print here is what they must print on the simulator.
programs() { python3 "$tools/programs.py" gpu --out "$out/programs_gpu.json" --limit 150; }

# A process for each puzzle: a kernel that fails takes its whole process with it.
fusion() {
  local puzzle bad=0
  for puzzle in $(tr , ' ' <<<"${puzzles:-22,36,37,39,41,42,43,44,45}"); do
    python3 "$tools/fusion.py" --workbook "$workbook" --out "$logs/fusion_$puzzle.json" --only "$puzzle" || bad=1
  done
  return "$bad"
}

# A token of Puzzle 40 at the size of Pythia-2.8b, each step of its ladder and PyTorch's.
decode() {
  local variant bad=0
  nvcc -O3 -std=c++20 -arch=native -split-compile=0 -I "$root/puzzles/40_decode" -o "$work/decode" \
    "$root/solutions/40_decode/kernels.cu" "$root/puzzles/40_decode/program.cu" || return 1
  for variant in unfused norm-linear rotary-attention residual fused graph; do
    "$work/decode" "--$variant" --bench --layers 32 --hidden 2560 --heads 32 --vocabulary 50304 --tokens 64 || bad=1
  done
  python3 "$tools/decode_torch.py" || bad=1
  return "$bad"
}

table() {
  [ -s "$work/variants" ] || return 0
  python3 "$tools/table.py" "$out/runs.json" --torch "$out/torch.json" --ncu "$work/ncu"
}

# ---- Running them ----------------------------------------------------------------------------------

failed=0
results=()

# step NAME SECONDS: runs the part into NAME.log; if it fails, shows the end of that and goes on.
step() {
  local name=$1 limit=$2 started=$SECONDS status
  timeout --kill-after=5 "$limit" bash -c "$name" >"$logs/$name.log" 2>&1
  status=$?
  if [ $status -eq 0 ]; then
    results+=("ok       $name, $((SECONDS - started)) s")
  else
    failed=1
    results+=("FAILED   $name, $((SECONDS - started)) s, exit status $status")
    tail -n 20 "$logs/$name.log"
  fi
  echo "[$SECONDS s] ${results[-1]}"
  return $status
}

# optional COMMAND NAME SECONDS: the part if there is such a command and time.
optional() {
  if ! command -v "$1" >/dev/null; then
    results+=("skipped  $2: there is no $1")
  elif [ $SECONDS -gt "$optional_until" ]; then
    results+=("skipped  $2: $SECONDS s are gone")
  else
    step "$2" "$3"
    return
  fi
  echo "[$SECONDS s] ${results[-1]}"
}

export -f facts configure compile probe kernels unit_tests solutions interface compare op export_runs torch_baseline profile counters sanitize corpus programs fusion decode table
if [ -n "$truth" ]; then
  step facts 30
  step programs 170
  optional ncu counters 120
  optional compute-sanitizer corpus 290
elif [ -n "$fusion" ]; then
  step facts 30
  step configure 60 && step compile 240
  [ -n "$puzzles" ] || step op 200
  step fusion 400
  case ",$puzzles," in *,40,* | ,,) step decode 150 ;; esac
else
  python3 "$tools/check_kernels.py" --list --puzzles "$puzzles" >"$work/variants" || exit 1
  step facts 30
  step configure 60 && step compile 240
  step probe 60
  step kernels 300
  case ",$puzzles," in *,01,* | ,,) step unit_tests 120 ;; esac  # once where the puzzles are checked in halves
  step solutions 300 && step compare 180
  case ",$puzzles," in *,01,* | ,,) step interface 150 ;; esac
  step export_runs 30
  if python3 -c 'import torch' 2>/dev/null; then
    step torch_baseline 240 && step export_runs 30
    case ",$puzzles," in *,01,* | ,,) step op 200 ;; esac
  else
    results+=("skipped  torch_baseline: python3 has no torch")
  fi
  optional ncu profile 90
  optional compute-sanitizer sanitize 90
  step table 30
fi

tar -czf "$out/logs.tar.gz" -C "$work" logs
{
  cat "$out/probe.json" 2>/dev/null
  [ -f "$logs/kernels.log" ] && grep -v '^ok ' "$logs/kernels.log"
  [ -f "$logs/compare.log" ] && grep -E '^==|arrays,' "$logs/compare.log"
  cat "$logs"/{table,op,fusion,decode}.log 2>/dev/null
  printf '%s\n' "" "${results[@]}"
} | tee "$out/summary.txt"
exit $failed
