// The simulator's <cufftXt.h>: what <cufft.h> has; callbacks and several GPUs are there in name.
#pragma once

#include "workbook_sim/libraries/cufft_devices.h"
