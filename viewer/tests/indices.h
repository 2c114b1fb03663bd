// The accesses of made-up runs, and tensors in them by name.
#pragma once

#include <stdexcept>
#include <string>

#include "model/access.h"
#include "runs/store.h"

namespace workbook::viewer {

inline AccessIndex index_of(const runs::StoredRun& run) { return {*run.trace, &run.record.benchmarks[0]}; }

inline int id_of(const AccessIndex& index, const std::string& name) {
  for (int id = 0; id < 64; ++id)
    if (index.tensor(id) != nullptr && index.tensor(id)->name == name) return id;
  throw std::runtime_error("no tensor " + name);
}

}  // namespace workbook::viewer
