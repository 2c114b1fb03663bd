#pragma once

template <int kValue, class T>
__global__ void add_offset(T* values) {
  values[threadIdx.x] += kValue;
}
