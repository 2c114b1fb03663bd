#include "sim/calls/texture_use.h"

#include <string>

#include "sim/check/diagnosis.h"
#include "sim/engine/arena.h"

namespace workbook::sim {
namespace {

void tell(Pc pc, runs::Severity severity, const std::string& what, const char* advice) {
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = severity;
    f.message = what;
    f.advice = advice;
  });
}

}  // namespace

void TextureUse::begin(const cudaTextureDesc& how, const std::array<std::int64_t, 3>& extent) {
  normalised_ = how.normalizedCoords != 0;
  extent_ = extent;
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (extent[d] < 2) continue;
    const cudaTextureAddressMode mode = how.addressMode[d];
    wraps_ |= mode == cudaAddressModeWrap;
    mirrors_ |= mode == cudaAddressModeMirror;
  }
}

void TextureUse::count(std::atomic<std::uint64_t>& reads, std::atomic<Pc>& first, Pc pc) {
  reads.fetch_add(1, std::memory_order_relaxed);
  Pc known = first.load(std::memory_order_relaxed);
  while ((known == 0 || pc < known) && !first.compare_exchange_weak(known, pc, std::memory_order_relaxed)) {
  }
}

void TextureUse::note(const float* at, int dimensions, Pc pc) {
  if (!workbook_sim_is_diagnosing()) return;
  reads_.fetch_add(1, std::memory_order_relaxed);
  bool far = false, outside = false, fraction = true, passes_one = false;
  for (int d = 0; d < dimensions; ++d) {
    const float x = at[d], extent = static_cast<float>(extent_[static_cast<std::size_t>(d)]);
    far |= x >= 2 || x <= -1;
    outside |= x < 0 || x >= extent;
    passes_one |= !(x >= 0 && x <= 1) || extent < 4;
    fraction &= x > 0 && x < 1 && x != 0.5F;
  }
  if (normalised_) {
    if (far) count(far_, far_at_, pc);
    return;
  }
  if (outside) count(outside_, outside_at_, pc);
  if (passes_one) passes_one_.store(true, std::memory_order_relaxed);
  if (fraction) count(fractions_, fraction_at_, pc);
}

void TextureUse::note_layer(int layer, Pc pc) {
  if (!workbook_sim_is_diagnosing()) return;
  layer_.store(layer, std::memory_order_relaxed);
  count(layerless_, layerless_at_, pc);
}

void TextureUse::note_past(long long index, const char* memory, std::size_t element, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (!workbook_sim_is_diagnosing() || index < 0 || !Arena::contains(address)) return;
  const std::uint64_t offset = address - Arena::base();
  const Allocation* const a = Arena::get().find(offset);
  if (a == nullptr) return;
  const auto elements = static_cast<long long>((a->offset + a->bytes - offset) / element);
  if (index >= elements) return;
  there_are_.store(elements, std::memory_order_relaxed);
  count(past_, past_at_, pc);
}

void TextureUse::report() {
  if (const std::uint64_t past = past_.exchange(0); past > 0)
    tell(past_at_, runs::Severity::warning,
         std::to_string(past) + " reads of this texture go past its " + std::to_string(extent_[0]) +
             " elements and give 0, where the memory it was made of has " + std::to_string(there_are_) + ".",
         "sizeInBytes in its cudaResourceDesc counts bytes and not elements: multiply by the size of one.");
  if (const std::uint64_t reads = layerless_.exchange(0); reads > 0) {
    const std::string last = std::to_string(extent_[2] - 1);
    tell(layerless_at_, runs::Severity::warning,
         std::to_string(reads) + " reads of this texture ask for a layer that it does not have, as layer " +
             std::to_string(layer_) + ": its layers are 0 to " + last +
             ", and a GPU takes the nearest of them without a word.",
         "Layers count from 0, and are as many as the array was made with: the depth of its cudaExtent.");
  }
  const std::uint64_t reads = reads_.exchange(0);
  if (reads == 0) return;
  constexpr std::uint64_t kSome = 8;  // fewer may be a point that happens to lie there
  if (normalised_ && !wraps_ && !mirrors_ && far_ > reads / 2 && far_ >= kSome)
    tell(
        far_at_, runs::Severity::warning,
        std::to_string(far_) + " of " + std::to_string(reads) +
            " reads of this texture lie a whole image and more beside it: it was made with normalizedCoords = 1, so "
            "that its coordinates go from 0 to 1, and here they count pixels.",
        "Divide the coordinates by the extent, (x + 0.5f) / width, or make the texture with normalizedCoords = 0.");
  if (!normalised_ && !passes_one_ && fractions_ > reads / 2 && fractions_ >= kSome)
    tell(
        fraction_at_, runs::Severity::warning,
        "all " + std::to_string(reads) +
            " reads of this texture lie between 0 and 1, in its first pixels: it was made with normalizedCoords = 0, "
            "so that its coordinates count pixels.",
        "Set normalizedCoords = 1 in the cudaTextureDesc, or multiply the coordinates by the extent.");
  if (!normalised_ && outside_ > 0 && (wraps_ || mirrors_))
    tell(
        outside_at_, mirrors_ ? runs::Severity::warning : runs::Severity::advice,
        std::string(mirrors_ ? "cudaAddressModeMirror" : "cudaAddressModeWrap") +
            " works for normalised coordinates alone: the texture was made with normalizedCoords = 0, and what is read "
            "beside it here is its outermost pixel.",
        "Make the texture with normalizedCoords = 1 and divide the coordinates by the extent; or say "
        "cudaAddressModeClamp, if that is what is meant.");
}

}  // namespace workbook::sim
