#include "dependence.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "check.h"
#include "declaration.h"
#include "flow.h"
#include "prepare.h"
#include "sources.h"

namespace workbook::core {
namespace {

/// What the reference makes of an element of the tensor in question when a source is another one.
struct Asked {
  std::vector<bool> needed, idle;  ///< by source: it changes a lot; not at all
};

class Dependence {
 public:
  Dependence(Backend& backend, const Task& task, const Variant& variant, void (*run)(Run&), const Case& which)
      : backend_(backend), task_(task), data_(prepare(task, which, true)) {
    workload_ = make_workload(task, variant, data_);
    workload_.run = run;
    for (const runs::TensorInfo& info : workload_.tensors)
      first_.push_back(sources_.add(*find_tensor(task, info.name), data_, task.tensors.back().type));
  }

  std::string words() {
    if (sources_.size() == 0 || steps() > kMostSteps) return {};
    const bool is_small =
        static_cast<double>(sources_.size()) * steps() <= kMostSteps && sources_.size() <= kMostSources;
    workload_.handovers = is_small;
    const std::optional<Backend::Again> seen = backend_.run_again(workload_);
    workload_.traced = workload_.handovers = false;
    if (!seen || !seen->trace || seen->trace->truncated) return {};
    const std::optional<int> id = find_wrong(*seen);
    if (!id) return {};
    if (!is_small) return about_unread(*seen->trace);
    const std::vector<Asked> asked = ask_reference();
    const Flow flow(*seen->trace, first_, sources_.size());
    tensors_ = seen->trace->tensors;
    constexpr std::size_t kWork = 4'000'000;  // accesses, of all runs of the kernel
    runs_left_ = std::clamp<std::size_t>(kWork / (seen->trace->events.size() + 1), 8, 120);
    for (std::size_t k = 0; k < wrong_.size(); ++k) {
      const Flow::Cell* const cell = flow.cell(*id, wrong_[k]);
      if (cell == nullptr) continue;
      if (std::string text = about(wrong_[k], asked[k], flow, *cell); !text.empty()) return text;
    }
    return {};
  }

 private:
  static constexpr double kMostSteps = 1 << 26;
  static constexpr std::size_t kMostSources = 1 << 13;

  /// A reference's loops run over some of the sizes; no more than all of them, one in another.
  double steps() const {
    double steps = 1.0;
    for (const auto& [name, size] : data_.dims.items()) steps *= static_cast<double>(size);
    return steps;
  }

  /// Of a large case: what nobody reads of the inputs.
  std::string about_unread(const runs::Trace& trace) {
    std::vector<bool> is_read(sources_.size(), false);
    for (const runs::TraceEvent& event : trace.events) {
      const std::int64_t first = event.tensor < first_.size() ? first_[event.tensor] : -1;
      for (std::uint32_t k = 0; k < event.count && first >= 0; ++k)
        if (const std::size_t i = static_cast<std::size_t>(first) + event.element + k; i < sources_.size())
          is_read[i] = true;
    }
    Positions unread;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (!is_read[i]) unread.push_back(i);
    runs_left_ = 2;
    const std::size_t element = wrong_.front();
    const auto matters = [&](int sign) {
      Prepared other = data_;
      for (const std::size_t i : unread)
        sources_.change(i, other.initial.find(sources_.tensor_of(i).name)->second, sign);
      const auto made = run_on_host<double>(task_, other, task_.reference);
      return is_far(made.arrays.find(tensor_->name)->second[element], expected_[element]);
    };
    if (unread.empty() || !(matters(1) || matters(-1)) || !stays_the_same(unread, element)) return {};
    return should_change(element, unread) + "no thread reads " + (unread.size() == 1 ? "it." : "them.");
  }

