// What the checks keep of a word.
#pragma once

#include <cstdint>

namespace workbook::sim {

/// What is known of one aligned 4-byte word: of shared memory and of variables kept like this, of device
/// memory in fewer bytes (shadow.h). A zeroed cell is a word nobody touched. gen: launch (global memory) or
/// block of the worker (shared memory) that the record belongs to; who: block
/// * threads + thread, or the thread; epoch: block barriers passed; clock: the thread's own clock; pc: offset
/// of the return address in the program. w: the latest write, r: the latest read, q: a read by another warp
/// before it, when `others`. Say that threads 5 and 40 read a word and thread 7 then writes it: r is 40 and q
/// is 5, so that the write is held against both; __syncwarp() may order it after 5, whose warp it is of, and
/// still not after 40. Were r alone kept, the order of the two reads would decide what is found.
struct alignas(64) Cell {
  std::uint32_t w_gen, w_who, w_epoch, w_clock, w_pc;
  std::uint32_t r_gen, r_who, r_epoch, r_clock, r_pc;
  std::uint32_t q_who, q_epoch, q_clock, q_pc;  ///< a reader before that one, when `others`
  // What is stored at one time lies in bytes of its own: a load of what was stored in parts waits for them.
  // narrow: an atomic that only its own block sees as one.
  std::uint8_t w_mask : 4, w_atomic : 1, w_narrow : 1;
  std::uint8_t r_mask : 4, r_atomic : 1, r_narrow : 1, others : 1;
  std::uint8_t q_mask;
  std::uint8_t init_mask;
  std::uint8_t in_flight;  ///< an async copy's target
  std::uint8_t lock;       ///< held while blocks run in parallel
};

}  // namespace workbook::sim
