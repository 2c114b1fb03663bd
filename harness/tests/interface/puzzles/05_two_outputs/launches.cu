#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_rows(workbook::Run& run) {
  run.step({.name = "rows"}, [&] {
    rows_kernel<<<run.dim("ceil(R/64)"), 64, 0, run.stream()>>>(run.tensor("where"), run.tensor("total"),
                                                                run.tensor("x"), run.dim("R"), run.dim("H"));
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"rows", run_rows}};
