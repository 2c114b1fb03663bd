#include "sim/runtime/apart.h"

#include <string>

#include "sim/check/diagnosis.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// Whether a row of the one has bytes of a row of the other; rows may lie between those of another matrix.
bool meet(const Range& a, const Range& b) {
  const auto start = [](const Range& r) { return reinterpret_cast<std::uintptr_t>(r.start); };
  if (a.span() == 0 || b.span() == 0 || start(a) >= start(b) + b.span() || start(b) >= start(a) + a.span())
    return false;
  for (std::size_t row = 0; row < a.height; ++row) {
    const std::uintptr_t first = start(a) + row * a.pitch, end = first + a.width;
    if (end <= start(b)) continue;
    const std::size_t at = first > start(b) && b.pitch > 0 ? (first - start(b)) / b.pitch : 0;
    for (std::size_t k = at; k < b.height && k < at + 2; ++k)
      if (const std::uintptr_t there = start(b) + k * b.pitch; there < end && first < there + b.width)
        return true;
  }
  return false;
}

}  // namespace

void check_apart(const Call& call, const Range& written, const char* name, const Range& read) {
  if (!workbook_sim_is_diagnosing() || !meet(written, read)) return;
  const Pointed p = point_to(written.start);
  if (p.allocation == nullptr) return;
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, call.pc, 0, [&](runs::Finding& f) {
    f.object = allocation_name(*p.allocation);
    f.message = std::string(call.api) + " writes to " + f.object + ", where it also reads " + name +
                ": parts of the result replace what other parts of it are still made of.";
    f.advice = "Give the result an array of its own, and swap the pointers behind the call.";
  });
}

}  // namespace workbook::sim

extern "C" void workbook_sim_sorts_apart(const void* from, const void* to, std::size_t bytes,
                                         const char* call) {
  using namespace workbook::sim;
  check_apart({call, pc_of_program(WORKBOOK_PC)}, {to, bytes}, "what it sorts", {from, bytes});
}
