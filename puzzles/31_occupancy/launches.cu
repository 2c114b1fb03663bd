// Puzzle 31, Occupancy: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static void run_limits(Run& run) {
  constexpr int kThreads = 256;
  run.step("limits_kernel", [&] {
    limits_kernel<<<ceil_div(run["N"], kThreads), kThreads, 0, run.stream()>>>(
        run["blocks"], run["threads"], run["shared"], run["registers"], run["N"]);
  });
}

static void launch_walk(Run& run, int threads) {
  run.step("walk_kernel", [&] {
    walk_kernel<<<ceil_div(run["L"], threads / kWarpSize), threads, 0, run.stream()>>>(
        run["out"], run["values"], run["next"], run["head"], run["L"]);
  });
}

static void run_narrow(Run& run) { launch_walk(run, kNarrowBlock); }
static void run_wide(Run& run) {
  run.demand(wide_warps() >= 1 && wide_warps() <= 32, "a block has 1 to 32 warps: see wide_warps()");
  launch_walk(run, wide_warps() * kWarpSize);
}

static int smaller_grid(int blocks, int most) { return blocks < most ? blocks : most; }

// No more blocks than are resident at the same time: each fetches the codebook once.
static void launch_decode(Run& run, int warps) {
  const int threads = warps * kWarpSize;
  int device = 0, sms = 0, resident = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, decode_kernel, threads, 0);
  const int grid = smaller_grid(ceil_div(run["L"], warps), sms * resident);
  run.step("decode_kernel", [&] {
    decode_kernel<<<grid, threads, 0, run.stream()>>>(run["out"], run["values"], run["next"], run["head"],
                                                      run["codebook"], run["L"]);
  });
}

static void run_table(Run& run) { launch_decode(run, kFewWarps); }
static void run_wide_table(Run& run) {
  run.demand(table_warps() >= 1 && table_warps() <= 32, "a block has 1 to 32 warps: see table_warps()");
  launch_decode(run, table_warps());
}

static void run_together(Run& run) {
  const int warps = ceil_div(run["L"], kTogether);
  run.step({.name = "together_kernel", .registers = kTogetherRegisters}, [&] {
    together_kernel<<<ceil_div(warps, kTogetherBlock / kWarpSize), kTogetherBlock, 0, run.stream()>>>(
        run["out"], run["values"], run["next"], run["head"], run["L"]);
  });
}

// The shared memory that a block asks for is used by nobody: it keeps other blocks away.
static void launch_stream(Run& run, int reserved) {
  float* out = run["out"];
  const float* x = run["x"];
  run.step("stream_kernel", "N", [&] {
    stream_kernel<<<ceil_div(run["N/4"], kStreamBlock * kHeld), kStreamBlock, reserved, run.stream()>>>(
        reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(x), kFactor, run["N/4"]);
  });
}

static void run_few(Run& run) { launch_stream(run, kReserved); }
static void run_many(Run& run) { launch_stream(run, 0); }

const workbook::Launchers workbook::launchers = {
    {"limits", run_limits},         {"narrow", run_narrow},     {"wide", run_wide}, {"table", run_table},
    {"wide-table", run_wide_table}, {"together", run_together}, {"few", run_few},   {"many", run_many}};
