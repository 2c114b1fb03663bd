// The simulator's <cub/util_macro.cuh>.
#pragma once

#include "../cuda_runtime.h"
