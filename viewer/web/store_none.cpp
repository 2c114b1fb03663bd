// In place of the SQLite store, which a page cannot have: there is no file of runs, and nothing opens one.
#include "runs/store.h"

namespace workbook::runs {
namespace {
[[noreturn]] void refuse() { throw StoreError("A page keeps no runs: it shows those that came with it."); }
}  // namespace

struct Store::Connection {};

Store::Store(const std::filesystem::path&, Mode) { refuse(); }
Store::~Store() = default;
bool Store::exists(const std::filesystem::path&) { return false; }
std::vector<RunHeader> Store::list(const RunFilter&, std::int64_t) const { return {}; }
bool Store::has(std::int64_t) const { return false; }
RunRecord Store::load(std::int64_t) const { refuse(); }
std::optional<Trace> Store::trace(std::int64_t) const { return {}; }
std::optional<Sweep> Store::newest_sweep(int) const { return {}; }
std::int64_t Store::change_stamp() const { return 0; }

}  // namespace workbook::runs
