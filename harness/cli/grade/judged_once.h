// What several learners handed in word for word (skeletons, copies) is judged once: a result depends on the
// file alone.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>

#include "cli/grade/graded.h"

namespace workbook::cli {

class JudgedOnce {
 public:
  /// judge()'s result, or what it was for whoever had the same key; waits where that one is being judged.
  /// What throws is not remembered.
  template <class Judge>
  GradedResult of(const std::string& key, Judge judge) {
    std::promise<GradedResult> promise;
    std::shared_future<GradedResult> known;
    {
      const std::lock_guard lock(mutex_);
      const auto [at, first] = results_.try_emplace(key);
      if (first)
        at->second = promise.get_future().share();
      else
        known = at->second;
    }
    if (known.valid()) return known.get();
    try {
      GradedResult result = judge();
      promise.set_value(result);
      return result;
    } catch (...) {
      promise.set_exception(std::current_exception());
      const std::lock_guard lock(mutex_);
      results_.erase(key);
      throw;
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<GradedResult>> results_;
};

}  // namespace workbook::cli
