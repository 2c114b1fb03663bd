// What a run is called where one is chosen, and how typed words find it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "runs/store.h"

namespace workbook::viewer {

using WallTime = std::chrono::system_clock::time_point;

/// "5 minutes ago", of a time as records have it; empty when it is none.
std::string age_words(const std::string& started_at, WallTime now);

/// "NVIDIA H200" is an H200; what was modelled keeps the word: "H200 (modelled)".
std::string device_words(const runs::RunHeader& header);

/// "solution, fused-block, H200, 2 days ago": whose run unless it is the learner's, then what went wrong.
/// `now` empty: without its age.
std::string run_words(const runs::RunHeader& header, std::optional<WallTime> now);

/// Whether every word of `typed` begins a word of `text`, in small letters or capitals.
bool words_match(const std::string& text, const std::string& typed);

}  // namespace workbook::viewer
