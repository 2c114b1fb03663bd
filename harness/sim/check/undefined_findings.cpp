#include "undefined_findings.h"

#include <map>
#include <string>

#include "diagnosis.h"
#include "sim/source/source_text.h"

namespace workbook::sim {

void report_shift(const Scene& scene, std::int64_t count, unsigned int bits, std::int64_t left, Pc pc) {
  constexpr std::int64_t kWidest = 64;
  if (!scene.modes.check || count >= kWidest) return;
  const EngineScope scope;
  // Other bits than the lowest, `word << 32 - n`, programs shift out on purpose.
  static thread_local auto& known = *new std::map<Pc, bool>;
  const auto [place, fresh] = known.try_emplace(pc, false);
  if (fresh) {
    const runs::SourceLine at = source_line(pc);
    place->second = line_holds(at, "1 << ") || line_holds(at, "1<<");
  }
  if (!place->second) return;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message = scene.name(*f.who) + " shifts a number of " + std::to_string(bits) + " bits by " +
                std::to_string(count) + ": C++ does not say what that is, and a GPU has " +
                std::to_string(left) + ".";
    f.advice =
        "The number's own type counts, not that of what the result is stored in: for a mask of 64 bits shift 1ull.";
  });
}

void report_overlap(const Scene& scene, std::uint64_t distance, std::uint64_t bytes, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message =
        scene.name(*f.who) + " copies " + std::to_string(bytes) + " bytes by memcpy() to a place " +
        std::to_string(distance) +
        " bytes from where they come from: the two overlap, and in which order they are copied, nothing says.";
    f.advice =
        "Move them by a loop that begins at the end that is overwritten last, or by way of another array.";
  });
}

void report_output_read(const Scene& scene, unsigned int operand, Pc pc) {
  if (!scene.modes.check) return;
  const EngineScope scope;
  const std::string number = "%" + std::to_string(operand);
  findings().add(runs::FindingClass::uninit_local, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message =
        scene.name(*f.who) + " reads " + number +
        " in inline PTX before anything is written to it: an operand with \"=\" is for a result alone, and "
        "what the variable held does not come in.";
    f.advice = "Give " + number + " as \"+r\" (or +l, +f, +d, +h) where its value is used, too.";
  });
}

}  // namespace workbook::sim
