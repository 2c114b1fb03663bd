#include <cstring>

#include "clock/occupancy.h"
#include "device.h"
#include "tests/catch.h"

using namespace workbook::sim;

TEST_CASE("there is one device, the chosen GPU") {
  Device device("t4");
  int count = 0, current = -1, can = 1;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&current) == cudaSuccess);
  CHECK(current == 0);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  cudaDeviceProp p{};
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(p.major == 7);
  CHECK(p.multiProcessorCount == 40);
  CHECK(std::strstr(p.name, "T4") != nullptr);
  CHECK(p.sharedMemPerBlockOptin == 65536);
  CHECK(cudaGetDeviceProperties(&p, 1) == cudaErrorInvalidDevice);
}

TEST_CASE("attributes agree with the properties") {
  Device device;
  cudaDeviceProp p{};
  cudaGetDeviceProperties(&p, 0);
  const auto attribute = [](cudaDeviceAttr a) {
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, a, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == 232448);
  CHECK(attribute(cudaDevAttrCooperativeLaunch) == 1);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
}

TEST_CASE("versions, limits and priorities are answered") {
  Device device;
  int version = 0, least = 1, greatest = 1;
  cudaRuntimeGetVersion(&version);
  CHECK(version == 13000);
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  CHECK(least == 0);
  CHECK(greatest < 0);
  std::size_t heap = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(heap == 1 << 20);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1) == cudaErrorUnsupportedLimit);
}

TEST_CASE("a reset frees the device's memory") {
  Device device;
  int* data = device_ints(4);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMemset(data, 0, 4) == cudaErrorInvalidValue);
}

// Expected values: NVIDIA's occupancy calculator for these compute capabilities.
TEST_CASE("occupancy follows the documented limits") {
  const GpuSpec &h200 = *find_gpu("h200"), &t4 = *find_gpu("t4"), &ada = *find_gpu("rtx4090");
  CHECK(blocks_per_sm(h200, {256, 0, 32}).blocks == 8);
  CHECK(blocks_per_sm(h200, {32, 0, 32}).blocks == 32);
  CHECK(blocks_per_sm(h200, {32, 0, 32}).limit == std::string("blocks"));
  CHECK(blocks_per_sm(h200, {256, 48 * 1024, 32}).blocks == 4);
  CHECK(blocks_per_sm(h200, {256, 227 * 1024, 32}).blocks == 1);
  CHECK(blocks_per_sm(h200, {256, 228 * 1024, 32}).blocks == 0);
  CHECK(blocks_per_sm(h200, {256, 0, 64}).blocks == 4);
  CHECK(blocks_per_sm(h200, {256, 0, 64}).limit == std::string("registers"));
  CHECK(blocks_per_sm(h200, {1024, 0, 65}).blocks == 0);
  CHECK(blocks_per_sm(t4, {256, 0, 32}).blocks == 4);
  CHECK(blocks_per_sm(t4, {256, 32 * 1024, 32}).blocks == 2);
  CHECK(blocks_per_sm(ada, {1024, 0, 32}).blocks == 1);
  CHECK(blocks_per_sm(ada, {512, 0, 32}).blocks == 3);
  CHECK(blocks_per_sm(h200, {33, 0, 32}).blocks == 32);
}

TEST_CASE("what a launch's blocks take, what bounds them and what the next one lacks") {
  workbook::runs::LaunchRecord launch;
  launch.block = {128, 1, 1};
  launch.shared_bytes = 32 * 1024;
  const Multiprocessor bound_by_shared = multiprocessor(*find_gpu("h200"), launch);
  CHECK(bound_by_shared.resident.blocks == 6);
  CHECK(bound_by_shared.warps == 24);
  CHECK(bound_by_shared.warp_slots == 64);
  REQUIRE(bound_by_shared.supplies.size() == 4);
  const Supply &threads = bound_by_shared.supplies[0], &shared = bound_by_shared.supplies[2];
  CHECK(threads.lacking(6) == 0);
  CHECK(shared.a_block == 33 * 1024);
  CHECK(shared.lacking(6) == 3 * 1024);  // 228 KB hold six of 33 KB and 30 KB
  CHECK_FALSE(bound_by_shared.supplies[3].known);
  launch.registers = 72;
  launch.shared_bytes = 0;
  const Multiprocessor bound_by_registers = multiprocessor(*find_gpu("h200"), launch);
  CHECK(bound_by_registers.resident.limit == std::string("registers"));
  CHECK(bound_by_registers.resident.blocks ==
        7);  // 7 warps a quarter, as 2304 registers go 7 times into 16384
  CHECK(bound_by_registers.supplies[3].there_is == 4 * 7 * 2304);
  CHECK(bound_by_registers.supplies[3].lacking(7) == 4 * 2304);
  launch.block = {1024, 1, 1};
  CHECK(
      multiprocessor(*find_gpu("h200"), launch).supplies.empty());  // 28 warps have registers, a block has 32
}

TEST_CASE("the occupancy functions answer for kernels") {
  Device device;
  int blocks = 0, grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0) == cudaSuccess);
  CHECK(blocks == 8);
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale<float>, 128, 100 * 1024) ==
          cudaSuccess);
  CHECK(blocks == 2);
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill) == cudaSuccess);
  CHECK(block == 1024);
  CHECK(grid == 2 * 132);
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void*)fill, 0, 256) == cudaSuccess);
  CHECK(block == 256);
  REQUIRE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, [](int threads) {
            return static_cast<std::size_t>(threads) * 256;
          }) == cudaSuccess);
  CHECK(block <= 896);
  std::size_t bytes = 0;
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 2, 256) == cudaSuccess);
  CHECK(bytes == 113 * 1024);
}
