#!/bin/sh
# One scenario of bad input or bad luck:  scenario.sh WORKBOOK NAME
# Works in a copy of two puzzles, however many there are; checks exit statuses and what is said, and that nothing is lost.
set -u

workbook=$1
scenario=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=$(CDPATH='' cd -- "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for folder in puzzles solutions; do
  mkdir "$work/$folder"
  cp -R "$repository/$folder/01_map" "$repository/$folder/22_layernorm_linear" "$work/$folder"
done
export WORKBOOK_ROOT="$work" WORKBOOK_STATE="$work/state" NO_COLOR=1
unset WORKBOOK_PRESET
# What is compiled in advance is the same for every test: made once for all.
if [ -n "${WORKBOOK_TEST_CACHE-}" ]; then
  mkdir -p "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE"
  ln -s "$WORKBOOK_TEST_CACHE" "$WORKBOOK_STATE/cache"
fi
cd "$work" || exit 1
kernels=puzzles/01_map/kernels.cu
runs=$WORKBOOK_STATE/runs.sqlite
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

# expect STATUS TEXT ARGUMENTS...: the program ends with STATUS and says TEXT somewhere.
expect() {
  wanted=$1 text=$2
  shift 2
  output=$("$workbook" "$@" 2>&1)
  status=$?
  # Lines end where the screen does: the words count, and once more without the ends.
  output="$output
$(printf '%s' "$output" | tr -s ' \n' ' ')"
  [ "$status" -eq "$wanted" ] || fail "workbook $*: exit $status instead of $wanted: $output"
  case $output in *"$text"*) ;; *) fail "workbook $*: does not say '$text': $output" ;; esac
  case $output in *"terminate called"* | *"core dumped"*) fail "workbook $*: a crash of ours: $output" ;; esac
}

# check NAME STATUS: that check of the puzzle $checked ends so.
check() {
  output=$("$repository/harness/tests/puzzles/check_puzzle.sh" "$workbook" "$checked" "$1" "$work" 2>&1)
  status=$?
  [ "$status" -eq "$2" ] || [ "$status" -eq 77 ] || fail "check $1: exit $status instead of $2: $output"
}

# wait_for COMMAND...: until it holds, or until what was started last is gone; how long that takes is the machine's affair, and
# CTest ends a test that hangs.
wait_for() {
  until "$@"; do
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
}
said() { grep -q "$1" stopped.txt; }
recorded() { cat "$2"* 2>/dev/null | grep -aq "$1"; }

# The solution with one line put before the END marker of its region.
with_line() {
  awk -v line="$1" '/\/\/ END: map/ { print line } { print }' solutions/01_map/kernels.cu >"$kernels"
}

