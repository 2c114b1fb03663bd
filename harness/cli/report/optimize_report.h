// What `workbook optimize` prints of a search and of a learner's graph.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "optimizer/judge/check.h"
#include "optimizer/store/report.h"

namespace workbook::cli {

/// A line, broken where it must be, behind its label.
std::string labelled(std::string_view label, std::string_view text);

/// The program: its formula, sizes and type.
std::string program_lines(const opt::Program& program);

/// `graphs` in the order of the search, those that may be used first. `kept`: the next run goes on where this
/// one was stopped.
std::string search_lines(const opt::Program& program, const opt::Search& search, int most_nodes,
                         const std::vector<opt::Reported>& graphs, bool kept);

/// `inputs`: what the fields were filled with.
std::string check_lines(const opt::Program& program, const opt::Graph& graph, const opt::Checked& checked,
                        opt::Inputs inputs);

/// Why the search does not find a graph, or that it does.
std::string why_not_lines(const opt::Program& program, const opt::Graph& graph,
                          const opt::Enumerator::Judged& judged, int most_nodes);

}  // namespace workbook::cli
