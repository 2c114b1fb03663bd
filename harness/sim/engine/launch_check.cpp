#include "launch_check.h"

#include "clock/occupancy.h"
#include "engine.h"

namespace workbook::sim {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

LaunchProblem check_cluster(const LaunchConfig& c, const KernelInfo& kernel) {
  const std::uint64_t size = std::uint64_t{c.cluster.x} * c.cluster.y * c.cluster.z;
  if (size == 1) return {};
  if (size == 0)
    return {cudaErrorInvalidClusterSize, "the cluster is empty: its x, y and z are " + number(c.cluster.x) +
                                             ", " + number(c.cluster.y) + " and " + number(c.cluster.z) +
                                             ", and each is 1 at least"};
  if (current_gpu().major < 9)
    return {cudaErrorInvalidClusterSize,
            "clusters need compute capability 9.0, and this GPU is a " + std::string(current_gpu().name)};
  const unsigned most = kernel.large_clusters ? 16 : 8;
  if (size > most)
    return {cudaErrorInvalidClusterSize, number(size) + " blocks a cluster, but at most " + number(most) +
                                             " are allowed (16 after cudaFuncSetAttribute(..., "
                                             "cudaFuncAttributeNonPortableClusterSizeAllowed, 1))"};
  if (c.grid.x % c.cluster.x != 0 || c.grid.y % c.cluster.y != 0 || c.grid.z % c.cluster.z != 0)
    return {cudaErrorInvalidClusterSize, "the grid is no multiple of the cluster in every dimension"};
  return {};
}

std::uint64_t room_for(const LaunchConfig& c, const KernelInfo& kernel) {
  const Residency r = blocks_per_sm(current_gpu(), {c.block.x * c.block.y * c.block.z,
                                                    kernel.static_shared + c.shared_bytes, kernel.registers});
  return static_cast<std::uint64_t>(r.blocks) * static_cast<std::uint64_t>(current_gpu().sms);
}

LaunchProblem check_cooperative(const LaunchConfig& c, const KernelInfo& kernel, unsigned threads) {
  if (!c.cooperative) return {};
  const GpuSpec& gpu = current_gpu();
  const Residency r = blocks_per_sm(gpu, {threads, kernel.static_shared + c.shared_bytes, kernel.registers});
  const std::uint64_t blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  const std::uint64_t room = room_for(c, kernel);
  if (blocks <= room) return {};
  return {cudaErrorCooperativeLaunchTooLarge,
          number(blocks) + " blocks, but a cooperative grid must be resident as a whole, and the " +
              std::string(gpu.name) + " holds " + number(room) + " such blocks (" +
              number(static_cast<std::uint64_t>(r.blocks)) + " on each of " +
              number(static_cast<std::uint64_t>(gpu.sms)) + " multiprocessors, limited by " + r.limit + ")"};
}

}  // namespace

std::uint64_t resident_blocks(const LaunchConfig& config, const KernelInfo& kernel) {
  return room_for(config, kernel);
}

LaunchProblem check_launch(const LaunchConfig& c, const KernelInfo& kernel) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  if (threads == 0 || c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0)
    return {cudaErrorInvalidConfiguration,
            "the grid or the block is empty: one of its sizes is 0, as where a division does not round up"};
  if (threads > kMaxThreads || c.block.z > 64)
    return {cudaErrorInvalidConfiguration,
            number(threads) + " threads a block, but a block has at most 1024 (64 in z)"};
  if (threads > static_cast<std::uint64_t>(kernel.max_threads))
    return {cudaErrorLaunchOutOfResources, number(threads) +
                                               " threads a block, but __launch_bounds__ promises at most " +
                                               std::to_string(kernel.max_threads)};
  if (c.grid.x > 0x7fffffffu || c.grid.y > 65535 || c.grid.z > 65535)
    return {cudaErrorInvalidConfiguration,
            "the grid is too large: at most 2147483647 x 65535 x 65535 blocks"};
  if (kernel.static_shared > 48 * 1024)
    return {cudaErrorInvalidConfiguration,
            number(kernel.static_shared) + " bytes of static shared memory, but at most 49152 are allowed"};
  if (c.shared_bytes > kernel.dynamic_limit())
    return {
        cudaErrorInvalidValue,
        number(c.shared_bytes + kernel.static_shared) + " bytes of shared memory a block, but the limit is " +
            number(kernel.dynamic_limit() + kernel.static_shared) +
            " (raise it with cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...), up "
            "to " +
            number(static_cast<std::uint64_t>(current_gpu().shared_kb_per_block) * 1024) + ")"};
  if (LaunchProblem problem = check_cluster(c, kernel); problem.error != cudaSuccess) return problem;
  return check_cooperative(c, kernel, static_cast<unsigned>(threads));
}

}  // namespace workbook::sim
