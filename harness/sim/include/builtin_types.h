// The simulator's <builtin_types.h>.
#pragma once

#include "cuda_runtime.h"
