// The single measurements behind a median, as data: what Compare draws as histograms on one axis.
#pragma once

#include <string>
#include <vector>

#include "model/compare.h"

namespace workbook::viewer {

/// All samples of one run in one state of the caches.
struct SampleSeries {
  bool is_b = false;
  bool cold = false;  ///< measured with the inputs out of the cache
  Timing timing;
  std::vector<double> us;   ///< sorted
  std::vector<int> counts;  ///< a bin each, over the set's range
};

struct SampleSet {
  std::vector<SampleSeries> series;  ///< A warm, A cold, B warm, B cold: those that were measured
  bool logarithmic = false;          ///< bins of equal ratio: the samples span more than a factor of four
  double low_us = 0.0, high_us = 0.0;
  int most = 0;  ///< in one bin
  /// Where a time lies in the range, 0 to 1.
  double place(double us) const;
};

inline constexpr int kSampleBins = 120;

/// Null: no such run. Modelled runs add nothing: they have no samples.
SampleSet make_samples(const runs::RunRecord* a, const runs::RunRecord* b, const std::string& benchmark);

}  // namespace workbook::viewer
