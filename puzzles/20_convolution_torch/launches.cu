// Puzzle 20, Convolution in PyTorch: the launches of the convolution and of its gradients.
#include <workbook/run.h>

#include "given.cuh"
#include "kernels.cu"

namespace {

using workbook::Run;

struct Sizes {
  int rows, size, taps, tiles;
  double flops;
  explicit Sizes(const Run& run)
      : rows(run.dim("B")),
        size(run.dim("N")),
        taps(run.dim("K")),
        tiles((size + kBlockSize - 1) / kBlockSize),
        flops(2.0 * rows * size * taps) {}
};

void run_forward(Run& run) {
  const Sizes s(run);
  run.step({.name = "forward_kernel", .flops = s.flops}, [&] {
    forward_kernel<<<s.rows * s.tiles, kBlockSize, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("x"), run.tensor("filter"), s.size, s.taps, s.tiles);
  });
}

void run_grad_input(Run& run) {
  const Sizes s(run);
  run.step({.name = "grad_input_kernel", .flops = s.flops}, [&] {
    grad_input_kernel<<<s.rows * s.tiles, kBlockSize, 0, run.stream()>>>(
        run.tensor("grad_x"), run.tensor("grad"), run.tensor("filter"), s.size, s.taps, s.tiles);
  });
}

void run_grad_filter(Run& run) {
  const Sizes s(run);
  const int blocks = s.rows * s.tiles;
  run.step({.name = "partial_kernel", .flops = s.flops}, [&] {
    partial_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("partial"), run.tensor("grad"),
                                                            run.tensor("x"), s.size, s.taps, s.tiles);
  });
  run.step({.name = "total_kernel", .flops = 1.0 * s.taps * blocks}, [&] {
    total_kernel<<<s.taps, kBlockSize, 0, run.stream()>>>(run.tensor("grad_filter"), run.tensor("partial"),
                                                          blocks);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {
    {"forward", run_forward}, {"grad-input", run_grad_input}, {"grad-filter", run_grad_filter}};
