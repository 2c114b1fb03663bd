// The simulator's <cusparse.h>.
#pragma once

#include "cuda_runtime.h"
#include "workbook_sim/libraries/cusparse.h"
