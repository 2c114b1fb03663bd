#include "model/run_names.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "model/format.h"

namespace workbook::viewer {
namespace {

std::optional<WallTime> time_of(const std::string& utc) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(utc.c_str(), "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
    return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
}

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string age_words(const std::string& started_at, WallTime now) {
  const auto then = time_of(started_at);
  if (!then) return "";
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now - *then).count();
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (seconds < kMinute) return "just now";  // also where two clocks disagree
  if (seconds < kHour) return plural(seconds / kMinute, "minute") + " ago";
  if (seconds < kDay) return plural(seconds / kHour, "hour") + " ago";
  return plural(seconds / kDay, "day") + " ago";
}

std::string device_words(const runs::RunHeader& header) {
  constexpr const char* kMaker = "NVIDIA ";
  return header.device.starts_with(kMaker) ? header.device.substr(std::string(kMaker).size()) : header.device;
}

std::string run_words(const runs::RunHeader& header, std::optional<WallTime> now) {
  std::string words = runs::is_learner(header.origin) || header.origin.empty() ? "" : header.origin + ", ";
  words += header.variant;
  if (const std::string device = device_words(header); !device.empty()) words += ", " + device;
  if (header.verdict != runs::Verdict::correct && header.verdict != runs::Verdict::none) {
    std::string verdict = runs::word_of(header.verdict);
    std::replace(verdict.begin(), verdict.end(), '_', ' ');
    words += ", " + verdict;
  }
  if (now)
    if (const std::string age = age_words(header.started_at, *now); !age.empty()) words += ", " + age;
  return words;
}

bool words_match(const std::string& text, const std::string& typed) {
  const std::string words = lowercase(text), wanted = lowercase(typed);
  const auto begins_one = [&](const std::string& word) {
    for (std::size_t at = words.find(word); at != std::string::npos; at = words.find(word, at + 1))
      if (at == 0 || !is_part_of_word(words[at - 1]) || !is_part_of_word(word[0])) return true;
    return false;
  };
  std::size_t at = 0;
  while (at < wanted.size()) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (end > at && !begins_one(wanted.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace workbook::viewer
