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
  // narrow: an atomic that only its own block sees as one. row: bytes of an element, 1 or 2, where lanes of a
  // warp that follow each other have stored at one place elements that do; the last of them is kept, and
  // w_mask is of all. 0: w_mask is of one thread.
  std::uint8_t w_mask : 4, w_atomic : 1, w_narrow : 1, w_row : 2;
  std::uint8_t r_mask : 4, r_atomic : 1, r_narrow : 1, others : 1;
  std::uint8_t q_mask;
  std::uint8_t init_mask;
  std::uint8_t in_flight;  ///< an async copy's target: kWriteInFlight; or what a bulk copy reads
  std::uint8_t lock;       ///< held while blocks run in parallel
};

inline constexpr std::uint8_t kWriteInFlight = 1, kReadInFlight = 2;

/// How a store goes on with a row: with elements of so many bytes, behind those that are there or before
/// them. bytes 0: it does not.
struct RowStep {
  std::uint32_t bytes = 0;
  bool below = false;
};
/// `lane`: in its warp, of the thread that stores.
inline RowStep row_with(const Cell& c, std::uint32_t gen, std::uint32_t who, std::uint32_t lane,
                        std::uint32_t epoch, std::uint32_t clock, std::uint32_t pc, std::uint32_t mask) {
  if (c.w_gen != gen || c.w_epoch != epoch || c.w_clock != clock || c.w_pc != pc || c.w_atomic) return {};
  const auto bytes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  const std::uint32_t row = c.w_mask, elements = static_cast<std::uint32_t>(__builtin_popcount(row)) / bytes;
  if (bytes > 2 || (c.w_row == 0 ? elements != 1 : c.w_row != bytes)) return {};
  if (c.w_who + 1 == who && lane > 0 && (row & ~(row >> bytes)) << bytes == mask) return {bytes, false};
  if (c.w_who == who + elements && lane + elements < 32 && (row & ~(row << bytes)) >> bytes == mask)
    return {bytes, true};
  return {};
}

/// Who wrote the lowest byte of `mask` that the cell's writers wrote.
inline std::uint32_t writer_of(const Cell& c, std::uint32_t mask) {
  if (c.w_row == 0 || (c.w_mask & mask) == 0) return c.w_who;
  const int last = 31 - __builtin_clz(c.w_mask), byte = __builtin_ctz(c.w_mask & mask);
  return c.w_who - static_cast<std::uint32_t>((last - byte) / c.w_row);
}

}  // namespace workbook::sim
