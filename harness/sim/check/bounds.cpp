#include "bounds.h"

#include <algorithm>
#include <cstdio>

#include "bounds_findings.h"
#include "host_constants.h"
#include "sim/engine/fiber.h"
#include "sim/source/source_text.h"

namespace workbook::sim {

bool Bounds::see_outside(Scene& scene, Access a, runs::Access kind, Space space) {
  const bool reads = kind == runs::Access::read;
  switch (space) {
    case Space::arena:
    case Space::heap:
      report_global_bounds(scene, a.offset, a.bytes, kind, a.pc);
      return false;
    case Space::image:
      if (a.address < writable_image_begin()) {
        if (reads && !HostConstants::get().contains(a.address))
          return false;  // a literal of the kernel's, a table of functions
        see_wild(scene, a.address, a.bytes, kind, a.pc);
      }
      report_image_bounds(scene, a.address, kind, a.pc);
      if (!reads) scene.kill();
      return false;
    default:
      report_shared_bounds(scene, a.here, kind, a.pc);
      // Beyond the launch's share of dynamic memory nothing lies; beyond a static array something does.
      const bool harmless = space != Space::remote && a.array != nullptr && a.array->variable->dynamic;
      if (!reads && !harmless) scene.kill();
      return false;
  }
}

void Bounds::see_misaligned(Scene& scene, Access a, Space space) {
  const auto object = [&] {
    if (space == Space::arena) return describe_element(*a.allocation, a.offset);
    if (space == Space::heap) return describe_element(DeviceHeap::described(*a.chunk), a.offset, a.bytes);
    return scene.shared_element(a.here);
  };
  report_misaligned(scene, object, a.bytes, a.pc);
  if (a.bytes == 16) scene.kill();  // this machine's own vector instructions would trap
}

void Bounds::see_wild(Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc) {
  if (scene.is_near_shared(address))
    report_shared_bounds(scene, address, kind, pc);
  else
    report_wild(scene, address, bytes, kind, pc);
  scene.kill();
}

void Bounds::note_bad_index(Scene& scene, std::uint32_t column, std::int64_t index, Pc pc) {
  if (bad_index_.pending) report_bad_index(scene, 0);
  bad_index_ = {true, column, scene.worker.running->linear, index, pc};
  scene.attention = true;
}

const Bounds::IndexedArray& Bounds::array_indexed_at(const Scene& scene, Pc pc, std::uint32_t column) {
  const auto [place, fresh] = indexed_arrays_.try_emplace({pc, column});
  IndexedArray& array = place->second;
  if (!fresh) return array;
  array.name = indexed_array(pc, column);
  if (array.name.empty() || array.name.find_first_of(".>") != std::string::npos) return array;
  const bool shared = std::any_of(scene.arrays.begin(), scene.arrays.end(), [&](const SharedArray& known) {
    return known.variable->name == array.name;
  });
  array.klass = shared                            ? runs::FindingClass::oob_shared
                : is_program_variable(array.name) ? runs::FindingClass::oob_global
                                                  : runs::FindingClass::oob_local;
  return array;
}

runs::FindingClass Bounds::class_of_bad_index(const Scene& scene, std::uintptr_t next_address) const {
  const bool same_thread = scene.worker.running == &scene.worker.thread(bad_index_.thread);
  if (!same_thread || next_address == 0) return runs::FindingClass::oob_local;
  if (scene.is_near_shared(next_address)) return runs::FindingClass::oob_shared;
  return Arena::contains(next_address) || in_program_image(next_address) ? runs::FindingClass::oob_global
                                                                         : runs::FindingClass::oob_local;
}

const char* Bounds::stack_trouble() const {
  if (bad_index_.pc == 0) return kStackFull;
  const EngineScope scope;
  static char text[400];
  const runs::SourceLine at = source_line(bad_index_.pc);
  std::snprintf(
      text, sizeof text,
      "index %lld at %s:%d lies outside of an array, and what was stored there overwrote the thread's stack",
      static_cast<long long>(bad_index_.index), at.file.c_str(), at.line);
  return text;
}

void Bounds::report_bad_index(Scene& scene, std::uintptr_t next_address) {
  const EngineScope scope;
  bad_index_.pending = false;
  const SimThread& t = scene.worker.thread(bad_index_.thread);
  const auto& [array, known_klass] = array_indexed_at(scene, bad_index_.pc, bad_index_.column);
  const bool is_named = known_klass != runs::FindingClass::none;
  const runs::FindingClass klass = is_named ? known_klass : class_of_bad_index(scene, next_address);
  findings().add(klass, bad_index_.pc, 0, [&, &array = array](runs::Finding& f) {
    const std::string index = std::to_string(bad_index_.index);
    f.kernel = scene.kernel();
    f.who = scene.id_of(t);
    if (!array.empty()) f.object = array + "[" + index + "]";
    f.message =
        scene.name(*f.who) + " uses index " + index + ", which lies outside this dimension of " +
        (array.empty() ? "the array that column " + std::to_string(bad_index_.column) + " of the line indexes"
                       : array) +
        ".";
    // Whose the array is, only its name or the address next to it can tell.
    const bool is_known = is_named || next_address != 0;
    f.advice = is_known && klass == runs::FindingClass::oob_local
                   ? "The array is the thread's own: what lies beside it are other variables of the thread. "
                     "Compare the index, or the loop's end, with its declaration."
                   : "Check the index against the array's declaration: each dimension has its own size.";
  });
}

}  // namespace workbook::sim
