#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_atomics(workbook::Run& run) {
  run.step({.name = "count"}, [&] {
    count_kernel<<<run.dim("ceil(N/128)"), 128, 0, run.stream()>>>(run.tensor("counts"), run.tensor("bytes"),
                                                                   run.dim("N"));
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"atomics", run_atomics}};
