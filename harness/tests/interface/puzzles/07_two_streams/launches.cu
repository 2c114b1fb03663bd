#include <workbook/run.h>

#include "kernels.cu"

namespace {
void run_streams(workbook::Run& run) {
  run.step({.name = "fork and join"}, [&] {
    run_forked(run.tensor("out"), run.tensor("left"), run.tensor("right"), run.tensor("a"), run.dim("N"),
               run.stream());
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {{"streams", run_streams}};
