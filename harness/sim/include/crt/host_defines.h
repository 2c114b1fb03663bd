// The simulator's <crt/host_defines.h>.
#pragma once

#include "../cuda_runtime.h"
