#include "gpu/tensor_set.h"

#include <algorithm>
#include <cstring>

namespace workbook::gpu {
namespace {

// Bytes of a guard zone, repeated from the allocation's start on. As floats they are NaNs that no arithmetic
// produces, like the poison: a read beyond a tensor ends as NaN in the result, and a store of any number
// changes them.
constexpr std::byte kGuard[4] = {std::byte{0xfe}, std::byte{0xca}, std::byte{0xc0}, std::byte{0x7f}};
std::byte guard_at(std::size_t offset) { return kGuard[offset % 4]; }

// What cudaMalloc promises: puzzles may use 16-byte loads on any tensor.
constexpr std::size_t kAlign = 256;
std::size_t align(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

// A copy from pageable memory returns once that may be changed, which is before its last bytes arrive, and
// our streams do not wait for the default one.
void upload(void* to, const void* from, std::size_t bytes) {
  WORKBOOK_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  WORKBOOK_CUDA(cudaDeviceSynchronize());
}

}  // namespace

TensorSet::TensorSet(const core::Workload& workload, std::size_t guard_bytes) {
  std::size_t offset = align(guard_bytes);
  for (const auto& info : workload.tensors) {
    const auto size = static_cast<std::size_t>(info.bytes);
    tensors_.push_back(
        {offset, offset + size, core::size_of(workload.types[static_cast<std::size_t>(info.id)])});
    offset = align(offset + size + align(guard_bytes));
  }
  bytes_ = offset;

  core::Bytes image(bytes_);
  for (std::size_t i = 0; i < bytes_; ++i) image[i] = guard_at(i);
  for (std::size_t id = 0; id < tensors_.size(); ++id) {
    const Span& span = tensors_[id];
    const core::Bytes& initial = workload.initial[id];
    if (initial.empty())
      std::memset(&image[span.begin], std::to_integer<int>(core::kPoison), span.end - span.begin);
    else
      std::memcpy(&image[span.begin], initial.data(), span.end - span.begin);
  }
  memory_ = make_memory(bytes_);
  upload(memory_.get(), image.data(), bytes_);
}

TensorSet::TensorSet(const TensorSet& other)
    : tensors_(other.tensors_), bytes_(other.bytes_), memory_(make_memory(other.bytes())) {
  WORKBOOK_CUDA(cudaMemcpy(memory_.get(), other.memory_.get(), bytes_, cudaMemcpyDeviceToDevice));
  // A copy within the device returns before it is done, and our streams do not wait for the default one.
  WORKBOOK_CUDA(cudaDeviceSynchronize());
}

std::vector<void*> TensorSet::pointers() const {
  std::vector<void*> pointers;
  for (const Span& span : tensors_) pointers.push_back(at(span.begin));
  return pointers;
}

core::Bytes TensorSet::download(int tensor) const {
  const Span& span = tensors_[static_cast<std::size_t>(tensor)];
  core::Bytes values(span.end - span.begin);
  WORKBOOK_CUDA(cudaMemcpy(values.data(), at(span.begin), values.size(), cudaMemcpyDeviceToHost));
  return values;
}

void TensorSet::restore_from(const TensorSet& other, cudaStream_t stream) {
  WORKBOOK_CUDA(
      cudaMemcpyAsync(memory_.get(), other.memory_.get(), bytes_, cudaMemcpyDeviceToDevice, stream));
}

std::vector<Damage> TensorSet::take_damage() {
  std::vector<Damage> damage;
  core::Bytes zone;
  // Zone `i` lies before tensor `i`; the last one after the last tensor.
  for (std::size_t i = 0; i <= tensors_.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : tensors_[i - 1].end;
    const std::size_t end = i == tensors_.size() ? bytes_ : tensors_[i].begin;
    zone.resize(end - begin);
    WORKBOOK_CUDA(cudaMemcpy(zone.data(), at(begin), zone.size(), cudaMemcpyDeviceToHost));
    std::size_t first = zone.size(), changed = 0;
    for (std::size_t offset = 0; offset < zone.size(); ++offset) {
      if (zone[offset] == guard_at(begin + offset)) continue;
      first = std::min(first, offset);
      ++changed;
    }
    if (changed == 0) continue;
    // Overrunning the tensor before is the usual slip; bytes nearer to the next tensor are its underrun.
    const bool overrun = i == tensors_.size() || (i > 0 && first < zone.size() / 2);
    const std::size_t tensor = overrun ? i - 1 : i;
    const auto size = static_cast<std::int64_t>(tensors_[tensor].element);
    const auto distance =
        static_cast<std::int64_t>(begin + first) - static_cast<std::int64_t>(tensors_[tensor].begin);
    // Rounded down on either side of the tensor.
    damage.push_back({static_cast<int>(tensor), (distance < 0 ? distance - size + 1 : distance) / size,
                      (static_cast<std::int64_t>(changed) + size - 1) / size});
    for (std::size_t offset = 0; offset < zone.size(); ++offset) zone[offset] = guard_at(begin + offset);
    upload(at(begin), zone.data(), zone.size());
  }
  return damage;
}

}  // namespace workbook::gpu
