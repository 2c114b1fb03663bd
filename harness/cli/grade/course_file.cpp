// Reads a course file: every key has to be known, and what is wrong is said with its line.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>

#include "cli/base/errors.h"
#include "cli/base/parallel.h"
#include "cli/base/text.h"
#include "cli/grade/course.h"
#include "clock/gpus.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostSeed = (std::int64_t{1} << 53) - 1;  // it travels in JSON
constexpr std::int64_t kMostSeconds = 24 * 3600, kMostMemory_mb = 1 << 20;
constexpr std::int64_t kMostChunk = 100'000, kMostTries = 100;

/// A table of the file, whose every key has to be known.
class Reader {
 public:
  Reader(const toml::table& table, const std::string& file, std::vector<std::string> keys)
      : table_(table), file_(file), keys_(std::move(keys)) {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(keys_.begin(), keys_.end(), name) == keys_.end())
        fail(node, fmt::format("there is no key '{}' here.{} There are: {}.", name, did_you_mean(name, keys_),
                               joined(keys_, ", ")));
    }
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key, const std::string& otherwise) const {
    return get<std::string>(key, "a text", otherwise);
  }
  double number(std::string_view key, double otherwise) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value<double>();
    if (!value || !node->is_number() || !std::isfinite(*value))
      fail(*node, fmt::format("'{}' is to be a number.", key));
    if (*value < 0.0) fail(*node, fmt::format("'{}' cannot be below 0.", key));
    return *value;
  }
  template <class Whole>
  Whole whole(std::string_view key, Whole otherwise, std::int64_t least, std::int64_t most) const {
    const auto value = get<std::int64_t>(key, "a whole number", static_cast<std::int64_t>(otherwise));
    if (value < least) fail(*table_.get(key), fmt::format("'{}' is at least {}.", key, least));
    if (value > most) fail(*table_.get(key), fmt::format("'{}' is at most {}.", key, most));
    return static_cast<Whole>(value);
  }
  bool flag(std::string_view key) const { return get<bool>(key, "true or false", false); }

  const toml::node* node(std::string_view key) const { return table_.get(key); }

  [[noreturn]] void fail(const toml::node& at, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", file_, at.source().begin.line, what));
  }
  [[noreturn]] void fail(const std::string& what) const { fail(table_, what); }
  const std::string& file() const { return file_; }

 private:
  template <class T>
  T get(std::string_view key, const char* kind, const T& otherwise) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value_exact<T>();
    if (!value) fail(*node, fmt::format("'{}' is to be {}.", key, kind));
    return *value;
  }

  const toml::table& table_;
  const std::string& file_;
  std::vector<std::string> keys_;
};

std::string gpu_at(const Reader& reader) {
  const std::string gpu = reader.text("gpu", "h200");
  if (sim::find_gpu(gpu) != nullptr) return gpu;
  std::vector<std::string> known;
  for (const sim::GpuSpec& each : sim::known_gpus()) known.emplace_back(each.key);
  reader.fail(*reader.node("gpu"), fmt::format("there is no model of a GPU '{}'.{} There are: {}.", gpu,
                                               did_you_mean(gpu, known), joined(known, ", ")));
}

CourseLimits read_limits(const Reader& reader) {
  CourseLimits limits;
  limits.compile_s = reader.whole("compile_s", limits.compile_s, 1, kMostSeconds);
  limits.run_s = reader.whole("run_s", limits.run_s, 1, kMostSeconds);
  limits.memory_mb = reader.whole("memory_mb", limits.memory_mb, 256, kMostMemory_mb);
  limits.host_code = reader.flag("host_code");
  return limits;
}

RatioRule read_ratio(const Reader& task) {
  const toml::node& node = *task.node("ratio");
  if (!node.is_table()) task.fail(node, "'ratio' is to be a table: { of = \"time\", points = 2 }.");
  const Reader reader(*node.as_table(), task.file(), {"of", "points", "full", "none"});
  RatioRule rule;
  const std::string of = reader.text("of", "time");
  const auto found = std::find(measure_names().begin(), measure_names().end(), of);
  if (found == measure_names().end())
    reader.fail(node, fmt::format("'of' cannot be '{}'.{} It is one of: {}.", of,
                                  did_you_mean(of, measure_names()), joined(measure_names(), ", ")));
  rule.of = static_cast<Measure>(found - measure_names().begin());
  rule.points = reader.number("points", 1.0);
  rule.full = reader.number("full", 1.1);
  rule.none = reader.number("none", 2.0);
  if (rule.full >= rule.none)
    reader.fail(node, "'full' is the ratio up to which all points are given: below 'none'.");
  return rule;
}

SlurmTable read_slurm(const Reader& reader) {
  SlurmTable slurm;
  slurm.partition = reader.text("partition", "");
  slurm.account = reader.text("account", "");
  slurm.chunk = reader.whole("chunk", slurm.chunk, 1, kMostChunk);
  slurm.workers = reader.whole("workers", slurm.workers, 1, kMostJobs);
  slurm.tries = reader.whole("tries", slurm.tries, 1, kMostTries);
  const toml::node* flags = reader.node("flags");
  if (flags != nullptr && !flags->is_array())
    reader.fail(*flags, "'flags' is a list of what sbatch is told: [\"--time=02:00:00\"].");
  for (std::size_t i = 0; flags != nullptr && i < flags->as_array()->size(); ++i) {
    const toml::node& node = *flags->as_array()->get(i);
    const auto flag = node.value_exact<std::string>();
    if (!flag || !flag->starts_with('-') || flag->find('\n') != std::string::npos)
      reader.fail(node, "a flag of sbatch is a text that begins with '-', such as \"--time=02:00:00\".");
    slurm.flags.push_back(*flag);
  }
  for (const auto& [key, name] : {std::pair{"partition", &slurm.partition}, {"account", &slurm.account}})
    if (name->find_first_of(" \t\n") != std::string::npos)
      reader.fail(*reader.node(key),
                  fmt::format("the name of {} has no spaces.",
                              key == std::string_view("partition") ? "a partition" : "an account"));
  return slurm;
}