  /// The first tensor that is wrong, and a few of its wrong elements that were stored.
  std::optional<int> find_wrong(const Backend::Again& seen) {
    for (const runs::TensorInfo& info : workload_.tensors) {
      const Tensor& tensor = *find_tensor(task_, info.name);
      if (tensor.role == Role::input || !tensor.tolerance) continue;
      const auto id = static_cast<std::size_t>(info.id);
      const std::vector<double> got = as_doubles(tensor.type, seen.values[id]);
      allowed_.emplace(tensor, data_.dims);
      expected_ = data_.reference.arrays.find(info.name)->second;
      Positions all;
      for (std::size_t i = 0; i < got.size(); ++i)
        if (!allowed_->accepts(got[i], expected_[i]) && std::isfinite(got[i]) && std::isfinite(expected_[i]))
          all.push_back(i);
      if (all.empty()) continue;
      for (const std::size_t at : {std::size_t{0}, all.size() / 3, 2 * all.size() / 3, all.size() - 1})
        if (wrong_.empty() || all[at] != wrong_.back()) wrong_.push_back(all[at]);
      tensor_ = &tensor;
      tensor_id_ = info.id;
      got_ = got;
      return info.id;
    }
    return std::nullopt;
  }

  /// For each source, in either direction.
  std::vector<Asked> ask_reference() {
    const std::string name(tensor_->name);
    std::vector<Asked> asked(
        wrong_.size(), {std::vector<bool>(sources_.size(), false), std::vector<bool>(sources_.size(), true)});
    Prepared other = data_;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (const int sign : {1, -1}) {
        Bytes& bytes = other.initial.find(sources_.tensor_of(i).name)->second;
        const double own = sources_.change(i, bytes, sign);
        const auto made = run_on_host<double>(task_, other, task_.reference);
        const auto& values = made.arrays.find(name)->second;
        for (std::size_t k = 0; k < wrong_.size(); ++k) {
          const double is = values[wrong_[k]], was = expected_[wrong_[k]];
          if (is_far(is, was)) asked[k].needed[i] = true;
          if (!(std::abs(is - was) <= 1e-12 * std::abs(was))) asked[k].idle[i] = false;
        }
        sources_.put_back(i, bytes, own);
      }
    return asked;
  }

  bool is_far(double a, double b) const {
    return std::abs(a - b) > 4.0 * allowed_->at(b) + 1e-9 * std::abs(b);
  }

  /// What stands in the element when the sources are others; nothing where that cannot be told.
  std::optional<double> got_with(const Positions& changed, int sign, std::size_t element) {
    Workload other = workload_;
    other.on_step = [](const Step&) {};
    for (const std::size_t i : changed)
      for (const runs::TensorInfo& info : workload_.tensors)
        if (info.name == sources_.tensor_of(i).name)
          sources_.change(i, other.initial[static_cast<std::size_t>(info.id)], sign);
    if (runs_left_ == 0) return std::nullopt;
    --runs_left_;
    const std::optional<Backend::Again> seen = backend_.run_again(other);
    if (!seen) return std::nullopt;
    for (const runs::TensorInfo& info : workload_.tensors)
      if (info.name == tensor_->name)
        return load(tensor_->type, seen->values[static_cast<std::size_t>(info.id)], element);
    return std::nullopt;
  }

  bool stays_the_same(const Positions& changed, std::size_t element) {
    return got_with(changed, 1, element) == got_[element] && got_with(changed, -1, element) == got_[element];
  }

  bool changes(const Positions& changed, std::size_t element) {
    const std::optional<double> is = got_with(changed, 1, element);
    return is && is_far(*is, got_[element]);
  }

  /// Those of them that the element changes with, or where there are many, one.
  Positions found_among(Positions changed, std::size_t element) {
    if (changed.empty() || !changes(changed, element)) return {};
    if (2 * changed.size() <= runs_left_) {
      std::erase_if(changed, [&](std::size_t i) { return !changes({i}, element); });
      return changed;
    }
    while (changed.size() > 1) {
      const auto middle = changed.begin() + static_cast<std::ptrdiff_t>(changed.size() / 2);
      Positions half(changed.begin(), middle);
      if (!changes(half, element)) half.assign(middle, changed.end());
      changed = std::move(half);
    }
    return changes(changed, element) ? changed : Positions{};
  }

