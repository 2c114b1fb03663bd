#include "core/prepare.h"

#include <algorithm>
#include <cmath>

#include "sample_puzzle.h"
#include "tests/catch.h"

using namespace workbook;
using namespace workbook::core;

namespace {

std::vector<double> input(const Task& task, const Case& which, bool checked = true) {
  return as_doubles(task.tensors[0].type, prepare(task, which, checked).initial.at("x"));
}

/// What x [N, C] holds when it is filled so.
std::vector<double> filled(const Fill& fill, Type type = Type::f32) {
  Task task = sample::task();
  task.tensors[0].fill = fill;
  task.tensors[0].type = type;
  return input(task, {.name = "c", .dims = {{"N", 500}, {"C", 7}}});
}

void count_up(const Dims& dims, std::span<double> values, Random&) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = dims["N"] * 1000.0 + static_cast<double>(i);
}

}  // namespace

TEST_CASE("inputs are the same every time and differ between cases and tensors") {
  Task task = sample::task();
  Case other = task.cases[0];
  other.name = "another";
  const auto first = input(task, task.cases[0]);
  CHECK(first == input(task, task.cases[0]));
  CHECK(first != input(task, other));
  task.tensors.push_back(task.tensors[0]);
  task.tensors[2].name = "z";
  const Prepared data = prepare(task, task.cases[0], false);
  CHECK(data.initial.at("x") != data.initial.at("z"));
}

TEST_CASE("inputs have the distribution that was asked for, checked and timed alike") {
  const Case large{.name = "large", .dims = {{"N", 50000}, {"C", 4}}};
  for (const bool checked : {true, false}) {
    double sum = 0, squares = 0;
    const auto x = input(sample::task(), large, checked);
    for (const double v : x) sum += v, squares += v * v;
    const double mean = sum / static_cast<double>(x.size());
    CHECK(std::abs(mean - 0.5) < 0.03);
    CHECK(std::abs(std::sqrt(squares / static_cast<double>(x.size()) - mean * mean) - 2.0) < 0.03);
  }
}

TEST_CASE("integers and indices keep to their range and reach its ends") {
  const auto values = filled(integers(-3, 4), Type::i32);
  CHECK(*std::min_element(values.begin(), values.end()) == -3.0);
  CHECK(*std::max_element(values.begin(), values.end()) == 4.0);
  for (const double value : values) CHECK(value == std::floor(value));
  const auto indices = filled(index_into("C+2"), Type::i64);
  CHECK(*std::min_element(indices.begin(), indices.end()) == 0.0);
  CHECK(*std::max_element(indices.begin(), indices.end()) == 8.0);
}

TEST_CASE("one-hot rows hold one 1, sorted rows ascend, a function fills as it likes") {
  const auto hot = filled(one_hot(), Type::u8);
  const auto ascending = filled(sorted(uniform(-1.0, 1.0)));
  std::size_t columns_seen = 0, falls = 0;
  for (std::size_t row = 0; row < 500; ++row) {
    const auto begin = hot.begin() + static_cast<std::ptrdiff_t>(row * 7);
    CHECK(std::count(begin, begin + 7, 1.0) == 1);
    CHECK(std::count(begin, begin + 7, 0.0) == 6);
    columns_seen |= std::size_t{1} << (std::find(begin, begin + 7, 1.0) - begin);
    const auto sorted_row = ascending.begin() + static_cast<std::ptrdiff_t>(row * 7);
    CHECK(std::is_sorted(sorted_row, sorted_row + 7));
    falls += row > 0 && *sorted_row < *(sorted_row - 1);
  }
  CHECK(columns_seen == 0x7f);
  CHECK(falls > 100);  // each row begins anew
  const auto counted = filled(from(count_up));
  CHECK(counted[0] == 500000.0);
  CHECK(counted[3499] == 503499.0);
}

