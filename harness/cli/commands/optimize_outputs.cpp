#include "cli/commands/optimize_outputs.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "optimizer/language/joined.h"
#include "optimizer/schedule/price.h"

namespace workbook::cli {
namespace {

std::string name_of_all(const std::vector<opt::Program>& programs) {
  const opt::Program& first = programs.front();
  return first.name.substr(0, first.name.size() - first.output_name.size() - 1);
}

}  // namespace

int optimize_outputs(const Project& project, const std::vector<opt::Program>& programs,
                     const OptimizeOptions& options, const opt::SearchOptions& search) {
  const std::optional<opt::Program> whole = opt::joined(programs, name_of_all(programs));
  std::unique_ptr<OptimizeRun> together;
  if (whole) {
    together = std::make_unique<OptimizeRun>(project, *whole, options, search, false);
    together->find();
    const sim::GpuSpec* gpu = sim::find_gpu(options.gpu);
    double least_us = 0.0;
    for (const opt::Program& program : programs) least_us += gpu ? opt::least_us(program, *gpu) : 0.0;
    if (together->modelled_us().value_or(INFINITY) <= least_us) return together->tell();
  }
  // One each, which may be divided and computed in other ways. Where they are not compared, each is told at
  // once.
  std::vector<std::unique_ptr<OptimizeRun>> each;
  const bool at_once = !together && !options.json;
  int status = kCorrect;
  double us = 0.0;
  for (const opt::Program& program : programs) {
    each.push_back(std::make_unique<OptimizeRun>(project, program, options, search, together == nullptr));
    each.back()->find();
    us += each.back()->modelled_us().value_or(INFINITY);
    if (at_once) status = std::max(status, each.back()->tell());
  }
  if (at_once) return status;
  if (together && together->modelled_us().value_or(INFINITY) <= us) return together->tell();
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (options.json) print(i == 0 ? "[" : ",");
    status = std::max(status, each[i]->tell());
  }
  if (options.json) print("]\n");
  return status;
}

}  // namespace workbook::cli
