#include "declaration.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "budget.h"
#include "element.h"
#include "expression.h"
#include "runs/json.h"

namespace workbook::core {
namespace {

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Collects the faults of one declaration.
class Review {
 public:
  std::vector<std::string> take() { return std::move(faults_); }

  void task(const Task& task, const std::vector<const Variant*>& variants) {
    where_ = task.name.empty() ? "" : "task " + in_quotes(task.name) + ": ";
    if (task.tensors.empty()) return fault("it has no tensors");
    if (task.cases.empty()) return fault("it has no cases");
    if (task.reference == nullptr) fault("it has no reference");
    if (task.large.items().empty()) fault("it has no large shape");
    if (task.bench.items().empty()) fault("it has no bench shape");
    std::set<std::string_view> names;
    for (const Tensor& t : task.tensors) {
      if (!names.insert(t.name).second) fault("two tensors are called " + in_quotes(t.name));
      tensor(t);
      if (std::none_of(variants.begin(), variants.end(),
                       [&](const Variant* v) { return t.role == Role::input || uses(*v, t); }))
        fault("no variant uses the tensor " + in_quotes(t.name));
    }
    names.clear();  // a case's name is part of the seeds and of the fingerprints' key
    for (const Case& which : task.cases) {
      if (!names.insert(which.name).second) fault("two cases are called " + in_quotes(which.name));
      if (which.dims.items().empty())
        fault("case " + in_quotes(which.name) + ": it has no sizes, or not as many as its table's head");
      sizes(task, std::string(which.name), which.dims, which.fills);
    }
    sizes(task, "large", task.large, {});
    sizes(task, "bench", task.bench, {});
  }

  void variant(const Variant& variant, const Task* task) {
    where_ = "variant " + in_quotes(variant.name) + ": ";
    if (variant.title.empty()) fault("it has no title");
    if (variant.summary.empty()) fault("it has no summary");
    const bool asks = variant.program && !variant.program->answers.empty();  // then nothing need be written
    if (variant.given && (!variant.regions.empty() || !variant.begins.empty() || variant.program))
      fault("it is given, and has regions, a mutant as which its file begins, or a program of its own");
    if (variant.regions.empty() && variant.begins.empty() && !asks && !variant.given)
      fault("it names no regions for the learner to fill, nor the mutant as which the file begins");
    if (variant.program) {
      if (variant.program->prints.empty() && variant.program->findings.empty() &&
          variant.program->answers.empty() && variant.program->calls.empty())
        fault("nothing is asked of the program: neither prints nor findings nor calls nor answers");
      for (const Calls& rule : variant.program->calls)
        if (rule.pattern.empty() || rule.says.empty())
          fault("a rule about the calls of the program needs a pattern and a sentence that it says");
      for (const Listed& rule : variant.program->listing)
        if (rule.fact.empty() || rule.value.empty() || rule.says.empty())
          fault("a rule about the program's listing needs a fact, its value and a sentence that it says");
      for (const Fresh& fresh : variant.program->fresh)
        if (fresh.find.empty() || fresh.put.find('#') == std::string_view::npos || fresh.least > fresh.most)
          fault("fresh data need a text to find, one with a '#' to put in its place, and numbers for that");
      if (const auto results = variant.program->results;
          results && *results != Type::f32 && *results != Type::i32)
        fault("results of a program that are graded are f32 or i32");
      return;
    }
    if (task == nullptr) return fault("there is no task " + in_quotes(variant.task));
    named(variant.intermediates, *task, Role::intermediate, "an intermediate");
    named(variant.outputs, *task, Role::output, "an output");
    if (task->cases.empty()) return;
    bounds(variant, *task);
  }

  void fault(const std::string& what) { faults_.push_back(where_ + what + "."); }
  void at(std::string where) { where_ = std::move(where); }

