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
void report_misaligned(const Scene& scene, const std::function<std::string()>& object, std::uint32_t bytes,
                       Pc pc);

}  // namespace workbook::sim
