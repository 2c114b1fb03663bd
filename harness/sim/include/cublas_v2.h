// The simulator's <cublas_v2.h>.
#pragma once

#include "workbook_sim/libraries/cublas.h"
