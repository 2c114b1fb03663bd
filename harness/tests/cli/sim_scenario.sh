#!/bin/sh
# `workbook sim` as its user meets it:  sim_scenario.sh WORKBOOK STATE NAME
# STATE is kept between scenarios, for what is compiled in advance. Checks exit statuses and what is said.
set -u

workbook=$1
scenario=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WORKBOOK_ROOT="$here/../../.." WORKBOOK_STATE="$2" NO_COLOR=1
unset WORKBOOK_CXX
cp -R "$here/programs" "$work/a folder"
cp -R "$here/../corpus" "$work/corpus"
cd "$work/a folder" || exit 1
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

# expect STATUS TEXT ARGUMENTS...: sim ends with STATUS; what it prints, both streams, has TEXT in it.
expect() {
  wanted=$1 text=$2
  shift 2
  "$workbook" sim "$@" >out.txt 2>err.txt </dev/null
  status=$?
  # Lines end where the screen does: the words count, and once more without the ends.
  output="$(cat out.txt err.txt)
$(cat out.txt err.txt | tr -s ' \n' ' ')"
  [ "$status" -eq "$wanted" ] || fail "sim $*: exit $status instead of $wanted: $output"
  has "$text"
}

has() {
  case $output in *"$1"*) ;; *) fail "does not say '$1': $output" ;; esac
}

has_not() {
  case $output in *"$1"*) fail "says '$1': $output" ;; esac
}

line_of() { grep -n -e "$*" behaviour.cu | head -1 | cut -d: -f1; }

