// The simulator's <surface_functions.h>.
#pragma once

#include "cuda_runtime.h"
