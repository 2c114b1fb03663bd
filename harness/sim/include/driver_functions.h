// The simulator's <driver_functions.h>.
#pragma once

#include "cuda_runtime.h"