 private:
  void tensor(const Tensor& t) {
    const std::string name = "the tensor " + in_quotes(t.name);
    const bool filled = t.role == Role::input || t.start == Start::filled;
    if (t.shape.empty()) fault(name + " has no shape");
    if (filled && t.fill.kind == Fill::Kind::none) fault(name + " has no fill");
    if (!filled && t.fill.kind != Fill::Kind::none)
      fault(name + " has a fill, and does not start filled: .start = Start::filled");
    if (t.role == Role::input && t.start != Start::poisoned)
      fault(name + " is an input: it starts with its fill and has no .start");
    if (t.role == Role::input && t.tolerance) fault(name + " is an input and has a tolerance");
    if (t.role == Role::output && !t.tolerance) fault(name + " is an output without a tolerance");
    if (t.tolerance && t.tolerance->source.empty())
      fault(name + " has a tolerance that does not say where it comes from");
  }

  void sizes(const Task& task, const std::string& name, const Dims& dims,
             const std::vector<std::pair<std::string_view, Fill>>& fills) {
    if (dims.items().empty()) return;
    for (const auto& [dim, size] : dims.items())
      if (size <= 0) fault("case " + in_quotes(name) + ": " + dim + " is " + std::to_string(size));
    for (const Tensor& t : task.tensors) try {
        for (const std::string_view extent : t.shape)
          if (evaluate(extent, dims) < 0)
            fault("case " + in_quotes(name) + ": the tensor " + in_quotes(t.name) + " has a negative size");
        if (t.fill.kind == Fill::Kind::index) evaluate(t.fill.extent, dims);
        if (t.tolerance) t.tolerance->absolute(dims), t.tolerance->relative(dims);
      } catch (const std::logic_error& error) {
        fault("case " + in_quotes(name) + ": the tensor " + in_quotes(t.name) + ": " + error.what());
      }
    for (const auto& [tensor, fill] : fills) {
      const Tensor* found = find_tensor(task, tensor);
      if (found == nullptr)
        fault("case " + in_quotes(name) + " fills the tensor " + in_quotes(tensor) + ", which is not there");
      else if (found->role != Role::input && found->start != Start::filled)
        fault("case " + in_quotes(name) + " fills the tensor " + in_quotes(tensor) +
              ", which does not start filled");
    }
  }

  /// What it refuses and what it may spend, on every case that it takes.
  void bounds(const Variant& variant, const Task& task) {
    const std::vector<Bound> budget = bounds_of(variant.budget);
    std::vector<Case> all = task.cases;
    all.push_back({.name = "bench", .dims = task.bench});
    all.push_back({.name = "large", .dims = task.large});
    for (std::size_t i = 0; i < all.size(); ++i) try {
        const Dims& dims = all[i].dims;
        if (dims.items().empty()) continue;
        if (!refusal(variant, dims).empty()) {
          if (i == 0 || i == task.cases.size())
            fault("it refuses the " + std::string(i == 0 ? "teaching" : "bench") + " shape");
          continue;
        }
        for (const Bound& bound : budget) bound(dims);
      } catch (const std::logic_error& error) {
        return fault("case " + in_quotes(all[i].name) + ": " + error.what());
      }
  }

  void named(const std::vector<std::string_view>& names, const Task& task, Role role, const char* kind) {
    for (const std::string_view name : names) {
      const Tensor* found = find_tensor(task, name);
      if (found == nullptr || found->role != role)
        fault(std::string("it names ") + kind + " " + in_quotes(name) + ", which is not there");
    }
  }

