#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_flat(workbook::Run& run) {
  run.step({.name = "gather"}, [&] {
    gather_kernel<<<run.dim("ceil((N*E)/64)"), 64, 0, run.stream()>>>(
        run.tensor("out"), run.tensor("table"), run.tensor("index"), run.dim("N"), run.dim("E"));
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"flat", run_flat}};
