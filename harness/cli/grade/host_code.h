// What a submission may not hold, whatever it computes: code for the host that could reach around the
// simulator which watches it. Looked at before the compiler is started, and again in the object it leaves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

/// What of the sources is not the learner's.
struct GivenCode {
  std::vector<std::string> headers;  ///< that may be included by name in quotes
  std::string_view skeleton;         ///< what the file began as: its #includes may stand
};

/// The first line that holds what no kernel needs, as "line 7: what, and why"; empty: none does.
std::string refused_source(std::string_view text, const GivenCode& given);

/// The same of lines that are put into a given program: they print nothing, end nothing and have no
/// directives but #pragma unroll, and their braces pair up.
std::string refused_region(std::string_view region, int first_line);

/// Names of macros that `text` defines and `skeleton` does not: they are not to reach what is given.
std::vector<std::string> own_macros(std::string_view text, std::string_view skeleton);

/// What an object that was made of it uses or defines and must not, as a sentence's end; empty: nothing.
/// `beside`: objects that are given, whose functions it may call. Throws HarnessError where one is no object.
std::string refused_object(const std::filesystem::path& object,
                           const std::vector<std::filesystem::path>& beside);

}  // namespace workbook::cli
