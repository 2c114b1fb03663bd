// What becomes of the cuda::barriers of a kernel, told to whoever looks on: their state is the headers'.
#include "engine.h"

using namespace workbook::sim;

namespace {

std::uintptr_t place(const void* barrier) { return reinterpret_cast<std::uintptr_t>(barrier); }

}  // namespace

extern "C" {

void workbook_sim_barrier_start(const void* barrier, std::uint64_t expected) {
  if (Worker& worker = running_worker("init() of a barrier"); worker.events)
    worker.events->start_phases(place(barrier), expected, WORKBOOK_PC);
}

void workbook_sim_barrier_arrive(const void* barrier, std::uint64_t arrivals, std::uint64_t drops) {
  if (Worker& worker = running_worker("arrive()"); worker.events)
    worker.events->arrive_in_phase(place(barrier), arrivals, drops, WORKBOOK_PC);
}

void workbook_sim_barrier_phase_ends(const void* barrier) {
  if (Worker& worker = running_worker("arrive()"); worker.events) worker.events->end_phase(place(barrier));
}

void workbook_sim_barrier_wait(const void* barrier) {
  if (Worker& worker = running_worker("wait()"); worker.events)
    worker.events->wait_for_phase(place(barrier), WORKBOOK_PC);
}

void workbook_sim_barrier_pass(const void* barrier) {
  if (Worker& worker = running_worker("wait()"); worker.events)
    worker.events->pass_phase(place(barrier), WORKBOOK_PC);
}

bool workbook_sim_barrier_is_missed() {
  Worker& worker = running_worker("test_wait()");
  return worker.events != nullptr && worker.comes_too_early(WORKBOOK_PC);
}

}  // extern "C"
