// The simulator's <cooperative_groups/scan.h>.
#pragma once

#include "../cooperative_groups.h"
#include "../workbook_sim/groups/collectives.h"
