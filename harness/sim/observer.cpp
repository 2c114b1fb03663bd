// Warp findings: masks that do not name what takes part.
#include "observer.h"

#include "diagnosis.h"

namespace workbook::sim {
namespace {

runs::ThreadId id_of(const Worker& worker, const SimThread& t) {
  const uint3 block = unflatten(worker.block_linear(), worker.launch->grid);
  return {{block.x, block.y, block.z}, {t.index.x, t.index.y, t.index.z}};
}

void add_mask_finding(const Worker& worker, const SimThread& t, const std::string& what, const char* advice) {
  if (Diagnosis::get().block_damaged()) return;
  Diagnosis::get().findings.add("bad_warp_mask", t.wait_pc, 0, [&](runs::Finding& f) {
    f.kernel = worker.launch->kernel->name;
    f.who = id_of(worker, t);
    f.message = describe_thread(*f.who, worker.launch->grid, worker.launch->block) + " " + what + ".";
    f.advice = advice;
  });
}

}  // namespace

void observe_bad_mask(Worker& worker, const SimThread& t, const char* what) {
  add_mask_finding(worker, t, what, "The mask must name every lane that calls, the caller first of all.");
}

void observe_stuck_warp(Worker& worker, std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  char text[160];
  std::snprintf(text, sizeof text,
                "waits here for the lanes of mask 0x%08x, but of these only 0x%08x ever come", mask, lanes);
  add_mask_finding(
      worker, worker.thread(warp * kWarpSize + first), text,
      "Name in the mask just the lanes that take this branch, or let all lanes of the warp take it.");
}

void observe_missing_source(Worker& worker, const SimThread& t, int source, bool named) {
  const std::string what = "reads lane " + std::to_string(source) +
                           (named ? ", which the mask names but which has exited or does not exist"
                                  : ", which is not in its mask") +
                           ": the value is undefined";
  add_mask_finding(
      worker, t, what,
      "A shuffle may read only lanes that take part: check the mask, and that the block has them.");
}

}  // namespace workbook::sim
