// What cuTensorMapEncodeTiled() takes and refuses, as the driver does.
#include <cudaTypedefs.h>

#include <cstring>
#include <functional>

#include "device.h"
#include "sim/engine/tensor_box.h"
#include "tests/catch.h"

namespace {

struct Asked {
  CUtensorMap map{};
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  cuuint32_t rank = 2;
  std::uintptr_t address = 4096;
  cuuint64_t extents[5] = {256, 128, 4, 4, 4}, strides[4] = {512, 65536, 65536 * 4, 65536 * 16};
  cuuint32_t box[5] = {64, 64, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode() {
    return cuTensorMapEncodeTiled(&map, type, rank, reinterpret_cast<void*>(address), extents, strides, box,
                                  steps, interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, fill);
  }
};

CUresult with(const std::function<void(Asked&)>& change) {
  Asked asked;
  change(asked);
  return asked.encode();
}

}  // namespace

TEST_CASE("tensor maps: what the driver takes") {
  Device device;
  CHECK(with([](Asked&) {}) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.rank = 5; }) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.rank = 1; }) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.box[1] = 256; }) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.box[0] = 128, a.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE; }) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.box[0] = 8, a.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }) == CUDA_SUCCESS);
  CHECK(with([](Asked& a) { a.steps[0] = 3; }) == CUDA_SUCCESS);
}

TEST_CASE("tensor maps: what the driver refuses") {
  Device device;
  const std::function<void(Asked&)> wrong[] = {
      [](Asked& a) { a.rank = 0; },
      [](Asked& a) { a.rank = 6; },
      [](Asked& a) { a.address += 8; },
      [](Asked& a) { a.extents[1] = 0; },
      [](Asked& a) { a.extents[0] = (1ull << 32) + 1; },
      [](Asked& a) { a.strides[0] = 520; },
      [](Asked& a) { a.strides[0] = 1ull << 40; },
      [](Asked& a) { a.box[0] = 0; },
      [](Asked& a) { a.box[1] = 257; },
      [](Asked& a) { a.box[0] = 4; },                                          // 8 bytes
      [](Asked& a) { a.box[0] = 128; },                                        // wider than its swizzle
      [](Asked& a) { a.box[0] = 32, a.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; },  // likewise
      [](Asked& a) { a.steps[1] = 9; },
      [](Asked& a) { a.steps[1] = 0; },
      [](Asked& a) { a.type = static_cast<CUtensorMapDataType>(99); }};
  for (const auto& change : wrong) {
    CAPTURE(&change - wrong);
    CHECK(with(change) == CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(with([](Asked& a) { a.rank = 3, a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }) ==
        CUDA_ERROR_NOT_SUPPORTED);
  CHECK(with([](Asked& a) { a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }) ==
        CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("tensor maps: functions of the driver by name") {
  Device device;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found) ==
        cudaSuccess);
  CHECK(found == cudaDriverEntryPointSuccess);
  CHECK(reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function) == &cuTensorMapEncodeTiled);
  CHECK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &found) ==
        cudaSuccess);
  CHECK(found == cudaDriverEntryPointSymbolNotFound);
  CHECK(function == nullptr);
  Asked asked;
  REQUIRE(asked.encode() == CUDA_SUCCESS);
  CHECK(cuTensorMapReplaceAddress(&asked.map, reinterpret_cast<void*>(8192)) == CUDA_SUCCESS);
  workbook::sim::TensorBox box;
  std::memcpy(&box, &asked.map, sizeof box);
  CHECK(box.address == 8192);
  CHECK(box.bytes() == 64 * 64 * 2);
}
