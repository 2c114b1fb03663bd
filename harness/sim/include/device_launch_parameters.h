// CUDA's header of this name: threadIdx and its kin are part of the run-time header here.
#pragma once

#include "cuda_runtime.h"
