// Puzzle 26, Advanced warp: the launches of its variants. A warp a row, or, where it goes through shared
// memory, a block a row.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static int warp_blocks(Run& run) { return ceil_div(run["R"], kWarpsPerBlock); }

static void run_butterfly(Run& run) {
  run.step("largest_butterfly_kernel", "R*C", [&] {
    largest_butterfly_kernel<<<warp_blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["columns_of"],
                                                                                run["x"], run["R"], run["C"]);
  });
}

static void run_tree(Run& run) {
  run.step("largest_tree_kernel", "R*C", [&] {
    largest_tree_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["out"], run["columns_of"],
                                                                       run["x"], run["C"]);
  });
}

static void run_scan(Run& run) {
  run.step("totals_scan_kernel", [&] {
    totals_scan_kernel<<<warp_blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["R"],
                                                                          run["C"]);
  });
}

static void run_scan_shared(Run& run) {
  run.step("totals_shared_kernel", [&] {
    totals_shared_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["C"]);
  });
}

using Split = void (*)(int*, int*, const int*, int, int);

static void launch_split(Run& run, const char* name, Split kernel) {
  run.step(name, [&] {
    kernel<<<warp_blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["counts"], run["x"], run["R"],
                                                              run["C"]);
  });
}

static void run_compact(Run& run) { launch_split(run, "compact_kernel", compact_kernel); }
static void run_partition(Run& run) { launch_split(run, "partition_kernel", partition_kernel); }

template <bool kOthers>
static void run_split_shared(Run& run) {
  run.step("split_shared_kernel", [&] {
    split_shared_kernel<kOthers>
        <<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["out"], run["counts"], run["x"], run["C"]);
  });
}

static void run_match(Run& run) {
  run.step("ranks_match_kernel", [&] {
    ranks_match_kernel<<<warp_blocks(run), kBlockSize, 0, run.stream()>>>(run["ranks"], run["counts"],
                                                                          run["keys"], run["R"], run["C"]);
  });
}

static void run_match_shared(Run& run) {
  run.step("ranks_shared_kernel", [&] {
    ranks_shared_kernel<<<run.dim("R"), kBlockSize, 0, run.stream()>>>(run["ranks"], run["counts"],
                                                                       run["keys"], run["C"]);
  });
}

const workbook::Launchers workbook::launchers = {
    {"butterfly", run_butterfly}, {"tree", run_tree},
    {"scan", run_scan},           {"scan-shared", run_scan_shared},
    {"compact", run_compact},     {"compact-shared", run_split_shared<false>},
    {"partition", run_partition}, {"partition-shared", run_split_shared<true>},
    {"match", run_match},         {"match-shared", run_match_shared}};