std::string word_at(const Reader& reader, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  reader.fail(node, "a puzzle is a number, or its name.");
}

const VariantInfo& known_variant(const Reader& reader, const Puzzle& puzzle, const toml::node& node,
                                 const std::string& name) {
  const VariantInfo* variant = nullptr;
  try {
    variant = &variant_of(puzzle, name);
  } catch (const UsageError& error) {
    reader.fail(node, error.what());
  }
  if (variant->given)
    reader.fail(node, fmt::format("puzzle {} --{} is given whole: there is nothing to hand in.",
                                  puzzle.number, name));
  return *variant;
}

std::vector<const VariantInfo*> variants_at(const Reader& reader, const Puzzle& puzzle) {
  std::vector<const VariantInfo*> variants;
  const auto add = [&](const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name) reader.fail(node, "a variant is a text, such as \"fused\".");
    variants.push_back(&known_variant(reader, puzzle, node, *name));
  };
  if (const toml::node* one = reader.node("variant")) add(*one);
  if (const toml::node* several = reader.node("variants")) {
    if (!several->is_array()) reader.fail(*several, "'variants' is a list: [\"unfused\", \"fused\"].");
    if (several->as_array()->empty()) reader.fail(*several, "'variants' is empty: then nothing is judged.");
    for (const toml::node& node : *several->as_array()) add(node);
  }
  if (!reader.has("variant") && !reader.has("variants"))
    for (const VariantInfo& variant : puzzle.declaration.variants)
      if (variant.required) variants.push_back(&variant);
  return variants;
}

const Puzzle& puzzle_at(const Project& project, const Reader& reader) {
  const toml::node& node = *reader.node("puzzle");
  const std::string word = word_at(reader, node);
  try {
    return project.puzzle(word);
  } catch (const UsageError& error) {
    reader.fail(node, error.what());
  }
}

void add_task(const Project& project, const Reader& all, const toml::node& node, Course& course) {
  if (!node.is_table()) all.fail(node, "a task is a table, which begins with a line [[task]].");
  const Reader reader(*node.as_table(), all.file(),
                      {"puzzle", "variant", "variants", "points", "bonus", "deadline", "ratio"});
  if (!reader.has("puzzle")) reader.fail("a task names its puzzle: puzzle = 22.");
  GradedItem item;
  item.puzzle = &puzzle_at(project, reader);
  item.points = reader.number("points", 1.0);
  item.bonus = reader.flag("bonus");
  item.deadline = reader.text("deadline", "");
  if (reader.has("ratio")) item.ratio = read_ratio(reader);
  for (const VariantInfo* variant : variants_at(reader, *item.puzzle)) {
    if (variant->program && item.ratio)
      reader.fail(
          fmt::format("puzzle {} --{} is a program of its own, and has no real shape by which a "
                      "'ratio' could be taken.",
                      item.puzzle->number, variant->name));
    item.variant = variant;
    for (const GradedItem& other : course.items)
      if (other.variant == variant)
        reader.fail(fmt::format("puzzle {} --{} is graded twice.", item.puzzle->number, variant->name));
    course.items.push_back(item);
  }
}

}  // namespace

Course read_course(const Project& project, const fs::path& path, std::uint64_t seed) {
  const auto text = read_file_if_any(path);
  if (!text) throw UsageError(path.string() + " is not there: a course file in TOML.");
  const std::string file = path.string();
  toml::table all;
  try {
    all = toml::parse(*text, file);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: {}.", file, error.source().begin.line, error.description()));
  }
  const Reader reader(all, file, {"name", "gpu", "seed", "limits", "slurm", "task"});
  Course course;
  course.name = reader.text("name", "");
  course.gpu = gpu_at(reader);
  const auto of_file = reader.whole<std::uint64_t>("seed", 0, 0, kMostSeed);
  course.seed = seed != 0 ? seed : of_file != 0 ? of_file : seed_from(*text);
  if (const toml::node* node = reader.node("limits")) {
    if (!node->is_table()) reader.fail(*node, "limits are a table: [limits].");
    course.limits =
        read_limits(Reader(*node->as_table(), file, {"compile_s", "run_s", "memory_mb", "host_code"}));
  }
  if (const toml::node* node = reader.node("slurm")) {
    if (!node->is_table()) reader.fail(*node, "slurm is a table: [slurm].");
    course.slurm = read_slurm(
        Reader(*node->as_table(), file, {"partition", "account", "flags", "chunk", "workers", "tries"}));
  }
  const toml::node* tasks = reader.node("task");
  if (tasks == nullptr) throw UsageError(file + ": there is no task: each begins with a line [[task]].");
  if (!tasks->is_array() || tasks->as_array()->empty())
    reader.fail(*tasks, "each task is a table, which begins with a line [[task]].");
  for (const toml::node& task : *tasks->as_array()) add_task(project, reader, task, course);
  course.text = all_that_counts(course);
  return course;
}

}  // namespace workbook::cli
