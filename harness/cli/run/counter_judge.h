// Answers of a program puzzle that are read from what its own run has counted, as `--counters` shows it.
#pragma once

#include <string_view>

#include "cli/project/declaration.h"
#include "runs/record.h"

namespace workbook::cli {

/// What `program`'s answers say where to read them.
inline constexpr std::string_view kCountedAnswer = "counter: ";

/// The program with every answer that stands in the counters of its run filled in from them; several right
/// forms are separated by '|'. Behind "counter: " stands
///   most WORDS, least WORDS   the kernel that has most or least of it, with or without "_kernel"
///   WORDS of KERNEL           its number: as `--counters` shows it, and rounded to whole ones
///   bound of KERNEL           what bounds it on the modelled clock: "latency"
/// where WORDS are those of runs::metrics_of. Throws HarnessError where the run has no such counter.
ProgramInfo with_counted_answers(ProgramInfo program, const runs::Benchmark& run);

}  // namespace workbook::cli
