// What kernels call that name the instructions of tensor cores, as text: words of registers, and products of
// such.
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kWords = R"(
// Tensor cores multiply 16 x 16 elements by 16 x 8. A lane has four words, of two elements, of what is left, and two
// of what is right: of rows (or columns) lane / 4 and 8 below the words lane % 4 and 4 behind. `tile` is where the
// fragment begins, in shared memory, its rows `stride` apart. kTurned: rows of the tile are columns of what is
// multiplied.
template <bool kTurned>
__device__ inline void load_left(unsigned (&words)[4], const half* tile, int stride) {
  const int lane = threadIdx.x % 32;
  if constexpr (kTurned) {
    const half* row = tile + (lane / 16 * 8 + lane % 8) * stride + lane / 8 % 2 * 8;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  } else {
    const half* row = tile + lane % 16 * stride + lane / 16 * 8;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  }
}
// The same of two fragments of what is right, side by side: 16 columns.
template <bool kTurned>
__device__ inline void load_right(unsigned (&words)[4], const half* tile, int stride) {
  const int lane = threadIdx.x % 32;
  if constexpr (kTurned) {
    const half* row = tile + (lane / 16 * 8 + lane % 8) * stride + lane / 8 % 2 * 8;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  } else {
    const half* row = tile + lane % 16 * stride + lane / 16 * 8;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  }
}
// sums += left right. Of the sums a lane has of rows lane / 4 and 8 below columns 2 (lane % 4) and the next one.
__device__ inline void multiply_words(float (&sums)[4], const unsigned (&left)[4], unsigned first, unsigned second) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(first), "r"(second));
}
)";

constexpr const char* kFloats = R"(
// What is left where it lies there as float: of its rows a lane has elements 2 (lane % 4) and the next one, and those 8
// behind.
template <bool kTurned>
__device__ inline void load_elements(float (&elements)[8], const float* tile, int stride) {
  const int row = threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    const int below = row + i / 2 % 2 * 8, behind = column + i / 4 * 8;
    float2 two;
    if constexpr (kTurned) two = {tile[behind * stride + below], tile[(behind + 1) * stride + below]};
    else two = *reinterpret_cast<const float2*>(tile + below * stride + behind);
    elements[i] = two.x, elements[i + 1] = two.y;
  }
}
// The words of a slice, rounded. Where the warp's slice has elements that are too large for half all words are zero, and
// it says so: multiply_floats takes the slice. bfloat16 has the range of float.
template <bool kTurned, int kDown>
__device__ inline bool load_floats(unsigned (&words)[kDown][4], const float* tile, int stride) {
#pragma unroll
  for (int down = 0; down < kDown; ++down) {
    float elements[8];
    load_elements<kTurned>(elements, tile + 16 * down * (kTurned ? 1 : stride), stride);
#pragma unroll
    for (int i = 0; i < 4; ++i) words[down][i] = word_of(elements[2 * i], elements[2 * i + 1]);
  }
  if constexpr (std::is_same_v<half, __nv_bfloat16>) return false;
  unsigned carries = 0;  // out of an exponent that is all ones
#pragma unroll
  for (int i = 0; i < 4 * kDown; ++i) carries |= (words[i / 4][i % 4] & 0x7c007c00u) + 0x04000400u;
  if (!__any_sync(0xffffffffu, (carries & 0x80008000u) != 0)) return false;
#pragma unroll
  for (int i = 0; i < 4 * kDown; ++i) words[i / 4][i % 4] = 0;
  return true;
}
// The same product in tf32, which has as many bits as half and the exponents of float; what is right, words of half, is
// exact there. It takes thrice as long.
__device__ inline unsigned in_tf32(float value) {
  unsigned word;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(value));
  return word;
}
__device__ inline void multiply_elements(float (&sums)[4], const float (&left)[8], unsigned first, unsigned second) {
  union {
    unsigned word;
    half at[2];
  } right;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    right.word = i == 0 ? first : second;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(in_tf32(left[4 * i])), "r"(in_tf32(left[4 * i + 2])), "r"(in_tf32(left[4 * i + 1])),
          "r"(in_tf32(left[4 * i + 3])), "r"(__float_as_uint(to_float(right.at[0]))),
          "r"(__float_as_uint(to_float(right.at[1]))));
  }
}
template <bool kTurned, int kDown, int kAcross>
__device__ inline void multiply_floats(float (&sums)[kDown][2 * kAcross][4], const float* tile, int stride,
                                       const unsigned (&right)[kAcross][4]) {
#pragma unroll
  for (int j = 0; j < kAcross; ++j)  // outside: else the compiler keeps all that is right in 32 bits, too
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
      float left[8];
      load_elements<kTurned>(left, tile + 16 * i * (kTurned ? 1 : stride), stride);
      multiply_elements(sums[i][2 * j], left, right[j][0], right[j][1]);
      multiply_elements(sums[i][2 * j + 1], left, right[j][2], right[j][3]);
    }
}
)";

