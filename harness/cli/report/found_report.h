// The plan that `workbook optimize` found, beside the variants of a puzzle that computes the same. Times of
// other origin stand apart: modelled and measured ones, or those of two GPUs, are no ranking.
#pragma once

#include <optional>
#include <string>

#include "runs/fusion.h"
#include "runs/timing.h"

namespace workbook::cli {

/// The origin of the run that found_run() makes.
inline constexpr const char* kFoundBySearch = "search";

/// The best plan of a record as a run with one benchmark, of the name and sizes of `shape`: to be ranked with
/// runs timed as `like`. Nothing where none has been run, or the record has no time of that origin.
std::optional<runs::RunRecord> found_run(const runs::FusionRecord& record, const runs::Benchmark& shape,
                                         const runs::Timing& like);

/// Where found_run() has nothing: what the record says all the same, and how to have a time of that origin;
/// without a record at these sizes, what finds one. `command` finds plans at these sizes.
std::string found_words(const std::optional<runs::FusionRecord>& record, const runs::Timing& like,
                        const std::string& command);

}  // namespace workbook::cli