case $scenario in
  usage)
    expect 2 "Nothing is on record" compare 22
    expect 2 "no puzzle '99'" run 99
    expect 2 "no variant '--nonsense'" run 22 --nonsense
    expect 2 "Did you mean '--fused'" run 22 --fusd
    expect 2 "Did you mean 'run'" rnu 22
    expect 2 "Did you mean 'run 22'" 22
    expect 2 "no backend 'gpu'" run 1 --backend gpu
    expect 2 "--size wants NAME=NUMBER" run 1 --size 64
    cp solutions/01_map/kernels.cu "$kernels"  # an empty region runs nothing, so asks nothing
    expect 2 "Z" run 1 --size Z=64
    expect 2 "no run 5" restore 5
    expect 2 "--timeout" run 1 --timeout 0
    WORKBOOK_ROOT=/nowhere expect 2 "WORKBOOK_ROOT" list
    ;;
  does_not_compile)
    with_line '  undeclared_name = 1;'
    expect 3 "kernels.cu:" run 1
    line=$(grep -n undeclared_name "$kernels" | cut -d: -f1)
    expect 3 "$kernels:$line:3: error: " run 1
    case $output in *"In file included"*) fail "include noise: $output" ;; esac
    ;;
  endless_loop)
    with_line '  for (volatile int spin = 1; spin != 0;) { }'
    expect 4 "TIMED OUT" run 1
    case $output in *"for ever"*) ;; *) fail "does not say that it never ends: $output" ;; esac
    line=$(grep -n spin "$kernels" | cut -d: -f1)
    case $output in *"kernels.cu:$line"*) ;; *) fail "does not say that line $line spins: $output" ;; esac
    # On the large shape alone, which the build without a look inside runs first.
    with_line '  if (size > 10000 && i == 7) for (volatile int spin = 1; spin != 0;) { }'
    expect 4 "goes round this loop for ever" run 1 --timeout 3
    with_line '  if (i == 7) for (volatile int turn = 0; turn < 400000; turn = turn + 1) { }'
    WORKBOOK_SIM_SLOW=3 expect 0 "Summary: CORRECT" run 1 --timeout 0.3
    if [ "$(uname -m)" = x86_64 ]; then # a loop that no count of work sees: only time ends it
      with_line '  if (i == 0) out[2 * size] = 1.0f; for (long k = 0;;) asm volatile("1: incq %0; jmp 1b" : "+r"(k));'
      expect 1 "not all of it was looked at" run 1 --timeout 2
      case $output in *"error: thread 0"*) ;; *) fail "what was found before is not said: $output" ;; esac
      with_line '  for (long k = 0;;) asm volatile("1: incq %0; jmp 1b" : "+r"(k));'
      expect 4 "a limit of the workbook's own" run 1 --timeout 1
      case $output in *CRASHED*) fail "a limit of time is called a crash: $output" ;; esac
    fi
    ;;
  null_pointer)
    with_line '  *static_cast<volatile float*>(nullptr) = 1.0f;'
    expect 4 "CRASHED" run 1
    line=$(grep -n nullptr "$kernels" | cut -d: -f1)
    case $output in *"kernels.cu:$line"*) ;; *) fail "does not name line $line: $output" ;; esac
    with_line '  if (size > 10000 && i == 7) out[i - 2147483648LL * 16] = 1.0f;' # on the large shape alone
    expect 4 "which is not device memory" run 1
    ;;
  sanitize)
    expect 2 "Did you mean 'memcheck'" sanitize 1 memchek --backend sim
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "The simulator finds nothing." sanitize 1 --backend sim
    with_line '  out[2 * size] = 1.0f;'
    expect 1 "error: thread" sanitize 1 memcheck --backend sim
    expect 0 "nothing that racecheck looks for" sanitize 1 racecheck --backend sim
    expect 1 '"tool": "memcheck"' sanitize 1 memcheck map --backend sim --json
    ;;
  damaged_record)
    # Nobody is stopped: what was damaged stays as it is, and a new record beside it is used, and read again.
    "$workbook" solution 1 >/dev/null || fail "the solution fails"
    for bytes in 0 1000 9000; do
      cp "$runs" whole
      truncate -s "$bytes" "$runs"
      cp "$runs" before
      expect 1 "mv '" run 1
      case $output in *"a new record beside it is used"*) ;; *) fail "does not say what is used: $output" ;; esac
      cmp -s "$runs" before || fail "the damaged file was touched"
      [ -f "$WORKBOOK_STATE/runs-2.sqlite" ] || fail "no record beside the damaged one"
      expect 0 "not filled" history
      expect 0 "01  Map" list
      rm "$WORKBOOK_STATE"/runs-2.sqlite*
      mv whole "$runs"
    done
    expect 0 "CORRECT" solution 1
    [ ! -e "$WORKBOOK_STATE/runs-2.sqlite" ] || fail "a whole record was passed over"
    ;;
  screens)
    "$here/screens.sh" "$workbook" "$work" || failed=1
    ;;
  variants)
    cp solutions/22_layernorm_linear/kernels.cu puzzles/22_layernorm_linear/kernels.cu
    expect 2 "Nothing is on record" compare 22
    expect 0 "Next: workbook run 22 --fused " run 22 --unfused
    expect 2 "Only --unfused has a correct run" compare 22
    expect 2 "wants a variant" run 22 --all --json
    expect 0 "--fused-block" run 22 --all
    variants=$("$workbook" list --json | python3 -c 'import json, sys
print(len(next(p for p in json.load(sys.stdin) if p["number"] == 22)["variants"]))')
    [ "$(printf '%s\n' "$output" | grep -c '^Summary: CORRECT')" -eq "$variants" ] ||
      fail "--all runs every variant: $output"
    expect 0 "as fast as --fused" compare 22
    case $output in *"Of "*" saved, 3 launches"*) ;; *) fail "no word of why: $output" ;; esac
    case $output in *"Where it stops: no sweep yet"*) ;; *) fail "no word of where it stops: $output" ;; esac
    "$workbook" sweep 22 --variants unfused,fused-block --sizes S=4,8 >/dev/null || fail "the sweep fails"
    expect 0 "Where it stops: by sweep 1" compare 22
    expect 0 "--unfused: run" compare 22 unfused fused
    expect 0 "22  LayerNorm + Linear           12 15 16" list --map
    expect 0 '"verdicts"' compare 22 --json
    expect 0 " ms" history
    # A bare number is a run's.
    expect 2 "The runs of puzzle 22: \`workbook export p22\`." export 22
    expect 0 "Run 1 is one of puzzle 22. The runs of puzzle 1: \`workbook export p1\`." export 1 --format csv
    expect 0 "runs written to all.json" export p22 --out all.json
    expect 2 "No run of puzzle 1 is on record." export map
    expect 0 "1 of 2 done, $((variants - 2)) of $((variants - 2)) optional" list
    # A variant has changed where its own regions have, or what stands outside of all.
    "$workbook" goto 22 >/dev/null
    sed -i 's|^ *// END: fused_outputs|  // mine\n&|' puzzles/22_layernorm_linear/kernels.cu
    expect 0 "--fused [x] correct, changed since" list
    case $output in *"--unfused [x] correct --"*"--fused-block [x] correct (optional) --"*) ;; *) fail "others are called changed: $output" ;; esac
    echo '// mine' >>puzzles/22_layernorm_linear/kernels.cu
    expect 0 "--unfused [x] correct, changed since" list
    ;;
  likely_causes)
    # What the compiler alone can know: g++ takes a variable-length array and nvcc does not; a variable that was
    # never set makes the result wrong, each time.
    with_line '  float values[size]; values[0] = 0.0f;'
    expect 3 "nvcc has no variable-length arrays" run 1
    with_line '  float sum; sum += a[0]; if (threadIdx.x == 0) out[0] = sum;'
    expect 1 "is used before it" run 1
    case $output in *"A likely cause, by the compiler's warning:"*) ;; *) fail "no warning: $output" ;; esac
    with_line '  if (size > 0) { out[0] = 1.0f;'
    expect 3 "is missing" run 1
    case $output in *"in the region 'map'"*) ;; *) fail "does not name the region: $output" ;; esac
    # An overrun of a local array is no array that is too large.
    with_line '  float n[64]; for (int k = 0; k < 100000; ++k) n[k] = a[k % size]; out[0] = n[size % 64];'
    expect 4 "lies outside" run 1
    line=$(grep -n 'float n\[64\]' "$kernels" | cut -d: -f1)
    case $output in *"kernels.cu:$line"*) ;; *) fail "does not name line $line: $output" ;; esac
    # A race of one line with itself is not told to synchronise two lines.
    with_line '  __shared__ float total; if (threadIdx.x == 0) total = 0.0f; __syncthreads(); total += 1.0f;'
    expect 1 "use an atomic (atomicAdd)" run 1
    ;;
  next_steps)
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "workbook book 1 " run 1
    case $output in *"workbook next "*) ;; *) fail "does not go on: $output" ;; esac
    expect 0 "workbook book 22" next
    expect 0 "dram__bytes_read.sum" run 1 --counters
    expect 0 "hands out blocks" run 1 --explain
    expect 0 "--unfused" complete run 22
    expect 0 "history" complete
    expect 0 "22" complete run
    # All that there is for a variant: every region of it, in order.
    expect 0 "for 'fused_statistics'" hint 22 --fused --all
    case $output in *"for 'fused_statistics'"*"for 'fused_outputs'"*) ;; *) fail "not every region: $output" ;; esac
    ;;
  unwritable_state)
    # Not by permissions, which do not bind root: a file where a folder should be.
    : >blocked
    WORKBOOK_STATE="$work/blocked/state" expect 5 "set WORKBOOK_STATE" run 1
    cmp -s "$kernels" "$repository/$kernels" || fail "the learner's file was touched"
    if [ "$(id -u)" -ne 0 ]; then
      mkdir locked && chmod a-w locked
      WORKBOOK_STATE="$work/locked/state" expect 5 "set WORKBOOK_STATE" run 1
    fi
    ;;
  reset)
    echo '// mine' >>"$kernels"
    cp "$kernels" mine
    expect 2 "nothing was changed" reset 1
    cmp -s "$kernels" mine || fail "reset without a yes changed the file"
    expect 0 "Undo: cp " reset 1 --yes
    undo=$(printf '%s\n' "$output" | sed -n 's/^Undo: //p')
    sh -c "$undo"
    cmp -s "$kernels" mine || fail "the undo does not bring the file back"
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "CORRECT" run 1
    echo '// later' >>"$kernels"
    expect 0 "is what run 1 ran" restore 1 --yes
    cmp -s "$kernels" solutions/01_map/kernels.cu || fail "restore brought something else back"
    # One variant goes back; what another one that shares the file has since is left alone.
    fusion=puzzles/22_layernorm_linear/kernels.cu
    cp solutions/22_layernorm_linear/kernels.cu $fusion
    expect 0 "CORRECT" run 22 --fused
    sed -i -e 's|^ *// END: fused_outputs|  // a later try\n&|' -e 's|^ *// END: fused_block|  // mine\n&|' $fusion
    cp $fusion mine
    expect 0 "The regions of the other variants stay as they were." restore 2 --yes
    grep -q '// a later try' $fusion && fail "the variant is not what run 2 ran"
    grep -q '// mine' $fusion || fail "another variant's region was put back, too"
    undo=$(printf '%s\n' "$output" | sed -n 's/^Undo: //p')
    sh -c "$undo"
    cmp -s $fusion mine || fail "the undo does not bring the file back"
    sed -i '/END: fused_block/d' $fusion
    expect 0 "all of it is what run 2 ran. The regions of the two are not the same ones." restore 2 --yes
    cp mine $fusion
    expect 0 "all of it is what run 2 ran" restore 2 --all --yes
    cmp -s $fusion solutions/22_layernorm_linear/kernels.cu || fail "--all did not put the whole file back"
    ;;
  gone)
    # Deleted by mistake: what brings it back is named, whatever is asked for.
    rm "$kernels"
    expect 2 "$kernels is gone. \`workbook reset 1\` brings back the skeleton." run 1
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "CORRECT" run 1
    rm "$kernels"
    for verb in run sweep sass sanitize; do
      expect 2 "is gone. \`workbook restore 1\` brings back what you ran last" $verb 1
    done
    expect 2 "is gone" verify
    expect 0 "all of it is what run 1 ran" restore 1 --yes
    cmp -s "$kernels" solutions/01_map/kernels.cu || fail "restore brought something else back"
    rm "$kernels"
    expect 0 "is the skeleton again" reset 1 --yes
    ;;
  renamed_kernel)
    # One error, in words, at the kernel's line; none in files that are not the learner's.
    renamed() {
      sed "$1" solutions/01_map/kernels.cu >"$kernels"
      expect 3 "$2" run 1
      case $output in "$kernels:17: error: "*) ;; *) fail "not at the kernel's line: $output" ;; esac
      case $output in *launches.cu:10:* | *"2 errors"* | *harness/*) fail "more than the cause: $output" ;; esac
    }
    renamed 's/map_kernel/mapKernel/' "there is no kernel map_kernel any more, and launches.cu:10 uses it"
    renamed 's/int size)/int size, int n)/' "map_kernel has other parameters than launches.cu:10 gives it"
    renamed 's/float\* out/double* out/' "it began as map_kernel(float* out, const float* a, int size)"
    renamed 's/__global__/__device__/' "only a __global__ function can be"
    renamed 's/__global__ //' "only a __global__ function can be"
    sed '/__global__/,/^}/d' solutions/01_map/kernels.cu >"$kernels"
    expect 3 "put it back, as __global__ void map_kernel(float* out, const float* a, int size)" run 1
    # What a macro declares may be a kernel.
    sed -e 's/__global__ void/KERNEL/' -e '/constexpr int/i #define KERNEL __global__ void' solutions/01_map/kernels.cu >"$kernels"
    expect 0 "CORRECT" run 1
    ;;
  verify)
    expect 0 "No puzzle is done yet" verify
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "CORRECT" run 1
    expect 0 "1 of 1 right" verify
    # It records nothing: what was solved and is empty now is told each time, with what brings it back.
    cp "$repository/$kernels" "$kernels"
    for round in 1 2; do
      expect 1 "01 --map not filled ($kernels:18) It was right in run 1: \`workbook restore 1\` brings that back." verify
    done
    expect 1 "0 of 1 right" verify
    expect 0 "[" history --all --json
    [ "$(printf '%s\n' "$output" | grep -c '"variant"')" -eq 2 ] || fail "verify made runs: $output"
    ;;
  sweep)
    for puzzle in 09_detective_work 15_axis_sum; do
      for folder in puzzles solutions; do cp -R "$repository/$folder/$puzzle" "$folder"; done
    done
    expect 2 "--sizes wants" sweep 22 --sizes H
    expect 2 "--sizes wants" sweep 22 --sizes H=8
    expect 2 "no dimension 'Z'" sweep 22 --solution --variants unfused --sizes Z=8,16
    expect 2 "no variant 'fusd'" sweep 22 --variants fusd
    expect 2 "a sweep compares variants of one task" sweep 15 --variants columns,thread-per-row
    expect 2 "programs of their own" sweep 9
    expect 2 "--timeout" sweep 22 --timeout 0
    expect 1 "is left out, its verdict is 'not filled'" sweep 22 --variants fused --sizes S=4,8
    expect 0 "is faster than --unfused at every size here" sweep 22 --solution --variants unfused,fused-block --sizes S=4,8
    case $output in *"S 8 "*" us "*"x"*) ;; *) fail "no line for S 8: $output" ;; esac
    expect 0 '"variant": "fused-block"' sweep 22 --solution --variants unfused,fused-block --sizes S=4,8 --json
    case $output in *'"left_out": []'*'"crossings": []'*) ;; *) fail "no crossings in the JSON: $output" ;; esac
    # What a sweep times is no run of the learner's.
    expect 0 "[" history --all --json
    case $output in *variant*) fail "a sweep made runs: $output" ;; esac
    # A size that takes too long is said to, and larger ones are not tried.
    expect 0 "took too long" sweep 22 --solution --variants unfused \
      --sizes O=16,1048576,2097152,4194304,8388608,16777216 --timeout 0.5
    ;;
  sweep_stopped)
    "$workbook" sweep 22 --solution --variants unfused --sizes S=4..65536 >stopped.txt 2>&1 &
    wait_for recorded '"dimension":"S"' "$runs"
    kill -TERM $!
    wait $!
    [ $? -ge 128 ] || fail "does not end as the signal asks: $(cat stopped.txt)"
    grep -q "^  S 4 " stopped.txt || fail "the sizes that were timed are not shown: $(cat stopped.txt)"
    grep -q "Stopped; what there is of sweep 1 recorded" stopped.txt || fail "does not say that it was stopped"
    ;;
  optimize)
    mkdir -p harness/optimizer
    cp -R "$repository/harness/optimizer/programs" harness/optimizer
    expect 0 "rmsnorm_linear" optimize --list
    expect 2 "Did you mean 'softmax'" optimize softmx
    expect 2 "takes a program" optimize
    expect 2 "no index 'q'" optimize softmax --size q=4
    expect 2 "--inputs is uniform or progression" optimize softmax --check none --inputs zeros
    expect 5 "none.txt" optimize softmax --check none.txt
    expect 2 "There is no GPU 'abacus'" optimize softmax --gpu abacus
    expect 0 "5 equal, chance of error below 1e-9; rounding within bounds" optimize rmsnorm_linear --emit-only
    expect 0 "formula sum(h, x * g * w) / sqrt(mean(h, x * x) + eps)" optimize rmsnorm_linear --emit-only
    expect 0 "all known from before" optimize rmsnorm_linear --size h=64 --emit-only
    expect 0 "processor time" optimize rmsnorm_linear --no-cache --emit-only
    # The emitted kernels run on five shapes: no finding, right within what rounding may do.
    for program in softmax gelu_chain rmsnorm_linear gated_mlp lora_linear; do
      expect 0 "1 built, 1 without findings, 1 right" optimize $program
      grep -q "__global__" optimized/$program/kernels.cu || fail "no kernels of $program"
    done
    # What is known from before is said as if it was not; a run that would be the same is not run again.
    result() { "$workbook" optimize "$@" --json | grep -v -e cpu_s -e resumed -e measured -e '"report"'; }
    result rmsnorm_linear --no-cache >without.json
    result rmsnorm_linear >with.json
    cmp -s without.json with.json || fail "another answer with the cache"
    touch -d '1 minute ago' "$WORKBOOK_STATE/optimize/rmsnorm_linear/1/results.bin"
    touch before
    for threads in 1 2 8; do
      result rmsnorm_linear --threads $threads >with.json
      cmp -s without.json with.json || fail "another answer from what is kept, with $threads threads"
    done
    [ "$WORKBOOK_STATE/optimize/rmsnorm_linear/1/results.bin" -ot before ] || fail "the same kernels ran again"
    printf 'x' >>"$WORKBOOK_STATE/optimize/rmsnorm_linear/1/results.bin"
    result rmsnorm_linear >with.json
    cmp -s without.json with.json || fail "another answer where what a run left was edited"
    [ "$WORKBOOK_STATE/optimize/rmsnorm_linear/1/results.bin" -nt before ] || fail "an edited result was believed"
    # What the price counts is what the simulator counts.
    for program in rmsnorm_linear gated_mlp lora_linear; do
      grep -qE "wmma::mma_sync|mma\.sync" optimized/$program/kernels.cu || fail "no tensor cores for $program"
      python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" $program h=256 o=512 >price.txt 2>&1 ||
        fail "the price miscounts: $(cat price.txt)"
    done
    # What keeps a product from tensor cores is said.
    printf '%s\n' 'index h = 4 8, s = 4 64, t = 4 64, d = 4 32' 'input q[h,s,d], k[2,t,d]' 'y = sum(d, q * k[h / 4, t, d])' \
      'output y[h,s,t]' >divided.wbp
    expect 0 "no tensor core multiplies k[h / 4,t,d]: the index that is divided" optimize divided.wbp --emit-only
    # A file that was edited stays as it is, others are written anew.
    echo "// mine" >>optimized/softmax/kernels.cu
    expect 0 "left alone" optimize softmax --emit-only
    tail -n 1 optimized/softmax/kernels.cu | grep -q "// mine" || fail "an edited file was written over"
    for threads in 1 2 8; do
      "$workbook" optimize gelu_chain --emit-only --no-cache --json --threads $threads | grep -v -e cpu_s -e '"report"' >threads$threads.json
      cmp -s threads1.json threads$threads.json || fail "another answer with $threads threads"
    done
    printf 'index b = 2, h = 3\ninput x[b,h]\ny = x * z\noutput y[b,h]\n' >mine.wbp
    expect 3 "mine.wbp:3:9: there is no tensor 'z'" optimize mine.wbp
    printf '%s\n' "$output" | grep -q '^ *| *^$' || fail "no caret: $output"
    printf 'index b = 2, h = 3\ninput x[b,h]\ny = sum(h, x * x)\nlemma y = sum(h, x)\noutput y[b]\n' >mine.wbp
    expect 3 "lemma 1 is not equal to the program" optimize mine.wbp
    printf 'm = sum(h, g * x * w)\ny = m / rms(h, x)\n' >mine.txt
    expect 0 "equal" optimize rmsnorm_linear --check mine.txt
    expect 0 "the search finds it" optimize rmsnorm_linear --why-not mine.txt
    printf 'm = sum(h, x * w)\ny = m / rms(h, x)\n' >mine.txt
    expect 1 "refused at draw 1" optimize rmsnorm_linear --check mine.txt
    expect 0 "loose" optimize rmsnorm_linear --why-not mine.txt
    printf 'y = x * w\n' >mine.txt
    expect 3 "mine.txt:1:" optimize rmsnorm_linear --check mine.txt
    expect 0 "" optimize rmsnorm_linear --tree tree.json --json --emit-only
    grep -q '"states":' tree.json || fail "no tree"
    seq 2000 >"$WORKBOOK_STATE/optimize.sqlite"
    expect 0 "is of no use" optimize rmsnorm_linear --emit-only
    seq 2000 | cmp -s - "$WORKBOOK_STATE/optimize.sqlite" || fail "the damaged file was written to"
    ;;
  optimize_prices)
    mkdir -p harness/optimizer
    cp -R "$repository/harness/optimizer/programs" harness/optimizer
    # Sums over rows, over several indices and of rows that no block holds, in parts where blocks are few; a result in
    # another order: they run, and what the price counts is what the simulator counts.
    for sizes in "gain_gradient b=256 h=500" "var_rows n=4000 c=64" "group_norm n=4 g=8 c=8 p=250" "long_softmax h=40000" \
      "softmax_columns b=256 h=512" "column_max b=4096 h=64" "exp_t b=100 h=500"; do
      cp "$repository/harness/bench/optimize_programs/${sizes%% *}.wbp" .
      # shellcheck disable=SC2086
      python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" "${sizes%% *}.wbp" ${sizes#* } >price.txt 2>&1 ||
        fail "the price miscounts ${sizes%% *}: $(cat price.txt)"
    done
    for program in gain_gradient long_softmax exp_t; do
      expect 0 "1 built, 1 without findings, 1 right" optimize $program.wbp
    done
    # Attention: one sweep with a running maximum, its keys in parts; so many plans as are asked for. Of two types of 16
    # bits, which tensor cores do not take together, and of one.
    sed 's/^input.*/type bf16\n&/; s/^output.*/& f16/' harness/optimizer/programs/qknorm_attention.wbp >qknorm_bf16.wbp
    for program in qknorm_bf16.wbp qknorm_attention; do
      expect 0 "2 built, 2 without findings, 2 right" optimize $program --size n=2 --size s=32 --size t=256 --plans 2
    done
    expect 0 "1 built, 1 without findings, 1 right" optimize mla_decode
    for program in qknorm_attention mla_decode; do
      grep -q "TurnedFragment" optimized/$program/kernels.cu || fail "no tensor cores for $program"
    done
    for sizes in "n=2 s=128 t=1024" "n=3 s=100 t=1000 d=40"; do
      # shellcheck disable=SC2086
      python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" qknorm_attention $sizes >price.txt 2>&1 ||
        fail "the price miscounts attention: $(cat price.txt)"
    done
    python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" mla_decode t=2048 >price.txt 2>&1 ||
      fail "the price miscounts latent attention: $(cat price.txt)"
    grep -q "tensor attention" price.txt || fail "no attention on tensor cores: $(cat price.txt)"
    sed 's/^input.*/type bf16\n&/; s/^output.*/& f16/' harness/optimizer/programs/rmsnorm_linear.wbp >rmsnorm_mixed.wbp
    python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" rmsnorm_mixed.wbp h=256 o=512 >price.txt 2>&1 ||
      fail "the price miscounts without tensor cores: $(cat price.txt)"
    sed 's/^input.*/type bf16\n&/' harness/optimizer/programs/rmsnorm_linear.wbp >rmsnorm_bf16.wbp
    sed 's/^input.*/type bf16\n&/' harness/optimizer/programs/qknorm_attention.wbp >attention_bf16.wbp
    expect 0 "1 built, 1 without findings, 1 right" optimize rmsnorm_bf16.wbp
    expect 0 "1 built, 1 without findings, 1 right" optimize attention_bf16.wbp --size n=2 --size s=32 --size t=256
    for program in rmsnorm_bf16 attention_bf16; do
      grep -qE "wmma::mma_sync|mma\.sync" optimized/$program/kernels.cu || fail "no tensor cores for bfloat16: $program"
    done
    python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" rmsnorm_bf16.wbp h=256 o=512 >price.txt 2>&1 ||
      fail "the price miscounts with bfloat16: $(cat price.txt)"
    ;;
  optimize_forms)
    # What nothing equal is found for, what an exp of is summed as it is, what lies in another order.
    printf 'index b = 4 64, h = 8 256\ninput x[b,h]\ny = x + 0\noutput y[h,b]\n' >turned.wbp
    printf 'index b = 4 16, h = 8 256, o = 8 64\ninput x[b,h], w[h,o]\ny = sum(h, exp(x) * w)\noutput y[b,o]\n' >gate.wbp
    printf 'index b = 4 16, h = 8 256\ninput x[b,h]\ns = sum(h, x * x)\ny = x / s\noutput y[b,h], s[b]\n' >two.wbp
    expect 0 "1 built, 1 without findings, 1 right" optimize two.wbp
    grep -q "launch_two(half\* y, half\* s, const half\* x" optimized/two/kernels.cu || fail "not both outputs of one launch"
    # With a product each output has plans of its own.
    printf 'index b = 4 16, h = 8 256, o = 8 64\ninput x[b,h], w[h,o]\ns = sum(h, x * x)\ny = sum(h, x * w)\noutput y[b,o], s[b]\n' >apart.wbp
    expect 0 "program s = sum(h, x * x)" optimize apart.wbp
    [ "$(printf '%s' "$output" | grep -c '^  wrote')" = 2 ] || fail "not each output is told once"
    grep -q "__global__" optimized/apart_s/kernels.cu || fail "no kernels of the second output"
    grep -q "__global__" optimized/apart_y/kernels.cu || fail "no kernels of the first output"
    printf '%s\n' 'index s = 4 64, h = 3 16, d = 8 128' 'input x[s,h,d], c[s,d] f32, z[s,d] f32' \
      'y = x * c + where(d < size(d) / 2, -x[s,h,d + size(d) / 2], x[s,h,d - size(d) / 2]) * z' 'output y[s,h,d]' >rope.wbp
    printf 'index b = 4 16, h = 8 250\ninput x[b,h]\ny = x[b, (h - 5) / 2] * x[b, h - size(h) / 3]\noutput y[b,h]\n' >thirds.wbp
    for program in turned gate rope thirds; do
      expect 0 "1 built, 1 without findings, 1 right" optimize $program.wbp
    done
    # A mask with minus infinity, keys in parts of which whole ones are masked.
    printf '%s\n' 'index n = 2 2, s = 4 64, t = 8 2048, d = 4 64' 'input q[n,s,d], k[n,t,d], v[n,t,d], m[s,t] f32' \
      'p = exp(sum(d, q * k) + m)' 'y = sum(t, p / sum(t, p) * v)' 'output y[n,s,d]' >masked.wbp
    expect 0 "1 built, 1 without findings, 1 right" optimize masked.wbp
    grep -q "joined_parts" optimized/masked/kernels.cu || fail "the masked keys are not in parts"
    # Tensor cores: weights and results in another order, a batch index, rows of two indices, halves between launches;
    # grouped queries, keys before their depth; sums over rows.
    printf '%s\n' 'index b = 5 64, h = 9 128, o = 7 64' 'input x[h,b], w[o,h]' 'y = sum(h, x * w)' 'output y[o,b]' >order.wbp
    printf '%s\n' 'index n = 3 4, i = 5 128, j = 8 128, k = 7 128' 'input a[i,n,j], b[n,k,j]' 'y = sum(j, a * b)' \
      'output y[i,n,k]' >batch.wbp
    printf '%s\n' 'index n = 3 4, s = 5 32, h = 8 128, f = 7 128, o = 6 64' 'input x[n,s,h], w[f,h], u[o,f], c[s,f] f32' \
      'y = sum(f, relu(sum(h, x * w) + c) * u)' 'output y[n,s,o]' >rows.wbp
    printf '%s\n' 'index n = 2 2, g = 2 4, s = 3 5, d = 4 64, t = 8 256' 'input q[n,g,s,d], k[n,d,t], v[n,t,d]' \
      'p = exp(sum(d, q * k))' 'y = sum(t, p * v) / sum(t, p)' 'output y[n,g,s,d]' >grouped.wbp
    printf '%s\n' 'index b = 4 256, h = 8 256' 'type bf16' 'input x[b,h]' 'y = sum(b, x)' 'output y[h]' >columns.wbp
    # Rows that are too long for a block, over which nothing is summed.
    printf '%s\n' 'index r = 2 3, i = 1000 200000' 'input a[r,i], b[r,i], m[r] f16' 'y = silu(a) * b + m' 'output y[r,i]' >pieces.wbp
    # What is too large for half crosses launches as float: of a few rows, of many, and a residual of float.
    for rows in 8 256; do
      printf '%s\n' "index b = 4 $rows, h = 8 128, f = 7 256, o = 6 128" 'input x[b,h], w[h,f], v[f,h], u[f,o]' \
        'y = sum(f, silu(sum(h, x * w)) * sum(h, x * v) * u)' 'output y[b,o]' >large$rows.wbp
    done
    printf '%s\n' 'index b = 4 64, f = 7 256, o = 6 128' 'type bf16' 'input r[f,b] f32, u[f,o]' 'y = sum(f, r * u)' \
      'output y[b,o]' >residual.wbp
    # Taps and pools by each thread for itself; the sink of an attention, and scores that are capped.
    printf '%s\n' 'index b = 2 4, t = 8 256, c = 4 512, k = 4 4' 'input x[b,t,c], w[c,k], z[c]' \
      'y = silu(sum(k, x[b, t + k - 3, c] * w) + z)' 'output y[b,t,c]' >taps.wbp
    printf '%s\n' 'index n = 2 4, i = 4 56, j = 4 57, k = 3 3, l = 3 3, p = 8 112, q = 8 114' 'input x[n,p,q]' \
      'y = max(k, max(l, x[n, 2 * i + k - 1, 2 * j + l - 1]))' 'output y[n,i,j]' >pool.wbp
    printf '%s\n' 'index n = 2 4, s = 4 128, t = 8 256, d = 4 64' 'input q[n,s,d], k[n,t,d], v[n,t,d], w[n]' \
      'p = exp(50 * tanh(sum(d, q * k) / 50))' 'y = sum(t, p * v) / (sum(t, p) + exp(w))' 'output y[n,s,d]' >sink.wbp
    # Groups of warps: what is left lies either way, weights too; two indices of a batch, two products, sizes that
    # are no multiples of a tile, rows that do not begin at multiples of 16 bytes (in the cases that it is judged by).
    printf '%s\n' 'index h = 9 512, m = 7 2048, o = 5 1024' 'input a[h,m], b[h,o], c[o]' 'y = relu(sum(h, a * b) + c)' \
      'output y[m,o]' >across.wbp
    # Few rows, whose sums blocks of a cluster divide; in two products of a batch, and stored the other way.
    printf '%s\n' 'index n = 2 2, b = 5 64, h = 70 4096, o = 7 1024' 'input x[n,b,h], w[h,o], v[n,o,h]' \
      'y = silu(sum(h, x * w)) * sum(h, x * v)' 'output y[n,o,b]' >cluster.wbp
    printf '%s\n' 'index b = 2 2, s = 5 256, g = 2 4, t = 6 256, d = 7 128' 'type bf16' 'input q[b,s,g,d], k[b,t,g,d]' \
      'y = sum(d, q * k)' 'output y[b,g,s,t]' >apart_batch.wbp
    printf '%s\n' 'index b = 3 600, h = 70 200, f = 130 520' 'input x[b,h], w[h,f], v[f,h]' \
      'y = silu(sum(h, x * w)) * sum(h, x * v)' 'output y[b,f]' >gated.wbp
    printf '%s\n' 'index n = 3 16, s = 5 512, d = 7 128, t = 70 512' 'input q[n,s,d], k[n,d,t], v[n,t,d]' \
      'p = exp(sum(d, q * k) / 11)' 'y = sum(t, p * v) / sum(t, p)' 'output y[n,s,d]' >prefill.wbp
    printf '%s\n' 'index b = 2 4, g = 3 4, s = 5 512, t = 6 512, d = 7 64' 'type bf16' \
      'input q[b,s,g,d], k[b,t,g,d], v[b,t,g,d]' 'p = where(t <= s, exp(sum(d, q * k) / 50000), 0)' \
      'y = sum(t, p * v) / sum(t, p)' 'output y[b,s,g,d]' >causal_prefill.wbp
    programs='order batch rows grouped columns pieces large8 large256 residual taps pool sink across cluster apart_batch gated
      prefill causal_prefill'
    for program in $programs; do
      expect 0 "1 built, 1 without findings, 1 right" optimize $program.wbp
      case $program in
        cluster) grep -q "send_sums" optimized/$program/kernels.cu || fail "no clusters: $program" ;;
        across | apart_batch | gated | prefill | causal_prefill) grep -q "group_step" optimized/$program/kernels.cu || fail "no groups of warps: $program" ;;
        large* | residual) grep -q "load_floats" optimized/$program/kernels.cu || fail "no tensor cores for floats: $program" ;;
      esac
      case $program in
        columns | pieces | taps | pool) ;;
        *) grep -qE "wmma::mma_sync|mma\.sync" optimized/$program/kernels.cu || fail "no tensor cores for $program" ;;
      esac
      python3 "$repository/harness/tests/optimizer/price_check.py" "$workbook" $program.wbp >price.txt 2>&1 ||
        fail "the price miscounts $program: $(cat price.txt)"
    done
    # One call for all: most of what nvcc does for one is to read headers.
    if command -v nvcc >/dev/null; then
      for program in $programs; do grep '^#include <' optimized/$program/kernels.cu; done | sort -u >all.cu
      for program in $programs; do
        printf 'namespace of_%s {\n#include "optimized/%s/kernels.cu"\n}\n' $program $program
      done >>all.cu
      nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -Werror all-warnings -c -o kernels.o all.cu >said.txt 2>&1 ||
        fail "nvcc does not take what was emitted: $(cat said.txt)"
    fi
    ;;
  optimize_measured)
    mkdir -p harness/optimizer fake
    cp -R "$repository/harness/optimizer/programs" harness/optimizer
    small="rmsnorm_linear --size h=64 --size o=64"
    expect 2 "--emit-only runs nothing" optimize $small --emit-only --measured
    # A driver that pretends to have a GPU, or none: no call of a program reaches one.
    cat >fake/driver.c <<'END'
