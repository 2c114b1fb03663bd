// Catch2, version 2 or 3: CMake says which one it found, for headers of both may lie about.
#pragma once

#include <string>

#if WORKBOOK_CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;  // of everybody in version 2
inline auto contains_text(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#else
#include <catch2/catch.hpp>
inline auto contains_text(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
