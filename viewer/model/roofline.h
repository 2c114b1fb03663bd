// Two runs under the roof of a GPU, as data: what the Roofline panel draws.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "clock/gpus.h"
#include "model/compare.h"

namespace workbook::viewer {

/// The ceilings of a GPU. The roof at an intensity is min(peak, intensity * bandwidth).
struct Roof {
  std::string key, name;      ///< "h200", "H200"
  double dram_bps = 0.0;      ///< bytes a second, datasheet
  double l2_bps = 0.0;        ///< bytes a second, as the modelled clock has it
  double peak_flops = 0.0;    ///< fp32, a second, datasheet
  double tensor_flops = 0.0;  ///< tensor cores in half precision, a second, datasheet
  double ridge() const { return peak_flops / dram_bps; }  ///< flops a byte: left of it, bytes decide
  double at(double intensity) const;
};
std::vector<Roof> known_roofs();  ///< every GPU that the clock knows
/// The GPU that a run was modelled or measured on; nothing when it is none of the known ones.
std::optional<Roof> roof_of(const runs::RunRecord& run);

/// A run, or one of its kernels, under the roof.
struct RoofPoint {
  std::string name;                           ///< of the kernel, or of the variant
  double flops = 0.0;                         ///< 0: it moves data only, and has no place on the chart
  double tensor_flops = 0.0;                  ///< of them by tensor cores, fragments counted whole
  double bytes = 0.0;                         ///< through DRAM
  double us = 0.0;                            ///< 0: no time
  runs::BoundBy bound = runs::BoundBy::none;  ///< what bounds it on the modelled clock; none: measured
  bool drawn() const { return flops > 0.0 && bytes > 0.0 && us > 0.0; }
  double intensity() const { return bytes > 0.0 ? flops / bytes : 0.0; }
  double achieved() const { return us > 0.0 ? flops / us * 1e6 : 0.0; }  ///< flops a second
  /// Flops a second where only arithmetic decides: between the two peaks, by what each does of it.
  double peak(const Roof& roof) const;
  /// Flops a second on the roof above it.
  double at(const Roof& roof) const { return std::min(peak(roof), intensity() * roof.dram_bps); }
  bool below_slope(const Roof& roof) const { return intensity() * roof.dram_bps < peak(roof); }
  /// The time if the roof were all there is; the terminal's "of roof" is a share of the same.
  double us_at(const Roof& roof) const;
};

struct RoofSide {
  bool present = false;  ///< false: no counters, or no benchmark of that name
  Basis basis = Basis::none;
  RoofPoint whole;
  std::vector<RoofPoint> kernels;
};

/// The run as it would be on the roof's GPU: as recorded where that is the one it ran on, else modelled
/// anew from its counters.
RoofSide make_roof_side(const runs::RunRecord& run, const std::string& benchmark, const Roof& roof);

/// What the picture says: which part of the roof decides, and what B changes.
struct RoofWords {
  std::string headline, detail;
};
RoofWords describe(const RoofSide& a, const RoofSide& b, const std::string& name_a, const std::string& name_b,
                   const Roof& roof);

std::string format_percent(double share);  ///< "12 %" of 0.12
/// "4.80 TB/s", "66.9 Tflop/s".
std::string format_rate(double per_second, const std::string& unit);

}  // namespace workbook::viewer
