// The simulator's <cufftXt.h>: what <cufft.h> has. Callbacks and several GPUs are left out.
#pragma once

#include "workbook_sim/libraries/cufft.h"
