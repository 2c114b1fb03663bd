#include "../common/scale.cuh"

__global__ void shift(int* values) { values[threadIdx.x] += kShift; }

void launch_shift(int* values, int n) { shift<<<1, n>>>(values); }
