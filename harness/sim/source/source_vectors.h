// What the learner's source calls a vector of Thrust's that takes memory at a line.
#pragma once

#include <cstddef>
#include <string>

namespace workbook::sim {

/// "v" where the line declares `thrust::device_vector<float> v(n)`, of several the one behind `before` others
/// that are given elements there; or where it lets one grow, `v.resize(n)`; empty where it does neither.
std::string vector_of_line(const std::string& line, std::size_t before);

}  // namespace workbook::sim
