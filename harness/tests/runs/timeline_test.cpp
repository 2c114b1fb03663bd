#include "runs/timeline.h"

#include "runs/json.h"
#include "tests/catch.h"

using namespace workbook::runs;

namespace {

HostCall call(CallKind kind, const std::string& name, double begin, double end, double on = 0,
              double off = 0) {
  HostCall c;
  c.kind = kind;
  c.name = name;
  c.begin_us = begin;
  c.end_us = end;
  c.device_begin_us = on;
  c.device_end_us = off;
  return c;
}

/// Two steps, the first with a layer of two kernels, then a wait.
std::vector<HostCall> sample() {
  return {call(CallKind::push, "step 0", 0, 0),
          call(CallKind::push, "layer", 0, 0),
          call(CallKind::launch, "linear_kernel", 0, 4, 4, 10),
          call(CallKind::launch, "gelu_kernel", 4, 8, 10, 12),
          call(CallKind::pop, "", 8, 8),
          call(CallKind::pop, "", 8, 8),
          call(CallKind::push, "step 1", 8, 8),
          call(CallKind::launch, "linear_kernel", 8, 12, 12, 16),
          call(CallKind::pop, "", 12, 12),
          call(CallKind::wait, "cudaDeviceSynchronize", 12, 20)};
}

}  // namespace

TEST_CASE("calls are words, with names for what has some") {
  CHECK(call_words(sample()) ==
        "push:step_0 push:layer launch:linear_kernel launch:gelu_kernel pop pop push:step_1 "
        "launch:linear_kernel pop wait ");
  HostCall copy = call(CallKind::copy, "cudaMemcpy", 0, 1, 0, 1);
  CHECK(call_words({copy}) == "copy_async ");
  copy.waits = true;
  CHECK(call_words({copy}) == "copy ");
}

TEST_CASE("a stream has words of its own, of the work that it was given") {
  std::vector<HostCall> calls = {
      call(CallKind::launch, "first", 0, 4, 4, 10), call(CallKind::copy, "cudaMemcpy", 4, 8, 8, 12),
      call(CallKind::launch, "second", 8, 12, 12, 16), call(CallKind::wait, "", 12, 16),
      call(CallKind::event, "cudaEventRecord", 16, 16)};
  calls[1].stream = calls[4].stream = 2;
  CHECK(stream_words(calls) == "@0 launch:first launch:second wait @2 copy_async event ");
  CHECK(stream_words({}) == "");
}

TEST_CASE("ranges nest, and know the work that was given in them") {
  const std::vector<HostRange> ranges = ranges_of(sample());
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].name == "step 0");
  CHECK(ranges[1].depth == 1);
  CHECK(ranges[0].device_us == Approx(8));
  CHECK(ranges[0].launches == 2);
  CHECK(ranges[2].begin_us == Approx(8));
  CHECK(ranges[2].end_us == Approx(12));
}

TEST_CASE("a range without a pop lasts to the last call and says so, and a pop without a push is nothing") {
  const std::vector<HostRange> ranges = ranges_of(
      {call(CallKind::pop, "", 0, 0), call(CallKind::push, "open", 1, 1), call(CallKind::wait, "", 1, 5)});
  REQUIRE(ranges.size() == 1);
  CHECK_FALSE(ranges[0].closed);
  CHECK(ranges[0].end_us == Approx(5));
}

TEST_CASE("threads have ranges of their own") {
  HostCall other = call(CallKind::push, "other", 1, 1);
  other.thread = 1;
  const std::vector<HostRange> ranges =
      ranges_of({call(CallKind::push, "one", 0, 0), other, call(CallKind::pop, "", 2, 2),
                 call(CallKind::wait, "", 2, 3)});
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].end_us == Approx(2));
  CHECK(ranges[1].depth == 0);
}

TEST_CASE("the profile adds up by kernel, most time first, and by range without its number") {
  Benchmark benchmark;
  benchmark.calls = sample();
  const std::vector<ProfileRow> kernels = kernel_profile(benchmark, "H200 (modelled)");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "linear_kernel");
  CHECK(kernels[0].calls == 2);
  CHECK(kernels[0].total_us == Approx(10));
  CHECK(kernels[0].min_us == Approx(4));
  CHECK(kernels[0].max_us == Approx(6));
  CHECK(kernels[0].share == Approx(10.0 / 12));
  const std::vector<ProfileRow> ranges = range_profile(benchmark.calls);
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].name == "step");
  CHECK(ranges[0].calls == 2);
  CHECK(ranges[0].total_us == Approx(12));
  CHECK(program_us(benchmark.calls) == Approx(20));
  CHECK(device_busy(benchmark.calls) == Approx(0.6));
}

TEST_CASE("a record keeps the calls, and one from before there were any is read") {
  RunRecord record;
  record.benchmarks.emplace_back().calls = sample();
  const RunRecord back = run_from_json(to_json(record));
  REQUIRE(back.benchmarks[0].calls.size() == sample().size());
  CHECK(back.benchmarks[0].calls[3].device_end_us == Approx(12));
  Json old = to_json(record);
  old["benchmarks"][0].erase("calls");
  old["benchmarks"][0].erase("calls_left_out");
  CHECK(run_from_json(old).benchmarks[0].calls.empty());
}
