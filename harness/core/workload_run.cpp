#include "backend.h"
#include "expression.h"

namespace workbook::core {

std::int64_t WorkloadRun::evaluate(std::string_view expression) const {
  return core::evaluate(expression, workload_.dims);
}

WorkloadRun::Found WorkloadRun::find_tensor(std::string_view name) {
  for (const auto& info : workload_.tensors)
    if (info.name == name) {
      const auto id = static_cast<std::size_t>(info.id);
      return {device_[id], workload_.types[id]};
    }
  throw std::out_of_range("launches.cu asks for a tensor '" + std::string(name) +
                          "', which this variant does not have");
}

void WorkloadRun::run_step(const Step& step, void (*body)(void*), void* object) {
  workload_.on_step(step);
  execute(step, Body(body, object));
}

void WorkloadRun::refuse(std::string_view tensor, Type has, Type asked) const {
  throw std::invalid_argument("launches.cu takes the tensor '" + std::string(tensor) + "' as " +
                              std::string(type_name(asked)) + ", and it is declared as " +
                              std::string(type_name(has)));
}

void WorkloadRun::fail_launch(std::string_view why) const { throw LaunchFailed(std::string(why)); }

}  // namespace workbook::core
