#include <workbook/run.h>

#include "kernels.cu"

namespace {
using workbook::Run;
void run_mean(Run& run) {
  run.step({.name = "mean"}, [&] {
    mean_kernel<<<1, 1, 0, run.stream()>>>(run.tensor("mean"), run.tensor("x"), run.dim("N"));
  });
}
void run_both(Run& run) {
  run_mean(run);
  run.step({.name = "variance"}, [&] {
    variance_kernel<<<1, 1, 0, run.stream()>>>(run.tensor("variance"), run.tensor("mean"), run.tensor("x"),
                                               run.dim("N"));
  });
}
void run_backward(Run& run) {
  run.step({.name = "gradient"}, [&] {
    gradient_kernel<<<run.dim("ceil(N/64)"), 64, 0, run.stream()>>>(run.tensor("dx"), run.tensor("dmean"),
                                                                    run.dim("N"));
  });
}
}  // namespace

const workbook::Launchers workbook::launchers = {
    {"mean", run_mean}, {"both", run_both}, {"backward", run_backward}};
