// The simulator's <device_types.h>.
#pragma once

#include "cuda_runtime.h"
