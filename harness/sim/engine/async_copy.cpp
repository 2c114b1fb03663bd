// What kernels ask of asynchronous copies to shared memory: made at once, but in the diagnosing build, which
// makes them late (check/async_copies.cpp).
#include <cstring>

#include "engine.h"

using namespace workbook::sim;

extern "C" {

void workbook_sim_async_copy(void* to, const void* from, std::size_t bytes, std::size_t zero_bytes,
                             const void* group) {
  Worker& worker = running_worker("an asynchronous copy");
  if (worker.events)
    return worker.events->begin_copy(reinterpret_cast<std::uintptr_t>(to),
                                     reinterpret_cast<std::uintptr_t>(from), bytes, zero_bytes, group,
                                     WORKBOOK_PC);
  std::memcpy(to, from, bytes);
  std::memset(static_cast<char*>(to) + bytes, 0, zero_bytes);
}

void workbook_sim_bulk_load(void* to, const void* from, std::size_t bytes, const void* group) {
  Worker& worker = running_worker("a bulk copy");
  if (worker.events)
    return worker.events->begin_bulk_load(reinterpret_cast<std::uintptr_t>(to),
                                          reinterpret_cast<std::uintptr_t>(from), bytes, group, WORKBOOK_PC);
  std::memcpy(to, from, bytes);
}

void workbook_sim_bulk_store(const void* from, std::size_t bytes) {
  Worker& worker = running_worker("a bulk copy");
  if (worker.events)
    worker.events->begin_bulk_store(reinterpret_cast<std::uintptr_t>(from), bytes, WORKBOOK_PC);
}

void workbook_sim_bulk_commit() {
  Worker& worker = running_worker("a commit of bulk copies");
  if (worker.events) worker.events->close_bulk_group();
}

void workbook_sim_bulk_wait(unsigned int pending) {
  Worker& worker = running_worker("a wait for bulk copies");
  if (worker.events) worker.events->wait_for_bulk_groups(pending);
}

void workbook_sim_fence_proxy() {
  Worker& worker = running_worker("a fence");
  if (worker.events) worker.events->fence_proxy();
}

void workbook_sim_block_copies() {
  Worker& worker = running_worker("memcpy_async()");
  if (worker.events) worker.events->copy_as_group(WORKBOOK_PC);
}

void workbook_sim_block_waited() {
  Worker& worker = running_worker("a wait for copies");
  if (worker.events) worker.events->wait_as_group();
}

void workbook_sim_async_commit() {
  Worker& worker = running_worker("a commit of copies");
  if (worker.events) worker.events->close_group();
}

void workbook_sim_async_wait(unsigned int pending) {
  Worker& worker = running_worker("a wait for copies");
  if (worker.events) worker.events->wait_for_groups(pending);
}

void workbook_sim_async_bind(const void* group) {
  Worker& worker = running_worker("an arrival by copies");
  if (worker.events) worker.events->bind_copies(group);
}

void workbook_sim_async_complete(const void* group) {
  Worker& worker = running_worker("the completion of copies");
  if (worker.events) worker.events->complete_group(group);
}

void workbook_sim_async_arrive(const void* group) {
  Worker& worker = running_worker("a wait for copies");
  if (worker.events) worker.events->arrive_group(group);
}

void workbook_sim_stage_commit(const void* group) {
  Worker& worker = running_worker("a commit of a stage");
  if (worker.events) worker.events->commit_stage(group);
}

void workbook_sim_stage_wait(unsigned int pending) {
  Worker& worker = running_worker("a wait for a stage");
  if (worker.events) worker.events->wait_for_stage(pending);
}

}  // extern "C"
