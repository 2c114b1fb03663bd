#include "optimizer/store/verdict_store.h"

#include <fmt/format.h>

#include "runs/json.h"

namespace workbook::opt {
namespace {

using runs::Json;

Json row_of(const Reported& graph) {
  const Verified& v = *graph.verified;
  const Difference& d = v.difference;
  Json numerics = nullptr;
  if (const auto& n = graph.numerics) numerics = {n->within, n->ratio, n->data, n->words};
  return {v.equal, v.draws,  v.other_draws, v.chance, d.degree, d.exponentials,
          d.roots, d.opaque, v.refused_at,  v.full,   v.hashed, numerics};
}

void read_row(const Json& row, Reported& graph) {
  Verified v;
  v.equal = row.at(0).get<bool>();
  v.draws = row.at(1).get<int>();
  v.other_draws = row.at(2).get<int>();
  v.chance = row.at(3).get<double>();
  v.difference = {row.at(4).get<double>(), row.at(5).get<double>(), row.at(6).get<bool>(),
                  row.at(7).get<bool>()};
  v.refused_at = row.at(8).get<std::string>();
  v.full = row.at(9).get<Extents>();
  v.hashed = row.at(10).get<bool>();
  graph.verified = v;
  if (const Json& n = row.at(11); !n.is_null())
    graph.numerics = {n.at(0).get<bool>(), n.at(1).get<double>(), n.at(2).get<std::string>(),
                      n.at(3).get<std::string>()};
}

}  // namespace

std::string verdicts_key(const Program& program, const std::vector<Reported>& graphs, std::size_t drawn,
                         std::size_t rounded) {
  std::string text = fmt::format("{}\n{} {}\n{}", kSources, drawn, rounded, exact_text(program.graph));
  for (const Given& given : program.givens)
    text += fmt::format("\ngiven {} {}", given.input, exact_text(given.graph));
  for (const Reported& graph : graphs) text += '\n' + exact_text(graph.graph);
  for (const std::uint8_t dim : program.output_dims) text += fmt::format(",{}", dim);
  return fmt::format("{:016x}{:016x}", mixed(hash_of(text), 1), mixed(hash_of("verdicts" + text), 2));
}

bool load_verdicts(SearchStore& store, const std::string& key, std::vector<Reported>& graphs) {
  const std::optional<std::string> text = store.kept(key);
  if (!text) return false;
  try {
    const Json rows = runs::parse_json(*text);
    std::vector<Reported> filled = graphs;
    if (rows.size() != filled.size()) return false;
    for (std::size_t i = 0; i < filled.size(); ++i) read_row(rows.at(i), filled[i]);
    graphs = std::move(filled);
    return true;
  } catch (const std::exception&) {
    return false;  // damaged: it is written anew
  }
}

void save_verdicts(SearchStore& store, const std::string& key, const std::vector<Reported>& graphs) {
  Json rows = Json::array();
  for (const Reported& graph : graphs) rows.push_back(row_of(graph));
  store.keep(key, runs::dump(rows));
}

}  // namespace workbook::opt
