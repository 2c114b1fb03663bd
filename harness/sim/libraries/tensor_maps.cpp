// Tensor maps, and the driver's functions by name. What the driver refuses is said on standard error: its
// result, CUDA_ERROR_INVALID_VALUE, names none of a dozen rules.
#include "workbook_sim/runtime/tensor_maps.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "sim/engine/tensor_box.h"
#include "sim/runtime/call.h"
#include "workbook_sim/runtime/driver_entry.h"

namespace workbook::sim {
namespace {

CUresult refuse(CUresult result, const std::string& why) {
  std::fprintf(stderr, "cuTensorMapEncodeTiled(): %s\n", why.c_str());
  because(result, "The reason: " + why + ".");
  return result;
}
CUresult refuse(const std::string& why) { return refuse(CUDA_ERROR_INVALID_VALUE, why); }

int element_bytes(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return type >= CU_TENSOR_MAP_DATA_TYPE_UINT8 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ ? 4 : 0;
  }
}

std::string of(const char* what, int d, unsigned long long value) {
  return std::string(what) + "[" + std::to_string(d) + "] is " + std::to_string(value);
}

void* function_named(std::string_view name) {
  struct Named {
    std::string_view name;
    void* function;
  };
  static const Named kKnown[] = {
      {"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&cuTensorMapEncodeTiled)},
      {"cuTensorMapReplaceAddress", reinterpret_cast<void*>(&cuTensorMapReplaceAddress)},
      {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
      {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName)},
      {"cuGetProcAddress", reinterpret_cast<void*>(&cuGetProcAddress)},
      {"cuInit", reinterpret_cast<void*>(&cuInit)},
      {"cuDriverGetVersion", reinterpret_cast<void*>(&cuDriverGetVersion)}};
  for (const Named& one : kKnown)
    if (one.name == name) return one.function;
  return nullptr;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  constexpr int kMostSteps = 8, kMostBox = 256;
  const auto bytes = static_cast<unsigned long long>(element_bytes(type));
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % 64 != 0)
    return refuse("the map itself lies at a multiple of 64 bytes");
  if (bytes == 0 || swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
      promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return refuse("the data type, the swizzle or the promotion is none that is known");
  if (rank == 0 || rank > TensorBox::kMostRank) return refuse("a tensor has 1 to 5 dimensions");
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return refuse(CUDA_ERROR_NOT_SUPPORTED, "interleaved tensors are not simulated");
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
    return refuse(CUDA_ERROR_NOT_SUPPORTED, "NaN outside of the tensor is not simulated");
  if (address == nullptr || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return refuse("the tensor begins at a multiple of 16 bytes");
  TensorBox made{};
  made.magic = TensorBox::kMagic;
  made.rank = static_cast<std::uint8_t>(rank);
  made.element_bytes = static_cast<std::uint8_t>(bytes);
  made.width = static_cast<std::uint8_t>(16 << swizzle);
  made.address = reinterpret_cast<std::uintptr_t>(address);
  for (int d = 0; d < static_cast<int>(rank); ++d) {
    if (extents[d] == 0 || extents[d] > 1ull << 32)
      return refuse(of("globalDim", d, extents[d]) + ", and has to be 1 to 2^32");
    if (box[d] == 0 || box[d] > kMostBox) return refuse(of("boxDim", d, box[d]) + ", and has to be 1 to 256");
    if (steps[d] == 0 || steps[d] > kMostSteps)
      return refuse(of("elementStrides", d, steps[d]) + ", and has to be 1 to 8");
    made.last[d] = static_cast<std::uint32_t>(extents[d] - 1);
    made.box[d] = static_cast<std::uint16_t>(box[d]);
    made.steps[d] = static_cast<std::uint8_t>(d == 0 ? 1u : steps[d]);
    if (d == 0) continue;
    const unsigned long long stride = strides[d - 1];
    if (stride == 0 || stride % 16 != 0 || stride >= 1ull << 40)
      return refuse(of("globalStrides", d - 1, stride) + " bytes, and has to be a multiple of 16 below 2^40");
    made.strides[d - 1] = stride;
  }
  const unsigned long long row = box[0] * bytes;
  if (row % 16 != 0)
    return refuse("a row of the box has " + std::to_string(row) + " bytes, and has to have a multiple of 16");
  if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row > made.width)
    return refuse("a row of the box has " + std::to_string(row) + " bytes, and the swizzle is of " +
                  std::to_string(made.width) + ": cut the tensor into boxes of as many columns as fit");
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  TensorBox made;
  if (map == nullptr || address == nullptr || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(&made, map, sizeof made);
  if (made.magic != TensorBox::kMagic) return CUDA_ERROR_INVALID_VALUE;
  made.address = reinterpret_cast<std::uintptr_t>(address);
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char* symbol, void** function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult* found) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = function_named(symbol);
  if (found != nullptr)
    *found = *function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function != nullptr || found != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
  if (symbol == nullptr || function == nullptr) return cudaErrorInvalidValue;
  *function = function_named(symbol);
  if (found != nullptr)
    *found = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
  return cudaGetDriverEntryPoint(symbol, function, flags, found);
}

}  // extern "C"
