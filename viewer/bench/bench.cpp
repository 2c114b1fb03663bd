// What the viewer costs: time to the first frame, frames of Mapping at three sizes of tensor, and a store of
// many runs. Needs a display (xvfb-run will do).
//   workbook_viewer_bench [--db FILE] [--runs N]
// --db: the store whose first frame is timed (default: one made for it). --runs: of the large store (10000).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app.h"
#include "backend.h"
#include "fixture.h"
#include "large_fixture.h"
#include "panels/mapping.h"

namespace {

using namespace workbook;
using namespace workbook::viewer;

constexpr int kWidth = 1600, kHeight = 1000, kFrames = 40;

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A folder that goes when the program ends.
struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "viewer-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + pattern);
    path = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

// Milliseconds a frame: of the slowest twentieth and the middle one, the first left out.
struct FrameTimes {
  double first = 0, median = 0, p95 = 0;
};
FrameTimes time_frames(Window& window, const std::function<void()>& draw) {
  std::vector<double> times;
  Clock::time_point before = Clock::now();
  const auto frame = [&] {
    draw();
    times.push_back(ms_since(before));
    before = Clock::now();
  };
  FrameTimes result;
  window.capture(kWidth, kHeight, 1, frame);
  result.first = ms_since(before) + times.front();
  times.clear();
  // One picture each, read back: that the drawing is over, also where it runs beside the program.
  for (int i = 0; i < kFrames; ++i) {
    const auto start = Clock::now();
    window.capture(kWidth, kHeight, 1, draw);
    times.push_back(ms_since(start));
  }
  std::sort(times.begin(), times.end());
  result.median = times[times.size() / 2];
  result.p95 = times[times.size() * 19 / 20];
  return result;
}

void first_frame(const std::filesystem::path& store) {
  const auto start = Clock::now();
  Library library;
  library.open_store(store);
  const double opened = ms_since(start);
  Window window("bench", kWidth, kHeight, false);
  const double windowed = ms_since(start);
  App app(library, {}, {});
  window.capture(kWidth, kHeight, 1, [&] { app.draw(); });
  std::printf("first frame                %7.1f ms   store %.1f, window %.1f, panels and drawing %.1f\n",
              ms_since(start), opened, windowed - opened, ms_since(start) - windowed);
  const FrameTimes later = time_frames(window, [&] { app.draw(); });
  std::printf("later frames               %7.1f ms   95th percentile %.1f, every frame read back\n",
              later.median, later.p95);
}

void mapping(Window& window, std::int64_t side, std::uint32_t each) {
  runs::StoredRun run = fixture::copy(side, each);
  const double events = static_cast<double>(run.trace->events.size());
  Library library;
  library.add(std::move(run));
  auto start = Clock::now();
  const auto loaded = library.run(-1);
  const double index_ms = ms_since(start);
  start = Clock::now();
  for (const int tensor : {0, 1}) make_layer(loaded->accesses, {.place = {0, tensor, -1}});
  const double layer_ms = ms_since(start);
  App context(library, {}, {});  // fonts and style
  Selection selection;
  choose_runs(selection, library);
  MappingPanel panel;
  const FrameTimes frames = time_frames(window, [&] {
    View view{{make_theme(false), load_fonts(), false}, library, selection, "", "", View::kNever};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({kWidth, kHeight});
    ImGui::Begin("bench");
    panel.draw(view);
    ImGui::End();
  });
  std::printf(
      "Mapping %4lld x %-4lld %8.2f M events   index %7.1f ms   cells %7.1f ms, beside the frames   first "
      "frame %6.1f ms   later %5.1f ms (95th %5.1f)   %lld cells drawn\n",
      static_cast<long long>(side), static_cast<long long>(side), events / 1e6, index_ms, layer_ms,
      frames.first, frames.median, frames.p95, static_cast<long long>(panel.cells_drawn()));
}

void many_runs(Window& window, int count) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.path / "runs.sqlite";
  auto start = Clock::now();
  {
    runs::Store store(file, runs::Store::Mode::read_write);
    runs::StoredRun run = fixture::unfused();
    runs::RunRecord small = run.record;
    small.benchmarks.clear();
    for (int i = 0; i < count - 2; ++i) {
      small.variant = i % 2 == 0 ? "unfused" : "fused";
      small.puzzle = 1 + i % 27;
      store.add(small);
    }
    store.add(run);
    store.add(fixture::fused());
  }
  std::printf("store of %d runs: written in %.0f ms\n", count, ms_since(start));
  start = Clock::now();
  Library library;
  library.open_store(file);
  const double opened = ms_since(start);
  App app(library, {}, {});
  window.capture(kWidth, kHeight, 1, [&] { app.draw(); });
  std::printf("store of %d runs       %7.1f ms to its first frame, of these %.1f for opening and listing\n",
              count, ms_since(start), opened);
  const FrameTimes later = time_frames(window, [&] { app.draw(); });
  std::printf("later frames               %7.1f ms   95th percentile %.1f\n", later.median, later.p95);
}

int run(const std::vector<std::string>& arguments) {
  std::filesystem::path db;
  int runs = 10'000;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 < arguments.size() && arguments[i] == "--db")
      db = arguments[i + 1];
    else if (i + 1 < arguments.size() && arguments[i] == "--runs" && std::atoi(arguments[i + 1].c_str()) > 1)
      runs = std::atoi(arguments[i + 1].c_str());
    else {
      std::fprintf(stderr, "workbook_viewer_bench [--db FILE] [--runs N]\n");
      return 2;
    }
  }
  const Scratch scratch;
  if (db.empty()) {
    db = scratch.path / "runs.sqlite";
    runs::Store store(db, runs::Store::Mode::read_write);
    for (const auto& run : fixture::all()) store.add(run);
  }
  first_frame(db);
  Window window("bench", kWidth, kHeight, false);
  mapping(window, 64, 1);
  mapping(window, 1024, 1);
  mapping(window, 4096, 4);
  many_runs(window, runs);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook_viewer_bench: %s\n", error.what());
    return 5;
  }
}
