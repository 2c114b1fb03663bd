#include "call.h"

#include "call_file.h"
#include "check.h"
#include "declaration.h"
#include "prepare.h"
#include "runs/findings.h"

namespace workbook::core {
namespace {

/// The task's sizes by name, in its order.
Dims sizes_of(const Task& task, const CallFile& call) {
  Dims dims = task.cases.front().dims;
  for (const auto& [name, size] : task.cases.front().dims.items()) {
    const auto asked = call.sizes.find(name);
    if (asked == call.sizes.end()) throw CallRefused("The size " + std::string(name) + " is not given.");
    dims.set(name, asked->second);
  }
  return dims;
}

/// "y[3] and 12 others"
std::string elements_text(const runs::TensorInfo& info, std::size_t first, std::size_t count) {
  std::string text = element_name(info.name, index_of(first, info.shape));
  if (count == 2) text += " and another element";
  if (count > 2) text += " and " + std::to_string(count - 1) + " others";
  return text;
}

/// An output that nothing wrote keeps the poison that it began with, or on a GPU what lay there before.
void note_unwritten(const Workload& workload, const Execution& execution, runs::RunRecord& report) {
  for (const runs::TensorInfo& info : workload.tensors) {
    const auto id = static_cast<std::size_t>(info.id);
    if (info.role != runs::TensorRole::output || workload.given[id] || !workload.initial[id].empty())
      continue;
    const Type type = workload.types[id];
    if (is_integer(type)) continue;  // whose poison is a value like any other
    const Bytes& values = execution.values[id];
    const std::size_t elements = values.size() / size_of(type);
    std::size_t first = elements, count = 0;
    for (std::size_t i = 0; i < elements; ++i)
      if (is_poison(type, values, i) && ++count == 1) first = i;
    if (count == 0) continue;
    runs::Finding finding;
    finding.klass = runs::FindingClass::unwritten;
    finding.object = element_name(info.name, index_of(first, info.shape));
    finding.count = static_cast<std::int64_t>(count);
    finding.message = count == elements ? "nothing was written to " + info.name + "."
                                        : "nothing was written to " + elements_text(info, first, count) +
                                              ", of " + std::to_string(elements) + " elements.";
    finding.advice = "Compare the grid with the size of the output, and each guard with the last element.";
    report.findings.push_back(std::move(finding));
  }
}

}  // namespace

void call_variant(Backend& backend, const Task& task, const Variant& variant, const Launcher& launcher,
                  const std::string& file, const std::function<void(const Step&)>& on_step,
                  runs::RunRecord& report) {
  const CallFile call = read_call_file(file);
  Prepared data;
  data.name = "call";
  data.dims = sizes_of(task, call);
  if (const std::string why = refusal(variant, data.dims); !why.empty()) throw CallRefused(why);
  Workload workload = make_workload(task, variant, data);
  for (const runs::TensorInfo& info : workload.tensors) {
    const auto named = call.tensors.find(info.name);
    const CallFile::Array array = named != call.tensors.end() ? named->second : CallFile::Array();
    workload.files.push_back(array.file);
    workload.given.push_back(array.given);
  }
  workload.in_order = workload.traced = false;
  workload.sampled = false;
  workload.run = launcher.run;
  workload.on_step = on_step;
  Execution execution = backend.execute(workload);
  report.findings = std::move(execution.findings);
  for (const runs::Finding& finding : report.findings)
    if (runs::ended_kernel(finding)) return;
  note_unwritten(workload, execution, report);
}

}  // namespace workbook::core
