#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_update(workbook::Run& run) {
  run.step({.name = "update"}, [&] {
    update_kernel<<<run.dim("ceil(N/64)"), 64, 0, run.stream()>>>(run.tensor("x"), run.dim("N"));
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"update", run_update}};
