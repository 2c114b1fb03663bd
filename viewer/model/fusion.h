// What the Fusion panel says about a record of `workbook optimize`: its table, its headline, and what stands
// behind each part of its two pictures.
#pragma once

#include <string>
#include <vector>

#include "model/fusion_layout.h"

namespace workbook::viewer {

/// The program of a puzzle by the name that `workbook optimize` takes; empty: it has none.
std::string program_of_puzzle(int puzzle);

struct FusionColumn {
  std::string head;
  float share = 1;         ///< of the width
  bool wide_only = false;  ///< left out where there is little room
  bool words = false;      ///< aligned at its left side
};
struct FusionRow {
  std::string name, tag;           ///< the formula; "best", "unfused" or neither
  std::vector<std::string> cells;  ///< of the columns behind the first
  bool refused = false;            ///< its kernels were built and are not right
};
/// Plans; where there are none the equal graphs that the search found.
struct FusionTable {
  std::string title, note;
  std::vector<FusionColumn> columns;
  std::vector<FusionRow> rows;
  int first = 0;  ///< the row to begin with: the best
};
FusionTable fusion_table(const runs::FusionRecord& record);

/// Of a row of the table.
const runs::FusionPlan* fusion_plan(const runs::FusionRecord& record, int row);
const runs::FusionGraph& fusion_graph(const runs::FusionRecord& record, int row);

struct FusionWords {
  std::string headline, detail;
};
FusionWords fusion_words(const runs::FusionRecord& record, int row);

/// What is said of a part of a picture that the mouse points at; `plan` null: of the program.
struct FusionNote {
  std::string title;
  std::vector<std::string> lines;
};
FusionNote note_of(const runs::FusionRecord& record, const runs::FusionGraph& graph,
                   const runs::FusionPlan* plan, const FusionBox& box);
FusionNote note_of(const runs::FusionGraph& graph, const runs::FusionPlan* plan, const FusionPicture& picture,
                   const FusionEdge& edge);
FusionNote note_of(const runs::FusionGraph& graph, const runs::FusionPlan& plan, int launch);

/// Why two launches are two.
std::string crossing_words(const runs::FusionPlan& plan, const runs::FusionCrossing& crossing);

/// "order", ... with the sentence that says what it is.
std::string reason_words(const std::string& reason);

}  // namespace workbook::viewer
