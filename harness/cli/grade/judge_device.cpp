// ClassJudge's part for a GPU, where there is one: times beside the modelled ones, which no mark depends on.
#include <fmt/format.h>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/grade/device_time.h"
#include "cli/grade/judge.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

std::string sentence_of(const GradedResult& result, const std::string& why) {
  if (result.measured_us <= 0.0) return fmt::format("Not measured on {}: {}.", result.measured_on, why);
  return fmt::format("Measured on {}: {}, with cold caches; modelled were {}. No mark depends on it.",
                     result.measured_on, time_text(result.measured_us), time_text(result.time_us));
}

}  // namespace

bool ClassJudge::measure(const Submission& submission, const Device& device, std::size_t worker,
                         GradedSubmission& graded) const {
  bool any = false;
  const bool one = course_.puzzles().size() == 1;
  for (std::size_t i = 0; i < graded.results.size(); ++i) {
    GradedResult& result = graded.results[i];
    const GradedItem& item = course_.items[i];
    if (!result.right() || item.variant->program || !result.measured_on.empty()) continue;
    const auto* const file = file_of(submission, *item.puzzle, file_handed_in(item), one);
    if (file == nullptr) continue;
    std::string fault;
    RunRequest request = request_of_kernels(i, runs::kLearner, file->second, worker, fault);
    request.device = device;
    DeviceTime time;
    try {
      time = device_time(project_, std::move(request));
    } catch (const Failure& failure) {  // of the machine: it says nothing of the solution
      time.why = failure.what();
    }
    result.measured_on = device.name;
    result.measured_us = time.us;
    result.report += fitted("\n" + sentence_of(result, std::string(trimmed(time.why))) + '\n');
    any = true;
  }
  return any;
}

}  // namespace workbook::cli
