// Puzzle 34, Clusters and distributed shared memory: the launches of its variants.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

/// Blocks for all slices of all rows.
static dim3 slices(Run& run) { return dim3(kCluster, run["R"]); }

static void run_softmax_global(Run& run) {
  run.step("slice_maximum_kernel", [&] {
    slice_maximum_kernel<<<slices(run), kBlock, 0, run.stream()>>>(run["maxima"], run["x"], run["C"]);
  });
  run.step("slice_sum_kernel", "3*R*C", [&] {
    slice_sum_kernel<<<slices(run), kBlock, 0, run.stream()>>>(run["sums"], run["x"], run["maxima"],
                                                               run["C"]);
  });
  run.step("divide_kernel", "3*R*C", [&] {
    divide_kernel<<<slices(run), kBlock, 0, run.stream()>>>(run["y"], run["x"], run["maxima"], run["sums"],
                                                            run["C"]);
  });
}

static void run_select_global(Run& run) {
  run.step("clear", [&] {
    int* counts = run["counts"];
    cudaMemsetAsync(counts, 0, run["R"] * kBits * sizeof(int), run.stream());
  });
  for (int bit = kBits - 1; bit >= 0; --bit)
    run.step("count_bit_kernel", [&] {
      count_bit_kernel<<<slices(run), kBlock, 0, run.stream()>>>(run["counts"], run["x"], run["C"], run["K"],
                                                                 bit);
    });
  run.step("selected_kernel", [&] {
    selected_kernel<<<ceil_div(run["R"], kBlock), kBlock, 0, run.stream()>>>(run["out"], run["counts"],
                                                                             run["R"], run["K"]);
  });
}

/// How both cluster kernels are launched; `attribute` is the learner's and has to outlive it. Each block has
/// shared memory for a slice of four-byte values.
static cudaLaunchConfig_t cluster_launch(Run& run, cudaLaunchAttribute& attribute) {
  int device = 0, has_clusters = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, device);
  run.demand(has_clusters != 0, "clusters need a GPU of compute capability 9.0 or later.");
  cudaLaunchConfig_t config = {};
  config.gridDim = slices(run);
  config.blockDim = dim3(kBlock);
  config.dynamicSmemBytes = slice_length(run["C"]) * sizeof(float);
  config.stream = run.stream();
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

constexpr int kMostSharedBytes = kMostOfSlice * sizeof(float);  // beyond 48 KiB a kernel has to ask

// Both ask for the largest shared memory of a multiprocessor as well: with less of it fewer blocks would be
// resident.
static void run_softmax_cluster(Run& run) {
  cudaFuncSetAttribute(softmax_cluster_kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  cudaFuncSetAttribute(softmax_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostSharedBytes);
  run.step("softmax_cluster_kernel", "4*R*C", [&] {
    cudaLaunchAttribute attribute = cluster_attribute();
    const cudaLaunchConfig_t config = cluster_launch(run, attribute);
    cudaLaunchKernelEx(&config, softmax_cluster_kernel, run["y"], run["x"], run["C"]);
  });
}

static void run_select_cluster(Run& run) {
  cudaFuncSetAttribute(select_cluster_kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  cudaFuncSetAttribute(select_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostSharedBytes);
  run.step("select_cluster_kernel", [&] {
    cudaLaunchAttribute attribute = cluster_attribute();
    const cudaLaunchConfig_t config = cluster_launch(run, attribute);
    cudaLaunchKernelEx(&config, select_cluster_kernel, run["out"], run["x"], run["C"], run["K"]);
  });
}

const workbook::Launchers workbook::launchers = {{"softmax-global", run_softmax_global},
                                                 {"softmax-cluster", run_softmax_cluster},
                                                 {"select-global", run_select_global},
                                                 {"select-cluster", run_select_cluster}};