#include <stdlib.h>
#include <string.h>
int cuInit(unsigned flags) { return flags != 0; }
int cuDeviceGetCount(int* count) { return *count = getenv("FAKE_GPU") != NULL, 0; }
int cuDeviceGetName(char* name, int size, int device) { return strncpy(name, "Pretend GPU", size), device; }
int cuDeviceGetAttribute(int* value, int which, int device) { return *value = which == 75 ? 9 : 0, device; }
END
    cc -shared -fPIC -o fake/libcuda.so.1 fake/driver.c || fail "no fake driver"
    export LD_LIBRARY_PATH="$work/fake${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    expect 77 "Without --measured the modelled time decides" optimize $small --measured
    export FAKE_GPU=1
    expect 0 "1 right" optimize $small
    "$workbook" optimize $small --measured --plans 1 >said.txt 2>&1
    grep -q -e "without the GPU backend" -e "no nvcc on PATH" said.txt && exit $failed
    # nvcc compiles what times and judges, for sm_90; neither finds the GPU, and each says so.
    folder=$WORKBOOK_STATE/optimize/rmsnorm_linear
    for plan in 1 unfused; do
      for program in device_check device_time; do
        [ -x $folder/$plan/$program ] || fail "nvcc left no $program of plan $plan: $(cat said.txt)"
      done
    done
    $folder/1/device_time times.json >said.txt 2>&1
    [ $? -eq 77 ] || fail "no GPU is not what stops the timing: $(cat said.txt)"
    expect 0 "plan 1: not timed: it ends early: cudaMalloc" optimize $small
    expect 5 "none of the built plans has a time: nothing was written" optimize $small --measured --plans 2
    # In nvcc's place one whose programs give the simulator's results, and times that rank the plans otherwise.
    cat >fake/nvcc <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
