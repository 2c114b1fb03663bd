// In place of Thrust's own, which only nvcc compiles.
#pragma once

#include "../../../../workbook_sim/thrust/algorithms.h"
