// The simulator's <cublasLt.h>.
#pragma once

#include "workbook_sim/libraries/cublaslt.h"
