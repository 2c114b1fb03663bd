// What kernels of path tensor call, as text: fragments, copies of tiles, eight elements at once.
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kTensorFragments = R"(
// Tensor cores multiply fragments: 16 x 16 elements that the registers of a warp hold together. Which lane has which
// of them is not said, so all lanes load, multiply and store them together.
namespace wmma = nvcuda::wmma;
using LeftFragment = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using RightFragment = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using SumFragment = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
)";
constexpr const char* kPadding = R"(
constexpr int kPad = 8;  // elements behind each row of a tile in shared memory: the next one begins in other banks
)";

constexpr const char* kTurned = R"(
// Of a tile whose rows are the columns of what is multiplied.
using TurnedFragment = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
)";
constexpr const char* kTurnedLeft = R"(
// Of a tile whose columns are the rows of what is multiplied.
using TurnedLeftFragment = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major>;
)";

constexpr const char* kTensorCopies = R"(
// kTogether threads, a warp or a block, begin to copy a tile of kRows x kColumns elements from a matrix whose rows are
// `stride` apart; `rows` and `columns` of it are inside the matrix, and zeros come for the rest. Where rows begin at
// multiples of 16 bytes a thread copies so many at once, and nobody waits; elsewhere elements go one by one.
template <int kTogether, int kRows, int kColumns, class T>
__device__ inline void copy_tile(T* to, const T* from, int stride, int rows, int columns) {
  const int lane = threadIdx.x % kTogether;
  constexpr int kPiece = 16 / sizeof(T);
  if (stride % kPiece == 0 && columns % kPiece == 0) {
    // Eight lanes write at a time: 128 bytes of a row, or parts of rows that lie in different banks.
    constexpr int kPieces = kColumns / kPiece, kWide = kPieces > 8 ? 8 : kPieces;
#pragma unroll
    for (int i = lane; i < kRows * kPieces; i += kTogether) {
      const int row = kPieces > 8 ? i / kPieces : i / (8 * kWide) * 8 + i / 8 % kWide + i % 8 / kWide * kWide;
      const int column = i % kPieces * kPiece;
      const bool inside = row < rows && column < columns;
      __pipeline_memcpy_async(to + row * (kColumns + kPad) + column, from + (inside ? row * stride + column : 0), 16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
  } else {
    for (int i = lane; i < kRows * kColumns; i += kTogether) {
      const int row = i / kColumns, column = i % kColumns;
      to[row * (kColumns + kPad) + column] =
          row < rows && column < columns ? from[row * stride + column] : from_float<T>(0.0f);
    }
  }
}
)";

constexpr const char* kEight = R"(
// Eight elements of a tile: `bits` is how they travel, `at` what they are.
union Eight {
  uint4 bits;
  half at[8];
};
__device__ inline Eight load_eight(const half* from) { return {*reinterpret_cast<const uint4*>(from)}; }
__device__ inline void store_eight(half* to, const Eight& eight) { *reinterpret_cast<uint4*>(to) = eight.bits; }
)";

}  // namespace

std::string tensor_functions(std::string_view kernels) {
  std::string text = has_word(kernels, "wmma") ? kTensorFragments : "";
  text += kPadding;
  if (has_word(kernels, "TurnedFragment")) text += kTurned;
  if (has_word(kernels, "TurnedLeftFragment")) text += kTurnedLeft;
  if (has_word(kernels, "copy_tile")) text += kTensorCopies;
  if (has_word(kernels, "Eight")) text += kEight;
  if (has_word(kernels, "copy_rows")) text += row_copies();
  if (has_word(kernels, "add_products") || has_word(kernels, "multiply_slice"))
    text += word_functions(kernels);
  if (has_word(kernels, "scale_rows")) text += shared_row_functions();
  if (has_word(kernels, "sum_of_lanes")) text += lane_functions();
  if (has_word(kernels, "row_maximum")) text += own_row_functions();
  return text;
}

}  // namespace workbook::opt
