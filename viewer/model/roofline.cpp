#include "model/roofline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "clock/model.h"
#include "model/format.h"
#include "runs/timing.h"

namespace workbook::viewer {
namespace {

// Below this share of the roof, something that the roof does not know decides.
constexpr double kFarBelow = 0.3;
// Ratios this close to 1 are called the same.
constexpr double kAlike = 0.02;

Roof make_roof(const sim::GpuSpec& gpu) {
  const sim::ModelConstants constants;
  return {std::string(gpu.key),   std::string(gpu.name),
          gpu.dram_gbps * 1e9,    constants.l2_bytes_per_clock * gpu.sms * gpu.clock_ghz * 1e9,
          gpu.fp32_tflops * 1e12, gpu.fp16_tflops * 1e12};
}

bool is_on(const runs::RunRecord& run, const Roof& roof) {
  const auto own = roof_of(run);
  return own && own->key == roof.key;
}

RoofPoint make_point(const Segment& segment) {
  RoofPoint point;
  point.name = segment.kernel;
  point.flops = segment.flops;
  point.tensor_flops = segment.tensor_flops;
  point.bytes = static_cast<double>(segment.bytes_read + segment.bytes_written);
  point.us = segment.time.median_us;
  point.bound = segment.bound;
  return point;
}

// What is far below the roof is held there by what bounds most of its time.
runs::BoundBy main_bound(const RoofSide& side) {
  const RoofPoint* longest = nullptr;
  for (const RoofPoint& kernel : side.kernels)
    if (longest == nullptr || kernel.us > longest->us) longest = &kernel;
  return longest == nullptr ? runs::BoundBy::none : longest->bound;
}

std::string holds_back(runs::BoundBy bound, const std::string& name) {
  if (bound == runs::BoundBy::launch) return "launches hold " + name + " back";
  if (bound == runs::BoundBy::load_store) return "load/store units hold " + name + " back";
  if (bound == runs::BoundBy::tensor_cores) return "tensor cores hold " + name + " back";
  if (bound == runs::BoundBy::atomics) return "atomics hold " + name + " back";
  if (bound == runs::BoundBy::dispatch) return "starting blocks holds " + name + " back";
  if (bound == runs::BoundBy::arithmetic) return "idle lanes hold " + name + " back";
  return (bound == runs::BoundBy::none ? "something else" : runs::word_of(bound)) + std::string(" holds ") +
         name + " back";
}

std::string bytes_needed(const RoofSide& a, const RoofSide& b, const std::string& name_b) {
  const double ratio = b.whole.bytes / a.whole.bytes;
  if (std::fabs(ratio - 1.0) < kAlike) return capitalised(name_b) + " moves as many bytes";
  return capitalised(name_b) + " needs " + format_ratio(ratio) + " the bytes";
}

double share_of_roof(const RoofSide& side, const Roof& roof) {
  return side.whole.us_at(roof) / side.whole.us;
}

}  // namespace

double Roof::at(double intensity) const { return std::min(peak_flops, intensity * dram_bps); }

double RoofPoint::peak(const Roof& roof) const {
  if (tensor_flops == 0.0) return roof.peak_flops;
  return flops / (std::max(0.0, flops - tensor_flops) / roof.peak_flops + tensor_flops / roof.tensor_flops);
}

double RoofPoint::us_at(const Roof& roof) const {
  return std::max(bytes / roof.dram_bps, flops / peak(roof)) * 1e6;
}

std::vector<Roof> known_roofs() {
  std::vector<Roof> roofs;
  for (const sim::GpuSpec& gpu : sim::known_gpus()) roofs.push_back(make_roof(gpu));
  return roofs;
}

std::optional<Roof> roof_of(const runs::RunRecord& run) {
  const sim::GpuSpec* found = nullptr;
  for (const sim::GpuSpec& gpu : sim::known_gpus())  // the longest name: "RTX 4090" before "4090"
    if (run.device.find(gpu.name) != std::string::npos &&
        (found == nullptr || gpu.name.size() > found->name.size()))
      found = &gpu;
  if (found == nullptr) return std::nullopt;
  return make_roof(*found);
}

RoofSide make_roof_side(const runs::RunRecord& run, const std::string& benchmark_name, const Roof& roof) {
  RoofSide result;
  const runs::Benchmark* benchmark = runs::find_benchmark(run, benchmark_name);
  if (benchmark == nullptr) return result;
  const Side side = make_side(run, benchmark_name);
  if (!side.counted) return result;
  result.present = true;
  result.basis = side.basis;
  for (const Segment& segment : side.segments) result.kernels.push_back(make_point(segment));
  result.whole.us = side.total.median_us;
  if (!is_on(run, roof)) {
    const sim::GpuSpec* gpu = sim::find_gpu(roof.key);
    result.basis = Basis::modelled;
    result.whole.us = 0.0;
    for (std::size_t i = 0; i < result.kernels.size(); ++i) {
      const runs::ModelledTime time = sim::model_time(*gpu, benchmark->launches[i]);
      result.kernels[i].us = time.total_us;
      result.kernels[i].bound = time.bound;
      result.whole.us += time.total_us;
    }
  }
  result.whole.name = run.variant;
  result.whole.flops = side.flops;
  result.whole.tensor_flops = side.tensor_flops;
  result.whole.bytes = static_cast<double>(side.bytes());
  return result;
}

RoofWords describe(const RoofSide& a, const RoofSide& b, const std::string& name_a, const std::string& name_b,
                   const Roof& roof) {
  if (!a.present || !b.present) {
    const RoofSide& only = a.present ? a : b;
    if (!only.present || !only.whole.drawn()) return {"Nothing to place under the roof", ""};
    const bool bytes = only.whole.below_slope(roof);
    return {
        capitalised(a.present ? name_a : name_b) +
            (bytes ? " lies under the slope: bytes decide" : " lies under the flat roof: arithmetic decides"),
        "It is at " + format_percent(share_of_roof(only, roof)) + " of what the roof allows."};
  }
  if (!a.whole.drawn() || !b.whole.drawn())
    return {"Nothing to place under the roof", a.whole.flops > 0
                                                   ? "These runs hold no times."
                                                   : "This puzzle declares no arithmetic: it moves data."};
  const double share_a = share_of_roof(a, roof), share_b = share_of_roof(b, roof);
  const bool slope_a = a.whole.below_slope(roof), slope_b = b.whole.below_slope(roof);
  RoofWords words;
  if (share_a < kFarBelow && share_b < kFarBelow) {
    const runs::BoundBy why_a = main_bound(a), why_b = main_bound(b);
    words.headline = "Both are far below the roof: " +
                     (why_a == why_b ? holds_back(why_a, "both")
                                     : holds_back(why_a, name_a) + ", " + holds_back(why_b, name_b));
    if (why_a == runs::BoundBy::none || why_b == runs::BoundBy::none)
      words.headline = "Both are far below the roof: neither bytes nor arithmetic decide";
  } else if (share_a < kFarBelow || share_b < kFarBelow) {
    const bool b_is_far = share_b < kFarBelow;
    words.headline = capitalised(b_is_far ? name_b : name_a) + " is far below the roof; " +
                     (b_is_far ? name_a : name_b) + " is near it, where " +
                     ((b_is_far ? slope_a : slope_b) ? "bytes decide" : "arithmetic decides");
  } else if (slope_a && slope_b) {
    words.headline = "Both lie under the slope: bytes decide";
  } else if (!slope_a && !slope_b) {
    words.headline = "Both lie under the flat roof: arithmetic decides";
  } else {
    words.headline =
        slope_b ? capitalised(name_b) + " lies under the slope, where bytes decide; " + name_a + " does not"
                : capitalised(name_b) + " has left the slope: bytes no longer decide";
  }
  words.detail = bytes_needed(a, b, name_b) + ", and is at " + format_percent(share_b) + " of its roof; " +
                 name_a + " is at " + format_percent(share_a) + ".";
  return words;
}

std::string format_percent(double share) {
  if (share > 0.0 && share < 0.0005) return "<0.1 %";
  char text[16];
  std::snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100.0 * share);
  return text;
}

std::string format_rate(double per_second, const std::string& unit) {
  static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  for (; per_second >= 999.5 && prefix + 1 < std::size(kPrefixes); ++prefix) per_second /= 1000.0;
  char text[32];
  const int decimals = per_second < 9.995 ? 2 : per_second < 99.95 ? 1 : 0;
  std::snprintf(text, sizeof text, "%.*f ", decimals, per_second);
  return text + std::string(kPrefixes[prefix]) + unit;
}

}  // namespace workbook::viewer
