// Tiles in shared memory as tensor cores take them, and the rings that they come in.
#pragma once

#include <cstdint>

namespace workbook::opt {

inline constexpr int kFragment = 16;   ///< the side of what tensor cores multiply
inline constexpr int kTilePad = 8;     ///< elements behind each row of a tile: the next begins in other banks
inline constexpr int kMostStages = 4;  ///< of a ring; two at least
/// Where the GPU copies by itself: as many as are on their way while the first one comes from DRAM.
inline constexpr int kMostGroupStages = 12;
/// Registers of a lane: beside those that a path counts, as compilers were seen to need; at most; of an SM.
inline constexpr int kWordsBesides = 40, kMostWords = 255, kWordsOfSm = 65536;

/// On Hopper four warps multiply 64 rows together; columns of a tile that lie together for them; indices of a
/// tensor besides those of a tile that the GPU copies by itself.
inline constexpr int kGroupWarps = 4, kGroupRows = 64, kPanel = 64, kMostMapBatch = 2;
/// Of an H200: clocks of an SM for each of their multiplications and additions; sectors that the GPU copies
/// by itself, as those that threads load in that time; SMs.
inline constexpr double kGroupClocks = 1.18 / 2048, kCopiedShare = 0.62;
inline constexpr int kSms = 132;
inline constexpr int kHopper = 9;  ///< compute capability

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + 31) / 32 * 32; }
/// Of a row-major tile with its padding.
constexpr std::int64_t tile_bytes(std::int64_t rows, std::int64_t columns, std::int64_t item) {
  return aligned(rows * (columns + kTilePad) * item);
}

/// Where a lane's piece number i of a tile that a warp copies lies: 16 bytes of a row, of which eight lanes
/// write at a time; their rows lie in different banks.
struct TilePlace {
  std::int64_t row, column;
};
constexpr TilePlace piece_of(std::int64_t i, std::int64_t columns, std::int64_t item = 2) {
  const std::int64_t piece = 16 / item, pieces = columns / piece;
  if (pieces > 8) return {i / pieces, i % pieces * piece};
  return {i / (8 * pieces) * 8 + i / 8 % pieces + i % 8 / pieces * pieces, i % pieces * piece};
}

}  // namespace workbook::opt
