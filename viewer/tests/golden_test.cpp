// Each panel beside a picture of it that somebody has looked at (viewer/tests/golden, a quarter of the size).
// WORKBOOK_DRAW_GOLDEN=FOLDER draws anew those that look different, and all at full size, to look at, into
// that folder: viewer/tests/golden.sh.
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "fixture.h"
#include "large_fixture.h"
#include "likeness.h"
#include "pictures.h"
#include "tests/catch.h"
#include "tests/sample_fusion.h"
#include "tests/temporary.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

constexpr int kWidth = 1320, kHeight = 900;

/// A repository with nothing but the made-up given.cuh, written before the run: what a puzzle's file holds
/// today is no matter of these pictures.
class FixedSource {
 public:
  FixedSource() : before_(root() == nullptr ? "" : root()), had_(root() != nullptr) {
    const std::filesystem::path file = folder_ / kGiven;
    test::write(file, fixture::given_source());
    const timespec then[2] = {{kBefore, 0}, {kBefore, 0}};
    if (utimensat(AT_FDCWD, file.c_str(), then, 0) != 0)
      throw std::runtime_error("no time for " + file.string());
    setenv("WORKBOOK_ROOT", folder_.path().c_str(), 1);
  }
  ~FixedSource() {
    if (had_)
      setenv("WORKBOOK_ROOT", before_.c_str(), 1);
    else
      unsetenv("WORKBOOK_ROOT");
  }
  FixedSource(const FixedSource&) = delete;
  FixedSource& operator=(const FixedSource&) = delete;

  /// The run with figures at the lines of its tiled matmul.
  static runs::StoredRun counted(runs::StoredRun run) {
    for (runs::LaunchRecord& launch : run.record.benchmarks[0].launches)
      if (launch.kernel == "matmul_tiled_kernel") {
        const auto site = [&](int line, runs::SiteKind kind, const std::string& tensor, std::int64_t requests,
                              std::int64_t sectors, std::int64_t passes) {
          int id = -1;
          for (const runs::TensorInfo& each : run.record.benchmarks[0].tensors)
            if (each.name == tensor) id = each.id;
          launch.counters->sites.push_back(
              {launch.kernel, {kGiven, line}, kind, id, requests, sectors, sectors, passes, requests * 128});
        };
        site(43, runs::SiteKind::global_load, "normalized", 8, 16, 0);
        site(43, runs::SiteKind::shared_store, "a_tile", 8, 0, 8);
        site(44, runs::SiteKind::global_load, "weight_transposed", 4, 16, 0);
        site(44, runs::SiteKind::shared_store, "b_tile", 8, 0, 8);
        site(46, runs::SiteKind::shared_load, "a_tile", 128, 0, 128);
        site(46, runs::SiteKind::shared_load, "b_tile", 128, 0,
             256);  // as if it had conflicts: a warning is in the picture
        site(49, runs::SiteKind::global_store, "product", 8, 32, 0);
      }
    return run;
  }

 private:
  static constexpr const char* kGiven = "puzzles/22_layernorm_linear/given.cuh";
  static constexpr std::time_t kBefore = 1'767'225'600;  // 1 January 2026, some days before the runs
  static const char* root() { return std::getenv("WORKBOOK_ROOT"); }

  test::TemporaryFolder folder_;
  std::string before_;
  bool had_;
};

/// Whether `picture` looks like the golden picture of that name, which is drawn anew where that is wished.
void check_golden(const Image& picture, const std::string& name) {
  const std::string golden = std::string(WORKBOOK_GOLDEN_DIR) + "/" + name;
  const Image now = shrunk(picture);
  if (const char* folder = std::getenv("WORKBOOK_DRAW_GOLDEN"); folder != nullptr) {
    write_png(picture, std::string(folder) + "/" + name);
    if (difference(now, load_png(golden)) > kMostDifferent) write_png(now, golden);
  }
  INFO(name << ": if it is meant to look different now, run viewer/tests/golden.sh and look at it");
  CHECK(difference(now, load_png(golden)) <= kMostDifferent);
}

}  // namespace

// Puzzles shows the checkout that it finds and has no golden picture.
TEST_CASE("panels look as they did when somebody last looked") {
  const FixedSource source;
  Library library, wrong;
  for (auto& run : fixture::all()) library.add(FixedSource::counted(run));
  wrong.add(run_with_values(false));
  Selection selection;
  selection.launch = 2;  // the tiled matmul, in the panels of one launch
  for (const std::string panel :
       {"compare", "mapping", "steps", "memory", "roofline", "errors", "source", "occupancy"})
    for (const bool dark : {false, true})
      check_golden(shoot(panel == "errors" ? wrong : library, selection, panel, dark, kWidth, kHeight),
                   panel + (dark ? "_dark.png" : "_light.png"));
}

TEST_CASE("the timeline of a program looks as it did") {
  Library library;
  library.add(fixture::program(4));
  for (const bool dark : {false, true})
    check_golden(shoot(library, {}, "timeline", dark, kWidth, kHeight),
                 dark ? "timeline_dark.png" : "timeline_light.png");
}

TEST_CASE("plans and the search for them look as they did") {
  Library library;
  library.add(test::sample_fusion());
  Selection selection;
  for (const bool search : {false, true})
    for (const bool dark : {false, true}) {
      selection.search = search;
      check_golden(shoot(library, selection, "fusion", dark, kWidth, kHeight),
                   std::string(search ? "search" : "fusion") + (dark ? "_dark.png" : "_light.png"));
    }
}

TEST_CASE("long rows look as they did, folded") {
  Library library;
  library.add(fixture::copy({3, 300}, 1));
  for (const std::string panel : {"mapping", "steps"})
    check_golden(shoot(library, {}, panel, false, kWidth, kHeight), panel + "_long_rows.png");
}

// Over what lies behind them, the same in both.
TEST_CASE("the help says what each key does, the palette what there is") {
  Library library = filled();
  for (const std::string name : {"keys.png", "commands.png"}) {
    shoot(library, {}, "puzzles", false, kWidth, kHeight);  // what stood alone last is the first tab
    App app(library, {}, {});
    if (name == "commands.png") ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    const Image picture = press(app, name == "keys.png" ? ImGuiKey_F1 : ImGuiKey_P);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    check_golden(picture, name);
  }
}

TEST_CASE("a panel that looks different is noticed") {
  Library library = filled();
  const Image compare = shrunk(shoot(library, {}, "compare", false, kWidth, kHeight));
  Selection other;
  other.launch = 1;
  CHECK(difference(compare, shrunk(shoot(library, {}, "compare", true, kWidth, kHeight))) > kMostDifferent);
  CHECK(difference(shrunk(shoot(library, {}, "mapping", false, kWidth, kHeight)),
                   shrunk(shoot(library, other, "mapping", false, kWidth, kHeight))) > kMostDifferent);
  CHECK(difference(compare, compare) == 0.0);
}