plan=$(basename "$(dirname "$2")")
case $2 in
  *_check) echo 'cp "$(dirname "$1")/results.bin" "$2"' ;;
  *) case $plan in 1) us=9 ;; 2) us=4 ;; *) us=20 ;; esac
    echo "echo '{\"cold_us\": [$us, $us.25, $us.5], \"note\": \"\"}' >\"\$1\"" ;;
esac | sed '1i #!/bin/sh' >"$2"
chmod +x "$2"
END
    chmod +x fake/nvcc
    export WORKBOOK_NVCC="$work/fake/nvcc"
    expect 0 "plan 1: 9.25 us (9.00 us to 9.50 us), modelled" optimize $small --plans 2
    expect 0 "plan 1 is 2.19x as fast as the program as it stands" optimize $small --plans 2
    expect 0 "measured on Pretend GPU, cold caches, median (10 to 90 %) of 9 samples" optimize $small --plans 2
    "$workbook" optimize $small --plans 2 --json >by_model.json
    "$workbook" optimize $small --plans 2 --measured --json >by_measure.json
    grep -q '"best": 0' by_model.json || fail "the modelled time does not decide"
    grep -q '"best": 1' by_measure.json || fail "--measured does not choose the fastest"
    expect 0 "plan 2: of those with a measured time the fastest" optimize $small --plans 2 --measured
    record=$folder.json
    grep -q '"measured_on":"Pretend GPU"' "$record" || fail "the record does not say where plans were timed"
    grep -q '"measured_us":4.25' "$record" || fail "the record has no measured time"
    # Wrong on the GPU alone: no time, a sentence, and another plan.
    printf '#!/bin/sh\nhead -c 100 /dev/zero >"$2"\n' >$folder/1/device_check
    expect 0 "elements are wrong; b 4, h 8, o 16: element 0 of y is 0" optimize $small --plans 2
    "$workbook" optimize $small --plans 2 --json >by_model.json
    grep -q '"best": 1' by_model.json || fail "a plan was chosen that is wrong on the GPU"
    ;;
  found)
    mkdir -p harness/optimizer
    cp -R "$repository/harness/optimizer/programs" harness/optimizer
    for folder in puzzles solutions; do cp -R "$repository/$folder/41_rmsnorm_linear" $folder; done
    declaration=puzzles/41_rmsnorm_linear/puzzle.cpp
    # Another real size than the program's, so that a command has to name it.
    sed -i 's/{"O", 6144}/{"O", 512}/' $declaration
    cp $declaration declaration
    sed -i 's/"rmsnorm_linear",$/"rmsnorm",/' $declaration
    expect 1 "There is no program 'rmsnorm'." derive 41 --check
    sed -i 's/"rmsnorm",$/"qknorm_attention",/' $declaration
    expect 1 "which is no dimension of the puzzle" derive 41 --check
    cp declaration $declaration
    # The plan stands beside the runs at its sizes, and only there.
    for variant in unfused fused; do
      "$workbook" solution 41 --$variant >/dev/null 2>&1 || fail "the solution of --$variant is not correct"
    done
    expect 0 "nothing is on record at these sizes; \`workbook optimize rmsnorm_linear --size o=512\` finds a plan" compare 41 --backend sim
    expect 0 "1 right" optimize rmsnorm_linear --size o=256
    expect 0 "nothing is on record at these sizes" compare 41 --backend sim
    expect 0 "1 right" optimize rmsnorm_linear --size o=512 --gpu a100
    expect 0 "which is no ranking with it" compare 41 --backend sim
    expect 0 "1 right" optimize rmsnorm_linear --size o=512
    expect 0 "found: by \`workbook optimize rmsnorm_linear --size o=512\`" compare 41 --backend sim
    case $output in *"best first"*"found "*) ;; *) fail "the plan is not in the table: $output" ;; esac
    case $output in *"Found by search"*) fail "what is ranked is said once more: $output" ;; esac
    expect 0 "--fused" compare 41 unfused fused
    case $output in *found*) fail "the two that were asked for are not alone: $output" ;; esac
    ;;
  optimize_killed)
    mkdir -p harness/optimizer
    cp -R "$repository/harness/optimizer/programs" harness/optimizer
    # All but what a run took: the states, the graphs, their text.
    result() { "$workbook" optimize mla_decode --nodes 10 --emit-only --json "$@" | grep -v -e cpu_s -e resumed -e '"report"'; }
    result --no-cache >whole.json
    milliseconds=1
    for round in $(seq 12); do
      "$workbook" optimize mla_decode --nodes 10 --emit-only --threads 2 >/dev/null 2>&1 &
      milliseconds=$(((milliseconds * 61 + 17) % 499))
      sleep "$(printf '0.%03d' $milliseconds)"
      kill -KILL $! 2>/dev/null
      wait $! 2>/dev/null
      [ $((round % 4)) -ne 0 ] || {
        result >again.json
        cmp -s whole.json again.json || fail "round $round: another answer after being killed"
        rm -f "$WORKBOOK_STATE"/optimize.sqlite*
      }
    done
    # Killed while launches are priced: the graphs that were done are known, and the answer is the same.
    priced() { "$workbook" optimize lora_linear --emit-only --json "$@" | grep -v -e cpu_s -e resumed -e '"report"'; }
    priced --no-cache >whole.json
    for round in $(seq 6); do
      rm -f "$WORKBOOK_STATE"/optimize.sqlite*
      for kill in 1 2 3; do
        "$workbook" optimize lora_linear --emit-only --threads 2 >/dev/null 2>&1 &
        milliseconds=$(((milliseconds * 61 + 17) % 499))
        sleep "$(printf '0.%03d' $milliseconds)"
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
      done
      priced >again.json
      cmp -s whole.json again.json || fail "round $round: other plans after being killed"
    done
    # A long search leaves kernels behind, whenever it ends: after a time, and with Ctrl-C before and behind the first.
    printf '%s\n' 'index b = 4 16, h = 8 512, o = 16 512' 'input x[b,h], r[b,h], g[h], beta[h], w[h,o], bias[o]' \
      'constant eps = 1e-5' 'u = x + r' 'd = u - mean(h, u)' \
      'y = sum(h, (d * rsqrt(mean(h, d * d) + eps) * g + beta) * w) + bias' 'output y[b,o]' >deep.wbp
    expect 0 "of 15 depths, the next run goes on there" optimize deep.wbp --seconds 2
    expect 0 "and nothing is kept (--no-cache)" optimize deep.wbp --seconds 2 --no-cache
    grep -q "__global__" optimized/deep/kernels.cu || fail "no kernels of a search that was cut short"
    for wait in early late; do
      rm -rf optimized/deep
      : >stopped.txt  # nothing of the run before is read while this one begins
      "$workbook" optimize deep.wbp --no-cache >stopped.txt 2>&1 &
      if [ $wait = early ]; then
        wait_for said "^  sizes"
      else
        wait_for said "^  best so far"
        said "^  best so far" || fail "no kernels while the search goes on: $(cat stopped.txt)"
      fi
      kill -TERM $!
      wait $!
      [ $? -ge 128 ] || fail "does not end as the signal asks ($wait): $(cat stopped.txt)"
      tr -s ' \n' ' ' <stopped.txt | grep -q "1 built, 1 without findings, 1 right" || fail "no kernel was run ($wait): $(cat stopped.txt)"
      grep -q "__global__" optimized/deep/kernels.cu || fail "no kernels when stopped ($wait): $(cat stopped.txt)"
      [ -z "$(grep "^  best so far" stopped.txt | uniq -d)" ] || fail "the same kernels are said twice: $(cat stopped.txt)"
    done
    # Ctrl-C prints what there is, and the next run goes on there.
    rm -f "$WORKBOOK_STATE"/optimize.sqlite*  # of the searches above
    "$workbook" optimize mla_decode --nodes 30 --threads 2 >stopped.txt 2>&1 &
    wait_for recorded '"nodes":10,' "$WORKBOOK_STATE/optimize.sqlite"
    kill -TERM $!
    wait $!
    [ $? -ge 128 ] || fail "does not end as the signal asks: $(cat stopped.txt)"
    grep -q "^  formula " stopped.txt || fail "the best so far is not shown: $(cat stopped.txt)"
    said "stopped after [12][0-9] of 30 depths" || fail "does not say that it was stopped: $(cat stopped.txt)"
    ;;
  killed)
    cp solutions/01_map/kernels.cu "$kernels"
    expect 0 "CORRECT" run 1
    milliseconds=1
    for round in $(seq 50); do
      # A save before every third run, so that compilers are killed too.
      if [ $((round % 3)) -eq 0 ]; then echo "// save $round" >>"$kernels"; fi
      "$workbook" run 1 >/dev/null 2>&1 &
      milliseconds=$(((milliseconds * 61 + 17) % 1499))
      sleep "$(printf '0.%03d' $((milliseconds % 1000)))"
      kill -KILL $! 2>/dev/null
      wait $! 2>/dev/null
      "$workbook" history --all --json >list.json || fail "round $round: the record cannot be read"
    done
    expect 0 "CORRECT" run 1
    expect 0 "whose" history
    # What was killed with its run is gone as soon as it has had a processor.
    lives() { ps -A -o args | grep -v grep | grep -q "$WORKBOOK_STATE/build"; }
    for round in $(seq 600); do
      lives || break
      sleep 0.1
    done
    if lives; then fail "a child outlived its run"; fi
    ;;
  new_puzzle)
    expect 2 "There is a puzzle of that number already: puzzles/22_layernorm_linear" new 22 trial
    expect 2 "There is a puzzle of that name already: puzzles/01_map" new 99 map
    expect 2 "one from 1 to 99, not '100'" new 100 trial
    expect 2 "one from 1 to 99, not 'x'" new x trial
    for bad in Trial 9trial trial-run trial__run trial_ ../trial ''; do
      expect 2 "not '$bad'" new 99 "$bad"
    done
    expect 2 "name is required" new 99
    [ ! -e puzzles/99_trial ] && [ ! -e book ] || fail "a refused puzzle was begun"
    expect 0 "workbook derive 99" new 99 trial
    for file in kernels.cu launches.cu puzzle.cpp hints.md mutants.md; do
      [ -f "puzzles/99_trial/$file" ] || fail "there is no puzzles/99_trial/$file"
    done
    grep -rl '@[A-Z]*@' puzzles/99_trial solutions/99_trial book && fail "a template's word was not replaced"
    expect 2 "There is a puzzle of that number already" new 99 other
    expect 0 "Trial" list
    expect 1 "Open: " run 99
    # The reference and the region, and nothing else.
    sed -i 's|out\[i\] = a\[i\];.*|out[i] = 2.0 * a[i] + 1.0;|' puzzles/99_trial/puzzle.cpp
    sed -i 's|^\( *\)// FILL ME IN: trial.*|&\n\1const float twice = 2.0f * a[i];\n\1out[i] = twice + 1.0f;|' \
      solutions/99_trial/kernels.cu
    checked=99_trial
    check derived 1
    expect 0 "puzzles/99_trial/declared.json was written." derive 99
    for name in derived skeleton solution mutants; do check "$name" 0; done
    said=$(WORKBOOK_ROOT="$work" python3 "$repository/harness/tests/puzzles/check_nvcc.py" "$workbook" "$checked" 2>&1)
    case $? in 0 | 77) ;; *) fail "nvcc does not compile the template: $said" ;; esac
    expect 0 "puzzles/99_trial/declared.json is up to date." derive 99
    # The declaration alone: what a comment changes is its hash.
    cp puzzles/99_trial/fingerprints.json fingerprints
    echo '// At its end.' >>puzzles/99_trial/puzzle.cpp
    check derived 1
    expect 0 "puzzles/99_trial/declared.json was written." derive 99 --declaration
    case $output in *fingerprints*) fail "more than the declaration: $output" ;; esac
    check derived 0
    cmp -s fingerprints puzzles/99_trial/fingerprints.json || fail "the fingerprints were written anew"
    # What the mutant is known by must be what it does.
    sed -i 's/"nan"/0/' puzzles/99_trial/fingerprints.json
    check mutants 1
    case $output in *"it was told something else"*) ;; *) fail "another reason: $output" ;; esac
    # Every faulty edit is named before any is run.
    cp puzzles/99_trial/mutants.md mutants.md
    lines=$(wc -l <mutants.md)
    for name in third fourth; do printf '## %s\n- says: a\n```diff\n- not there\n+ there\n```\n' $name >>puzzles/99_trial/mutants.md; done
    expect 5 "mutants.md:$((lines + 4)): the solution does not hold these lines" mutants 99
    case $output in *"mutants.md:$((lines + 10)): the solution"*) ;; *) fail "only the first faulty edit: $output" ;; esac
    cp mutants.md puzzles/99_trial/mutants.md
    # One of them, to be read.
    expect 0 "+ if (i >= size - 1) return;" mutants 99 --show first
    case $output in *"puzzles/99_trial/mutants.md:6"*) ;; *) fail "not where it stands: $output" ;; esac
    expect 2 "Did you mean 'first'?" mutants 99 --show frist
    sed -i 's/^## first/## second/' puzzles/99_trial/mutants.md
    check mutants 1
    case $output in *"first: fingerprints.json knows it"*) ;; *) fail "another reason: $output" ;; esac
    ;;
  program_puzzle)
    # Two programs in files of their own, and a question.
    checked=98_bug
    mkdir -p puzzles/98_bug solutions/98_bug
    cat >puzzles/98_bug/puzzle.cpp <<'END'
