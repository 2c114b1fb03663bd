// Tensor maps, as <cuda.h> has them, and the copies by them (TMA) that kernels ask for. A map is filled by
// cuTensorMapEncodeTiled() (libraries/tensor_maps.cpp), and read by engine/tensor_copies.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "attributes.h"
#include "engine_api.h"
#include "sync/barrier_word.h"

#define CU_TENSOR_MAP_NUM_QWORDS 16
struct CUtensorMap_st {
  alignas(128) unsigned long long opaque[CU_TENSOR_MAP_NUM_QWORDS];
};
using CUtensorMap = CUtensorMap_st;

extern "C" {
/// The box at these coordinates into shared memory, as a copy that `barrier` completes. Gives its bytes,
/// those outside of the tensor included. Ends the kernel where the map or the place is none.
std::uint32_t workbook_sim_tensor_load(void* to, const void* map, int rank, const int* at,
                                       const void* barrier);
/// The other way, of the group of bulk copies that the thread commits next.
void workbook_sim_tensor_store(const void* map, int rank, const int* at, const void* from);
}

namespace workbook::sim::ptx {

/// Coordinates on their way: no memory of the program's.
struct TensorPlace {
  int at[5];
};
WORKBOOK_SIM_UNTRACED TensorPlace tensor_place(int x, int y = 0, int z = 0, int v = 0, int w = 0) {
  return {{x, y, z, v, w}};
}

/// `blocks`: of the cluster, a bit for each that gets the box, at the same place, and the bytes at the same
/// barrier; 0: only the one that `to` lies in.
WORKBOOK_SIM_INLINE void tensor_load_at(void* to, const void* map, void* barrier, unsigned int blocks,
                                        int rank, const int* at) {
  const auto load = [&](void* there, void* word) __attribute__((always_inline)) {
    const std::uint32_t bytes = workbook_sim_tensor_load(there, map, rank, at, word);
    static_cast<BarrierWord*>(word)->change(0, 0, -static_cast<std::int64_t>(bytes), NoCompletion{});
  };
  if (blocks == 0) load(to, barrier);
  for (unsigned int rest = blocks; rest != 0; rest &= rest - 1) {
    const auto one = static_cast<unsigned int>(__builtin_ctz(rest));
    load(workbook_sim_map_shared_rank(to, one), workbook_sim_map_shared_rank(barrier, one));
  }
}
template <class... At>
WORKBOOK_SIM_INLINE void tensor_load(void* to, const void* map, void* barrier, unsigned int blocks,
                                     At... at) {
  tensor_load_at(to, map, barrier, blocks, sizeof...(At), tensor_place(at...).at);
}
template <class... At>
WORKBOOK_SIM_INLINE void tensor_store(const void* map, const void* from, At... at) {
  workbook_sim_tensor_store(map, sizeof...(At), tensor_place(at...).at, from);
}

}  // namespace workbook::sim::ptx
