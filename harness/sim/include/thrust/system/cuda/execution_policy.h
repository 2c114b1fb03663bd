// The simulator's <thrust/system/cuda/execution_policy.h>.
#pragma once

#include "../../execution_policy.h"