constexpr const char* kStoredSums = R"(
// A warp's sums of 16 rows to a tile, each lane two neighbours at once.
template <int kParts>
__device__ inline void store_sums(float* tile, const float (&sums)[kParts][4], int stride) {
  float* const own = tile + threadIdx.x % 32 / 4 * stride + threadIdx.x % 4 * 2;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    *reinterpret_cast<float2*>(own + 8 * part) = {sums[part][0], sums[part][1]};
    *reinterpret_cast<float2*>(own + 8 * stride + 8 * part) = {sums[part][2], sums[part][3]};
  }
}
)";

constexpr const char* kTwo = R"(
// Two neighbours, of a tile or of a result.
template <class T>
struct alignas(2 * sizeof(T)) Two {
  T at[2];
};
template <class T>
__device__ inline Two<T> load_two(const T* from) {
  return *reinterpret_cast<const Two<T>*>(from);
}
// `inside` of the two are there, and `together` says that two always lie where they can be stored at once.
template <class T>
__device__ inline void store_two(T* to, const float (&values)[2], int inside, bool together) {
  if (together) {
    Two<T> both;
    for (int j = 0; j < 2; ++j) both.at[j] = from_float<T>(values[j]);
    *reinterpret_cast<Two<T>*>(to) = both;
    return;
  }
  to[0] = from_float<T>(values[0]);
  if (inside > 1) to[1] = from_float<T>(values[1]);
}
)";

constexpr const char* kBlocks = R"(
// Fragments of a slice, 16 elements of the index that is summed away: below each other, and beside each other.
template <bool kTurned, int kParts>
__device__ inline void load_lefts(unsigned (&words)[kParts][4], const half* tile, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    load_left<kTurned>(words[part], tile + 16 * part * (kTurned ? 1 : stride), stride);
}
template <bool kTurned, int kParts>
__device__ inline void load_rights(unsigned (&words)[kParts][4], const half* tile, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    load_right<kTurned>(words[part], tile + 16 * part * (kTurned ? stride : 1), stride);
}
template <int kDown, int kAcross>
__device__ inline void multiply_slice(float (&sums)[kDown][2 * kAcross][4], const unsigned (&left)[kDown][4],
                                      const unsigned (&right)[kAcross][4]) {
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      multiply_words(sums[i][2 * j], left[i], right[j][0], right[j][1]);
      multiply_words(sums[i][2 * j + 1], left[i], right[j][2], right[j][3]);
    }
}
// A block stores a tile: `rows` and `columns` of it are inside the matrix, whose rows are `stride` apart. A thread 16
// bytes at once, where rows begin at multiples of these.
template <int kThreads, int kRows, int kColumns, class T>
__device__ inline void store_tile(T* to, const T* from, int stride, int rows, int columns) {
  constexpr int kPiece = 16 / sizeof(T);
  if (stride % kPiece == 0 && columns % kPiece == 0) {
#pragma unroll 4
    for (int i = threadIdx.x; i < kRows * kColumns / kPiece; i += kThreads) {
      const int row = i / (kColumns / kPiece), column = i % (kColumns / kPiece) * kPiece;
      if (row < rows && column < columns)
        *reinterpret_cast<uint4*>(to + row * stride + column) =
            *reinterpret_cast<const uint4*>(from + row * (kColumns + kPad) + column);
    }
    return;
  }
  for (int i = threadIdx.x; i < kRows * kColumns; i += kThreads) {
    const int row = i / kColumns, column = i % kColumns;
    if (row < rows && column < columns) to[row * stride + column] = from[row * (kColumns + kPad) + column];
  }
}
)";

