// Finished depths in SQLite, so that a search that was ended goes on where it was. A row a depth, keyed by a
// hash of the program's text, the options that change the answer and the version of the search; each depth is
// a transaction. A file that cannot be used is said once and left alone: the search goes on without. What the
// later stages found lies beside it, text by key.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "optimizer/search/algebra.h"

namespace workbook::runs {
class Database;
}

namespace workbook::opt {

class SearchStore {
 public:
  /// Opens or makes the file. Never throws for what the file is like: see trouble().
  explicit SearchStore(const std::filesystem::path& file);
  ~SearchStore();

  std::optional<Depth> load(const std::string& key, const Program& program, int nodes);
  void save(const std::string& key, const Depth& depth);

  /// What keep() wrote last under this key; nothing where it is damaged. These two may be called by several
  /// threads at once.
  std::optional<std::string> kept(const std::string& key);
  void keep(const std::string& key, const std::string& text);

  /// A sentence where the file is of no use, else empty.
  const std::string& trouble() const { return trouble_; }

 private:
  void give_up(const std::string& why);

  std::filesystem::path file_;
  std::unique_ptr<runs::Database> database_;
  std::string trouble_;
  std::mutex one_at_a_time_;
};

/// Of all that the depths depend on. Sizes are not in it: the algebra knows none.
std::string search_key(const Program& program, const SearchOptions& options);

/// All of a graph with its real sizes, its nodes in their order.
std::string exact_text(const Graph& graph);

/// A hash of the sources that later stages are computed by, made by the build: what is kept of them is of no
/// use to others.
extern const std::string_view kSources;

}  // namespace workbook::opt
