// The simulator's <nvtx3/nvtx3.hpp>: a range that lasts as long as a variable.
#pragma once

#include <string>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

class scoped_range {
 public:
  explicit scoped_range(const char* name) { nvtxRangePushA(name); }
  explicit scoped_range(const std::string& name) { nvtxRangePushA(name.c_str()); }
  ~scoped_range() { nvtxRangePop(); }
  scoped_range(const scoped_range&) = delete;
  scoped_range& operator=(const scoped_range&) = delete;
};

inline void mark(const char* name) { nvtxMarkA(name); }

}  // namespace v1
}  // namespace nvtx3
