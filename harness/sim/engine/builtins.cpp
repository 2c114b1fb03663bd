// The functions behind threadIdx and its kin where a variable will not do: workbook_sim/traced_builtins.h.
// And what of workbook_sim/math.h is not inline.
#include <cmath>

#include "engine.h"
#include "workbook_sim/math.h"

extern constinit thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace {

unsigned int on_axis(const uint3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

}  // namespace

extern "C" {
unsigned int workbook_sim_thread_index(int axis) { return on_axis(threadIdx, axis); }
unsigned int workbook_sim_block_index(int axis) { return on_axis(blockIdx, axis); }
unsigned int workbook_sim_block_extent(int axis) { return on_axis(blockDim, axis); }
unsigned int workbook_sim_grid_extent(int axis) { return on_axis(gridDim, axis); }
}

double workbook::sim::cyl_bessel_i(double order, double x) { return std::cyl_bessel_i(order, x); }
