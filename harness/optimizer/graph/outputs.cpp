// Programs and graphs with several outputs.
#include "optimizer/graph/graph.h"

namespace workbook::opt {

IndexSet Program::output_set() const {
  IndexSet found = 0;
  for (const std::uint8_t index : output_dims) found |= only(index);
  for (const Output& other : others)
    for (const std::uint8_t index : other.dims) found |= only(index);
  return found;
}

Output Program::output(int number) const {
  return number == 0 ? Output{output_name, output_dims, output_storage}
                     : others[static_cast<std::size_t>(number - 1)];
}

Graph only_output(const Graph& graph, int number) {
  Graph one = graph;
  one.outputs = {graph.outputs[static_cast<std::size_t>(number)]};
  return one;
}

Program only_output(const Program& program, int number) {
  Program one = program;
  const Output output = program.output(number);
  one.graph = only_output(program.graph, number);
  one.output_name = output.name;
  one.output_dims = output.dims;
  one.output_storage = output.storage;
  one.others.clear();
  return one;
}

}  // namespace workbook::opt
