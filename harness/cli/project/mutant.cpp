#include "cli/project/mutant.h"

#include <algorithm>
#include <stdexcept>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/project/regions.h"

namespace workbook::cli {
namespace {

using Lines = std::vector<std::string>;

struct Hunk {
  std::size_t line = 0;  ///< where it begins in the edit, from 1
  std::string scope;     ///< what the '@' line says
  Lines removed, added;
};

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// "added" to where "removed" was: indented as deep as the source is there.
std::string reindented(const std::string& added, const std::string& removed, const std::string& source) {
  if (trimmed(added).empty()) return "";
  const std::size_t own = indentation(added), deeper = own + indentation(source);
  return std::string(deeper - std::min(deeper, indentation(removed)), ' ') + added.substr(own);
}

class Reader {
 public:
  Reader(const std::string& shown, const Lines& variants) : shown_(shown), variants_(variants) {}

  Mutant read(std::string_view edit, std::string_view solution) {
    for (const std::string& line : lines_of(edit)) {
      ++line_;
      take(line);
    }
    if (mutant_.expect.empty()) fail(1, "there is neither 'says: ...' nor 'expect: ...'");
    if (hunks_.empty()) fail(line_, "there is nothing to replace");
    if (mutant_.variant.empty() && !variants_.empty()) mutant_.variant = variants_.front();
    Lines source = lines_of(solution);
    for (const Hunk& hunk : hunks_) apply(hunk, source);
    if (outside_ || alone_) mutant_.regions.clear();
    mutant_.kernels = joined(source, "\n") + '\n';
    return mutant_;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw HarnessError(shown_ + ':' + std::to_string(line) + ": " + what + '.');
  }

  void take(const std::string& line) {
    const std::string_view word = trimmed(line);
    if (word.empty()) {
      end_hunk();
    } else if (line.starts_with('@')) {
      end_hunk();
      hunk().scope = trimmed(word.substr(1));
    } else if (line.starts_with('-')) {
      if (open_ && !hunks_.back().added.empty()) end_hunk();
      hunk().removed.push_back(text_of(line));
    } else if (line.starts_with('+')) {
      if (!open_ || hunks_.back().removed.empty()) fail(line_, "there is no '-' line before this '+'");
      hunk().added.push_back(text_of(line));
    } else if (!line.starts_with('#')) {
      take_header(word);
    }
  }

  void take_header(std::string_view word) {
    const std::size_t colon = word.find(": ");
    const std::string_view key = word.substr(0, colon);
    if (!hunks_.empty() || colon == std::string_view::npos ||
        (key != "expect" && key != "says" && key != "variant" && key != "only"))
      fail(
          line_,
          "neither 'says: ...', 'expect: ...', 'variant: ...' or 'only: ...' above the edit, nor one of '@', '-', "
          "'+', '#'");
    const std::string value(trimmed(word.substr(colon + 2)));
    const bool variant = key == "variant" || key == "only";
    if (variant && std::find(variants_.begin(), variants_.end(), value) == variants_.end())
      fail(line_, "there is no variant '" + value + "'." + did_you_mean(value, variants_) +
                      " There are: " + joined(variants_, ", "));
    if (!variant && !mutant_.expect.empty()) fail(line_, "what is expected is said already");
    mutant_.says |= key == "says";
    alone_ |= key == "only";
    (variant ? mutant_.variant : mutant_.expect) = value;
  }

  /// What follows the sign, and one space after it.
  static std::string text_of(const std::string& line) {
    std::string text = line.substr(line.size() > 1 && line[1] == ' ' ? 2 : 1);
    text.erase(text.find_last_not_of(" \t\r") + 1);
    return text;
  }

  Hunk& hunk() {
    if (!open_) {
      hunks_.emplace_back();
      hunks_.back().line = line_;
      open_ = true;
    }
    return hunks_.back();
  }

  void end_hunk() {
    if (open_ && hunks_.back().removed.empty()) fail(hunks_.back().line, "no '-' line follows");
    open_ = false;
  }

  void apply(const Hunk& hunk, Lines& source) {
    if (hunk.removed.empty()) fail(hunk.line, "no '-' line follows");
    std::size_t begin = 0, end = source.size();
    if (!hunk.scope.empty()) {
      const auto opens = [&](const std::string& line) { return trimmed(line).starts_with(hunk.scope); };
      const auto first = std::find_if(source.begin(), source.end(), opens);
      if (first == source.end()) fail(hunk.line, "no line of the solution begins so");
      if (std::find_if(first + 1, source.end(), opens) != source.end())
        fail(hunk.line, "several lines of the solution begin so");
      begin = static_cast<std::size_t>(first - source.begin());
      end = static_cast<std::size_t>(std::find(first, source.end(), "}") - source.begin());
    }
    const std::size_t count = hunk.removed.size();
    const auto same = [](const std::string& a, const std::string& b) { return trimmed(a) == trimmed(b); };
    std::vector<std::size_t> places;
    for (std::size_t i = begin; i + count <= end; ++i)
      if (std::equal(hunk.removed.begin(), hunk.removed.end(), source.begin() + static_cast<long>(i), same))
        places.push_back(i);
    if (places.empty()) fail(hunk.line, "the solution does not hold these lines");
    if (places.size() > 1)
      fail(hunk.line, "the solution holds these lines " + std::to_string(places.size()) +
                          " times; say where by '@ ', or replace more of them");
    note_region(source, places.front() + 1, places.front() + count);
    const auto place = source.begin() + static_cast<long>(places.front());
    Lines added;
    for (const std::string& line : hunk.added)
      added.push_back(reindented(line, hunk.removed.front(), *place));
    source.insert(source.erase(place, place + static_cast<long>(count)), added.begin(), added.end());
  }

  /// Lines from 1, both included.
  void note_region(const Lines& source, std::size_t first, std::size_t last) {
    std::vector<Region> regions;
    try {
      regions = find_regions(joined(source, "\n"));
    } catch (const std::runtime_error&) {  // the hunk before has cut a marker
    }
    const auto around = std::find_if(regions.begin(), regions.end(), [&](const Region& region) {
      return static_cast<std::size_t>(region.first_line) < first &&
             last < static_cast<std::size_t>(region.last_line);
    });
    outside_ = outside_ || around == regions.end();
    if (around == regions.end()) return;
    Lines& names = mutant_.regions;
    if (std::find(names.begin(), names.end(), around->name) == names.end()) names.push_back(around->name);
  }

  const std::string& shown_;
  const Lines& variants_;
  Mutant mutant_;
  std::vector<Hunk> hunks_;
  std::size_t line_ = 0;
  bool open_ = false;     ///< the last hunk may go on
  bool alone_ = false;    ///< 'only: ...'
  bool outside_ = false;  ///< a hunk changes lines of no region
};

}  // namespace

std::string variant_named_in(std::string_view edit) {
  for (const std::string& line : lines_of(edit))
    for (const std::string_view key : {"variant: ", "only: "})
      if (line.starts_with(key)) return std::string(trimmed(std::string_view(line).substr(key.size())));
  return "";
}

Mutant read_mutant(const std::string& shown, std::string_view edit, std::string_view solution,
                   const std::vector<std::string>& variants) {
  return Reader(shown, variants).read(edit, solution);
}

}  // namespace workbook::cli