case $scenario in
  usage)
    expect 2 "Which program?"
    expect 2 "There is no file nothing.cu" nothing.cu
    expect 2 "is not a file" launch_forms
    expect 2 "is no source file" behaviour.cu launch_forms/templates.cuh
    expect 2 "Did you mean '--report'" behaviour.cu --reprot x.json
    expect 2 "--timeout wants seconds" behaviour.cu --timeout soon
    expect 2 "--gpu wants a value" behaviour.cu --gpu
    expect 2 "--sample wants a percentage" behaviour.cu --sample 0
    expect 2 "--fast checks no block" behaviour.cu --sample 5 --fast
    expect 2 "leave the option out" behaviour.cu -ptx
    expect 2 "There is no header nothing.h" behaviour.cu -include nothing.h
    expect 2 "There is no GPU 'h2000'. Did you mean 'h200'?" behaviour.cu --gpu h2000
    expect 2 "Did you mean 'c++17'" behaviour.cu -std=c++177
    expect 5 "no-such-compiler" behaviour.cu --cxx no-such-compiler
    expect 0 "--report OUT.json" --help
    expect 5 "cannot be written" behaviour.cu --report no/such/folder/
    ;;
  passes_through)
    expect 0 "no findings: 1 launch" behaviour.cu
    printf 'one\ntwo' | "$workbook" sim behaviour.cu -- echo >out.txt 2>err.txt || fail "echo failed"
    printf 'one\ntwo' | cmp - out.txt || fail "standard output is not the program's own"
    case $(cat err.txt) in destroyed*) ;; *) fail "standard error does not begin with the program's own" ;; esac
    expect 0 "2=--json" behaviour.cu -- arguments --json "two words"
    has "3=two words"
    for own in status:9 exit:10 _exit:11 quick_exit:12 fork:14; do
      expect "${own#*:}" "no findings" behaviour.cu -- "${own%:*}"
    done
    expect 1 "values[32]" static_objects.cu
    has "6"
    expect 0 "$work/a folder" behaviour.cu -- folder
    has "not told of the report"
    cd ..
    expect 0 "no findings" "a folder/behaviour.cu"
    ;;
  finding)
    expect 1 "behaviour.cu:8: error: " behaviour.cu -- status bad
    has "    8 | __global__ void fill(int* values, int n) { values[threadIdx.x] = n; }"
    has "in fill"
    has "1 error"
    cd ..
    expect 1 "a folder/behaviour.cu:8: error: " "a folder/behaviour.cu" -- status bad
    expect 1 "$work/a folder/behaviour.cu:8: error: " "$work/a folder/behaviour.cu" -- status bad
    ;;
  crash)
    expect 4 "The program crashed: it touched memory that is not its own (SIGSEGV)." behaviour.cu -- null bad
    has "behaviour.cu:$(line_of nowhere = 1): here"
    has "behaviour.cu:8: error: "
    has "1 error"
    expect 4 "it aborted (SIGABRT)" behaviour.cu -- abort
    has "behaviour.cu:$(line_of std::abort): here"
    expect 4 "it aborted (SIGABRT)" behaviour.cu -- throw bad
    has "1 error"
    expect 4 "1 error" behaviour.cu -- disorder bad  # the heap is in disorder, and locked
    expect 4 "SIGTERM" behaviour.cu -- terminate
    expect 1 "1 error" behaviour.cu -- divide bad  # a GPU goes on behind a division by zero
    expect 4 "a thread has used up its stack" behaviour.cu -- recurse
    has "behaviour.cu:"
    ;;
  timeout)
    # Of a processor, and long enough for any machine to come to the loop.
    expect 4 "had not ended after 3 s" behaviour.cu --timeout 3 -- spin bad
    has "behaviour.cu:$(line_of is..spin): here"
    has "1 error"
    # One that sleeps has its time like one that works.
    expect 4 "had not ended after 1 s" behaviour.cu --timeout 1 -- sleep
    ;;
  sample)
    # All results, findings of the checked blocks alone, and no word about what unchecked ones have written.
    expect 0 "right: 499500 1000" sampled.cu --sample 5 -- clean
    has "no findings: 2 launches"
    has " of 2000 blocks (--sample)"
    expect 1 "nothing that orders the two" sampled.cu --sample 5 -- bad
    has "right: 499500 1000"
    has " of 2000 blocks (--sample)"
    expect 1 "race_shared" sampled.cu --sample 5 --json -- bad
    has '"blocks":2000'
    expect 0 "right: 499500 1000" sampled.cu -- clean
    has_not "--sample"
    ;;
  interrupted)
    # A terminal sends its signal to both; the launcher waits for the program and then ends by the signal too.
    mkfifo lines
    setsid sh -c 'trap - INT; exec "$0" sim behaviour.cu -- ready bad' "$workbook" >lines 2>err.txt &
    { read -r line; [ "$line" = ready ] || fail "said '$line'"; } <lines
    kill -INT "-$!"
    wait $!
    status=$?
    [ "$status" -eq 130 ] || fail "exit $status after Ctrl-C"
    output=$(cat err.txt)
    has "1 error"
    ;;
  terminated)
    mkfifo lines
    "$workbook" sim behaviour.cu -- ready bad >lines 2>err.txt &
    { read -r line; [ "$line" = ready ] || fail "said '$line'"; } <lines
    kill -TERM $!
    wait $!
    status=$?
    [ "$status" -eq 4 ] || fail "exit $status when terminated"
    output=$(cat err.txt)
    has "1 error"
    ;;
  does_not_compile)
    printf '\n__global__ void k(float* x) {\n  x[0] = undeclared;\n}\nint main() { k<<<1, 1>>>("text"); }\n' >wrong.cu
    expect 3 "wrong.cu:3:10: error: " wrong.cu
    has "    3 |   x[0] = undeclared;"
    has "wrong.cu:5:25: error: the kernel takes (float*), and this launch gives it (const char [5])"
    has_not "WORKBOOK_SIM"
    expect 3 '"line":3' wrong.cu --json
    expect 3 "ptx.cu:$(grep -n pm0 ptx.cu | cut -d: -f1):3: error: inline PTX: the special register '%pm0' is not simulated" ptx.cu
    printf 'void k();\nint main() {\n  k<<<1, 2;\n}\n' >open.cu
    expect 3 "open.cu:3: error: this '<<<' has no matching '>>>'" open.cu
    printf 'int missing();\nint main() {\n  return missing();\n}\n' >unlinked.cu
    expect 3 "unlinked.cu:3: error: undefined reference to \`missing()'" unlinked.cu
    echo old >report.json
    expect 3 "error" wrong.cu --report report.json
    [ ! -e report.json ] || fail "an old report stays when nothing ran"
    ;;
  several_files)
    expect 0 "8884" parts/app/main.cu parts/app/shift.cu parts/app/host.cpp -I "parts/more headers" -D FACTOR=3 \
      -D'SETTINGS="settings.h"'
    expect 3 "offset.cuh: No such file" parts/app/main.cu
    cd parts/app || exit 1
    expect 0 "8884" main.cu shift.cu host.cpp "-I../more headers" -DFACTOR=3 -DSETTINGS='"settings.h"' -O2 -std=c++14
    # As a Makefile for nvcc has it; -include and -x cu stand in for lines of the sources.
    expect 0 "8884" -o program -rdc=true -gencode arch=compute_90,code=sm_90 -Xptxas -v,-O3 main.cu shift.cu \
      host.cpp -isystem "../more headers" --define-macro FACTOR=3 -DSETTINGS='"settings.h"' -Xcompiler -Wall,-O3
    printf 'constexpr int kGiven = 7;\n' >given.h
    printf '#include <cstdio>\n__global__ void k(int* x) { *x = kGiven; }\nint main() {\n  int* x;\n  cudaMallocManaged(&x, 4);\n  k<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n  printf("given %%d\\n", *x);\n  cudaFree(x);\n}\n' >given.cpp
    expect 0 "given 7" -x cu given.cpp -include given.h
    # C stays C, as with nvcc, whatever it speaks of, as long as it includes no header of CUDA's.
    printf 'half_for_cuda(v) int v; { int new = v / 2; cudaDeviceSynchronize(); return new; }\n' >old.c
    printf '#include <cuda_runtime.h>\nint device() { int at = -1; return cudaGetDevice(&at) == cudaSuccess ? at : 9; }\n' >new.c
    printf '#include <cstdio>\nextern "C" int half_for_cuda(int);\nint device();\nint main() { printf("half %%d %%d\\n", half_for_cuda(86), device()); }\n' >both.cu
    expect 0 "half 43 0" both.cu old.c new.c
    # Each file has its own of what a header declares static.
    printf '#pragma once\nstatic __constant__ float table[8];\nvoid set_table();\n' >table.h
    printf '#include "table.h"\nvoid set_table() {\n  float values[8] = {2};\n  cudaMemcpyToSymbol(table, values, sizeof values);\n}\n' >set.cu
    printf '#include "table.h"\n__global__ void k(float* x) { *x = table[0]; }\nint main() {\n  float* x;\n  cudaMalloc(&x, 4);\n  set_table();\n  k<<<1, 1>>>(x);\n  cudaFree(x);\n}\n' >look.cu
    expect 0 "Another table was set, of another source file" look.cu set.cu
    # What is not changed is not compiled again: in a state of its own, where nobody else builds meanwhile.
    mkdir "$work/state" && ln -s "$WORKBOOK_STATE/cache" "$work/state/cache"
    export WORKBOOK_STATE="$work/state"
    expect 0 "8884" main.cu shift.cu host.cpp "-I../more headers" -DFACTOR=3 -DSETTINGS='"settings.h"' -O2 -std=c++14
    build=$(echo "$WORKBOOK_STATE"/sim/main-*)
    stat -c '%y %n' "$build"/*.o >before.txt
    echo 'constexpr int kOffset = 200;' >settings.h
    expect 0 "9684" main.cu shift.cu host.cpp "-I../more headers" -DFACTOR=3 -DSETTINGS='"settings.h"' -O2 -std=c++14
    stat -c '%y %n' "$build"/*.o >after.txt
    again=$(diff before.txt after.txt | sed -n 's,^> .*/,,p')
    [ "$again" = 0.o ] || fail "a change of main.cu's header compiles '$again' again"
    ;;
  launch_forms)
    printf '__global__ void set(int* x, int v) { *x = v; }\nint main() {\n  int* x;\n  cudaStream_t s;\n  cudaMalloc(&x, 4);\n  cudaStreamCreate(&s);\n  set<<<1, 1>>>(x, 1);\n  set<<<1, 1, 0, s>>>(x, 2);\n  cudaDeviceSynchronize();\n  cudaFree(x);\n  cudaStreamDestroy(s);\n}\n' >zero.cu
    expect 0 "no findings" zero.cu
    expect 1 "the default stream of the thread" zero.cu --default-stream per-thread
    expect 0 "no findings: 25 launches" launch_forms.cu
    expect 0 "not checked" --fast launch_forms.cu
    expect 0 "1 2 3 4 5 6 7 8" reinterpreted.cu
    expect 0 "1 2 3 4 5 6 7 8" --fast reinterpreted.cu
    expect 0 "4064 3" older_standard.cu
    has_not "warning"
    expect 0 "4064 3" older_standard.cu -std=c++14
    expect 3 "lerp" older_standard.cu -std=c++20
    ;;
  report)
    # 64 steps of 65 rows of 64 elements of 2 bytes, each copied once and read once.
    expect 0 "266240 elements" ring_of_copies.cu --report ring.json
    counted=$(python3 -c 'import json
for kind in ("global load", "shared load"):
    print(sum(site["bytes"] for site in json.load(open("ring.json"))["counters"] if site["kind"] == kind))')
    [ "$counted" = "532480
532480" ] || fail "not every byte of ring_of_copies.cu is counted once: $counted"
    expect 1 "1 error" behaviour.cu --report "a report.json" --counters -- status bad
    has "sectors/request"
    output=$(cat "a report.json")
    for part in '"class": "oob_global"' '"line": 8' '"kind": "global store"' '"modelled_us": ' '"gpu": "H200"' \
      '"program_exit": 9'; do has "$part"; done
    expect 0 "modelled on a T4" behaviour.cu --gpu t4
    expect 1 '{"findings":[{"class":"oob_global"' behaviour.cu --json -- status bad
    [ "$(grep -c . out.txt)" -eq 1 ] || fail "--json prints more than its line"
    expect 4 "SIGABRT" behaviour.cu --report "a report.json" -- abort bad
    output=$(cat "a report.json")
    has '"class": "oob_global"'
    ;;
  several_mallocs)
    expect 1 "writes d_out[50]" several_mallocs.cu
    ;;
  many_findings)
    expect 1 "10 kernels" ../corpus/buggy/ten_ways.cu --timeout 10
    for class in "63 of block 0 writes" "outside this dimension" "not a" "nothing has written" "nothing has written in" \
      "orders" "waits at this barrier" "lane" "for ever"; do has "$class"; done
    # A million findings are one with a count; what each of them costs is in the benchmark of the simulator.
    expect 0 "no findings" million.cu -- clean
    expect 1 "times" million.cu
    ;;
  other_compiler)
    if ! command -v clang++ >/dev/null; then
      echo "skipped: clang++ is not installed"
      exit 77
    fi
    expect 0 "no findings: 25 launches" --cxx clang++ launch_forms.cu
    export WORKBOOK_CXX=clang++
    expect 0 "4064 3" older_standard.cu
    expect 1 "behaviour.cu:8: error: " behaviour.cu -- status bad
    expect 3 "inline PTX: the special register '%pm0' is not simulated" ptx.cu
    expect 0 "8884" parts/app/main.cu parts/app/shift.cu parts/app/host.cpp -I "parts/more headers" -D FACTOR=3 \
      -D'SETTINGS="settings.h"'
    ;;
  *) fail "no scenario $scenario" ;;
esac
exit $failed
