// Copies by tensor maps (cp.async.bulk.tensor): a box is copied by pieces of 16 bytes of its rows, which is
// what swizzles move. Made at once, but in the diagnosing build, which makes those to shared memory late.
#include <algorithm>
#include <cstring>
#include <string>

#include "engine.h"
#include "tensor_box.h"
#include "workbook_sim/engine_api.h"
#include "workbook_sim/tensor_map.h"

namespace workbook::sim {
namespace {

constexpr std::uint32_t kPiece = 16, kShareAlignment = 128;

TensorBox box_of(Worker& worker, const void* map, int rank, const void* shared, Pc pc) {
  TensorBox box;
  std::memcpy(&box, map, sizeof box);
  if (box.magic != TensorBox::kMagic)
    worker.refuse(
        "cp.async.bulk.tensor is given the address of something that is no tensor map of "
        "cuTensorMapEncodeTiled(): a kernel takes its map as const __grid_constant__ CUtensorMap",
        pc);
  if (box.rank != rank) {
    const std::string what = "cp.async.bulk.tensor names " + std::to_string(rank) +
                             " coordinates, and its tensor map has rank " + std::to_string(box.rank);
    worker.refuse(what.c_str(), pc);
  }
  if (workbook_sim_shared_offset(shared) % kShareAlignment != 0)
    worker.refuse(
        "cp.async.bulk.tensor needs an address in shared memory that is a multiple of 128: declare the array "
        "with alignas(128), or alignas(1024) where the map swizzles by 128 bytes",
        pc);
  return box;
}

/// Calls visit(row, from, begin, end) for each row of the box: its number, where its first element lies or
/// would lie, and which of its bytes are the tensor's.
template <class Visit>
void each_row(const TensorBox& box, const int* at, Visit visit) {
  const auto extent = [&](int d) { return std::int64_t{box.last[d]} + 1; };
  const std::int64_t bytes = box.element_bytes;
  const std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t{at[0]}, 0, box.box[0]) * bytes,
                     end = std::clamp<std::int64_t>(extent(0) - at[0], 0, box.box[0]) * bytes;
  std::uint32_t counts[TensorBox::kMostRank] = {1, 1, 1, 1, 1}, index[TensorBox::kMostRank] = {}, rows = 1;
  for (int d = 1; d < box.rank; ++d) rows *= counts[d] = box.count(d);
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::int64_t from = std::int64_t{at[0]} * bytes;
    bool inside = begin < end;
    for (int d = 1; d < box.rank; ++d) {
      const std::int64_t place = std::int64_t{at[d]} + std::int64_t{index[d]} * box.steps[d];
      inside = inside && place >= 0 && place < extent(d);
      from += place * static_cast<std::int64_t>(box.strides[d - 1]);
    }
    visit(row, box.address + static_cast<std::uint64_t>(from),
          inside ? static_cast<std::uint32_t>(begin) : 0u, inside ? static_cast<std::uint32_t>(end) : 0u);
    for (int d = 1; d < box.rank && ++index[d] == counts[d]; ++d) index[d] = 0;
  }
}

/// Where the byte lies that is so far from the box's beginning.
std::uintptr_t swizzled(const TensorBox& box, std::uintptr_t shared, std::size_t offset) {
  const std::size_t place = offset & ~std::size_t{kPiece - 1};
  const std::size_t window = workbook_sim_shared_offset(reinterpret_cast<const void*>(shared)) + place;
  const std::size_t moved = window ^ ((window >> 7 & (box.width / kPiece - 1u)) << 4);
  return shared + place + moved - window + offset % kPiece;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

std::uint32_t workbook_sim_tensor_load(void* to, const void* map, int rank, const int* at,
                                       const void* barrier) {
  const Pc pc = WORKBOOK_PC;
  Worker& worker = running_worker("cp.async.bulk.tensor");
  const TensorBox box = box_of(worker, map, rank, to, pc);
  const auto shared = reinterpret_cast<std::uintptr_t>(to);
  each_row(box, at, [&](std::uint32_t row, std::uint64_t from, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t piece = 0; piece < box.row_bytes(); piece += kPiece) {
      const std::uintptr_t there = swizzled(box, shared, row * box.row_bytes() + piece);
      const std::uint32_t first = std::clamp(begin, piece, piece + kPiece),
                          last = std::clamp(end, piece, piece + kPiece);
      const std::size_t before = first - piece, bytes = last - first;
      if (worker.events) {
        worker.events->begin_bulk_piece(there, from + first, before, bytes, kPiece - before - bytes, barrier,
                                        pc);
        continue;
      }
      auto* const place = reinterpret_cast<char*>(there);
      std::memset(place, 0, kPiece);
      std::memcpy(place + before, reinterpret_cast<const void*>(from + first), bytes);
    }
  });
  return box.bytes();
}

void workbook_sim_tensor_store(const void* map, int rank, const int* at, const void* from) {
  const Pc pc = WORKBOOK_PC;
  Worker& worker = running_worker("cp.async.bulk.tensor");
  const TensorBox box = box_of(worker, map, rank, from, pc);
  const auto shared = reinterpret_cast<std::uintptr_t>(from);
  if (worker.events) worker.events->begin_bulk_store(shared, box.bytes(), pc);
  each_row(box, at, [&](std::uint32_t row, std::uint64_t to, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t byte = begin; byte < end;) {
      const std::uint32_t bytes = std::min(kPiece - byte % kPiece, end - byte);
      const std::uintptr_t here = swizzled(box, shared, row * box.row_bytes() + byte);
      if (worker.events) worker.events->store_bulk_piece(to + byte, here, bytes, pc);
      std::memcpy(reinterpret_cast<void*>(to + byte), reinterpret_cast<const void*>(here), bytes);
      byte += bytes;
    }
  });
}

}  // extern "C"
