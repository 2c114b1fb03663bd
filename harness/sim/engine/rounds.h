// The fast build's two short ways, for blocks whose threads do what most do; of the running thread only its
// place is kept then, and current is nobody in particular. Whoever asks for more (running_worker(), the
// watchdog's signal) has Worker::settle() make it a thread like any other, and the block goes on as if it had
// been run thread by thread.
//
// - A row: threads along x that ask nothing of the engine are iterations of a loop in the program itself
//   (ThreadRow). The first that does ask is the loop's last, and the launch has no rows from then on.
// - A round: the threads of a block go from barrier to barrier in order, all or none, from their begin to
//   their end, and each only hands over to the one behind it.
#pragma once

#include "engine.h"
#include "fiber.h"

extern constinit thread_local uint3 threadIdx;

namespace workbook::sim {

/// To the next thread of the block.
inline void advance(uint3& index, const uint3& block) {
  if (++index.x != block.x) return;
  index.x = 0;
  if (++index.y == block.y) index.y = 0, ++index.z;
}

[[gnu::always_inline]] inline bool Worker::pass_in_round() {
  if (!in_round_) return false;
  const std::uint32_t from = in_turn_, to = from + 1;
  if (to == next_) [[unlikely]]
    return pass_to_other_fiber(from);
  advance(::threadIdx, launch->block);
  in_turn_ = to;
  // Its neighbour comes after it: fetching that one's stack takes as long as running this one.
  __builtin_prefetch(contexts_[to + 1]);
  switch_to(contexts_[from], contexts_[to]);
  return true;
}

}  // namespace workbook::sim
