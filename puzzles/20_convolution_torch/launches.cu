// Puzzle 20, Convolution in PyTorch: the launches of the convolution and of its gradients.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

using workbook::ceil_div, workbook::Run;

static int tiles(Run& run) { return ceil_div(run["N"], kBlockSize); }
static int blocks(Run& run) { return run["B"] * tiles(run); }

static void run_forward(Run& run) {
  run.step("forward_kernel", "2*B*N*K", [&] {
    forward_kernel<<<blocks(run), kBlockSize, 0, run.stream()>>>(run["out"], run["x"], run["filter"],
                                                                 run["N"], run["K"], tiles(run));
  });
}

static void run_grad_input(Run& run) {
  run.step("grad_input_kernel", "2*B*N*K", [&] {
    grad_input_kernel<<<blocks(run), kBlockSize, 0, run.stream()>>>(run["grad_x"], run["grad"], run["filter"],
                                                                    run["N"], run["K"], tiles(run));
  });
}

static void run_grad_filter(Run& run) {
  run.step("partial_kernel", "2*B*N*K", [&] {
    partial_kernel<<<blocks(run), kBlockSize, 0, run.stream()>>>(run["partial"], run["grad"], run["x"],
                                                                 run["N"], run["K"], tiles(run));
  });
  run.step("total_kernel", 1.0 * run["K"] * blocks(run), [&] {
    total_kernel<<<run.dim("K"), kBlockSize, 0, run.stream()>>>(run["grad_filter"], run["partial"],
                                                                blocks(run));
  });
}

const workbook::Launchers workbook::launchers = {
    {"forward", run_forward}, {"grad-input", run_grad_input}, {"grad-filter", run_grad_filter}};
