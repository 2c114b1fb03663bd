// The simulator's <cooperative_groups/memcpy_async.h>.
#pragma once

#include "../cooperative_groups.h"
#include "../workbook_sim/groups/memcpy_async.h"
