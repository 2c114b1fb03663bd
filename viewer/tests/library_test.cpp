#include <filesystem>
#include <fstream>

#include "fixture.h"
#include "runs/timing.h"
#include "session/library.h"
#include "session/selection.h"
#include "tests/catch.h"
#include "tests/sample_listing.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "viewer-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }
};
}  // namespace

TEST_CASE("the newest unfused and fused runs are compared") {
  Library library;
  for (auto& run : fixture::all()) library.add(run);
  Selection selection;
  choose_runs(selection, library);
  CHECK(selection.puzzle == 22);
  CHECK(library.header(selection.run_a)->variant == "unfused");
  CHECK(library.header(selection.run_b)->variant == "fused");
}

TEST_CASE("the shapes are those of the chosen runs, under their names") {
  Library library;
  Selection selection;
  CHECK(shapes_of(selection, library).empty());
  settle_shape(selection, {});
  CHECK(selection.benchmark == "teaching");  // nothing to choose from
  for (auto& run : fixture::all()) library.add(run);
  choose_runs(selection, library);
  const auto shapes = shapes_of(selection, library);
  CHECK(shapes == std::vector<std::string>{"teaching", "real"});
  next_shape(selection, shapes);
  CHECK(selection.benchmark == "real");
  settle_shape(selection, shapes);
  CHECK(selection.benchmark == "real");
  next_shape(selection, shapes);
  CHECK(selection.benchmark == "teaching");

  // A program has one, and it is shown without being asked for.
  Library programs;
  auto program = fixture::fused();
  program.record.benchmarks.resize(1);
  program.record.benchmarks[0].name = "program";
  programs.add(program);
  Selection other;
  choose_runs(other, programs);
  settle_shape(other, shapes_of(other, programs));
  CHECK(other.benchmark == "program");
  next_shape(other, shapes_of(other, programs));
  CHECK(other.benchmark == "program");
}

TEST_CASE("shapes of other names are chosen as the record has them, and a run without any has none") {
  Library library;
  auto run = fixture::fused();
  run.record.benchmarks[0].name = "narrow";
  run.record.benchmarks[1].name = "wide";
  library.add(run);
  Selection selection;
  choose_runs(selection, library);
  const auto shapes = shapes_of(selection, library);
  CHECK(shapes == std::vector<std::string>{"narrow", "wide"});
  settle_shape(selection, shapes);
  CHECK(selection.benchmark == "narrow");
  next_shape(selection, shapes);
  CHECK(selection.benchmark == "wide");

  Library bare;
  run.record.benchmarks.clear();
  bare.add(run);
  Selection none;
  choose_runs(none, bare);
  CHECK(shapes_of(none, bare).empty());
}

TEST_CASE("a puzzle with one variant has one run to show; no runs, none") {
  Library library;
  Selection selection;
  choose_runs(selection, library);
  CHECK(selection.run_a == 0);
  auto run = fixture::fused();
  run.record.puzzle = 1;
  run.record.variant = "map";
  library.add(run);
  choose_runs(selection, library);
  CHECK(selection.run_a != 0);
  CHECK(selection.run_b == 0);
}

TEST_CASE("swap, pin and next work on runs") {
  Library library;
  for (auto& run : fixture::all()) library.add(run);
  Selection selection;
  choose_runs(selection, library);
  const auto a = selection.run_a, b = selection.run_b;
  swap_runs(selection);
  CHECK(selection.run_a == b);
  CHECK(selection.run_b == a);
  pin_baseline(selection);
  CHECK(selection.run_a == a);
  next_run(selection, library);
  CHECK(selection.run_b != a);
}

TEST_CASE("runs recorded by another process appear, and the selection follows") {
  const Folder folder;
  const auto file = folder.path / "runs.sqlite";
  Library library;
  library.open_store(file);  // not there yet
  CHECK(library.headers().empty());
  CHECK_FALSE(library.poll());
  runs::Store store(file, runs::Store::Mode::read_write);
  store.add(fixture::unfused());
  CHECK(library.poll());
  REQUIRE(library.headers().size() == 1);
  Selection selection;
  choose_runs(selection, library);
  const auto id = store.add(fixture::fused());
  CHECK(library.poll());
  choose_runs(selection, library);
  CHECK(selection.run_b == id);
  CHECK_FALSE(library.poll());
  const auto run = library.run(id);
  REQUIRE(run);
  CHECK(run->record.variant == "fused");
  CHECK_FALSE(run->accesses.empty());
}

TEST_CASE("of two runs chosen by default the faster is B; those that were asked for stay as they are") {
  Library library;
  auto slow = fixture::unfused(), quick = fixture::fused();
  slow.record.variant = "second";
  quick.record.variant = "first";
  library.add(quick);
  library.add(slow);  // the newest, and so A to begin with
  Selection selection;
  choose_runs(selection, library);
  const auto a = selection.run_a, b = selection.run_b;
  REQUIRE(runs::duel(runs::contestant("", library.run(a)->record, library.run(a)->record.benchmarks[0]),
                     runs::contestant("", library.run(b)->record, library.run(b)->record.benchmarks[0]))
              .outcome != runs::Duel::Outcome::too_close);
  put_faster_second(selection, library);
  CHECK(library.header(selection.run_b)->variant == "first");
  Selection other;
  other.variant_a = "first";
  other.variant_b = "second";
  choose_runs(other, library);
  put_faster_second(other, library);
  CHECK(library.header(other.run_a)->variant == "first");
}

