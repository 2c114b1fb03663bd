// The simulator's <texture_fetch_functions.h>.
#pragma once

#include "cuda_runtime.h"