#include <workbook/puzzle.h>
const workbook::Puzzle workbook::puzzle = {
    .number = 98, .title = "Bug", .part = "Part I", .summary = "Find it",
    .variants = {{.name = "print", .title = "PRINT", .summary = "Print", .file = "print.cu", .regions = {"print"},
                  .program = workbook::Program{.prints = {"sum", "10"}}},
                 {.name = "race", .title = "RACE", .summary = "Race", .file = "race.cu", .regions = {"race"},
                  .program = workbook::Program{.prints = {"ok"}, .answers = {{"line of it", "7|8"}}}}}};
END
    cat >solutions/98_bug/print.cu <<'END'
#include <cstdio>
__global__ void k(int* out) { *out = 10; }
int main() {
  int *d, h = 0;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  // FILL ME IN: print (roughly 1 line)
  std::printf("sum %d\n", h);
  // END: print
  cudaFree(d);
}
END
    cat >solutions/98_bug/race.cu <<'END'
#include <cstdio>
__global__ void k() {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  // FILL ME IN: race (roughly 1 line)
  __syncthreads();
  // END: race
  if (s[63 - threadIdx.x] == 0) printf("ok\n");
}
int main() { k<<<1, 64>>>(); cudaDeviceSynchronize(); }
END
    printf '## print\n\n### Nudge\n\nPrint it.\n\n## race\n\n### Nudge\n\nWait for all.\n' >puzzles/98_bug/hints.md
    echo 'line of it: 7' >solutions/98_bug/answers.txt
    mutant() { printf '## %s\n\n- expect: %s\n- variant: %s\n\n```diff\n- %s\n+ %s\n```\n\n' "$@" >>puzzles/98_bug/mutants.md; }
    mutant race race_shared race '__syncthreads();' '__syncwarp();'
    mutant print 10 print 'std::printf("sum %d\n", h);' 'std::printf("sum\n");'
    expect 0 "answers.txt" reset 98 --yes
    [ "$(cat puzzles/98_bug/answers.txt)" = "line of it: " ] || fail "the answers are not blank"
    expect 0 "declared.json was written" derive 98
    for name in derived skeleton solution mutants; do check "$name" 0; done
    said=$(WORKBOOK_ROOT="$work" python3 "$repository/harness/tests/puzzles/check_nvcc.py" "$workbook" "$checked" 2>&1)
    case $? in 0 | 77) ;; *) fail "nvcc does not compile the template: $said" ;; esac
    # How far it is stands on a terminal, and nowhere else.
    expect 0 "2 of 2 mutants rejected" mutants 98
    case $output in *judged*) fail "a line of progress without a terminal: $output" ;; esac
    if command -v script >/dev/null; then
      script -qec "'$workbook' mutants 98" typed </dev/null >/dev/null 2>&1
      grep -q "1 of 2 mutants judged" typed || fail "no line of progress on a terminal: $(cat typed)"
    fi
    # In each of the checks something can be wrong.
    echo 'line of it: 9' >solutions/98_bug/answers.txt
    check solution 1
    echo 'line of it: 7' >puzzles/98_bug/answers.txt
    check skeleton 1
    echo '// mine' >>puzzles/98_bug/race.cu
    mutant broken 10 print 'cudaFree(d);' 'cudaFree(none);'
    check nvcc 1
    check mutants 1
    ;;
  listing)
    # What the compiler made: recorded as long as the sources are those recorded, else made here where the CUDA
    # Toolkit has its disassembler.
    for folder in puzzles solutions; do cp -R "$repository/$folder/46_reading_sass" "$folder"; done
    expect 0 "46_reading_sass" reset 46 --yes
    for form in sass ptx; do
      for arch in sm_75 sm_80 sm_90; do
        expect 0 "recorded" "$form" 46 --recorded --arch "$arch"
        expect 0 "vector_kernel" "$form" 46 --recorded --arch "$arch" --all
        wide=$("$workbook" "$form" 46 --recorded --arch "$arch" --all | awk 'length > 80')
        [ -z "$wide" ] || fail "$form for $arch is wider than a screen: $wide"
      done
    done
    expect 0 "LDG.E.128" sass 46 --recorded --kernel vector_kernel
    kept=$WORKBOOK_STATE/listings/46_reading_sass.reading.cu.learner.sm_90.sass.json
    grep -q '"format":"workbook listing".*LDG.E.128' "$kept" || fail "$kept is not there for the viewer"
    expect 0 "load, 16 bytes" sass 46 --recorded --kernel vector_kernel
    expect 0 "kernels.cuh:" sass 46 --recorded --kernel vector_kernel
    expect 0 "spill store, 4 bytes" sass 46 --recorded --kernel spill_kernel
    expect 0 "more: workbook sass 46 --kernel spill_kernel --all" sass 46 --recorded --kernel spill_kernel
    expect 0 "special function unit: 2^x" ptx 46 --recorded --kernel fast_kernel
    expect 2 "Did you mean 'vector_kernel'?" sass 46 --recorded --kernel vector_kernal
    expect 2 "--arch wants" sass 46 --recorded --arch h200
    expect 2 "--solution --record" sass 46 --record
    expect 2 "exclude each other" sass 46 --recorded --fresh
    expect 0 ", recorded" sass 46
    expect 0 "sass" complete
    expect 0 "--rewrite" complete ptx 46
    expect 77 "There is no recorded listing" sass 1 --recorded
    expect 77 "recorded are sm_75, sm_80, sm_90" sass 46 --recorded --arch sm_61
    "$workbook" sass 46 --recorded --kernel fast_kernel --json |
      python3 -c 'import json, sys
