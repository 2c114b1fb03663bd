// Puzzle 27, Block collectives: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

template <class Sum>
static void run_sum(Run& run) {
  run.step("row_sums_kernel", "R*C", [&] {
    row_sums_kernel<Sum><<<run.dim("R"), kThreads, 0, run.stream()>>>(run["out"], run["x"], run["C"]);
  });
}

template <class Sum>
static void run_normalise(Run& run) {
  run.step("normalise_kernel", "2*R*C", [&] {
    normalise_kernel<Sum><<<run.dim("R"), kThreads, 0, run.stream()>>>(run["out"], run["x"], run["C"]);
  });
}

template <class Scan>
static void run_group(Run& run) {
  run.step("group_kernel", [&] {
    group_kernel<Scan><<<ceil_div(run["N"], kThreads), kThreads, 0, run.stream()>>>(
        run["grouped"], run["counts"], run["x"], run["N"]);
  });
}

using Count = void (*)(int*, const float*, int);

static void launch_count(Run& run, Count kernel) {
  kernel<<<ceil_div(run["N"], kTile), kThreads, 0, run.stream()>>>(run["counts"], run["x"], run["N"]);
}

static void run_count(Run& run) {
  run.step("count_kernel", [&] { launch_count(run, count_kernel); });
}

static void run_count_cub(Run& run) {
  run.step("count_cub_kernel", [&] { launch_count(run, count_cub_kernel); });
}

static void run_count_packed(Run& run) {
  run.step("count_packed_kernel", [&] { launch_count(run, count_packed_kernel); });
}

const workbook::Launchers workbook::launchers = {{"sum", run_sum<SumByHand>},
                                                 {"sum-cub", run_sum<SumByCub>},
                                                 {"normalise", run_normalise<SumByHand>},
                                                 {"normalise-cub", run_normalise<SumByCub>},
                                                 {"group", run_group<ScanByHand>},
                                                 {"group-cub", run_group<ScanByCub>},
                                                 {"count", run_count},
                                                 {"count-cub", run_count_cub},
                                                 {"count-packed", run_count_packed}};
