// The simulator's <cooperative_groups.h>.
#pragma once

#include "cuda_runtime.h"
#include "workbook_sim/groups/groups.h"
#include "workbook_sim/groups/partition.h"
