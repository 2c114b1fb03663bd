// A workload as a message: all but its functions and the contents of its arrays, which follow it.
#pragma once

#include "core/backend.h"
#include "runs/json.h"

namespace workbook::apart {

runs::Json to_json(const core::Workload& workload);
/// `initial` has the sizes that are to follow; 0: poison.
core::Workload workload_from(const runs::Json& json);

}  // namespace workbook::apart
