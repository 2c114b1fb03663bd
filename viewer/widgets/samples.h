// Samples of measured runs as histograms, a row each on one time axis, with median and p10 to p90 marked.
#pragma once

#include "model/samples.h"
#include "widgets/draw.h"

namespace workbook::viewer {

float samples_height(const SampleSet& set);
void draw_samples(const Style& style, const SampleSet& set, float width);

}  // namespace workbook::viewer
