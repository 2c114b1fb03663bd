// The simulator's <curand.h>.
#pragma once

#include "workbook_sim/libraries/curand.h"
