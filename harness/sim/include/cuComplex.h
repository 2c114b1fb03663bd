// The simulator's <cuComplex.h>.
#pragma once

#define CU_COMPLEX_H_  // keeps the toolkit's own out

#include "cuda_runtime.h"
#include "workbook_sim/complex.h"
