// CUDA's header of this name: device functions are part of the run-time header here.
#pragma once

#include "cuda_runtime.h"
