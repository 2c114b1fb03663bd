// Numbers as the viewer writes them. Decimal units (1 kB = 1000 B), as bandwidths are quoted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::viewer {

std::string format_count(std::int64_t value);    ///< "12,345"
std::string format_bytes(std::int64_t bytes);    ///< "512 B", "12.6 kB", "3.1 MB"
std::string format_us(double microseconds);      ///< "2.41 µs", "1.32 ms"
std::string format_number(double value);         ///< three significant digits, "1.4 G" when large
std::string format_ratio(double ratio);          ///< "1.6x", "12x"
std::string format_dim3(const runs::Dim3& dim);  ///< "(4,4)": trailing ones are left out
std::string format_position(const runs::Dim3& at,
                            const runs::Dim3& extent);  ///< "(1,1)", as many numbers as `extent` has
std::string format_shape(const std::vector<std::int64_t>& shape);  ///< "[4,4,8]"
std::string shape_words(const std::string& benchmark);             ///< "teaching shape", "whole program"
std::string short_kernel(const std::string& name);                 ///< "layernorm" of "layernorm_kernel"
std::string format_line(const runs::SourceLine& at);              ///< "kernels.cu:31"; the folder is left out
std::string plural(std::int64_t count, const std::string& noun);  ///< "1 launch", "3 launches"
std::string capitalised(std::string text);
std::string lowercase(std::string text);  ///< of ASCII

}  // namespace workbook::viewer
