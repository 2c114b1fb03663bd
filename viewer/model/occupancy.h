// What a multiprocessor holds of a run's launches, as data: what the Occupancy panel draws.
#pragma once

#include <string>

#include "clock/occupancy.h"
#include "runs/record.h"

namespace workbook::viewer {

/// One launch's blocks on a multiprocessor: of a run, the launch that takes longest.
struct Held {
  bool present = false;  ///< false: no launch of that shape, or of a GPU that nobody here knows
  std::string kernel, gpu;
  sim::Multiprocessor sm;
};
Held make_held(const runs::RunRecord& run, const std::string& benchmark);

/// "24 of 64 warps, bound by shared memory".
std::string held_words(const Held& held);
/// What resident blocks take of one thing: "6 blocks of 33.8 kB, of 233 kB".
std::string taken_words(const Held& held, const sim::Supply& supply);
/// What the next block meets there: "the next one lacks 3.07 kB", "the next one fits", "not known".
std::string next_words(const Held& held, const sim::Supply& supply);

/// The resident block in a place for a warp, from 0; -1: the place is empty. Places are numbered in the order
/// in which warps come, and go round the quarters.
int block_of_slot(const Held& held, int slot);

}  // namespace workbook::viewer
