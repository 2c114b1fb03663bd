// Which conditions and loops of the learner's source stand around a line, for findings about threads that do
// not all come to it, or come again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/record.h"
#include "sim/source/pc.h"

namespace workbook::sim {

/// The lines of a source, with blanks for comments, literals and lines of the preprocessor.
std::vector<std::string> code_of_file(const std::string& file);

/// What an `if` (with its `else`), a loop or a switch governs, its own line among it.
struct SourceBlock {
  std::string keyword;  ///< "if", "for", "while", "do", "switch"
  int first_line = 0, last_line = 0;
};

bool is_loop(const SourceBlock& block);

/// Those of a C++ source that hold the line, innermost first. Braces that do not match end it early.
std::vector<SourceBlock> blocks_around(const std::string& source, int line);

/// How threads get past a line without coming to it, as far as the text of its function tells.
struct WaysPast {
  bool in_kernel = false;           ///< the function is a __global__ one: nobody else's text matters
  std::vector<int> returns;         ///< lines of those that may end a thread before it comes there
  std::vector<SourceBlock> around;  ///< what governs the line, innermost first
};
WaysPast ways_past(const std::string& source, int line);
/// The same of the call that returned to `pc` and of those that were inlined around it.
WaysPast ways_past(Pc pc);

/// Where the innermost `if` stands around the call that returned to `pc`, or around the calls that led to it;
/// nothing where the source cannot be read or has none. For the thread that has just made the call, or whose
/// `stack` was kept.
std::optional<runs::SourceLine> branch_around(Pc pc, const std::vector<Pc>& stack);

/// Where the innermost loop stands around the line; nothing where there is none, or a barrier within it.
std::optional<runs::SourceLine> loop_without_barrier(const runs::SourceLine& at);

/// Where what decides whether a thread comes to the line stands: a condition in it, the innermost `if` around
/// it, or an `if` before it in the function after which threads return.
std::optional<runs::SourceLine> condition_before(const runs::SourceLine& at);
/// The same for a source's text; the line's number.
std::optional<int> condition_before(const std::string& source, int line);

/// Two lines of one loop with a barrier between them in the text: threads that meet there without waiting for
/// each other are in different passes of it. `of_warp`: they are of one warp, which __syncwarp() orders, too.
struct NextPass {
  runs::SourceLine loop;
  int earlier, later;  ///< lines in the text: what comes in the next pass, and what is left from this one
};
std::optional<NextPass> next_pass(const runs::SourceLine& a, const runs::SourceLine& b, bool of_warp);
/// Whether a barrier stands between two lines of one file, in the text.
bool barrier_between(const runs::SourceLine& a, const runs::SourceLine& b, bool of_warp);
/// Whether both lines, of one file, stand in functions that are no kernels, which a thread may call again.
bool may_be_called_again(const runs::SourceLine& a, const runs::SourceLine& b);
/// Whether the line's text, comments aside, holds `word`.
bool line_holds(const runs::SourceLine& at, const std::string& word);
/// Whether the source orders or exchanges values between the lanes of a warp somewhere, so that whoever wrote
/// it knows of warps.
bool speaks_of_warps(const std::string& file);
/// Whether the source knows of the grid as a group, all of whose blocks can meet.
bool speaks_of_grids(const std::string& file);
/// Whether it asks barriers whether they have ended, in C++ or in PTX.
bool asks_barriers(const std::string& file);
/// The same for a source's text, all lines of it.
std::optional<NextPass> next_pass(const std::string& source, int a, int b, bool of_warp);

}  // namespace workbook::sim