constexpr const char* kOrder = R"(
// Which tile is this block's: of blocks that run together few have other rows, and few other columns, so that what they
// read meets in the L2. Eight rows of tiles are gone through column by column.
__device__ inline int2 tile_of_block() {
  const int number = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x), eight = 8 * static_cast<int>(gridDim.x);
  const int first = number / eight * 8, rows = min(8, static_cast<int>(gridDim.y) - first);
  return {number % eight / rows, first + number % eight % rows};
}
)";

constexpr const char* kWordOf = R"(
// Two elements as a word, each rounded.
__device__ inline unsigned word_of(float first, float second) {
  unsigned word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
}
)";

constexpr const char* kProducts = R"(
// Sums of kDown times 16 rows as what is left of the next product, whose steps are the columns.
template <int kDown, int kSteps, int kParts>
__device__ inline void to_left(unsigned (&left)[kDown][kSteps][4], const float (&sums)[kDown][kParts][4]) {
#pragma unroll
  for (int i = 0; i < kDown * kSteps * 4; ++i) {
    const float(&from)[4] = sums[i / (4 * kSteps)][i / 4 % kSteps * 2 + i % 4 / 2];
    left[i / (4 * kSteps)][i / 4 % kSteps][i % 4] = word_of(from[i % 2 * 2], from[i % 2 * 2 + 1]);
  }
}
// kDown times 16 rows of a tile.
template <int kDown, int kSteps>
__device__ inline void load_left(unsigned (&left)[kDown][kSteps][4], const half* rows, int stride) {
#pragma unroll
  for (int i = 0; i < kDown * kSteps; ++i)
    load_left<false>(left[i / kSteps][i % kSteps], rows + i / kSteps * 16 * stride + i % kSteps * 16, stride);
}
// Adds one step, 16 elements of the index that is summed away, to sums of 8 kParts columns.
template <bool kTurned, int kDown, int kParts>
__device__ inline void add_step(float (&sums)[kDown][kParts][4], const unsigned (&left)[kDown][4], const half* tile,
                                int stride) {
#pragma unroll
  for (int part = 0; part < kParts; part += 2) {
    unsigned right[4];
    load_right<kTurned>(right, tile + 8 * part * (kTurned ? stride : 1), stride);
#pragma unroll
    for (int down = 0; down < kDown; ++down) {
      multiply_words(sums[down][part], left[down], right[0], right[1]);
      multiply_words(sums[down][part + 1], left[down], right[2], right[3]);
    }
  }
}
// Adds all steps of a tile: what is left of them is in registers, or in shared memory, too.
template <bool kTurned, int kDown, int kSteps, int kParts>
__device__ inline void add_products(float (&sums)[kDown][kParts][4], const unsigned (&left)[kDown][kSteps][4],
                                    const half* tile, int stride) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned own[kDown][4];
    for (int i = 0; i < 4 * kDown; ++i) own[i / 4][i % 4] = left[i / 4][step][i % 4];
    add_step<kTurned>(sums, own, tile + 16 * step * (kTurned ? 1 : stride), stride);
  }
}
template <bool kTurned, int kSteps, int kDown, int kParts>
__device__ inline void add_products(float (&sums)[kDown][kParts][4], const half* rows, int row_stride,
                                    const half* tile, int stride) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned left[kDown][4];
    for (int down = 0; down < kDown; ++down)
      load_left<false>(left[down], rows + 16 * down * row_stride + 16 * step, row_stride);
    add_step<kTurned>(sums, left, tile + 16 * step * (kTurned ? 1 : stride), stride);
  }
}
)";

}  // namespace

std::string word_functions(std::string_view kernels) {
  std::string text = kWords;
  const bool floats = has_word(kernels, "load_floats"), products = has_word(kernels, "add_products");
  if (floats || products) text += kWordOf;
  if (floats) text += kFloats;
  if (has_word(kernels, "store_sums")) text += kStoredSums;
  if (has_word(kernels, "load_two") || has_word(kernels, "store_two")) text += kTwo;
  if (has_word(kernels, "multiply_slice")) text += kBlocks;
  if (has_word(kernels, "tile_of_block")) text += kOrder;
  if (products) text += kProducts;
  return text;
}

}  // namespace workbook::opt