TEST_CASE("a run that comes in becomes B, and A stays what it was") {
  const Folder folder;
  runs::Store store(folder.path / "runs.sqlite", runs::Store::Mode::read_write);
  Library library;
  library.open_store(folder.path / "runs.sqlite");
  Selection selection;
  const auto arrive = [&](runs::StoredRun run) {
    const auto id = store.add(run);
    REQUIRE(library.poll());
    CHECK(library.newest_own() == id);
    take_new_run(selection, library, id);
    return id;
  };
  const auto first = arrive(fixture::unfused());
  CHECK(selection.run_a == first);  // alone it is what there is to show
  const auto second = arrive(fixture::fused());
  CHECK(selection.run_a == first);
  CHECK(selection.run_b == second);
  const auto third = arrive(fixture::unfused());  // the same variant again: before and after
  CHECK(selection.run_a == first);
  CHECK(selection.run_b == third);
  auto other = fixture::fused();
  other.record.puzzle = 5;
  const auto fourth = arrive(other);
  CHECK(selection.puzzle == 5);
  CHECK(selection.run_a == fourth);
}

TEST_CASE("imported runs keep their traces and are found by their old id") {
  const Folder folder;
  const auto file = folder.path / "runs.json";
  runs::write_runs(file, fixture::all());
  Library library;
  library.import(file);
  REQUIRE(library.headers().size() == 3);
  const auto id = library.resolve(3);
  REQUIRE(id);
  CHECK(library.run(*id)->record.variant == "fused-block");
  CHECK_FALSE(library.run(*id)->accesses.empty());
  CHECK_FALSE(library.resolve(99).has_value());
}

TEST_CASE("a damaged store is refused with words and left as it is") {
  const Folder folder;
  const auto file = folder.path / "runs.sqlite";
  std::ofstream(file) << "this is no database, though it is long enough to look like one at first sight";
  Library library;
  CHECK_THROWS_AS(library.open_store(file), runs::StoreError);
  CHECK(std::filesystem::file_size(file) == 77);
}

TEST_CASE("offered runs stand in until a run of one's own was timed") {
  const std::string name = (std::filesystem::temp_directory_path() / "viewer-offered.json").string();
  runs::write_runs(name,
                   {fixture::unfused(fixture::Times::measured), fixture::fused(fixture::Times::measured)});
  Library library;
  library.offer(runs::read_runs(name));
  CHECK(library.headers().size() == 2);
  CHECK(library.is_offered(library.headers().front().id));
  Selection selection;
  choose_runs(selection, library);
  CHECK(selection.puzzle == 0);
  CHECK(selection.run_a == 0);
  selection.puzzle = 22;
  choose_runs(selection, library);
  CHECK(library.header(selection.run_a)->variant == "unfused");
  CHECK(library.header(selection.run_b)->variant == "fused");
  CHECK_FALSE(has_own_times(library, 22));
  // A skeleton says nothing yet; a wrong kernel stands beside the solution, and has places to look at.
  auto mine = fixture::fused();
  mine.record.verdict = runs::Verdict::not_filled;
  library.add(mine);
  choose_runs(selection, library);
  CHECK(library.is_offered(selection.run_a));
  CHECK(library.is_offered(selection.run_b));
  CHECK_FALSE(selection.on_b);
  mine.record.verdict = runs::Verdict::wrong;
  library.add(mine);
  choose_runs(selection, library);
  CHECK(library.is_offered(selection.run_a));
  CHECK_FALSE(library.is_offered(selection.run_b));
  CHECK(selection.on_b);
  library.add(fixture::unfused());  // the learner's own, after them
  choose_runs(selection, library);
  CHECK(has_own_times(library, 22));
  CHECK(selection.run_a == library.headers().front().id);
  CHECK(!library.is_offered(selection.run_a));
  CHECK_FALSE(library.is_offered(selection.run_b));
  std::filesystem::remove(name);
}

TEST_CASE("listings are of one source; SASS comes before PTX, newer architectures first") {
  const Folder folder;
  const auto keep = [&](const std::string& form, const std::string& architecture, const std::string& hash) {
    runs::ListingRecord listing = test::sample_listing();
    listing.form = form, listing.architecture = architecture, listing.source_hash = hash;
    runs::write_listing(folder.path / "listings" / (form + architecture + hash + ".json"), listing);
  };
  const runs::RunRecord run = fixture::fused().record;
  Library library;
  library.open_store(folder.path / "runs.sqlite");
  CHECK_FALSE(library.is_listed(22));
  keep("ptx", "sm_90", run.source_hash);
  keep("sass", "sm_75", run.source_hash);
  keep("sass", "sm_90", run.source_hash);
  keep("sass", "sm_80", "of another version");
  std::ofstream(folder.path / "listings" / "damaged.json") << "{";
  library.poll();
  CHECK(library.is_listed(22));
  CHECK_FALSE(library.is_listed(1));
  std::string found;
  for (const auto& each : library.listings(run)) found += each->form + ' ' + each->architecture + ' ';
  CHECK(found == "sass sm_90 sass sm_75 ptx sm_90 ");
}
