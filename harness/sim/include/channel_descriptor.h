// The simulator's <channel_descriptor.h>.
#pragma once

#include "cuda_runtime.h"
