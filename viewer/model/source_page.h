// One file of a run with everything that is known of its lines: counters, findings, regions to fill. For the
// Source panel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/access.h"
#include "model/source_text.h"
#include "runs/record.h"

namespace workbook::viewer {

/// What the simulator counted at one line, over all its instructions and launches.
struct LineFigures {
  int launch = 0;  ///< the first that ran the line
  std::string kernel;
  std::int64_t requests = 0, sectors = 0, ideal_sectors = 0;  ///< of global memory
  std::int64_t shared_requests = 0, bank_passes = 0;
  std::int64_t bytes = 0;     ///< that the threads asked for, of both
  double global_share = 0.0;  ///< of the sectors of the launches that ran it
  double shared_share = 0.0;  ///< of the passes of these launches
  bool approximate = false;
  double sectors_per_request() const;
  double ideal_per_request() const;
  double passes_per_request() const;
  bool wasteful() const;  ///< clearly more sectors or passes than needed
};

/// Something to say at a line.
struct LineNote {
  runs::Severity severity;
  std::string message, advice;
};

struct SourcePage {
  SourceText text;
  std::vector<std::vector<Lexeme>> words;  ///< by line
  std::vector<FillRegion> regions;
  std::map<int, LineFigures> figures;           ///< by line
  std::map<int, std::vector<LineNote>> notes;   ///< by line
  std::vector<int> lines;                       ///< to show: all, or where the text is gone those known of
  std::size_t widest = 0;                       ///< bytes of the longest line
  const FillRegion* region_of(int line) const;  ///< nullptr outside
};

/// `benchmark`: whose counters.
SourcePage make_page(const runs::RunRecord& run, const std::string& file, const std::filesystem::path& root,
                     const std::string& benchmark);

/// Lines that hold `words`, small and capital letters alike; none for nothing.
std::vector<int> find_in(const SourcePage& page, const std::string& words);

/// The lines of `file` at which a thread of a block touched memory.
std::set<int> lines_of_thread(const AccessIndex& accesses, const std::string& file, int launch, int block,
                              int thread);
/// The lines of `file` at which an element was touched, by whichever thread.
std::set<int> lines_of_element(const AccessIndex& accesses, const std::string& file, const Place& place,
                               std::int64_t element);

}  // namespace workbook::viewer
