// The roofline picture: the roof of a GPU on logarithmic axes, runs A and B with their kernels below it.
#pragma once

#include "model/roofline.h"
#include "widgets/draw.h"

namespace workbook::viewer {

void draw_roof(const Style& style, const Roof& roof, const RoofSide& a, const RoofSide& b, ImVec2 size);

/// The mark of a run or a series: filled when measured, hollow when modelled.
void draw_mark(ImDrawList* draw, const Style& style, ImVec2 at, float radius, ImU32 colour, Basis basis);

/// A tick's text into ImPlot's buffer, "10.0 kB" as "10 kB": ticks are whole.
int write_tick(const std::string& text, char* buffer, int size);
/// A tick that is a power of ten of `unit`: "1 µs", "10 Gflop/s".
int write_power(double value, char* buffer, int size, void* unit);

}  // namespace workbook::viewer
