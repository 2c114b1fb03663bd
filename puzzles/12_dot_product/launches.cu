// Puzzle 12, Dot product: its launches.
#include <workbook/run.h>

#include "kernels.cu"

namespace {

void run_dot_product(workbook::Run& run) {
  const int size = run.dim("N");
  run.step({.name = "dot_product_kernel", .flops = 1.0 * size}, [&] {
    const int blocks = (size + kBlockSize - 1) / kBlockSize;
    dot_product_kernel<<<blocks, kBlockSize, 0, run.stream()>>>(run.tensor("out"), run.tensor("a"), size);
  });
}

}  // namespace

const std::initializer_list<workbook::Launcher> workbook::launchers = {{"dot-product", run_dot_product}};
