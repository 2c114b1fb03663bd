// How many pieces cover something: blocks, tiles, parts. For launches.cu (run.h includes it), puzzle.cpp
// (puzzle.h does), and what both share.
#pragma once

namespace workbook {

/// `a / b`, rounded up.
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace workbook
