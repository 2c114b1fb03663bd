// What tests of plans have in common: the GPU that prices them, and whether a plan means what its program
// does.
#pragma once

#include <algorithm>
#include <cmath>

#include "optimizer/graph/sizes.h"
#include "optimizer/language/text.h"
#include "optimizer/plan/interpret.h"
#include "optimizer/schedule/emitted_cases.h"
#include "optimizer/schedule/schedule.h"
#include "tests/catch.h"
#include "tests/optimizer/programs.h"

namespace workbook::test {

inline const sim::GpuSpec& h200() { return *sim::find_gpu("h200"); }

inline opt::Program sized(const std::string& name, std::initializer_list<const char*> sizes) {
  opt::Program program = shipped(name);
  for (const char* size : sizes) opt::set_extent(program, size);
  return program;
}

inline opt::Scheduled best_of(const opt::Program& program) {
  const opt::Schedule found = opt::schedule(program, {program.graph}, h200());
  REQUIRE(!found.plans.empty());
  return found.plans.front();
}

inline bool holds(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

/// What the interpreter makes of the first case is what the emitted kernel is judged by.
inline void check_meaning(const opt::Program& program, const opt::Plan& plan) {
  using namespace opt;
  const EmittedCase one = emitted_cases(program, plan).front();
  Plan tiny = plan;
  for (Kernel& kernel : tiny.kernels)
    for (std::size_t i = 0; i < plan.graph.indices.size(); ++i) {
      Cut& cut = kernel.cuts[i];
      cut = {std::min(cut.grid, 2), std::min(cut.loop, 2)};
      if (one.extents[i] < 2) cut = {};
    }
  REQUIRE(!plan_fault(program, tiny, one.extents));
  // Where the element number i of a tensor in memory lies among values, whose indices are ascending.
  const auto place_of = [&](std::size_t i, const std::vector<std::uint8_t>& dims, IndexSet set) {
    const Layout layout(one.extents);
    std::size_t place = 0;
    for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
      const auto extent = static_cast<std::size_t>(one.extents[*dim]);
      place += i % extent * layout.stride(set, *dim);
      i /= extent;
    }
    return place;
  };
  std::vector<NumberTensor> inputs;
  std::size_t at = 0;
  for (const Tensor& tensor : plan.graph.inputs) {
    NumberTensor values{tensor.set(), {}, {}};
    if (tensor.is_placed()) values.values = placed_values(tensor, one.extents);
    if (tensor.view_of >= 0) values.values = viewed_values(plan.graph, tensor, one.extents, inputs);
    values.values.resize(size_of(values.set, one.extents));
    for (std::size_t i = 0; i < values.values.size() && (tensor.is_stored() || tensor.constant >= 0);
         ++i)  // in the order of memory
      values.values[place_of(i, tensor.dims, values.set)] =
          tensor.constant >= 0 ? value_of(plan.graph.constants[slot(tensor.constant)], one.extents)
                               : double{one.inputs[at++]};
    inputs.push_back(std::move(values));
  }
  const NumberTensor got = interpret(program, tiny, one.extents, inputs, {});
  REQUIRE(got.values.size() == one.expected.size());
  for (std::size_t i = 0; i < got.values.size(); ++i)
    CHECK(std::abs(got.values[place_of(i, program.output_dims, program.output_set())] - one.expected[i]) <=
          1e-9 * (1.0 + std::abs(one.expected[i])));
}

}  // namespace workbook::test
