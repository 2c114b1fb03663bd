// The simulator's <cublasXt.h>.
#pragma once

#include "workbook_sim/libraries/cublas_xt.h"
