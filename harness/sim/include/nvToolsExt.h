// The simulator's <nvToolsExt.h>, which CUDA had before NVTX 3.
#pragma once

#include "nvtx3/nvToolsExt.h"
