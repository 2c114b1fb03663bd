// What kernels ask of blocks that run together: grid and cluster barriers, and each other's shared memory.
#include <string>

#include "sim/source/symbols.h"
#include "team.h"

using namespace workbook;
using namespace workbook::sim;

namespace {

bool in_cluster(const Worker& worker) { return worker.team != nullptr && !worker.launch->cooperative; }

}  // namespace

extern "C" {

void workbook_sim_refuse(const char* what) { running_worker(what).refuse(what, WORKBOOK_PC); }

bool workbook_sim_grid_is_cooperative() {
  return running_worker("grid_group::is_valid()").launch->cooperative;
}

void workbook_sim_grid_sync() {
  Worker& worker = running_worker("grid_group::sync()");
  if (!worker.launch->cooperative)
    worker.refuse("grid_group::sync() needs a launch by cudaLaunchCooperativeKernel()", WORKBOOK_PC);
  worker.barrier(WORKBOOK_PC, 0, true);
}

void workbook_sim_grid_dependency(const char* call, bool waits) {
  Worker& worker = running_worker(call);
  if (waits && worker.events && worker.launch->dependent) worker.events->wait_for_primary();
}

unsigned int workbook_sim_cluster_extent(unsigned int axis) {
  const uint3& extent = running_worker("cluster_group").launch->cluster;
  return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
}

unsigned int workbook_sim_cluster_block_rank() {
  const Worker& worker = running_worker("cluster_group");
  const uint3 block = unflatten(worker.block_linear(), worker.launch->grid), extent = worker.launch->cluster;
  return block.x % extent.x + extent.x * (block.y % extent.y + extent.y * (block.z % extent.z));
}

void workbook_sim_cluster_arrive() {
  Worker& worker = running_worker("cluster_group::barrier_arrive()");
  worker.cluster_arrive();
}

void workbook_sim_cluster_wait() {
  Worker& worker = running_worker("cluster_group::barrier_wait()");
  worker.cluster_wait(WORKBOOK_PC);
}

void* workbook_sim_map_shared_rank(const void* address, unsigned int rank) {
  Worker& worker = running_worker("map_shared_rank()");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (worker.events && !worker.events->is_shared(at))
    worker.refuse(
        "map_shared_rank() is given the address of something that is no shared memory: it leads from a block's "
        "__shared__ variable to that of another block",
        WORKBOOK_PC);
  if (!in_cluster(worker)) {
    if (rank != 0)
      worker.refuse(
          "map_shared_rank() names another block of a cluster, but the launch made no clusters "
          "(cudaLaunchAttributeClusterDimension, or __cluster_dims__ at the kernel)",
          WORKBOOK_PC);
    return const_cast<void*>(address);
  }
  if (rank >= worker.team->size()) {
    const std::string what = "map_shared_rank() names a block that the cluster does not have: rank " +
                             std::to_string(rank) + ", and it has " + std::to_string(worker.team->size()) +
                             " blocks";
    worker.refuse(what.c_str(), WORKBOOK_PC);
  }
  return reinterpret_cast<void*>(worker.team->tls_base(rank) + (at - thread_local_base()));
}

}  // extern "C"
