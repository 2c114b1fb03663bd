#include "gpu/tensor_set.h"

#include <algorithm>
#include <cstring>

#include "core/prepare.h"

namespace workbook::gpu {
namespace {

// Like core::kPoisonBits a NaN that no arithmetic produces: a read beyond a tensor ends as NaN in the result,
// and a store of any number, a computed NaN too, changes it.
constexpr std::uint32_t kGuard = 0x7fc0'cafe;

// What cudaMalloc promises, in words: puzzles may use 16-byte loads on any tensor.
constexpr std::size_t kAlignWords = 256 / sizeof(std::uint32_t);

std::size_t align(std::size_t words) { return (words + kAlignWords - 1) / kAlignWords * kAlignWords; }

// A copy from pageable memory returns once that may be changed, which is before its last bytes arrive, and
// our streams do not wait for the default one.
void upload(void* to, const void* from, std::size_t bytes) {
  WORKBOOK_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  WORKBOOK_CUDA(cudaDeviceSynchronize());
}

}  // namespace

TensorSet::TensorSet(const core::Workload& workload, std::size_t guard_bytes) {
  const std::size_t guard_words = align(guard_bytes / sizeof(std::uint32_t));
  std::size_t at = guard_words;
  for (const auto& info : workload.tensors) {
    const std::size_t size = static_cast<std::size_t>(info.bytes) / sizeof(std::uint32_t);
    tensors_.push_back({at, at + size});
    at = align(at + size + guard_words);
  }
  words_ = at;

  std::vector<std::uint32_t> image(words_, kGuard);
  for (std::size_t id = 0; id < tensors_.size(); ++id) {
    const auto [begin, end] = tensors_[id];
    const auto& initial = workload.initial[id];
    if (initial.empty())
      std::fill(image.begin() + static_cast<std::ptrdiff_t>(begin),
                image.begin() + static_cast<std::ptrdiff_t>(end), core::kPoisonBits);
    else
      std::memcpy(&image[begin], initial.data(), (end - begin) * sizeof(std::uint32_t));
  }
  memory_ = make_memory(bytes());
  upload(memory_.get(), image.data(), bytes());
}

TensorSet::TensorSet(const TensorSet& other)
    : tensors_(other.tensors_), words_(other.words_), memory_(make_memory(other.bytes())) {
  WORKBOOK_CUDA(cudaMemcpy(memory_.get(), other.memory_.get(), bytes(), cudaMemcpyDeviceToDevice));
  // A copy within the device returns before it is done, and our streams do not wait for the default one.
  WORKBOOK_CUDA(cudaDeviceSynchronize());
}

std::vector<float*> TensorSet::pointers() const {
  std::vector<float*> pointers;
  for (const auto& span : tensors_) pointers.push_back(reinterpret_cast<float*>(word(span.begin)));
  return pointers;
}

std::vector<float> TensorSet::download(int tensor) const {
  const auto [begin, end] = tensors_[static_cast<std::size_t>(tensor)];
  std::vector<float> values(end - begin);
  WORKBOOK_CUDA(
      cudaMemcpy(values.data(), word(begin), values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

std::vector<Damage> TensorSet::take_damage() {
  std::vector<Damage> damage;
  std::vector<std::uint32_t> zone;
  // Zone `i` lies before tensor `i`; the last one after the last tensor.
  for (std::size_t i = 0; i <= tensors_.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : tensors_[i - 1].end;
    const std::size_t end = i == tensors_.size() ? words_ : tensors_[i].begin;
    zone.resize(end - begin);
    WORKBOOK_CUDA(
        cudaMemcpy(zone.data(), word(begin), zone.size() * sizeof(zone[0]), cudaMemcpyDeviceToHost));

    const auto changed = [](std::uint32_t value) { return value != kGuard; };
    const auto first = std::find_if(zone.begin(), zone.end(), changed);
    if (first == zone.end()) continue;
    // Overrunning the tensor before is the usual slip; words nearer to the next tensor are its underrun.
    const auto offset = static_cast<std::size_t>(first - zone.begin());
    const bool overrun = i == tensors_.size() || (i > 0 && offset < zone.size() / 2);
    const std::size_t tensor = overrun ? i - 1 : i;
    damage.push_back(
        {static_cast<int>(tensor),
         static_cast<std::int64_t>(begin + offset) - static_cast<std::int64_t>(tensors_[tensor].begin),
         std::count_if(zone.begin(), zone.end(), changed)});
    std::fill(zone.begin(), zone.end(), kGuard);
    upload(word(begin), zone.data(), zone.size() * sizeof(zone[0]));
  }
  return damage;
}

}  // namespace workbook::gpu
