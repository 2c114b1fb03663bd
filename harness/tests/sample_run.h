// A run record with something in every part.
#pragma once

#include <limits>

#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::test {

inline runs::RunRecord sample_run() {
  using namespace runs;
  RunRecord run;
  run.started_at = "2026-01-02T03:04:05.678Z";
  run.elapsed_ms = 1234.5;
  run.puzzle = 22;
  run.puzzle_name = "22_layernorm_linear";
  run.puzzle_title = "LayerNorm + Linear";
  run.variant = "unfused";
  run.backend = Backend::sim;
  run.device = "H200 (modelled)";
  run.source = "// kernels \xe2\x82\xac\n";
  run.source_hash = "0123456789abcdef";
  run.verdict = runs::Verdict::wrong;
  run.at = SourceLine{"puzzles/22_layernorm_linear/kernels.cu", 14};

  Check check{"unfused", "y", std::numeric_limits<double>::quiet_NaN(), 1e-5, 3, 256, std::nullopt, 0x1p-10};
  FirstWrong first;
  first.index = {0, 1, 2};
  first.got = std::numeric_limits<double>::quiet_NaN();
  first.expected = 0.25;
  first.writer = ThreadId{{1, 0, 0}, {2, 3, 0}};
  first.at = run.at;
  check.first_wrong = first;
  CaseResult result;
  result.name = "teaching";
  result.sizes = {{"S", 4}, {"B", 4}, {"H", 8}};
  result.engine = "simulator, diagnosing";
  result.checks = {check};
  run.cases = {result};

  Finding finding;
  finding.klass = runs::FindingClass::race_shared;
  finding.kernel = "matmul_tiled_kernel";
  finding.at = *run.at;
  finding.other = SourceLine{"puzzles/22_layernorm_linear/given.cuh", 9};
  finding.who = ThreadId{};
  finding.message = "two threads meet";
  run.findings = {finding};

  Benchmark bench;
  bench.name = "teaching";
  bench.sizes = result.sizes;
  bench.tensors = {{0, "x", TensorSpace::global, TensorRole::input, "f32", {4, 4, 8}, 512}};
  LaunchRecord launch;
  launch.kernel = "layernorm_kernel";
  launch.grid = {4, 4, 1};
  launch.block = {8, 1, 1};
  launch.counters.emplace();
  launch.counters->threads = 128;
  launch.counters->traffic = {{0, 512, 0}};
  launch.modelled = ModelledTime{.gpu = "H200",
                                 .total_us = 2.5,
                                 .launch_us = 2.2,
                                 .dram_us = 0.1,
                                 .l2_us = 0.1,
                                 .bound = BoundBy::launch};
  launch.warm_us = {1.5, 1.25};
  bench.launches = {launch};
  run.benchmarks = {bench};
  run.learner_output = "hello \x01\n";
  return run;
}

inline runs::Trace sample_trace() {
  runs::Trace trace;
  trace.files = {"puzzles/22_layernorm_linear/kernels.cu"};
  for (std::uint16_t i = 0; i < 1000; ++i)
    trace.events.push_back({0, 1, i, 7, 2, 14, 0, runs::Access::write, i, 4});
  return trace;
}

}  // namespace workbook::test
