// A made-up listing of puzzle 22's layernorm_kernel, for the sources of the viewer's fixture.
#pragma once

#include "runs/listing.h"

namespace workbook::test {

inline runs::ListingRecord sample_listing() {
  runs::ListingRecord listing;
  listing.puzzle = 22;
  listing.form = "sass";
  listing.architecture = "sm_90";
  listing.origin = "nvcc 13.0.88, nvdisasm 13.0.85, for sm_90";
  listing.source_hash = "0123456789abcdef";
  runs::ListedKernel kernel{"layernorm_kernel", "5 instructions, 24 registers a thread, nothing spilled", {}};
  kernel.instructions = {{"0000", "S2R R0, SR_TID.X", "", "kernels.cu", 24, "", "reads a special register"},
                         {"0010", "LDG.E.128 R4, desc[UR4][R2.64]", "", "kernels.cu", 24, "load, 16 bytes",
                          "loads 16 bytes from global memory"},
                         {"0020", "MUFU.RSQ R5, R4", ".L_x_1", "kernels.cu", 31,
                          "special function, 1 / square root", "special function unit: 1 / square root"},
                         {"0030", "FFMA R6, R5, R4, RZ", "", "given.cuh", 8, "", "a * b + c in floats"},
                         {"0040", "EXIT", "", "", 0, "", "the thread ends"}};
  listing.kernels.push_back(kernel);
  return listing;
}

}  // namespace workbook::test
