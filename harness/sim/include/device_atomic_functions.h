// CUDA's header of this name: atomics are part of the run-time header here.
#pragma once

#include "cuda_runtime.h"
