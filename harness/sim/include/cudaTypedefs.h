// The simulator's <cudaTypedefs.h>: types of the driver's functions that programs ask for by name.
#pragma once

#include "cuda.h"

#define WORKBOOK_SIM_PFN(NAME, VERSION)              \
  using PFN_##NAME##_v##VERSION = decltype(&::NAME); \
  using PFN_##NAME = decltype(&::NAME);
WORKBOOK_SIM_PFN(cuTensorMapEncodeTiled, 12000)
WORKBOOK_SIM_PFN(cuTensorMapReplaceAddress, 12000)
WORKBOOK_SIM_PFN(cuGetErrorString, 6000)
WORKBOOK_SIM_PFN(cuGetErrorName, 6000)
WORKBOOK_SIM_PFN(cuGetProcAddress, 12000)
#undef WORKBOOK_SIM_PFN
