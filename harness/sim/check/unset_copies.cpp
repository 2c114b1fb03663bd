#include "unset_copies.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "diagnosis.h"
#include "host_blocks.h"
#include "memory_findings.h"
#include "sim/source/symbols.h"
#include "unset_values.h"

namespace workbook::sim {
namespace {

thread_local bool is_keeping = false;  // containers of this file may come back by the hooks

struct Keeping {
  Keeping() { is_keeping = true; }
  ~Keeping() { is_keeping = false; }
  Keeping(const Keeping&) = delete;
  Keeping& operator=(const Keeping&) = delete;
};

}  // namespace

std::atomic<bool> UnsetCopies::any_{false}, UnsetCopies::excused_{false};
std::atomic<std::uintptr_t> UnsetCopies::begin_{0}, UnsetCopies::end_{0};

UnsetCopies& UnsetCopies::get() {
  static UnsetCopies& all = *new UnsetCopies;  // a program's own static objects free memory after main
  return all;
}

UnsetCopies::Ranges::iterator UnsetCopies::first_behind(std::uintptr_t address) {
  auto at = unset_.upper_bound(address);
  if (at != unset_.begin() && std::prev(at)->second.end > address) --at;
  return at;
}

void UnsetCopies::clear(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end = address + bytes;
  for (auto at = first_behind(address); at != unset_.end() && at->first < end;) {
    const auto [begin, what] = *at;
    at = unset_.erase(at);
    if (begin < address) unset_.emplace(begin, what).first->second.end = address;
    if (what.end > end) {
      at = unset_.emplace(end, what).first;
      at->second.offset += end - begin;
    }
  }
}

void UnsetCopies::watch() {
  any_ = !unset_.empty();
  if (unset_.empty()) return;
  begin_ = unset_.begin()->first;
  end_ = std::prev(unset_.end())->second.end;
}

void UnsetCopies::copied(std::uintptr_t to, std::uint64_t offset, std::size_t bytes, const char* call,
                         Pc pc) {
  Arena& arena = Arena::get();
  auto next = excused_ ? std::nullopt : arena.first_uninitialised(offset, bytes);
  if (!next && !concerns(to, bytes)) return;
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  clear(to, bytes);
  constexpr int kMostRanges = 4096;  // of one copy
  for (int ranges = 0; next && ranges < kMostRanges; ++ranges) {
    const std::uint64_t begin = *next;
    std::uint64_t end = begin + 1;
    while (end < offset + bytes && arena.first_uninitialised(end, 1)) ++end;
    const Allocation* a = arena.find(begin);
    unset_[to + (begin - offset)] = {
        to + (end - offset), a == nullptr ? "device memory" : describe_element(*a, begin), call, pc, begin};
    next = arena.first_uninitialised(end, offset + bytes - end);
  }
  watch();
}

void UnsetCopies::copied_part(std::uintptr_t to, const Allocation& from, std::size_t bytes, const char* call,
                              Pc pc) {
  const std::size_t element = counted_element(bytes, from.bytes);
  const auto block = element == 0 || excused_ ? std::nullopt : HostBlocks::get().find(to);
  if (!block || block->begin != to || block->bytes < from.bytes) return;
  for (const std::size_t at : {bytes, (bytes + from.bytes) / 2, from.bytes - sizeof(std::uint32_t)})
    if (!Diagnosis::get().last_writer(from.offset + at, sizeof(std::uint32_t))) return;
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  clear(to + bytes, from.bytes - bytes);
  unset_[to + bytes] = {to + from.bytes, allocation_name(from), call, pc, from.offset + bytes, element, bytes,
                        from.bytes};
  watch();
}

void UnsetCopies::depends(std::uintptr_t address, std::size_t bytes, std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  clear(address, bytes);
  unset_[address] = {address + bytes, "", "", 0, offset};
  watch();
}

void UnsetCopies::written(std::uintptr_t address, std::size_t bytes) {
  if (!concerns(address, bytes) || is_keeping) return;
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  clear(address, bytes);
  watch();
}

void UnsetCopies::moved(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if ((!concerns(to, bytes) && !concerns(from, bytes)) || is_keeping) return;
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  std::vector<std::pair<std::uintptr_t, Unset>> brought;
  for (auto at = first_behind(from); at != unset_.end() && at->first < from + bytes; ++at) {
    Unset what = at->second;
    const std::uintptr_t begin = std::max(at->first, from);
    what.end = to + (std::min(what.end, from + bytes) - from);
    what.offset += begin - at->first;
    brought.emplace_back(to + (begin - from), std::move(what));
  }
  clear(to, bytes);
  for (auto& [begin, what] : brought) unset_[begin] = std::move(what);
  watch();
}

void UnsetCopies::tell_part(const Unset& what, Pc pc) {
  Diagnosis::get().findings.add(runs::FindingClass::uninit_global, pc, what.pc, [&](runs::Finding& f) {
    const runs::SourceLine at = source_line(what.pc);
    f.object = what.object;
    f.message = "the host reads an element that it expects from " + what.object +
                " and that never came: " + what.call +
                (at.line > 0 ? " at line " + std::to_string(at.line) : "") + " copies " +
                std::to_string(what.copied) + " of its " + std::to_string(what.all) + " bytes.";
    f.advice = "Sizes are in bytes: give " + what.call + " the number of elements times sizeof, here " +
               std::to_string(what.copied) + " * " + std::to_string(what.element) + ".";
  });
}

void UnsetCopies::read(std::uintptr_t address, std::size_t bytes, Pc pc) {
  if (!concerns(address, bytes) || is_keeping || FindingLog::is_entered()) return;
  const std::lock_guard lock(mutex_);
  const Keeping keeping;
  const auto at = first_behind(address);
  if (at == unset_.end() || at->first > address || at->second.end < address + bytes) return;
  const Unset& what = at->second;
  if (what.all != 0) {
    if (bytes != what.element) return;  // elements of another size: as many were not counted
    tell_part(what, pc);
    unset_.erase(at);
    return watch();
  }
  const bool is_told = UnsetValues::get().tell(what.offset + (address - at->first), [&] {
    const runs::SourceLine line = source_line(pc);
    return "The host reads it" + (line.line > 0 ? " at line " + std::to_string(line.line) : std::string());
  });
  if (is_told || what.call.empty()) {  // or written by another kernel since
    clear(address, bytes);
    return watch();
  }
  Diagnosis::get().findings.add(runs::FindingClass::uninit_global, what.pc, 0, [&](runs::Finding& f) {
    const runs::SourceLine line = source_line(pc);
    f.object = what.object;
    f.message = what.call + " copies " + f.object +
                " to the host, which nothing has written, and the host reads it" +
                (line.line > 0 ? " at line " + std::to_string(line.line) : "") + ".";
    f.advice =
        "Which launch or copy should have written it? Compare the number of its threads, and its guard, with the "
        "number of elements: n / block rounds down, (n + block - 1) / block does not.";
    const Allocation* const a = Arena::get().find(what.offset);
    std::string advice;
    if (const std::string scratch = a == nullptr ? "" : left_as_scratch(*a, advice); !scratch.empty()) {
      f.message = what.call + " copies " + f.object + " to the host" + scratch + ".";
      f.advice = advice;
    }
  });
  // Once is enough.
  clear(address, bytes);
  watch();
}

}  // namespace workbook::sim
