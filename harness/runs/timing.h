// Times out of a benchmark, which of two is faster and why: the one place that terminal and viewer ask, so
// that both give one verdict.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/differences.h"
#include "runs/record.h"

namespace workbook::runs {

/// A modelled time within this share of another one is not told apart: the model is no better than that.
inline constexpr double kModelError = 0.10;

/// Median and spread of measured samples, by linear interpolation between neighbours; zeros without samples.
struct Spread {
  double low = 0.0, median = 0.0, high = 0.0;  ///< p10, p50, p90
};
Spread spread_of(std::vector<double> samples);

struct Timing {
  bool measured = false;
  bool cold = false;           ///< measured with the inputs out of the cache
  std::string device;          ///< "NVIDIA H200" or "H200"
  Spread us;                   ///< modelled: the three are one
  std::string source() const;  ///< "measured on NVIDIA H200, cold" or "modelled (H200)"
};

/// Of the whole variant; of one launch. Cold before warm, measured before modelled: cold caches are what a
/// kernel meets in a program whose data is larger than the L2. Nothing when it was not timed.
std::optional<Timing> timing_of(const Benchmark& benchmark, const std::string& device);
std::optional<Timing> timing_of(const LaunchRecord& launch, const std::string& device);

struct Traffic {
  double read = 0.0, written = 0.0;
  double total() const { return read + written; }
};
Traffic traffic_of(const LaunchRecord& launch);
Traffic traffic_of(const Benchmark& benchmark);

/// Kernels, however many records they are added up in.
std::int64_t launches_of(const Benchmark& benchmark);

const Benchmark* find_benchmark(const RunRecord& record, const std::string& name);

/// Tensors that are neither given nor asked for: they pass between the launches.
struct Intermediates {
  std::vector<std::string> names;
  std::int64_t bytes = 0;
  std::int64_t count() const { return static_cast<std::int64_t>(names.size()); }
};
Intermediates intermediates_of(const Benchmark& benchmark);

/// One side of a comparison, with every number that is compared.
struct Contestant {
  std::string name;  ///< "--fused", "fused", "run 7"
  std::optional<Timing> timing;
  Sizes sizes;
  std::int64_t launches = 0;
  std::optional<Traffic> traffic = {};  ///< nothing unless every launch was counted
  Intermediates between = {};
};
Contestant contestant(const std::string& name, const RunRecord& record, const Benchmark& benchmark);

/// Which is faster and by how much, or why that cannot be told.
struct Duel {
  enum class Outcome { first, second, too_close, not_comparable } outcome = Outcome::not_comparable;
  double ratio = 1.0;       ///< slower / faster
  std::string reason;       ///< too_close, not_comparable: why, a clause without a full stop
  std::string detail = {};  ///< too_close: what hides the difference, and what can tell; likewise
};
/// Times of other sizes, of other devices, or one cold and one warm, are not compared.
Duel duel(const Contestant& a, const Contestant& b);

/// The two as the words name them: the faster first; without a winner as they were given.
std::pair<const Contestant*, const Contestant*> as_named(const Duel& duel, const Contestant& a,
                                                         const Contestant& b);

/// "--fused is 1.83x as fast as --unfused", or the reason that there is no winner.
std::string words_of(const Duel& duel, const Contestant& a, const Contestant& b);

/// Of the time between two variants, what launches and DRAM traffic account for, by the model's own terms.
/// Positive: `b` takes less than `a`.
struct Gain {
  double us = 0.0;  ///< all of it
  std::int64_t launches = 0;
  double launches_us = 0.0;
  double bytes = 0.0;  ///< through DRAM
  /// Of launches that wait for DRAM: bytes behind another bound cost no time. Of one sign with `bytes`.
  double bytes_us = 0.0;
  /// A variant and what bounds most of its time.
  struct Bounded {
    std::string name;
    BoundBy bound = BoundBy::none;
  };
  Bounded from, to;
  std::vector<Difference> differences = {};  ///< what the slower of the two does more of
  double rest_us() const { return us - launches_us - bytes_us; }
};
/// Nothing where a launch was not modelled or the two are not comparable.
std::optional<Gain> gain_of(const Contestant& a, const Benchmark& from, const Contestant& b,
                            const Benchmark& to);

/// How numbers are written where the sentence is shown.
struct NumberWords {
  std::string (*us)(double);
  std::string (*bytes)(double);
  std::string (*count)(std::int64_t) = [](std::int64_t whole) { return std::to_string(whole); };
};
/// The sentence: "Of 8.0 us saved, 3 launches fewer save 6.6 us and 5.1 kB less through DRAM save 1.0 us; all
/// else saves 0.4 us (--unfused is bound by latency, --fused by DRAM)." Where more than a third of it lies in
/// neither, what the kernels do differently follows: "--a has 32 sectors a load request where --b has 4."
std::string why(const Gain& gain, const NumberWords& words);

}  // namespace workbook::runs