  std::string about(std::size_t element, const Asked& asked, const Flow& flow, const Flow::Cell& cell) {
    Positions missing, surplus, reaching;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const bool reaches = cell.from != nullptr && cell.from->has(i);
      if (asked.needed[i]) (reaches ? reaching : missing).push_back(i);
      if (asked.idle[i] && reaches) surplus.push_back(i);
    }
    if (!missing.empty() && !stays_the_same(missing, element)) missing.clear();
    if (missing.empty()) missing = unheard(reaching, element);
    const Positions extra = found_among(surplus, element);
    if (missing.empty() && extra.empty()) return {};
    const std::string name = name_of(element);
    const std::string too_much = extra.empty()
                                     ? ""
                                     : " changes when " + sources_.list(extra) +
                                           (extra.size() == 1 ? " does" : " do") + ", and should not.";
    if (missing.empty()) return name + too_much;
    return should_change(element, missing) + reason(missing, flow, cell) +
           (extra.empty() ? "" : " It" + too_much);
  }

  std::string should_change(std::size_t element, const Positions& missing) const {
    return name_of(element) + " should change when " + sources_.list(missing) +
           (missing.size() == 1 ? " does" : " do") + ", and stays the same: ";
  }

  /// Those that could reach the element and do not, where there are few enough to try each.
  Positions unheard(const Positions& reaching, std::size_t element) {
    Positions found;
    if (reaching.empty() || 4 * reaching.size() > runs_left_) return found;
    for (const std::size_t i : reaching)
      if (stays_the_same({i}, element)) found.push_back(i);
    return found;
  }

  std::string reason(const Positions& missing, const Flow& flow, const Flow::Cell& cell) const {
    const std::string it = missing.size() == 1 ? "it" : "them";
    const auto none = [&](auto test) { return std::none_of(missing.begin(), missing.end(), test); };
    if (none([&](std::size_t i) { return flow.is_read(i); })) return "no thread reads " + it + ".";
    const auto reaches = [&](std::size_t i) { return cell.from != nullptr && cell.from->has(i); };
    if (flow.is_of_one_thread(cell) && none(reaches))
      return "the thread that stores it does not read " + it + ".";
    if (flow.reads_anything(cell) && none([&](std::size_t i) { return flow.is_read_in_block_of(cell, i); }))
      return "no thread of its block reads " + it + ".";
    const Flow::Cell* const left = flow.left_unread(missing.front(), tensor_id_);
    if (left == nullptr || !none(reaches)) return "what threads make of " + it + " does not get there.";
    return "what came of " + sources_.name(missing.front()) + " was left in " + name_of(*left) +
           ", which no thread reads again.";
  }

  std::string name_of(const Flow::Cell& cell) const {
    const runs::TensorInfo& info = tensors_[cell.tensor];
    return element_name(info.name, index_of(cell.element, info.shape));
  }
  std::string name_of(std::size_t element) const {
    return element_name(tensor_->name, index_of(element, extents(*tensor_, data_.dims)));
  }
  Backend& backend_;
  const Task& task_;
  Prepared data_;
  Workload workload_;
  Sources sources_;
  std::vector<std::int64_t> first_;  ///< by tensor id, as Flow wants it
  std::size_t runs_left_ = 0;
  std::vector<runs::TensorInfo> tensors_;  ///< of the trace, shared arrays too
  // Of the tensor in question.
  const Tensor* tensor_ = nullptr;
  int tensor_id_ = 0;
  std::optional<Allowed> allowed_;
  std::vector<double> expected_, got_;
  Positions wrong_;
};

}  // namespace

std::string dependence_words(Backend& backend, const Task& task, const Variant& variant, void (*run)(Run&),
                             const Case& which) {
  if (task.reference == nullptr) return {};
  return Dependence(backend, task, variant, run, which).words();
}

}  // namespace workbook::core
