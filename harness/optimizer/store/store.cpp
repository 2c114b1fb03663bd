#include "optimizer/store/store.h"

#include <fmt/format.h>

#include "optimizer/language/text.h"
#include "optimizer/store/report.h"
#include "runs/sqlite.h"
#include "runs/store.h"

namespace workbook::opt {
namespace {

constexpr int kVersion = 1;  ///< of the search: raise it when another answer is possible

}  // namespace

SearchStore::SearchStore(const std::filesystem::path& file) : file_(file) {
  try {
    database_ = std::make_unique<runs::Database>(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database_->execute(
        "CREATE TABLE IF NOT EXISTS depths (key TEXT NOT NULL, nodes INTEGER NOT NULL, result TEXT NOT NULL, "
        "PRIMARY KEY (key, nodes)); "
        "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL)");
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

SearchStore::~SearchStore() = default;

void SearchStore::give_up(const std::string& why) {
  database_.reset();
  trouble_ = fmt::format("{} is of no use ({}): searching anew, nothing is kept. Delete it to keep again.",
                         file_.filename().string(), why);
}

std::optional<Depth> SearchStore::load(const std::string& key, const Program& program, int nodes) {
  if (!database_) return std::nullopt;
  try {
    runs::Statement statement(*database_, "SELECT result FROM depths WHERE key = ? AND nodes = ?");
    statement.bind(key).bind(std::int64_t{nodes});
    if (!statement.step()) return std::nullopt;
    return depth_from_json(runs::parse_json(statement.bytes(0)), program, nodes);
  } catch (const std::exception& error) {
    give_up(error.what());
    return std::nullopt;
  }
}

void SearchStore::save(const std::string& key, const Depth& depth) {
  if (!database_) return;
  try {
    runs::Transaction transaction(*database_);
    runs::Statement statement(*database_, "INSERT OR REPLACE INTO depths VALUES (?, ?, ?)");
    statement.bind(key).bind(std::int64_t{depth.nodes}).bind(runs::dump(to_json(depth)));
    statement.step();
    transaction.commit();
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

std::optional<std::string> SearchStore::kept(const std::string& key) {
  const std::lock_guard lock(one_at_a_time_);
  if (!database_) return std::nullopt;
  try {
    runs::Statement statement(*database_, "SELECT hash, text FROM kept WHERE key = ?");
    statement.bind(key);
    if (!statement.step()) return std::nullopt;
    const std::string hash = statement.bytes(0);
    std::string text = statement.bytes(1);
    return runs::content_hash(text) == hash ? std::optional(std::move(text)) : std::nullopt;
  } catch (const std::exception& error) {
    give_up(error.what());
    return std::nullopt;
  }
}

void SearchStore::keep(const std::string& key, const std::string& text) {
  const std::lock_guard lock(one_at_a_time_);
  if (!database_) return;
  try {
    runs::Transaction transaction(*database_);
    runs::Statement statement(*database_, "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)");
    statement.bind(key).bind(runs::content_hash(text)).bind(text);
    statement.step();
    transaction.commit();
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

std::string search_key(const Program& program, const SearchOptions& options) {
  Program sizeless = program;
  for (Index& index : sizeless.graph.indices) index.teaching = index.real = 0;
  std::string text = graph_text(sizeless, sizeless.graph);
  for (const Tensor& tensor : program.graph.inputs) {
    text += tensor.name;
    for (const std::uint8_t dim : tensor.dims) text += "," + program.graph.indices[dim].name;
    text += ";";
  }
  for (const Constant& constant : program.graph.constants)
    text += fmt::format("{}={};", constant.name, constant.value);
  for (const Graph& lemma : program.lemmas) text += "lemma " + graph_text(program, lemma);
  for (const Index& index : program.graph.indices) text += index.name + ";";
  for (const Node& node : program.graph.nodes)
    text += fmt::format("{},{},{},{},{};", static_cast<int>(node.op), node.a, node.b, node.over, node.fn);
  const std::string options_text = fmt::format("{}/{}", kVersion, options.seed);
  return fmt::format("{:016x}{:016x}", mixed(hash_of(text), 1), mixed(hash_of(options_text + text), 2));
}

std::string exact_text(const Graph& graph) {
  std::string text;
  for (const Index& index : graph.indices) text += fmt::format("{}={};", index.name, index.real);
  for (const Constant& constant : graph.constants)
    text += fmt::format("{}={};", constant.name, constant.value);
  for (const Tensor& tensor : graph.inputs) {
    text += fmt::format("{} {} {} {}", tensor.name, name_of(tensor.storage), tensor.constant, tensor.view_of);
    for (const std::uint8_t dim : tensor.dims) text += fmt::format(",{}", dim);
    if (tensor.has_range() || tensor.holds_minus_infinity)
      text += fmt::format(" in {} {} {}", tensor.low, tensor.high, tensor.holds_minus_infinity);
    text += ';';
  }
  for (const Function& function : graph.functions)
    text += fmt::format("{} {} {} {};", static_cast<int>(function.base), function.times, function.plus,
                        function.mean);
  for (const Node& node : graph.nodes)
    text += fmt::format("{} {} {} {} {};", static_cast<int>(node.op), node.a, node.b, node.over, node.fn);
  for (const int output : graph.outputs) text += fmt::format("output {}", output);
  return text;
}

}  // namespace workbook::opt
