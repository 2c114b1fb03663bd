// What verification said of the graphs that a search found, in the store (store.h): one row for all of them,
// by a hash of the program, the graphs and the sources.
#pragma once

#include "optimizer/store/report.h"
#include "optimizer/store/store.h"

namespace workbook::opt {

/// `drawn`, `rounded`: how many of the graphs are drawn at full extents, and looked at for rounding.
std::string verdicts_key(const Program& program, const std::vector<Reported>& graphs, std::size_t drawn,
                         std::size_t rounded);

/// Fills in what is kept; false, and nothing is changed, where there is none or it is damaged.
bool load_verdicts(SearchStore& store, const std::string& key, std::vector<Reported>& graphs);
void save_verdicts(SearchStore& store, const std::string& key, const std::vector<Reported>& graphs);

}  // namespace workbook::opt
