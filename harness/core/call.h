// One call of a variant on arrays that somebody else made: phase "call" of the child program, which
// harness/python starts for each call of a puzzle's Python module.
#pragma once

#include <string>

#include "backend.h"
#include "runs/record.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// Sizes that a variant does not take, or a call that does not fit the declaration: a sentence for the
/// caller.
class CallRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `file` asks for (call_file.h). Tensors that it does not name are made here.
/// Fills the report with findings, and with one of class "unwritten" for each output that holds elements
/// nobody stored. Throws CallRefused.
void call_variant(Backend& backend, const Task& task, const Variant& variant, const Launcher& launcher,
                  const std::string& file, const std::function<void(const Step&)>& on_step,
                  runs::RunRecord& report);

}  // namespace workbook::core
