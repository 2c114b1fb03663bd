// A form: one way to write a launch down. Whoever chooses among forms goes over their table (forms/forms.h)
// and knows of one no more than this.
#pragma once

#include <memory>

#include "optimizer/plan/plan.h"

namespace workbook::opt {

class Cuts;           // cuts.h
class LaunchCounter;  // counter.h
class LaunchEmitter;  // text.h

/// Whether the launch is one of the form, whatever came of its cuts.
using CutsOf = bool(Cuts& cuts);
using CounterOf = std::unique_ptr<LaunchCounter>(const Program& program, const Plan& plan,
                                                 const Launch& launch, const Kernel& kernel,
                                                 const Extents& extents);
/// `number` from 1.
using EmitterOf = std::unique_ptr<LaunchEmitter>(const Program& program, const Plan& plan,
                                                 const std::vector<Launch>& launches, int number);

struct Form {
  std::vector<Path> paths;  ///< what a plan calls it
  std::string_view fault;   ///< why a launch with such a path may be none, a sentence
  /// Shared memory of a block for its tiles; nothing where the launch is none, or has cuts that it does not
  /// have.
  std::optional<std::int64_t> (*bytes)(const Program& program, const Plan& plan, const Launch& launch,
                                       const Kernel& kernel, const Extents& extents);
  CutsOf* try_cuts;  ///< those that are worth a price
  CounterOf* counter;
  EmitterOf* emitter;
  /// Nodes that it rounds to as many bits as tensor cores take, although the graph does not; none: none.
  std::uint64_t (*rounded)(const Program& program, const Plan& plan, const Launch& launch,
                           const Kernel& kernel) = nullptr;
  /// What a plan of one such launch gains by it, in words; none: nothing to say.
  std::string (*gain)(const Program& program, const Plan& plan, const Launch& launch,
                      const Kernel& kernel) = nullptr;
  // What is known of it beside the clock.
  bool settles = false;    ///< where a launch is one, no form behind it comes near
  bool was_timed = false;  ///< on GPUs, beside the clock's times
  /// Of a launch, to another form that was timed, and is hardly slower.
  bool (*yields)(const Cuts& cuts) = nullptr;
  /// Cuts that take so many times the least time are alike, and those of them are faster that ask the L2 for
  /// less,
  double (*alike)(const Kernel& kernel) = nullptr;
  bool (*asks_once)(const Kernel& kernel) = nullptr;  ///< and before them these, which ask for nothing again
};

/// Form::bytes of a form without tiles: `shape` finds what the launch is.
template <auto shape>
std::optional<std::int64_t> without_tiles(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel, const Extents&) {
  return shape(program, plan, launch, kernel) ? std::optional<std::int64_t>(0) : std::nullopt;
}

}  // namespace workbook::opt
