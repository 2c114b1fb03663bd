#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_graph(workbook::Run& run) {
  run.step({.name = "both", .flops = 2.0 * run.dim("N")}, [&] {
    run_both(run.tensor("out"), run.tensor("middle"), run.tensor("a"), run.dim("N"), run.stream());
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"graph", run_graph}};
