#include "session/selection.h"

#include <algorithm>
#include <vector>

#include "runs/timing.h"

namespace workbook::viewer {
namespace {

enum class Whose { own, recorded };

bool is_whose(const Library& library, const runs::RunHeader& header, Whose whose) {
  return library.is_offered(header.id) == (whose == Whose::recorded);
}

// Newest run of the puzzle that fits; correct ones first, since a wrong kernel's time says nothing. Of the
// recorded ones those that a GPU measured.
template <class Fits>
std::int64_t newest(const Library& library, int puzzle, Whose whose, const Fits& fits) {
  std::int64_t fallback = 0;
  for (const runs::RunHeader& header : library.headers()) {
    if (header.puzzle != puzzle || !is_whose(library, header, whose) || !fits(header)) continue;
    const bool best = header.verdict == runs::Verdict::correct &&
                      (whose == Whose::own || header.backend == runs::Backend::cuda);
    if (best) return header.id;
    if (fallback == 0) fallback = header.id;
  }
  return fallback;
}

std::int64_t newest_of(const Library& library, int puzzle, Whose whose, const std::string& variant) {
  return newest(library, puzzle, whose, [&](const runs::RunHeader& each) { return each.variant == variant; });
}

// Whether a kernel of it got as far as having places and values to look at.
bool has_run(const runs::RunHeader& header) {
  return header.verdict != runs::Verdict::not_filled && header.verdict != runs::Verdict::does_not_compile &&
         header.verdict != runs::Verdict::harness_error;
}

bool is_recorded(const Library& library, int puzzle) {
  return std::any_of(library.headers().begin(), library.headers().end(),
                     [&](const auto& each) { return each.puzzle == puzzle && library.is_offered(each.id); });
}

void choose_a(Selection& selection, const Library& library, Whose whose) {
  const int puzzle = selection.puzzle;
  std::int64_t id =
      newest_of(library, puzzle, whose, selection.variant_a.empty() ? "unfused" : selection.variant_a);
  if (id == 0)
    id = newest(library, puzzle, whose,
                [&](const auto& each) { return each.id != selection.run_b && each.variant != "fused"; });
  if (id == 0 && selection.run_b == 0)
    id = newest(library, puzzle, whose, [](const runs::RunHeader&) { return true; });
  selection.run_a = id;
}

void choose_b(Selection& selection, const Library& library, Whose whose) {
  const runs::RunHeader* a = library.header(selection.run_a);
  std::int64_t id = newest_of(library, selection.puzzle, whose,
                              selection.variant_b.empty() ? "fused" : selection.variant_b);
  if (id == 0 || id == selection.run_a)
    id = newest(library, selection.puzzle, whose, [&](const auto& each) {
      return each.id != selection.run_a && (a == nullptr || each.variant != a->variant);
    });
  selection.run_b = id;
}

std::vector<std::string> outputs_of(const runs::Benchmark& benchmark) {
  std::vector<std::string> names;
  for (const runs::TensorInfo& tensor : benchmark.tensors)
    if (tensor.role == runs::TensorRole::output) names.push_back(tensor.name);
  return names;
}

// Whether `one` is faster than `other` at that shape, both with the outputs of `like`.
bool is_faster(Library& library, std::int64_t one, std::int64_t other, std::int64_t like,
               const std::string& shape) {
  const auto first = library.run(one), second = library.run(other), alike = library.run(like);
  if (!first || !second || !alike) return false;
  const runs::Benchmark *a = runs::find_benchmark(first->record, shape),
                        *b = runs::find_benchmark(second->record, shape),
                        *c = runs::find_benchmark(alike->record, shape);
  if (a == nullptr || b == nullptr || c == nullptr || outputs_of(*a) != outputs_of(*c)) return false;
  return runs::duel(runs::contestant("", first->record, *a), runs::contestant("", second->record, *b))
             .outcome == runs::Duel::Outcome::first;
}

}  // namespace

bool has_own_times(const Library& library, int puzzle) {
  return std::any_of(library.headers().begin(), library.headers().end(), [&](const auto& each) {
    return each.puzzle == puzzle && !library.is_offered(each.id) && each.verdict == runs::Verdict::correct;
  });
}

void choose_runs(Selection& selection, const Library& library) {
  if (selection.puzzle == 0) {
    const auto own = std::find_if(library.headers().begin(), library.headers().end(),
                                  [&](const auto& each) { return !library.is_offered(each.id); });
    if (own == library.headers().end()) return;
    selection.puzzle = own->puzzle;
  }
  const bool stand_in = is_recorded(library, selection.puzzle) && !has_own_times(library, selection.puzzle);
  const Whose whose = stand_in ? Whose::recorded : Whose::own;
  if (selection.follow_a) choose_a(selection, library, whose);
  if (selection.follow_b) choose_b(selection, library, whose);
  // A kernel that ran and is wrong has places to look at: it stands beside the solution.
  if (stand_in && selection.follow_b && selection.variant_b.empty()) {
    const std::int64_t own = newest(library, selection.puzzle, Whose::own, has_run);
    if (own != 0) {
      selection.run_b = own;
      selection.on_b = true;
    }
  }
  if (selection.run_a == 0) std::swap(selection.run_a, selection.run_b);
}

void put_faster_second(Selection& selection, Library& library) {
  const bool by_default =
      selection.follow_a && selection.follow_b && selection.variant_a.empty() && selection.variant_b.empty();
  const bool recorded = library.is_offered(selection.run_a);
  if (!by_default || recorded != library.is_offered(selection.run_b)) return;
  Selection shown = selection;
  settle_shape(shown, shapes_of(shown, library));
  // The solution's variants are all there: against the first stands the fastest that computes the same.
  if (recorded) {
    std::vector<std::string> seen;
    for (const runs::RunHeader& header : library.headers()) {
      if (header.puzzle != selection.puzzle || !library.is_offered(header.id) ||
          std::find(seen.begin(), seen.end(), header.variant) != seen.end())
        continue;
      seen.push_back(header.variant);
      if (header.id != selection.run_a &&
          is_faster(library, header.id, selection.run_b, selection.run_a, shown.benchmark))
        selection.run_b = header.id;
    }
  }
  if (is_faster(library, selection.run_a, selection.run_b, selection.run_a, shown.benchmark))
    std::swap(selection.run_a, selection.run_b);
}

void choose_puzzle(Selection& selection, Library& library, int puzzle) {
  if (selection.puzzle == puzzle) return;
  const std::string benchmark = selection.benchmark;
  selection = Selection{};
  selection.puzzle = puzzle;
  selection.benchmark = benchmark;
  choose_runs(selection, library);
  put_faster_second(selection, library);
}

void take_new_run(Selection& selection, Library& library, std::int64_t id) {
  const runs::RunHeader* header = library.header(id);
  if (header == nullptr) return;
  if (selection.puzzle != header->puzzle) {
    const std::string benchmark = selection.benchmark;
    selection = Selection{};
    selection.puzzle = header->puzzle;
    selection.benchmark = benchmark;
  }
  const std::int64_t before = selection.run_b;
  selection.run_b = id;
  selection.follow_b = true;
  selection.variant_b.clear();
  selection.clear_focus();
  const auto another = [&](const runs::RunHeader& each) {
    return each.id != id && each.variant != header->variant;
  };
  const auto same = [&](const runs::RunHeader& each) { return each.variant == header->variant; };
  const auto correct = [&](const auto& fits) {
    return newest(library, header->puzzle, Whose::own, [&](const runs::RunHeader& each) {
      return each.verdict == runs::Verdict::correct && each.id != id && fits(each);
    });
  };
  const bool keeps = selection.run_a != 0 && selection.run_a != id &&
                     (!selection.follow_a || !library.is_offered(selection.run_a));
  if (keeps) return;
  selection.run_a = correct(another);
  if (selection.run_a == 0) selection.run_a = correct(same);
  if (selection.run_a == 0) selection.run_a = newest(library, header->puzzle, Whose::recorded, same);
  if (selection.run_a == 0 && before != id) selection.run_a = before;
  if (selection.run_a == 0) std::swap(selection.run_a, selection.run_b);
  selection.on_b = selection.run_b == id;
  selection.launch = 0;
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
