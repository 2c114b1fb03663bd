#include "vector_rooms.h"

#include <map>
#include <string_view>
#include <utility>

#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_vectors.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// The line of the program whose reserve() made the allocation; line 0: another call did. Launches end under
/// a lock.
const runs::SourceLine& reserved_at(const Allocation& a) {
  static auto& known = *new std::map<Pc, runs::SourceLine>;
  const auto [place, fresh] = known.try_emplace(a.made_at);
  if (!fresh || a.made_at == 0) return place->second;
  const runs::SourceLine at = program_line(a.made_at);
  if (!is_of_program(at)) return place->second;
  const std::vector<std::string> code = code_of_file(at.file);
  if (static_cast<std::size_t>(at.line) > code.size()) return place->second;
  // Elements of such vectors are nowhere seen to be made.
  for (const std::string& line : code)
    for (const std::string_view word : {"no_init", "default_init", "construct"})
      if (line.find(word) != std::string::npos) return place->second;
  if (code[static_cast<std::size_t>(at.line) - 1].find(".reserve(") != std::string::npos) place->second = at;
  return place->second;
}

/// The line of the program that the launch comes from; line 0: it comes from what a vector does itself.
runs::SourceLine line_of_algorithm(Pc caller) {
  for (const Pc call : calls_around(caller))
    for (const SourceFrame& frame : source_frames(call)) {
      if (is_of_program(frame.at)) return frame.at;
      for (const std::string_view own : {"/vector_base.", "/contiguous_storage.", "/allocator/"})
        if (frame.at.file.find(own) != std::string::npos) return {};
    }
  return {};
}

bool uses_thrust = false;

/// Calls `fills` with each vector's room of which more is initialised now.
template <class Fills>
void look_at_rooms(Fills fills) {
  if (!uses_thrust) return;
  for (const auto& a : Arena::get().allocations()) {
    if (!a->live || reserved_at(*a).line == 0) continue;
    const auto first = Arena::get().first_uninitialised(a->offset + a->filled, a->bytes - a->filled);
    const std::size_t filled = first ? static_cast<std::size_t>(*first - a->offset) : a->bytes;
    if (filled != std::exchange(a->filled, filled)) fills(*a);
  }
}

}  // namespace

void note_vector_rooms() {
  look_at_rooms([](const Allocation&) {});
}

void see_vector_rooms(const Launch& launch, Pc caller) {
  const std::string kernel = launch.kernel->name;
  if (!kernel.starts_with("thrust::")) return;
  uses_thrust = true;
  look_at_rooms([&](const Allocation& a) {
    const runs::SourceLine at = line_of_algorithm(caller);
    if (at.line == 0) return;
    const std::string name = allocation_name(a);
    runs::Finding f;
    f.klass = runs::FindingClass::oob_global;
    f.kernel = kernel;
    f.object = name;
    f.at = at;
    f.other = reserved_at(a);
    f.message = kernel + " stores behind the end of " + name + ": reserve() at line " +
                std::to_string(f.other->line) + " gave it room and no elements. " + name +
                ".size() stays what it is, and what is stored there is lost.";
    f.advice = "Give the vector as many elements as may be stored, " + name +
               ".resize(n), before; of what copy_if() and its like return cut off the rest, " + name +
               ".resize(end - " + name + ".begin()).";
    Diagnosis::get().findings.add_now(std::move(f));
  });
}

}  // namespace workbook::sim
