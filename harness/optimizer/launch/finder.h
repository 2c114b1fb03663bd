// What those who look whether a launch is one of their path all look at.
#pragma once

#include "optimizer/plan/places.h"

namespace workbook::opt {

class LaunchFinder {
 public:
  LaunchFinder(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        launch_(launch),
        kernel_(kernel),
        shapes_(shapes_of(plan.graph, program.output_set())) {}

 protected:
  const Node& node(int number) const { return graph_.nodes[slot(number)]; }
  IndexSet set(int number) const { return shapes_[slot(number)]; }
  bool computed(int number) const { return (kernel_.nodes & node_bit(number)) != 0; }
  /// In the order of memory, the last one contiguous.
  std::vector<std::uint8_t> dims(int number) const { return dims_of(program_, plan_, number, shapes_); }
  /// An earlier launch left its sum in parts.
  bool in_parts(int number) const {
    return !launch_.parts.empty() && launch_.parts[slot(number)].launch >= 0;
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  std::vector<IndexSet> shapes_;
};

}  // namespace workbook::opt
