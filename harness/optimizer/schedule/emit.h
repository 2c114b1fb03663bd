// The third stage: a plan as readable CUDA C++, one file for nvcc and for the simulator. One function a
// launch with the cuts as constants above it, and a function that launches all of them. Ten ways:
//   tiles   (plain, product, attention) loop nests over tiles in shared memory
//   row     a block takes a row and holds it in registers: one read, one write
//   tensor  products on tensor cores; a warp's tiles come by asynchronous copies
//   tensor groups  the same on Hopper: four warps multiply what the GPU copies by itself
//   gemv    a vector against a matrix
//   strip   sums over any indices, from packs of what lies side by side
//   turned  elementwise, from one order of indices to another
//   window  sums over few elements, by each thread for itself
//   tensor attention  as tensor, with exp between two products
//   attention groups  the same by groups of warps
// A sum that the grid cuts is written in parts, which the launch that reads it adds up.
#pragma once

#include <string>

#include "optimizer/plan/plan.h"

namespace workbook::opt {

/// Why a plan cannot be written down, a sentence; nothing when it can.
std::optional<std::string> emit_fault(const Program& program, const Plan& plan);
/// The same of a plan whose launches are known to be legal.
std::optional<std::string> emit_fault(const Program& program, const Plan& plan,
                                      const std::vector<Launch>& launches);

/// kernels.cu. Throws std::invalid_argument with emit_fault's sentence.
std::string emit(const Program& program, const Plan& plan);

/// A program around kernels.cu that runs it on the cases of a file: CASES RESULTS. Both are binary: of each
/// case the extents of all indices (int32), then every input's elements (f32); results are f32.
std::string emit_check(const Program& program, const Plan& plan);

/// A program around kernels.cu that times all launches on a GPU at the real shape: TIMES, the file that it
/// writes (harness/gpu/time_emitted.h).
std::string emit_timing(const Program& program, const Plan& plan);

}  // namespace workbook::opt
