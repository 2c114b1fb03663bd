// CUDA's header of this name.
#pragma once

#include "workbook_sim/vector_types.h"
