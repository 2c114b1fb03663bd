// What a program puzzle asks of the listing of its kernels: answers that are read from it, and rules that it
// must keep.
#pragma once

#include <string>
#include <vector>

#include "cli/run/execute.h"

namespace workbook::cli {

/// What `program`'s answers say where to read them.
inline constexpr std::string_view kListedAnswer = "listing: ";

/// The program with every answer that stands in a listing filled in from it: the recorded one of these very
/// sources, else one made here. Throws NoDeviceError where there is neither.
ProgramInfo with_listed_answers(const Project& project, const RunRequest& request);

/// What the first rule that is broken says; empty when all are kept. Judged by the listing, and by the lines
/// of the source's regions where there is none and none can be made: `judged_by` then says so.
std::string broken_listing_rule(const Project& project, const RunRequest& request, std::string& judged_by);

/// The same by the source alone.
std::string broken_source_rule(const ProgramInfo& program, std::string_view source);

}  // namespace workbook::cli
