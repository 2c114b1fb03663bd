// CUDA's header of this name: math is part of the run-time header here.
#pragma once

#include "cuda_runtime.h"
