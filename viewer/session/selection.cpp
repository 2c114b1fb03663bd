#include "session/selection.h"

#include <algorithm>
#include <vector>

namespace workbook::viewer {
namespace {

// Newest run of the puzzle that fits; correct ones first, since a wrong kernel's time says nothing.
template <class Fits>
std::int64_t newest(const Library& library, int puzzle, const Fits& fits) {
  std::int64_t fallback = 0;
  for (const runs::RunHeader& header : library.headers()) {
    if (header.puzzle != puzzle || library.is_offered(header.id) || !fits(header)) continue;
    if (header.verdict == runs::Verdict::correct) return header.id;
    if (fallback == 0) fallback = header.id;
  }
  return fallback;
}

std::int64_t newest_of(const Library& library, int puzzle, const std::string& variant) {
  return newest(library, puzzle, [&](const runs::RunHeader& each) { return each.variant == variant; });
}

}  // namespace

void choose_runs(Selection& selection, const Library& library) {
  if (selection.puzzle == 0) {
    const auto own = std::find_if(library.headers().begin(), library.headers().end(),
                                  [&](const auto& each) { return !library.is_offered(each.id); });
    if (own == library.headers().end()) return;
    selection.puzzle = own->puzzle;
  }
  const int puzzle = selection.puzzle;
  const auto any = [](const runs::RunHeader&) { return true; };
  if (selection.follow_a) {
    std::int64_t id =
        newest_of(library, puzzle, selection.variant_a.empty() ? "unfused" : selection.variant_a);
    if (id == 0)
      id = newest(library, puzzle,
                  [&](const auto& each) { return each.id != selection.run_b && each.variant != "fused"; });
    if (id == 0 && selection.run_b == 0) id = newest(library, puzzle, any);
    selection.run_a = id;
  }
  if (selection.follow_b) {
    const runs::RunHeader* a = library.header(selection.run_a);
    std::int64_t id = newest_of(library, puzzle, selection.variant_b.empty() ? "fused" : selection.variant_b);
    if (id == 0 || id == selection.run_a)
      id = newest(library, puzzle, [&](const auto& each) {
        return each.id != selection.run_a && (a == nullptr || each.variant != a->variant);
      });
    selection.run_b = id;
  }
  if (selection.run_a == 0) std::swap(selection.run_a, selection.run_b);
}

void move_thread(Selection& selection, Library& library, int dx, int dy) {
  const auto run = library.run(selection.mapped_run());
  if (!run || run->accesses.empty()) return;
  const int threads = run->accesses.threads_of(selection.launch);
  if (selection.block < 0) selection.block = 0;
  selection.thread =
      selection.thread < 0 ? 0 : std::clamp(selection.thread + dx + kWarp * dy, 0, threads - 1);
  selection.warp = selection.thread / kWarp;
}

void move_block(Selection& selection, Library& library, int dx, int dy) {
  const auto run = library.run(selection.mapped_run());
  if (!run || run->accesses.empty()) return;
  const runs::Dim3& grid = run->accesses.launch(selection.launch).grid;
  const int last = run->accesses.blocks_of(selection.launch) - 1;
  selection.block =
      selection.block < 0 ? 0 : std::clamp(selection.block + dx + static_cast<int>(grid.x) * dy, 0, last);
}

std::vector<std::string> shapes_of(const Selection& selection, Library& library) {
  std::vector<std::string> names;
  for (const std::int64_t id : {selection.run_a, selection.run_b}) {
    const auto run = id != 0 ? library.run(id) : nullptr;
    if (!run) continue;
    for (const runs::Benchmark& benchmark : run->record.benchmarks)
      if (!benchmark.launches.empty() && std::find(names.begin(), names.end(), benchmark.name) == names.end())
        names.push_back(benchmark.name);
  }
  return names;
}

void settle_shape(Selection& selection, const std::vector<std::string>& shapes) {
  if (!shapes.empty() && std::find(shapes.begin(), shapes.end(), selection.benchmark) == shapes.end())
    selection.benchmark = shapes.front();
}

void next_shape(Selection& selection, const std::vector<std::string>& shapes) {
  if (shapes.empty()) return;
  const auto now = std::find(shapes.begin(), shapes.end(), selection.benchmark);
  selection.benchmark = now == shapes.end() || now + 1 == shapes.end() ? shapes.front() : *(now + 1);
}

void swap_runs(Selection& selection) {
  if (selection.run_b == 0) return;
  std::swap(selection.run_a, selection.run_b);
  selection.follow_a = selection.follow_b = false;
  selection.on_b = !selection.on_b;
}

void pin_baseline(Selection& selection) {
  if (selection.run_b == 0) return;
  selection.run_a = selection.run_b;
  selection.follow_a = false;
  selection.follow_b = true;
}

void next_run(Selection& selection, const Library& library) {
  std::vector<std::int64_t> ids;
  for (const runs::RunHeader& header : library.headers())
    if (header.puzzle == selection.puzzle && header.id != selection.run_a) ids.push_back(header.id);
  if (ids.empty()) return;
  const auto at = std::find(ids.begin(), ids.end(), selection.run_b);
  selection.run_b = at == ids.end() || at + 1 == ids.end() ? ids.front() : *(at + 1);
  selection.follow_b = false;
  selection.clear_focus();
}

}  // namespace workbook::viewer
