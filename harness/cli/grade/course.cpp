#include "cli/grade/course.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/report/format.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

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
    if (!value || !node->is_number()) fail(*node, fmt::format("'{}' is to be a number.", key));
    if (!std::isfinite(*value) || *value < 0.0) fail(*node, fmt::format("'{}' cannot be below 0.", key));
    return *value;
  }
  std::int64_t whole(std::string_view key, std::int64_t otherwise, std::int64_t least) const {
    const std::int64_t value = get<std::int64_t>(key, "a whole number", otherwise);
    if (value < least) fail(*table_.get(key), fmt::format("'{}' is at least {}.", key, least));
    return value;
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
  slurm.chunk = static_cast<int>(reader.whole("chunk", slurm.chunk, 1));
  slurm.workers = static_cast<int>(reader.whole("workers", slurm.workers, 1));
  slurm.tries = static_cast<int>(reader.whole("tries", slurm.tries, 1));
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
  for (const std::string* name : {&slurm.partition, &slurm.account})
    if (name->find_first_of(" \t\n") != std::string::npos)
      reader.fail("partitions and accounts have no spaces in their names.");
  return slurm;
}

std::string word_at(const Reader& reader, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  reader.fail(node, "a puzzle is a number, or its name.");
}

std::vector<const VariantInfo*> variants_at(const Reader& reader, const Puzzle& puzzle) {
  std::vector<const VariantInfo*> variants;
  const auto add = [&](const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name) reader.fail(node, "a variant is a text, such as \"fused\".");
    try {
      variants.push_back(&variant_of(puzzle, *name));
    } catch (const UsageError& error) {
      reader.fail(node, error.what());
    }
  };
  if (const toml::node* one = reader.node("variant")) add(*one);
  if (const toml::node* several = reader.node("variants")) {
    if (!several->is_array()) reader.fail(*several, "'variants' is a list: [\"unfused\", \"fused\"].");
    for (const toml::node& node : *several->as_array()) add(node);
  }
  if (!reader.has("variant") && !reader.has("variants"))
    for (const VariantInfo& variant : puzzle.declaration.variants)
      if (variant.required) variants.push_back(&variant);
  return variants;
}

void add_task(const Project& project, const toml::node& node, const std::string& file, Course& course) {
  if (!node.is_table()) throw UsageError(file + ": a task is a table: [[task]].");
  const Reader reader(*node.as_table(), file,
                      {"puzzle", "variant", "variants", "points", "bonus", "deadline", "ratio"});
  if (!reader.has("puzzle")) reader.fail("a task names its puzzle: puzzle = 22.");
  GradedItem item;
  try {
    item.puzzle = &project.puzzle(word_at(reader, *reader.node("puzzle")));
  } catch (const UsageError& error) {
    const std::string what = error.what();
    if (what.starts_with(file)) throw;
    reader.fail(*reader.node("puzzle"), what);
  }
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

/// A number that whoever has the same file draws, too. Below 2^53: it travels in JSON.
std::uint64_t drawn_from(const std::string& text) {
  return std::stoull(runs::content_hash(text).substr(0, 13), nullptr, 16) | 1;
}

/// Everything that a mark depends on, in one order.
std::string canonical(const Course& course) {
  std::string text =
      fmt::format("gpu {}\nseed {}\nlimits {} {} {}{}\n", course.gpu, course.seed, course.limits.compile_s,
                  course.limits.run_s, course.limits.memory_mb, course.limits.host_code ? " host code" : "");
  for (const GradedItem& item : course.items) {
    text += fmt::format("{} {} {} {} {}", item.puzzle->name, item.variant->name, item.points, item.bonus,
                        item.deadline);
    if (const auto& rule = item.ratio)
      text += fmt::format(" {} {} {} {}", static_cast<int>(rule->of), rule->points, rule->full, rule->none);
    text += '\n';
  }
  return text;
}

std::string ratio_words(const RatioRule& rule) {
  return fmt::format("{} more by {}: all up to {} times the reference solution's, none from {} times on",
                     rule.points, measure_names()[static_cast<std::size_t>(rule.of)], rule.full, rule.none);
}

}  // namespace

const std::vector<std::string>& measure_names() {
  static const std::vector<std::string> names = {"time",    "bytes",    "reads",    "writes",
                                                 "sectors", "requests", "launches", "barriers"};
  return names;
}

std::string GradedItem::name() const {
  return fmt::format("{:02} {} --{}", puzzle->number, puzzle->declaration.title, variant->name);
}

double Course::most() const {
  double all = 0.0;
  for (const GradedItem& item : items)
    if (!item.bonus) all += item.most();
  return all;
}

std::vector<const Puzzle*> Course::puzzles() const {
  std::vector<const Puzzle*> all;
  for (const GradedItem& item : items)
    if (std::find(all.begin(), all.end(), item.puzzle) == all.end()) all.push_back(item.puzzle);
  return all;
}

