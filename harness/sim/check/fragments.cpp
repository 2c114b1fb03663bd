// Tiles of matrices for tensor cores that do not lie where a warp may load or store them.
#include <string>

#include "diagnosis.h"
#include "hooks.h"
#include "workbook_sim/engine_api.h"

using namespace workbook;
using namespace workbook::sim;

// Where a shared array begins here says little about where it begins on a GPU: of shared memory only what
// every layout needs is judged.
extern "C" void workbook_sim_fragment_lies(const void* matrix, std::size_t stride_bytes) {
  const Pc pc = WORKBOOK_PC;
  const Worker* const worker = this_worker;
  if (!workbook_sim_is_diagnosing() || worker == nullptr || worker->current == nullptr) return;
  const SimThread& thread = *worker->current;
  const auto address = reinterpret_cast<std::uintptr_t>(matrix);
  const bool wrong_stride = stride_bytes % kFragmentStrideBytes != 0;
  const std::size_t needed = Arena::contains(address) ? kFragmentBytes : kFragmentStrideBytes;
  if (!wrong_stride && address % needed == 0) return;
  const EngineScope scope;
  const Checker& checker = checker_of(*worker);
  findings().add(runs::FindingClass::misaligned, pc, 0, [&](runs::Finding& f) {
    f.kernel = checker.scene.kernel();
    f.who = checker.scene.id_of(thread);
    f.object = checker.name_at(address);
    const std::string who = checker.scene.name(*f.who);
    if (wrong_stride) {
      f.message =
          who + " gives wmma a matrix whose rows or columns lie " + std::to_string(stride_bytes) +
          " bytes apart: the leading dimension must be a multiple of 16 bytes, 8 elements of half or 4 of float.";
      f.advice =
          "Pad the rows to a multiple of 16 bytes, and give the padded length as the leading dimension.";
      return;
    }
    f.message = who + " gives wmma a matrix that begins at " + (f.object.empty() ? "an address" : f.object) +
                ", which is not a multiple of 256 bits.";
    f.advice = "Let each tile begin at a multiple of 32 bytes, 16 elements of half: round the offset.";
  });
}
