// The simulator's <cusparse_v2.h>.
#pragma once

#include "cuda_runtime.h"
#include "workbook_sim/libraries/cusparse.h"
