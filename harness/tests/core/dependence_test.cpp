#include "core/dependence.h"

#include <cstring>

#include "core/flow.h"
#include "core/prepare.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

constexpr std::uint16_t kShared = 9;  // a tensor id behind those of device memory
enum : std::uint16_t { kIn, kOut };

runs::TraceEvent event(runs::Access access, std::uint16_t tensor, std::uint32_t element, std::uint16_t thread,
                       std::uint32_t block = 0) {
  runs::TraceEvent e;
  e.access = access, e.tensor = tensor, e.element = element, e.thread = thread, e.block = block;
  return e;
}
runs::TraceEvent read(std::uint16_t tensor, std::uint32_t element, std::uint16_t thread,
                      std::uint32_t block = 0) {
  return event(runs::Access::read, tensor, element, thread, block);
}
runs::TraceEvent write(std::uint16_t tensor, std::uint32_t element, std::uint16_t thread,
                       std::uint32_t block = 0) {
  return event(runs::Access::write, tensor, element, thread, block);
}

const std::vector<std::int64_t> kFirst = {0, -1};  // four sources: the elements of tensor 0

/// y[0] is the sum of x[0] to x[3], and y[1] = x[1].
void sum(const Dims&, HostTensors<double>& t) {
  t["y"][0] = t["x"][0] + t["x"][1] + t["x"][2] + t["x"][3];
  t["y"][1] = t["x"][1];
}

Task sum_task() {
  Task t;
  t.tensors = {input("x", {"N"}, uniform(1.0, 2.0)), output("y", {"M"}, {1e-5, 0.0, "four additions"})};
  t.cases = {{.name = "teaching", .dims = {{"N", 4}, {"M", 2}}}};
  t.reference = sum;
  return t;
}

/// A kernel in place of which a function stands, with the accesses that it makes.
class FakeBackend : public Backend {
 public:
  using Kernel = void (*)(const float* x, float* y);
  FakeBackend(Kernel kernel, std::vector<runs::TraceEvent> events)
      : kernel_(kernel), events_(std::move(events)) {}

  runs::Backend name() const override { return runs::Backend::sim; }
  std::string device() const override { return ""; }
  std::string engine() const override { return ""; }
  Execution execute(const Workload&) override { return {}; }
  runs::Benchmark benchmark(const Workload&) override { return {}; }
  std::optional<Again> run_again(const Workload& workload) override {
    float x[4], y[2] = {};
    std::memcpy(x, workload.initial[0].data(), sizeof x);
    kernel_(x, y);
    Again again{{workload.initial[0], Bytes(sizeof y)}, {}};
    std::memcpy(again.values[1].data(), y, sizeof y);
    if (workload.traced) {
      again.trace.emplace();
      again.trace->tensors = workload.tensors;
      again.trace->events = events_;
    }
    return again;
  }

 private:
  Kernel kernel_;
  std::vector<runs::TraceEvent> events_;
};

std::string words(FakeBackend::Kernel kernel, std::vector<runs::TraceEvent> events) {
  FakeBackend backend(kernel, std::move(events));
  const Task task = sum_task();
  const Variant variant{.name = "plain"};
  return dependence_words(backend, task, variant, nullptr, task.cases.front());
}

}  // namespace

TEST_CASE("data are followed through shared memory, and what nobody reads again is known") {
  runs::Trace trace;
  trace.events = {read(kIn, 0, 0),      write(kShared, 0, 0), read(kIn, 1, 1),
                  write(kShared, 1, 1), read(kIn, 2, 2),      write(kShared, 2, 2),
                  read(kShared, 0, 0),  read(kShared, 1, 0),  write(kOut, 0, 0)};
  const Flow flow(trace, kFirst, 4);
  const Flow::Cell* const out = flow.cell(kOut, 0);
  REQUIRE(out != nullptr);
  CHECK(out->from->has(0));
  CHECK(out->from->has(1));
  CHECK_FALSE(out->from->has(2));
  CHECK(flow.is_read(2));
  CHECK_FALSE(flow.is_read(3));
  CHECK_FALSE(flow.is_of_one_thread(*out));
  const Flow::Cell* const left = flow.left_unread(2, kOut);
  REQUIRE(left != nullptr);
  CHECK(left->element == 2);
  CHECK(flow.cell(kOut, 1) == nullptr);
}

TEST_CASE("shared memory is another one in each block") {
  runs::Trace trace;
  trace.events = {read(kIn, 0, 0), write(kShared, 0, 0), read(kShared, 0, 0, 1), write(kOut, 0, 0, 1)};
  CHECK(Flow(trace, kFirst, 4).cell(kOut, 0)->from == nullptr);
}

TEST_CASE("lanes that take over from each other have read before they add") {
  runs::Trace trace;
  for (std::uint16_t t = 0; t < 4; ++t) trace.events.push_back(read(kIn, t, t));
  for (std::uint16_t t = 1; t < 4; ++t) trace.handovers.push_back({4, 0, 0, t, 1u << (t - 1)});
  for (std::uint16_t t = 0; t < 4; ++t) trace.events.push_back(write(kOut, t, t));
  const Flow flow(trace, kFirst, 4);
  CHECK(flow.cell(kOut, 3)->from->has(2));
  CHECK_FALSE(flow.cell(kOut, 3)->from->has(1));
  CHECK(flow.is_of_one_thread(*flow.cell(kOut, 0)));
  CHECK_FALSE(flow.is_of_one_thread(*flow.cell(kOut, 1)));
}

TEST_CASE("a right answer, or one that depends on what it should, is told nothing of") {
  const std::vector<runs::TraceEvent> all = {read(kIn, 0, 0), read(kIn, 1, 0),   read(kIn, 2, 0),
                                             read(kIn, 3, 0), write(kOut, 0, 0), write(kOut, 1, 0)};
  CHECK(words([](const float* x, float* y) { y[0] = x[0] + x[1] + x[2] + x[3], y[1] = x[1]; }, all).empty());
  CHECK(words([](const float* x, float* y) { y[0] = x[0] + x[1] + x[2] + 2 * x[3], y[1] = x[1]; }, all)
            .empty());
}

TEST_CASE("what is missing is told with where it ends, and what is too much as well") {
  CHECK(words([](const float* x, float* y) { y[0] = x[0] + x[1], y[1] = x[1]; },
              {read(kIn, 0, 0), read(kIn, 1, 0), write(kOut, 0, 0), write(kOut, 1, 0)}) ==
        "y[0] should change when x[2] and x[3] do, and stays the same: no thread reads them.");
  CHECK(
      words([](const float* x, float* y) { y[0] = x[0] + x[1] + x[2] + x[3], y[1] = x[2]; },
            {read(kIn, 0, 0), read(kIn, 1, 0), read(kIn, 2, 0), read(kIn, 3, 0), write(kOut, 0, 0),
             read(kIn, 2, 1), write(kOut, 1, 1)}) ==
      "y[1] should change when x[1] does, and stays the same: the thread that stores it does not read it. It "
      "changes when x[2] does, and should not.");
}

TEST_CASE("nothing is told that the kernel itself denies") {
  // The trace does not show how x[3] gets there: by a thread that did not store because of it, say.
  CHECK(words([](const float* x, float* y) { y[0] = x[0] + x[1] + x[2] + 2 * x[3], y[1] = x[1]; },
              {read(kIn, 0, 0), read(kIn, 1, 0), read(kIn, 2, 0), write(kOut, 0, 0), write(kOut, 1, 0)})
            .empty());
}
