// The simulator's <common_functions.h>.
#pragma once

#include "cuda_runtime.h"
