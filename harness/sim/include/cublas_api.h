// The simulator's <cublas_api.h>.
#pragma once

#include "workbook_sim/libraries/cublas.h"
