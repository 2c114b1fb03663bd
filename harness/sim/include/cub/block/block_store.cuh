// The simulator's <cub/block/block_store.cuh>.
#pragma once

#include "../../cuda_runtime.h"
#include "../../workbook_sim/cub/block_io.h"
