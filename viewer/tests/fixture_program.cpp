// A made-up run of a program: what the Timeline shows.
#include <algorithm>

#include "fixture.h"

namespace workbook::viewer::fixture {

runs::StoredRun program(int steps) {
  runs::StoredRun run;
  run.record.id = 4;
  run.record.started_at = "2026-01-05T09:34:00Z";
  run.record.puzzle = 38;
  run.record.puzzle_name = "38_measuring";
  run.record.puzzle_title = "Measuring";
  run.record.variant = "mlp";
  run.record.origin = "solution";
  run.record.backend = runs::Backend::sim;
  run.record.device = "H200 (modelled)";
  run.record.verdict = runs::Verdict::correct;
  runs::Benchmark& benchmark = run.record.benchmarks.emplace_back();
  benchmark.name = "teaching";
  double host_us = 0.0, device_us = 0.0;
  const auto call = [&](runs::CallKind kind, const std::string& name, double us, double work_us = 0.0) {
    runs::HostCall made;
    made.kind = kind;
    made.name = name;
    made.begin_us = host_us;
    if (work_us > 0.0) {
      made.device_begin_us = std::max(device_us, host_us + us);
      made.device_end_us = device_us = made.device_begin_us + work_us;
    }
    made.waits = made.kind == runs::CallKind::copy;
    made.end_us = made.waits ? device_us : host_us + us;
    if (made.kind == runs::CallKind::wait) made.end_us = std::max(made.end_us, device_us);
    host_us = made.end_us;
    benchmark.calls.push_back(made);
  };
  call(runs::CallKind::copy, "cudaMemcpy", 3.0, 12.0);
  call(runs::CallKind::mark, "warm", 0.0);
  for (int step = 0; step < steps; ++step) {
    call(runs::CallKind::push, "step " + std::to_string(step), 0.0);
    for (int layer = 0; layer < 2; ++layer) {
      call(runs::CallKind::push, "layer " + std::to_string(layer), 0.0);
      call(runs::CallKind::launch, "linear_kernel", 2.2, layer == 0 ? 6.0 : 9.0);
      call(runs::CallKind::launch, "a_kernel_with_a_name_much_longer_than_its_bar_is_wide_kernel", 2.2, 1.5);
      call(runs::CallKind::pop, "", 0.0);
    }
    call(runs::CallKind::wait, "cudaDeviceSynchronize", 1.0);
    call(runs::CallKind::pop, "", 0.0);
  }
  return run;
}

}  // namespace workbook::viewer::fixture
