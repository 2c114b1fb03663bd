// The simulator's <cufft.h>.
#pragma once

#include "workbook_sim/libraries/cufft.h"
