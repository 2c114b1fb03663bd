// Times out of a benchmark, and what two of them say about each other.
#pragma once

#include <optional>
#include <string>

#include "cli/report/format.h"
#include "runs/record.h"

namespace workbook::cli {

/// A modelled time within this share of another one is not told apart: the model is no better than that.
inline constexpr double kModelError = 0.10;

struct Timing {
  bool measured = false;
  bool cold = false;           ///< measured with the inputs out of the cache
  std::string device;          ///< "NVIDIA H200" or "H200"
  Spread us;                   ///< modelled: the three are one
  std::string source() const;  ///< "measured on NVIDIA H200, cold" or "modelled (H200)"
};

/// Of the whole variant; of one launch. Nothing when it was not timed.
std::optional<Timing> timing_of(const runs::Benchmark& benchmark, const std::string& device);
std::optional<Timing> timing_of(const runs::LaunchRecord& launch, const std::string& device);

struct Traffic {
  double read = 0.0, written = 0.0;
  double total() const { return read + written; }
};
Traffic traffic_of(const runs::LaunchRecord& launch);
Traffic traffic_of(const runs::Benchmark& benchmark);

const runs::Benchmark* find_benchmark(const runs::RunRecord& record, const std::string& name);

/// Fixed words for a pair: which is faster and by how much, or that it cannot be told.
struct Duel {
  enum class Outcome { first, second, too_close, not_comparable } outcome = Outcome::not_comparable;
  double ratio = 1.0;  ///< slower / faster
  std::string words;
};
Duel duel(const std::string& a_name, const std::optional<Timing>& a, const std::string& b_name,
          const std::optional<Timing>& b);

}  // namespace workbook::cli
