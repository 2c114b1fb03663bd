// Products of warp groups (wgmma): the last thread of the four warps computes for all, at once. In the
// diagnosing build each thread is seen to read a share of the tiles before, and they are in use until the
// product is waited for.
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine.h"
#include "group_tiles.h"
#include "workbook_sim/engine_api.h"
#include "workbook_sim/group_product.h"
#include "workbook_sim/small_float_format.h"

namespace workbook::sim {
namespace {

constexpr int kRows = 64, kMostColumns = 256, kMostDepth = 32, kLanes = 128;

/// What a thread brings.
struct Share {
  void* const* sums;
  GroupForm form;
  std::uint32_t registers[4];
  std::uint64_t left, right;
  bool adds;
  std::uint32_t came = ~0u;  ///< lanes of its warp
  bool differs = false;      ///< the threads do not name the same tiles
  Pc pc = 0;
  std::uint32_t low = 0;  ///< Worker::lowest_shared
};

constexpr int bits_of(GroupFactor factor) {
  return factor == GroupFactor::tf32                                 ? 32
         : factor == GroupFactor::f16 || factor == GroupFactor::bf16 ? 16
                                                                     : 8;
}

float decode_e4m3(std::uint8_t bits) {
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  if ((bits & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                        : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

/// The 16 bytes at `from` as numbers, each `step` floats behind the one before.
void decode(const void* from, GroupFactor factor, bool negative, float* to, int step) {
  std::uint8_t bytes[16];
  std::memcpy(bytes, from, sizeof bytes);
  const int count = 128 / bits_of(factor);
  for (int i = 0; i < count; ++i) {
    std::uint16_t half = 0;
    std::uint32_t word = 0;
    float value = 0.0f;
    if (bits_of(factor) == 16) std::memcpy(&half, bytes + 2 * i, sizeof half);
    switch (factor) {
      case GroupFactor::f16:
        value = decode_half(half);
        break;
      case GroupFactor::bf16:
        value = decode_bfloat16(half);
        break;
      case GroupFactor::tf32:
        std::memcpy(&word, bytes + 4 * i, sizeof word);
        value = std::bit_cast<float>(word & 0xffffe000u);
        break;
      case GroupFactor::e4m3:
        value = decode_e4m3(bytes[i]);
        break;
      case GroupFactor::e5m2:
        value = decode_half(static_cast<std::uint16_t>(bytes[i] << 8));
        break;
    }
    to[i * step] = negative ? -value : value;
  }
}

const void* shared_at(std::uint32_t offset) { return workbook_sim_shared_address(offset); }

struct Factors {
  float left[kRows][kMostDepth], right[kMostDepth][kMostColumns];
};

int depth_of(GroupForm form) { return 256 / bits_of(static_cast<GroupFactor>(form.left)); }

void read_left(const Share& any, void* const* lanes, Factors& to) {
  const GroupForm form = any.form;
  const auto factor = static_cast<GroupFactor>(form.left);
  const int in_chunk = 128 / bits_of(factor), in_word = in_chunk / 4;
  if (form.left_in_registers) {
    for (int lane = 0; lane < kLanes; ++lane) {
      if (lanes[lane] == nullptr) continue;
      const auto& share = *static_cast<const Share*>(lanes[lane]);
      for (int r = 0; r < 4; ++r) {
        const std::uint32_t padded[4] = {share.registers[r]};
        float values[16];
        decode(padded, factor, form.negative_left, values, 1);
        float* const row = to.left[lane / 32 * 16 + lane % 32 / 4 + r % 2 * 8];
        std::memcpy(row + (lane % 4 + r / 2 * 4) * in_word, values,
                    sizeof(float) * static_cast<std::size_t>(in_word));
      }
    }
    return;
  }
  const GroupTile tile(any.left, any.low);
  if (!form.left_across) {
    for (std::uint32_t row = 0; row < kRows; ++row)
      for (std::uint32_t half = 0; half < 2; ++half)
        decode(shared_at(tile.along_k(row, half)), factor, form.negative_left,
               to.left[row] + static_cast<int>(half) * in_chunk, 1);
    return;
  }
  for (std::uint32_t k = 0; k < 16; ++k)
    for (std::uint32_t chunk = 0; chunk < kRows / 8; ++chunk)
      decode(shared_at(tile.across(chunk, k)), factor, form.negative_left, &to.left[chunk * 8][k],
             kMostDepth);
}

void read_right(const Share& any, Factors& to) {
  const GroupForm form = any.form;
  const auto factor = static_cast<GroupFactor>(form.right);
  const int in_chunk = 128 / bits_of(factor);
  const GroupTile tile(any.right, any.low);
  if (!form.right_across) {
    for (std::uint32_t column = 0; column < form.columns; ++column)
      for (std::uint32_t half = 0; half < 2; ++half)
        decode(shared_at(tile.along_k(column, half)), factor, form.negative_right,
               &to.right[static_cast<int>(half) * in_chunk][column], kMostColumns);
    return;
  }
  for (std::uint32_t k = 0; k < 16; ++k)
    for (std::uint32_t chunk = 0; chunk < form.columns / 8; ++chunk)
      decode(shared_at(tile.across(chunk, k)), factor, form.negative_right, &to.right[k][chunk * 8], 1);
}

/// Registers of a row, by groups of 8 columns and the four lanes that hold it, two columns each.
template <class Visit>
void each_of_row(int row, GroupForm form, void* const* lanes, Visit visit) {
  const int first = row / 16 * 32 + row % 8 * 4, below = row % 16 / 8;
  for (int lane = 0; lane < 4; ++lane) {
    const auto* share = static_cast<const Share*>(lanes[first + lane]);
    if (share == nullptr) continue;
    for (int group = 0; group < static_cast<int>(form.columns) / 8; ++group) {
      const int column = group * 8 + lane * 2;
      if (static_cast<GroupSum>(form.sum) == GroupSum::f16)
        visit(column, share->sums[group * 2 + below], nullptr);
      else
        visit(column, share->sums[group * 4 + below * 2], share->sums[group * 4 + below * 2 + 1]);
    }
  }
}

void multiply_row(const Factors& factors, int row, int depth, int columns, float* sums) {
  typedef float Four __attribute__((vector_size(16)));
  for (int column = 0; column < columns; column += 8) {
    Four one, next;
    std::memcpy(&one, sums + column, sizeof one);
    std::memcpy(&next, sums + column + 4, sizeof next);
    for (int k = 0; k < depth; ++k) {
      Four a, b;
      std::memcpy(&a, &factors.right[k][column], sizeof a);
      std::memcpy(&b, &factors.right[k][column + 4], sizeof b);
      one += factors.left[row][k] * a;
      next += factors.left[row][k] * b;
    }
    std::memcpy(sums + column, &one, sizeof one);
    std::memcpy(sums + column + 4, &next, sizeof next);
  }
}

void multiply(void* const* lanes, const Share& any) {
  thread_local std::vector<Factors> room(1);
  Factors& factors = room.front();
  const GroupForm form = any.form;
  read_left(any, lanes, factors);
  read_right(any, factors);
  const int depth = depth_of(form), columns = static_cast<int>(form.columns);
  workbook_sim_mma(2.0 * kRows * columns * depth * (16.0 / depth));
  for (int row = 0; row < kRows; ++row) {
    float sums[kMostColumns] = {};
    if (any.adds)
      each_of_row(row, form, lanes, [&](int column, const void* one, const void* next) {
        if (next == nullptr) {
          std::uint16_t both[2];
          std::memcpy(both, one, sizeof both);
          sums[column] = decode_half(both[0]), sums[column + 1] = decode_half(both[1]);
        } else {
          std::memcpy(&sums[column], one, sizeof(float));
          std::memcpy(&sums[column + 1], next, sizeof(float));
        }
      });
    multiply_row(factors, row, depth, columns, sums);
    each_of_row(row, form, lanes, [&](int column, void* one, void* next) {
      if (next == nullptr) {
        const std::uint16_t both[2] = {encode_half(sums[column]), encode_half(sums[column + 1])};
        std::memcpy(one, both, sizeof both);
      } else {
        std::memcpy(one, &sums[column], sizeof(float));
        std::memcpy(next, &sums[column + 1], sizeof(float));
      }
    });
  }
}

/// Chunk `i` of those that the warp group reads of its tiles: eight rows that follow each other first, which
/// is how the hardware reads without bank conflicts.
struct Chunks {
  const Share& share;
  std::uint32_t of_left() const { return share.form.left_in_registers ? 0 : kRows * 2; }
  std::uint32_t count() const { return of_left() + share.form.columns * 2; }
  std::uint32_t at(std::uint32_t i) const {
    const bool left = i < of_left();
    if (!left) i -= of_left();
    const GroupTile tile(left ? share.left : share.right, share.low);
    const std::uint32_t eight = i / 8, line = i % 8;
    if (left ? share.form.left_across : share.form.right_across)
      return tile.across(eight / 2, eight % 2 * 8 + line);
    return tile.along_k(eight / 2 * 8 + line, eight % 2);
  }
};

/// The tiles are in use from here on.
void tell_of_reads(const Share& share) {
  Worker& worker = *this_worker;
  if (!worker.events) return;
  thread_local std::vector<std::uintptr_t> read;
  const Chunks chunks{share};
  read.clear();
  for (std::uint32_t i = 0; i < chunks.count(); ++i)
    read.push_back(reinterpret_cast<std::uintptr_t>(shared_at(chunks.at(i))));
  const std::uint32_t first = worker.running->linear / kLanes * kLanes;
  worker.events->begin_product(first, read, share.pc);
}

void multiply_together(void* const* lanes, std::uint32_t) {
  Share* any = nullptr;
  for (int lane = 0; lane < kLanes; ++lane) {
    auto* const share = static_cast<Share*>(lanes[lane]);
    if (share == nullptr) continue;
    std::uint32_t came = 0;
    for (int other = 0; other < 32; ++other)
      came |= std::uint32_t{lanes[lane / 32 * 32 + other] != nullptr} << other;
    share->came = came;
    if (any == nullptr) any = share;
    if (share->left != any->left || share->right != any->right ||
        std::bit_cast<std::uint32_t>(share->form) != std::bit_cast<std::uint32_t>(any->form))
      any->differs = true;
  }
  if (any->differs) return;
  multiply(lanes, *any);
  tell_of_reads(*any);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

void workbook_sim_group_product(void* const* sums, GroupForm form, std::uint64_t left, std::uint32_t left0,
                                std::uint32_t left1, std::uint32_t left2, std::uint32_t left3,
                                std::uint64_t right, bool adds) {
  const Pc pc = WORKBOOK_PC;
  Worker& worker = running_worker("wgmma");
  Share share{sums,  form, {left0, left1, left2, left3}, left, right, adds, ~0u,
              false, pc,   worker.lowest_shared};
  const Chunks chunks{share};
  const std::uint32_t thread = worker.current->linear % kLanes;
  if (worker.events)
    for (std::uint32_t i = thread; i < chunks.count(); i += kLanes)
      worker.events->read_for_product(reinterpret_cast<std::uintptr_t>(shared_at(chunks.at(i))), 16, pc);
  worker.meet_group(&share, &multiply_together, pc);
  if (share.differs)
    worker.refuse(
        "the threads of a warp group give wgmma different descriptors: all of them name the same tiles", pc);
  if (!worker.events) return;
  if (share.came != ~0u) worker.events->see_warp_part(share.came, pc);
  const bool halves = static_cast<GroupSum>(form.sum) == GroupSum::f16;  // two in a register
  worker.events->begin_sums(sums, form.columns / (halves ? 4 : 2), pc);
}

void workbook_sim_group_commit() {
  if (Worker& worker = running_worker("wgmma.commit_group"); worker.events) worker.events->close_products();
}

void workbook_sim_group_wait(unsigned int pending) {
  if (Worker& worker = running_worker("wgmma.wait_group"); worker.events)
    worker.events->wait_for_products(pending);
}

}  // extern "C"
