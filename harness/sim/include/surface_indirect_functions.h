// The simulator's <surface_indirect_functions.h>.
#pragma once

#include "cuda_runtime.h"