std::string Course::words() const {
  std::string out = fmt::format("{}: {} points", name.empty() ? "The course" : name, most());
  double bonus = 0.0;
  for (const GradedItem& item : items) bonus += item.bonus ? item.most() : 0.0;
  if (bonus > 0.0) out += fmt::format(", and {} that can be had on top", bonus);
  out += fmt::format(
      ". Times are those of the modelled GPU {}. Fresh shapes and values come from the seed {}: whoever "
      "grades with it draws the same.\nA submission's compiler and each of its runs may take {} and {} s of a "
      "processor, and {} MB of memory.\n\n",
      gpu, seed, limits.compile_s, limits.run_s, limits.memory_mb);
  if (limits.host_code)
    out +=
        "Submissions may hold host code of their own, which can embellish what is counted: look at numbers that are too good.\n\n";
  Table table({"what", "points", "", "by", "by when"});
  for (const std::size_t column : {2, 3, 4}) table.left(column);
  for (const GradedItem& item : items)
    table.row({item.name(), fmt::format("{}", item.points), item.bonus ? "bonus" : "required",
               item.ratio ? measure_names()[static_cast<std::size_t>(item.ratio->of)] : "right or not",
               item.deadline});
  out += table.text("");
  for (const GradedItem& item : items)
    if (item.ratio) out += fmt::format("{}: {}.\n", item.name(), ratio_words(*item.ratio));
  return out;
}

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
  course.gpu = reader.text("gpu", "h200");
  const auto of_file = static_cast<std::uint64_t>(reader.whole("seed", 0, 0));
  course.seed = seed != 0 ? seed : of_file != 0 ? of_file : drawn_from(*text);
  if (const toml::node* node = reader.node("limits")) {
    if (!node->is_table()) reader.fail(*node, "limits are a table: [limits].");
    const Reader limits(*node->as_table(), file, {"compile_s", "run_s", "memory_mb", "host_code"});
    course.limits.compile_s = static_cast<int>(limits.whole("compile_s", course.limits.compile_s, 1));
    course.limits.run_s = static_cast<int>(limits.whole("run_s", course.limits.run_s, 1));
    course.limits.host_code = limits.flag("host_code");
    course.limits.memory_mb = static_cast<int>(limits.whole("memory_mb", course.limits.memory_mb, 256));
  }
  if (const toml::node* node = reader.node("slurm")) {
    if (!node->is_table()) reader.fail(*node, "slurm is a table: [slurm].");
    course.slurm = read_slurm(
        Reader(*node->as_table(), file, {"partition", "account", "flags", "chunk", "workers", "tries"}));
  }
  const toml::node* tasks = reader.node("task");
  if (tasks == nullptr || !tasks->is_array() || tasks->as_array()->empty())
    throw UsageError(file + ": there is no task: each begins with a line [[task]].");
  for (const toml::node& task : *tasks->as_array()) add_task(project, task, file, course);
  course.text = canonical(course);
  return course;
}

Course course_of(const std::vector<const Puzzle*>& puzzles, std::uint64_t seed) {
  Course course;
  for (const Puzzle* puzzle : puzzles)
    for (const VariantInfo& variant : puzzle->declaration.variants)
      if (variant.required)
        course.items.push_back({.puzzle = puzzle, .variant = &variant, .deadline = "", .ratio = {}});
  std::string names;
  for (const Puzzle* puzzle : puzzles) names += puzzle->name + '\n';
  course.seed = seed != 0 ? seed : drawn_from(names);
  course.text = canonical(course);
  return course;
}

double measured(const runs::RunRecord& record, Measure what) {
  const auto real = std::find_if(record.benchmarks.begin(), record.benchmarks.end(),
                                 [](const runs::Benchmark& bench) { return bench.name == "real"; });
  if (real == record.benchmarks.end()) return 0.0;
  if (what == Measure::time) return real->modelled_total_us;
  double sum = 0.0;
  for (const runs::LaunchRecord& launch : real->launches) {
    if (!launch.counters) continue;
    const runs::LaunchCounters& counters = *launch.counters;
    switch (what) {
      case Measure::bytes:
        sum += static_cast<double>(counters.dram_bytes_read + counters.dram_bytes_written);
        break;
      case Measure::reads:
        sum += static_cast<double>(counters.dram_bytes_read);
        break;
      case Measure::writes:
        sum += static_cast<double>(counters.dram_bytes_written);
        break;
      case Measure::sectors:
        sum += static_cast<double>(counters.l2_sectors);
        break;
      case Measure::requests:
        sum += static_cast<double>(counters.global_requests);
        break;
      case Measure::launches:
        sum += counters.threads > 0 ? 1.0 : 0.0;
        break;
      case Measure::barriers:
        sum += static_cast<double>(counters.barriers);
        break;
      case Measure::time:
        break;
    }
  }
  return sum;
}

double ratio_points(const RatioRule& rule, double spent, double reference) {
  if (spent <= 0.0 || reference <= 0.0) return spent <= 0.0 && reference <= 0.0 ? rule.points : 0.0;
  const double share = std::clamp((rule.none - spent / reference) / (rule.none - rule.full), 0.0, 1.0);
  return std::round(100.0 * share * rule.points) / 100.0;
}

}  // namespace workbook::cli