TEST_CASE("values are rounded to the tensor's type before reference and kernel see them") {
  const auto halves = filled(uniform(0.0, 100.0), Type::f16);
  for (const double value : halves) CHECK(value == rounded(Type::f16, value));
  Task task = sample::task();
  task.tensors[0].type = Type::f16;
  const Prepared data = prepare(task, task.cases[0], true);
  CHECK(data.initial.at("x").size() == 48);
  CHECK(data.reference.arrays.at("x") == as_doubles(Type::f16, data.initial.at("x")));
}

TEST_CASE("a case may fill a tensor otherwise") {
  const Task task = sample::task();
  const auto x = input(task, {.name = "c", .dims = {{"N", 6}, {"C", 4}}, .fills = {{"x", uniform(90, 91)}}});
  CHECK(*std::min_element(x.begin(), x.end()) >= 90.0);
}

TEST_CASE("what a reference does not write stays NaN, or 0 where it starts zeroed") {
  Task task = sample::task();
  task.reference = [](const Dims&, HostTensors<double>& t) { t["y"][0] = 1.0; };
  auto y = prepare(task, task.cases[0], true).reference.arrays["y"];
  CHECK(y[0] == 1.0);
  CHECK(std::isnan(y[1]));
  task.tensors[1].start = Start::zeroed;
  const Prepared zeroed = prepare(task, task.cases[0], true);
  CHECK(zeroed.reference.arrays.at("y")[1] == 0.0);
  const Workload workload = make_workload(task, {.name = "plain"}, zeroed);
  CHECK(workload.initial[1] == Bytes(96, std::byte{0}));
  CHECK(workload.changes);
}

TEST_CASE("what is updated in place starts with its fill, for reference and kernel") {
  Task task = sample::task();
  task.tensors[1].start = Start::filled;
  task.tensors[1].fill = uniform(5.0, 6.0);
  task.reference = [](const Dims&, HostTensors<double>& t) {
    for (double& value : t["y"]) value += 100.0;
  };
  const Prepared data = prepare(task, task.cases[0], true);
  const auto start = as_doubles(Type::f32, data.initial.at("y"));
  for (std::size_t i = 0; i < start.size(); ++i) CHECK(data.reference.arrays.at("y")[i] == start[i] + 100.0);
  const Workload workload = make_workload(task, {.name = "plain"}, data);
  CHECK(workload.initial[1] == data.initial.at("y"));
  CHECK(workload.changes);
}

TEST_CASE("a workload has the variant's tensors only, by position") {
  Task task = sample::task();
  task.tensors.insert(
      task.tensors.begin() + 1,
      Tensor{.name = "between", .type = Type::u8, .role = Role::intermediate, .shape = {"N+1"}});
  const Prepared data = prepare(task, task.cases[0], true);
  CHECK(make_workload(task, {.name = "plain"}, data).tensors.size() == 2);
  const Workload with = make_workload(task, {.name = "long", .intermediates = {"between"}}, data);
  REQUIRE(with.tensors.size() == 3);
  CHECK(with.tensors[1].name == "between");
  CHECK(with.tensors[1].id == 1);
  CHECK(with.tensors[1].role == runs::TensorRole::intermediate);
  CHECK(with.tensors[1].dtype == "u8");
  CHECK(with.tensors[1].shape == std::vector<std::int64_t>{7});
  CHECK(with.tensors[1].bytes == 7);
  CHECK(with.types[1] == Type::u8);
  CHECK(with.initial[0].size() == 96);
  CHECK(with.initial[1].empty());
  CHECK_FALSE(with.changes);
}

TEST_CASE("a variant may leave an output out") {
  Task task = sample::task();
  task.tensors.push_back(task.tensors[1]);
  task.tensors[2].name = "z";
  const Prepared data = prepare(task, task.cases[0], false);
  CHECK(make_workload(task, {.name = "all"}, data).tensors.size() == 3);
  const Workload one = make_workload(task, {.name = "one", .outputs = {"z"}}, data);
  REQUIRE(one.tensors.size() == 2);
  CHECK(one.tensors[1].name == "z");
}
