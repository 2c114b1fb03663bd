// memcpy, memmove and memset of a diagnosed program: g++ traces no such call, so the linker is told to wrap
// them (cli/simulator_toolchain.cpp); clang from 16 on calls functions of the tracer's. Calls of the engine's
// own pass through unnoticed.
#include <cstddef>
#include <cstring>

#include "hooks.h"
#include "sim/source/symbols.h"
#include "undefined_findings.h"

using namespace workbook;
using namespace workbook::sim;

extern "C" {

// Weak, for programs that are linked without the wrapping never come here.
void* __real_memcpy(void*, const void*, std::size_t) __attribute__((weak));
void* __real_memmove(void*, const void*, std::size_t) __attribute__((weak));
void* __real_memset(void*, int, std::size_t) __attribute__((weak));
}

namespace {

bool is_noted(const void* address, Pc pc) {
  if (!workbook_sim_is_diagnosing() || FindingLog::is_entered()) return false;
  const bool in_kernel = this_worker != nullptr && this_worker->current != nullptr;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return (in_kernel || Arena::contains(at) || is_host_copy(at) || StreamOrder::is_watched(at)) &&
         is_learner_code(pc);
}

void note(const void* address, std::size_t bytes, bool writes, Pc pc) {
  if (is_noted(address, pc)) note_range(address, bytes, writes, pc);
}

/// memcpy() of ranges that share bytes, and are not the same.
void see_overlap(const void* to, const void* from, std::size_t bytes, Pc pc) {
  const auto a = reinterpret_cast<std::uintptr_t>(to), b = reinterpret_cast<std::uintptr_t>(from);
  if (a == b || (a > b ? a - b : b - a) >= bytes || this_worker == nullptr ||
      this_worker->current == nullptr || !is_noted(to, pc))
    return;
  report_overlap(checker_of(*this_worker).scene, a > b ? a - b : b - a, bytes, pc);
}

void note_copy(const void* to, const void* from, std::size_t bytes, Pc pc) {
  if (workbook_sim_is_diagnosing())
    UnsetCopies::get().moved(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from),
                             bytes);
  note(from, bytes, false, pc);
  note(to, bytes, true, pc);
}

}  // namespace

extern "C" {

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  see_overlap(to, from, bytes, WORKBOOK_PC);
  note_copy(to, from, bytes, WORKBOOK_PC);
  return __real_memcpy(to, from, bytes);
}
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  see_overlap(to, from, bytes, WORKBOOK_PC);
  note_copy(to, from, bytes, WORKBOOK_PC);
  return std::memcpy(to, from, bytes);
}

void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  note_copy(to, from, bytes, WORKBOOK_PC);
  return __real_memmove(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  note_copy(to, from, bytes, WORKBOOK_PC);
  return std::memmove(to, from, bytes);
}

void* __wrap_memset(void* to, int value, std::size_t bytes) {
  UnsetCopies::get().written(reinterpret_cast<std::uintptr_t>(to), bytes);
  note(to, bytes, true, WORKBOOK_PC);
  return __real_memset(to, value, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  UnsetCopies::get().written(reinterpret_cast<std::uintptr_t>(to), bytes);
  note(to, bytes, true, WORKBOOK_PC);
  return std::memset(to, value, bytes);
}
}