  std::string where_;
  std::vector<std::string> faults_;
};

runs::Json sizes_json(const Dims& dims) {
  runs::Json json = runs::Json::object();
  for (const auto& [name, size] : dims.items()) json[name] = size;
  return json;
}

runs::Json strings(const std::vector<std::string_view>& names) {
  runs::Json list = runs::Json::array();
  for (const std::string_view name : names) list.push_back(std::string(name));
  return list;
}

runs::Json tensor_json(const Tensor& tensor) {
  runs::Json json = {{"name", std::string(tensor.name)},
                     {"role", runs::word_of(role_of(tensor))},
                     {"type", std::string(type_name(tensor.type))},
                     {"shape", strings(tensor.shape)}};
  if (tensor.tolerance) json["tolerance"] = std::string(tensor.tolerance->source);
  return json;
}

runs::Json task_json(const Task& task) {
  runs::Json json = {{"name", std::string(task.name)},
                     {"teaching", sizes_json(task.cases.empty() ? Dims() : task.cases.front().dims)},
                     {"large", sizes_json(task.large)},
                     {"bench", sizes_json(task.bench)},
                     {"tensors", runs::Json::array()}};
  for (const Tensor& tensor : task.tensors) json["tensors"].push_back(tensor_json(tensor));
  return json;
}

const char* start_name(Start start) {
  return start == Start::filled ? "filled" : start == Start::zeroed ? "zeroed" : "poisoned";
}

runs::Json call_json(const Variant& variant, const Task& task) {
  runs::Json json = {
      {"name", std::string(variant.name)},       {"title", std::string(variant.title)},
      {"summary", std::string(variant.summary)}, {"file", std::string(variant.file)},
      {"regions", strings(variant.regions)},     {"teaching", sizes_json(task.cases.front().dims)},
      {"tensors", runs::Json::array()}};
  for (const Tensor& tensor : task.tensors) {
    if (!uses(variant, tensor)) continue;
    runs::Json entry = tensor_json(tensor);
    entry.erase("tolerance");
    entry["start"] = tensor.role == Role::input ? "filled" : start_name(tensor.start);
    json["tensors"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

runs::TensorRole role_of(const Tensor& tensor) {
  switch (tensor.role) {
    case Role::input:
      return runs::TensorRole::input;
    case Role::intermediate:
      return runs::TensorRole::intermediate;
    case Role::output:
      break;
  }
  return runs::TensorRole::output;
}

const Variant* find_variant(const Puzzle& puzzle, std::string_view name) {
  for (const Variant& variant : puzzle.variants)
    if (variant.name == name) return &variant;
  return nullptr;
}

const Task& task_of(const Puzzle& puzzle, const Variant& variant) {
  for (const Task& task : puzzle.tasks)
    if (task.name == variant.task) return task;
  throw std::invalid_argument("variant " + in_quotes(variant.name) + ": there is no task " +
                              in_quotes(variant.task));
}

const Tensor* find_tensor(const Task& task, std::string_view name) {
  for (const Tensor& tensor : task.tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

bool uses(const Variant& variant, const Tensor& tensor) {
  switch (tensor.role) {
    case Role::input:
      return true;
    case Role::intermediate:
      return contains(variant.intermediates, tensor.name);
    case Role::output:
      return variant.outputs.empty() || contains(variant.outputs, tensor.name);
  }
  return false;
}

std::string refusal(const Variant& variant, const Dims& dims) {
  for (const Refusal& refusal : variant.refuses)
    if (refusal.when(dims) != 0.0) return refusal.why;
  return "";
}

std::vector<std::string> faults_of(const Puzzle& puzzle) {
  Review review;
  if (puzzle.number <= 0) review.fault("it has no number");
  if (puzzle.title.empty()) review.fault("it has no title");
  if (puzzle.part.empty()) review.fault("it has no part");
  if (puzzle.summary.empty()) review.fault("it has no summary");
  for (const int other : puzzle.builds_on)
    if (other <= 0 || other >= puzzle.number)
      review.fault("it builds on puzzle " + std::to_string(other) + ", which does not come before it");
  if (puzzle.variants.empty()) review.fault("it has no variants");
  if (puzzle.tasks.size() > 1 && !puzzle.tensor_program.empty())
    review.fault("it names a tensor program, which goes with one task, and has several");
  std::set<std::string_view> names;
  for (const Task& task : puzzle.tasks) {
    if (!names.insert(task.name).second) review.fault("two tasks are called " + in_quotes(task.name));
    std::vector<const Variant*> variants;
    for (const Variant& variant : puzzle.variants)
      if (!variant.program && variant.task == task.name) variants.push_back(&variant);
    review.task(task, variants);
    review.at("");
  }
  names.clear();
  for (const Variant& variant : puzzle.variants) {
    review.at("");
    if (!names.insert(variant.name).second)
      review.fault("two variants are called " + in_quotes(variant.name));
    if (variant.name == "all" || variant.name == "help")
      review.fault("a variant cannot be called " + in_quotes(variant.name) +
                   ": that is an option of the workbook");
    const auto task = std::find_if(puzzle.tasks.begin(), puzzle.tasks.end(),
                                   [&](const Task& candidate) { return candidate.name == variant.task; });
    review.variant(variant, task == puzzle.tasks.end() ? nullptr : &*task);
  }
  return review.take();
}

std::vector<std::string> faults_of(const Puzzle& puzzle, std::initializer_list<Launcher> launchers) {
  Review review;
  for (const Variant& variant : puzzle.variants)
    if (!variant.program && std::none_of(launchers.begin(), launchers.end(),
                                         [&](const Launcher& l) { return l.variant == variant.name; }))
      review.fault("launches.cu has no launcher for the variant " + in_quotes(variant.name));
  for (const Launcher& launcher : launchers)
    if (find_variant(puzzle, launcher.variant) == nullptr)
      review.fault("launches.cu launches a variant " + in_quotes(launcher.variant) +
                   ", which is not declared");
  return review.take();
}

std::string describe(const Puzzle& puzzle) {
  runs::Json json = {{"number", puzzle.number},          {"title", std::string(puzzle.title)},
                     {"part", std::string(puzzle.part)}, {"summary", std::string(puzzle.summary)},
                     {"tasks", runs::Json::array()},     {"variants", runs::Json::array()},
                     {"faults", faults_of(puzzle)}};
  if (!puzzle.builds_on.empty()) json["builds_on"] = puzzle.builds_on;
  if (!puzzle.tensor_program.empty()) json["tensor_program"] = std::string(puzzle.tensor_program);
  for (const Task& task : puzzle.tasks) json["tasks"].push_back(task_json(task));
  for (const Variant& variant : puzzle.variants) {
    runs::Json entry = {{"name", std::string(variant.name)},
                        {"title", std::string(variant.title)},
                        {"summary", std::string(variant.summary)},
                        {"task", std::string(variant.task)},
                        {"file", std::string(variant.file)},
                        {"regions", strings(variant.regions)},
                        {"required", variant.required && !variant.given}};
    if (variant.given) entry["given"] = true;
    if (!variant.begins.empty()) entry["begins"] = std::string(variant.begins);
    if (const auto& program = variant.program) {
      runs::Json answers = runs::Json::object();
      for (const auto& [question, answer] : program->answers)
        answers[std::string(question)] = std::string(answer);
      entry["program"] = {{"arguments", strings(program->arguments)},
                          {"prints", strings(program->prints)},
                          {"status", program->status},
                          {"findings", strings(program->findings)},
                          {"answers", answers}};
      if (!program->sources.empty()) entry["program"]["sources"] = strings(program->sources);
      if (!program->calls.empty()) {
        runs::Json calls = runs::Json::array();
        for (const Calls& rule : program->calls)
          calls.push_back({{"pattern", std::string(rule.pattern)},
                           {"wanted", rule.wanted},
                           {"says", std::string(rule.says)}});
        entry["program"]["calls"] = std::move(calls);
      }
      for (const Listed& rule : program->listing)
        entry["program"]["listing"].push_back({{"fact", std::string(rule.fact)},
                                               {"value", std::string(rule.value)},
                                               {"source", std::string(rule.source)},
                                               {"wanted", rule.wanted},
                                               {"says", std::string(rule.says)}});
      for (const Fresh& fresh : program->fresh)
        entry["program"]["fresh"].push_back({{"find", std::string(fresh.find)},
                                             {"put", std::string(fresh.put)},
                                             {"least", fresh.least},
                                             {"most", fresh.most}});
      if (!program->fresh_arguments.empty())
        entry["program"]["fresh_arguments"] = strings(program->fresh_arguments);
      if (program->results) entry["program"]["results"] = *program->results == Type::i32 ? "i32" : "f32";
    }
    json["variants"].push_back(std::move(entry));
  }
  return runs::dump(json, 1) + "\n";
}

std::string describe_calls(const Puzzle& puzzle) {
  runs::Json json = {{"number", puzzle.number},
                     {"title", std::string(puzzle.title)},
                     {"summary", std::string(puzzle.summary)},
                     {"variants", runs::Json::array()}};
  for (const Variant& variant : puzzle.variants)
    if (!variant.program) json["variants"].push_back(call_json(variant, task_of(puzzle, variant)));
  return runs::dump(json) + "\n";
}

}  // namespace workbook::core
