// Calls of Thrust's that compute something else than was meant.
#include "sim/check/diagnosis.h"
#include "sim/source/symbols.h"

using namespace workbook;
using namespace workbook::sim;

extern "C" void workbook_sim_sums_as_integer(const char* call) {
  if (!workbook_sim_is_diagnosing()) return;
  const Pc pc = pc_of_program(reinterpret_cast<Pc>(__builtin_return_address(0)));
  Diagnosis::get().findings.add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.message =
        std::string(call) +
        " adds floating-point numbers up in an integer: the sum has the type of its start value, and each step "
        "loses what is behind the point.";
    f.advice = "Give a start of the elements' own type: 0.0f for float, 0.0 for double.";
  });
}
