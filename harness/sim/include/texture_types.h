// The simulator's <texture_types.h>.
#pragma once

#include "cuda_runtime.h"
