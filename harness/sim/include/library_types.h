// The simulator's <library_types.h>: element types of the math libraries.
#pragma once

#include "workbook_sim/libraries/blas_types.h"