listing = json.load(sys.stdin)
kernel, = listing["kernels"]
assert kernel["counts"]["special"] == 2 and kernel["resources"]["registers"] > 0, kernel
assert len(kernel["instructions"]) == kernel["counts"]["instructions"]' || fail "sass --json is not what was shown"
    # The questions: none answered, one wrong, all right.
    answers=puzzles/46_reading_sass/answers.txt
    expect 1 "answers.txt" run 46 --reading
    sed 's/^vector: .*/vector: 128/' solutions/46_reading_sass/answers.txt >"$answers"
    expect 1 "for 'vector' look for LDG in the listing of vector_kernel" run 46 --reading
    cp solutions/46_reading_sass/answers.txt "$answers"
    expect 0 "every answer is right" run 46 --reading
    # No answer depends on the tools of this machine, not even on whether they work.
    mkdir tools
    printf '#!/bin/sh\nexit 1\n' >tools/nvdisasm
    cp tools/nvdisasm tools/nvcc
    chmod +x tools/nvcc tools/nvdisasm
    (PATH=$work/tools:$PATH; expect 0 "every answer is right" run 46 --reading; exit "$failed") || failed=1
    # A kernel of the learner's own has no recorded listing.
    expect 77 "is of the solution" sass 46 --rewrite --recorded
    expect 0 "LDG.E.128" sass 46 --rewrite --recorded --solution
    cp solutions/46_reading_sass/rewrite.cu puzzles/46_reading_sass/rewrite.cu
    expect 0 "judged by its listing: nvcc" run 46 --rewrite
    # A listing is of one source.
    echo '// mine' >>puzzles/46_reading_sass/kernels.cuh
    expect 77 "one of them has changed since" sass 46 --recorded
    # Made here: the same kernels, beside the same lines.
    if command -v nvdisasm >/dev/null; then
      expect 0 "STG.E" sass 1 --solution
      expect 0 "LDG.E.128" sass 46 --kernel vector_kernel
      echo 'int main() { return none; }' >puzzles/46_reading_sass/reading.cu
      expect 3 "none" sass 46
    else
      expect 77 "The answers cannot be judged. The recorded listing is of the files" run 46 --reading
    fi
    ;;
  *) fail "no scenario $scenario" ;;
esac
exit $failed
