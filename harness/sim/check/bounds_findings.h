// The words for accesses that lie outside of every array.
#pragma once

#include <functional>
#include <string>

#include "scene.h"

namespace workbook::sim {

void report_global_bounds(const Scene& scene, std::uint64_t offset, std::uint32_t bytes, runs::Access kind,
                          Pc pc);
void report_shared_bounds(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc);
void report_image_bounds(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc);
void report_wild(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);
/// " base, declared at line 7, has no value there: ..." where an index so far below 0 may be what the
/// simulator lets a variable hold that nobody has set, and the line uses such a one; else "".
std::string perhaps_unset(std::uint64_t below_zero, Pc pc);
/// A thread's atomic on a variable of its own, which no other thread sees.
void report_own_atomic(const Scene& scene, Pc pc);
/// A store to a __constant__ variable.
void report_constant_store(const Scene& scene, std::uintptr_t address, runs::Access kind, Pc pc);
void report_misaligned(const Scene& scene, const std::function<std::string()>& object, std::uint32_t bytes,
                       Pc pc);

}  // namespace workbook::sim
