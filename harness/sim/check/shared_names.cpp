#include "shared_names.h"

#include "sim/source/source_text.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

const std::vector<std::string> SharedNames::kNone;

void SharedNames::begin_launch(const std::string& kernel) {
  names_ = &dynamic_arrays_of(kernel);
  name_of_.clear();
  words_.clear();
}

/// Which of the names the line stores by: the one that stands alone in it.
int SharedNames::name_at(Pc pc) {
  const auto [place, fresh] = name_of_.try_emplace(pc, kUnknown);
  if (!fresh) return place->second;
  for (std::size_t i = 0; i < names_->size(); ++i)
    if (stores_element_of(pc, (*names_)[i])) place->second = static_cast<int>(i);
  return place->second;
}

void SharedNames::see(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind,
                      Pc pc) {
  const EngineScope scope;
  for (std::uintptr_t word = address / 4 * 4; word < address + bytes; word += 4) {
    Stored& stored = words_[word];
    if (kind != runs::Access::write) {
      stored.pc = 0;
      continue;
    }
    const int name = name_at(pc);
    if (stored.pc != 0 && name != kUnknown && stored.name != kUnknown && name != stored.name)
      report(scene, word, name, pc, stored.name, stored.pc);
    stored = {name, pc};
  }
}

void SharedNames::report(const Scene& scene, std::uintptr_t address, int name, Pc pc, int other,
                         Pc other_pc) const {
  findings().add(runs::FindingClass::oob_shared, pc, other_pc, [&](runs::Finding& f) {
    const SharedArray* const array = scene.shared_array(address);
    const std::string index =
        array == nullptr
            ? ""
            : "[" + std::to_string((address - array->begin) / array->variable->element_bytes) + "]";
    const std::string &mine = (*names_)[static_cast<std::size_t>(name)],
                      &first = (*names_)[static_cast<std::size_t>(other)];
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = mine + index;
    f.message = scene.name(*f.who) + " stores " + f.object + " over what was stored in " + first +
                " and nobody has read: all extern __shared__ arrays of a block begin at the same address.";
    f.advice = "Declare one such array, and let " + mine + " point behind " + first +
               "'s elements in it; the launch asks for the bytes of both.";
  });
}

}  // namespace workbook::sim
