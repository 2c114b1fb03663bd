#include "scene.h"

#include <algorithm>
#include <utility>

#include "diagnosis.h"
#include "unset_copies.h"

namespace workbook::sim {
namespace {

std::size_t shared_bytes(const SharedVariable& v, const Launch& launch) {
  return v.dynamic ? launch.dynamic_shared : v.bytes;
}

}  // namespace

FindingLog& findings() { return Diagnosis::get().findings; }

const char* verb(runs::Access kind) {
  return kind == runs::Access::read ? "reads" : kind == runs::Access::write ? "writes" : "updates (atomic)";
}

void Scene::begin_launch(const Launch& launch) {
  modes = Diagnosis::get().modes;
  in_cluster = !launch.cooperative && launch.cluster_blocks() > 1;
  const auto& variables = shared_variables();
  if (variables.empty()) return;
  const std::uintptr_t base = thread_local_base();
  std::vector<SharedArray> now;
  for (const auto& v : variables)
    now.push_back({base + v.offset, base + v.offset + shared_bytes(v, launch), &v});
  if (now == arrays) return;
  arrays = std::move(now);
  lay_out();
}

/// Notes of every word which array it belongs to.
void Scene::lay_out() {
  shared_low = arrays.front().begin;
  shared_span = arrays.back().begin + arrays.back().variable->bytes - shared_low;
  // A dynamic array's symbol spans all that a block may ask for; what lies beyond the launch's share is never
  // let through.
  shared_cells.resize((arrays.back().end - shared_low) / 4 + 2);
  array_of_.assign(shared_span / 4 + 1, 0);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::size_t first = (arrays[i].begin - shared_low) / 4;
    const std::size_t next =
        i + 1 < arrays.size() ? (arrays[i + 1].begin - shared_low) / 4 : array_of_.size();
    std::fill(array_of_.begin() + static_cast<std::ptrdiff_t>(first),
              array_of_.begin() + static_cast<std::ptrdiff_t>(next), static_cast<std::uint16_t>(i));
    if (arrays[i].begin % 4 != 0) array_of_[first] = kSeveral;
  }
  within_array_.resize(shared_span / kGranule + 1);
  for (std::uint64_t granule = 0; granule < within_array_.size(); ++granule) {
    const std::uint64_t begin = granule * kGranule, end = begin + kGranule;
    const SharedArray* const array = end <= shared_span ? array_around(begin, kGranule) : nullptr;
    within_array_[granule] = array != nullptr && array_around(end - 1, 1) == array;
  }
}

const SharedArray* Scene::search_shared_array(std::uintptr_t address) const {
  const auto after = std::upper_bound(arrays.begin(), arrays.end(), address,
                                      [](std::uintptr_t at, const SharedArray& a) { return at < a.begin; });
  return after == arrays.begin() ? nullptr : &*(after - 1);
}

std::string Scene::name(const runs::ThreadId& id) const {
  return describe_thread(id, worker.launch->grid, worker.launch->block);
}

std::string Scene::shared_element(std::uintptr_t address) const {
  const SharedArray* array = shared_array(address);
  if (array == nullptr) return "shared memory";
  return describe_shared(*array->variable, address - array->begin);
}

std::string Scene::name_of(const Target& target) const {
  if (is_shared_memory(target.space)) {
    std::string name = shared_element(shared_low + target.offset);
    if (target.owner != this) name += " of block " + std::to_string(target.owner->worker.block_linear());
    return name;
  }
  if (target.space == Space::image) return program_variable(writable_image_begin() + target.offset);
  if (const DeviceHeap::Chunk* chunk = DeviceHeap::get().find(target.offset); chunk != nullptr)
    return describe_element(DeviceHeap::described(*chunk), target.offset, access_bytes);
  const Allocation* a = Arena::get().find(target.offset);
  return a == nullptr ? "device memory" : describe_element(*a, target.offset, access_bytes);
}

void Scene::wait_for_log() {
  const bool range = std::exchange(in_range, false), copying = std::exchange(copying_struct, false),
             apart = std::exchange(copying_apart, false);
  worker.wait_for_log();
  in_range = range;
  copying_struct = copying;
  copying_apart = apart;
}

void Scene::kill() {
  in_range = copying_struct = copying_apart = false;
  block_damaged = true;
  UnsetCopies::excuse();
  worker.kill_current();
}

}  // namespace workbook::sim
