#include "model/request.h"

#include <functional>

#include "tests/catch.h"

using namespace workbook;
using namespace workbook::viewer;

namespace {

// A launch of one block in which each thread makes the accesses that `elements` lists for it.
struct OneLaunch {
  runs::Trace trace;
  AccessIndex accesses;
  Site site;

  OneLaunch(runs::Dim3 block, bool shared, const std::function<std::vector<int>(int, int)>& elements,
            std::uint32_t count = 1) {
    trace.files = {"kernels.cu"};
    runs::TensorInfo tensor;
    tensor.name = "t";
    tensor.space = shared ? runs::TensorSpace::shared : runs::TensorSpace::global;
    tensor.shape = {4096};
    trace.tensors = {tensor};
    runs::LaunchRecord launch;
    launch.kernel = "k";
    launch.block = block;
    trace.launches = {launch};
    for (std::uint32_t thread = 0; thread < block.x * block.y; ++thread)
      for (const int element :
           elements(static_cast<int>(thread % block.x), static_cast<int>(thread / block.x))) {
        runs::TraceEvent event;
        event.thread = static_cast<std::uint16_t>(thread);
        event.line = 7;
        event.element = static_cast<std::uint32_t>(element);
        event.count = count;
        trace.events.push_back(event);
      }
    accesses = AccessIndex(trace, nullptr);
    site = sites_of(accesses, 0, nullptr).at(0);
  }
  std::vector<Request> requests(int warp = 0) const { return requests_at(accesses, 0, 0, warp, site); }
  Fetch fetch(int warp = 0) const { return fetch_of(requests(warp).at(0), 4); }
  Banks banks(int warp = 0) const { return banks_of(requests(warp).at(0), 4, false); }
};

OneLaunch row(bool shared, const std::function<int(int)>& element, std::uint32_t count = 1) {
  return {{32, 1, 1}, shared, [=](int x, int) { return std::vector<int>{element(x)}; }, count};
}

}  // namespace

TEST_CASE("neighbouring lanes share sectors") {
  const OneLaunch launch = row(false, [](int x) { return x; });
  const Fetch fetch = launch.fetch();
  CHECK(fetch.sectors.size() == 4);
  CHECK(fetch.ideal == 4);
  CHECK(fetch.lines == 1);
  CHECK(fetch.bytes_used == fetch.bytes_fetched());
  CHECK(fetch.sectors[1].lanes == 0x0000ff00u);
  CHECK_THAT(describe(launch.requests()[0], fetch, false), contains_text("all of what is fetched"));
}

TEST_CASE("with stride 2 half of what is fetched is used") {
  const OneLaunch launch = row(false, [](int x) { return 2 * x; });
  const Fetch fetch = launch.fetch();
  CHECK(fetch.sectors.size() == 8);
  CHECK(fetch.ideal == 4);
  CHECK(fetch.sectors[0].used == 0x0f0f0f0fu);
  CHECK_THAT(describe(launch.requests()[0], fetch, false),
             contains_text("8 sectors where 4 would do: half of"));
  CHECK_THAT(describe(launch.requests()[0], fetch, true), contains_text("half of their bytes are written"));
}

TEST_CASE("with stride 32 each lane has a line to itself, and in shared memory all meet in one bank") {
  const Fetch fetch = row(false, [](int x) { return 32 * x; }).fetch();
  CHECK(fetch.sectors.size() == 32);
  CHECK(fetch.lines == 32);
  CHECK(fetch.ideal == 4);
  const Banks banks = row(true, [](int x) { return 32 * x; }).banks();
  CHECK(banks.passes == 32);
  CHECK(banks.words[0].size() == 32);
  CHECK_THAT(describe(banks, false), contains_text("32 passes instead of 1"));
}

TEST_CASE("an offset row costs a sector more") {
  CHECK(row(false, [](int x) { return x + 3; }).fetch().sectors.size() == 5);
}

TEST_CASE("a broadcast is one sector and one pass") {
  const OneLaunch global = row(false, [](int) { return 5; });
  CHECK(global.fetch().sectors.size() == 1);
  CHECK(global.fetch().bytes_used == 4);
  CHECK_THAT(describe(global.requests()[0], global.fetch(), false), contains_text("a broadcast"));
  const Banks banks = row(true, [](int) { return 5; }).banks();
  CHECK(banks.passes == 1);
  CHECK(banks.broadcast);
  CHECK(banks.words[5].size() == 1);
  CHECK(banks.words[5][0].lanes == ~0u);
}

TEST_CASE("atomics on one word take turns") {
  const OneLaunch launch = row(true, [](int) { return 5; });
  CHECK(banks_of(launch.requests()[0], 4, true).passes == 32);
}

TEST_CASE("a row padded by one word reads its columns without conflict") {
  CHECK(row(true, [](int x) { return 33 * x; }).banks().passes == 1);
  CHECK(row(true, [](int x) { return 2 * x; }).banks().passes == 2);
}

TEST_CASE("a float4 a lane is 16 sectors, all used, and no conflict") {
  const OneLaunch global = row(
      false, [](int x) { return 4 * x; }, 4);
  CHECK(global.requests()[0].lanes[3].count == 4);
  CHECK(global.fetch().sectors.size() == 16);
  CHECK(global.fetch().ideal == 16);
  const Banks banks = row(
                          true, [](int x) { return 4 * x; }, 4)
                          .banks();
  CHECK(banks.passes == 1);
  CHECK_THAT(describe(banks, false), contains_text("1 pass of 4 turns, no conflict"));
}

TEST_CASE("a partial warp asks for what its lanes want") {
  const OneLaunch launch({40, 1, 1}, false, [](int x, int) { return std::vector<int>{x}; });
  CHECK(launch.requests(1).at(0).active() == 8);
  CHECK(launch.fetch(1).sectors.size() == 1);
  CHECK(launch.fetch(1).ideal == 1);
  CHECK(warps_at(launch.accesses, 0, 0, launch.site) == std::vector<int>{0, 1});
  CHECK(blocks_at(launch.accesses, 0, launch.site) == std::vector<int>{0});
  CHECK(launch.requests(2).empty());
}

TEST_CASE("in a block of 16-wide rows a warp is two rows") {
  const OneLaunch b_tile({16, 16, 1}, true, [](int x, int) { return std::vector<int>{x}; });
  CHECK(b_tile.banks().passes == 1);  // both rows read the same 16 words
  CHECK(b_tile.banks().words[3][0].lanes == (1u << 3 | 1u << 19));
  const OneLaunch store({16, 16, 1}, false, [](int x, int y) { return std::vector<int>{y * 1000 + x}; });
  CHECK(store.fetch().sectors.size() == 4);
  CHECK(store.fetch().lines == 2);
}

TEST_CASE("the k-th request is the k-th access of each lane; lanes that came less often are missing") {
  const OneLaunch launch({32, 1, 1}, false, [](int x, int) {
    std::vector<int> list;
    for (int k = 0; k < (x < 8 ? 3 : 2); ++k) list.push_back(100 * k + x);
    return list;
  });
  const auto requests = launch.requests();
  REQUIRE(requests.size() == 3);
  CHECK(requests[1].lanes[31].element == 131);
  CHECK(requests[2].active() == 8);
}

TEST_CASE("sites are merged by line, tensor and kind, worst first") {
  OneLaunch launch = row(false, [](int x) { return x; });
  runs::LaunchCounters counters;
  runs::SiteCounters good{"k", {"kernels.cu", 7}, runs::SiteKind::global_load, 0, 10, 40, 40, 0, 1280};
  runs::SiteCounters bad{"k", {"kernels.cu", 9}, runs::SiteKind::global_store, 0, 10, 320, 40, 0, 1280};
  runs::SiteCounters banks{"k", {"kernels.cu", 11}, runs::SiteKind::shared_load, 5, 10, 0, 0, 20, 1280};
  counters.sites = {good, good, bad, banks};
  const auto sites = sites_of(launch.accesses, 0, &counters);
  REQUIRE(sites.size() == 3);
  CHECK(sites[0].at.line == 9);
  CHECK(sites[0].waste() == 8.0);
  CHECK_FALSE(sites[0].traced);
  CHECK(sites[1].shared);
  CHECK(sites[1].per_request() == 2.0);
  CHECK(sites[2].requests == 20);
  CHECK(sites[2].traced);
  CHECK(sites[2].kind() == "global load");
}

TEST_CASE("accesses that an instruction makes to several tensors are one site") {
  OneLaunch launch = row(false, [](int x) { return x; });
  runs::LaunchCounters counters;
  counters.sites = {{"k", {"kernels.cu", 7}, runs::SiteKind::global_load, -1, 1, 4, 4, 0, 128}};
  const auto sites = sites_of(launch.accesses, 0, &counters);
  REQUIRE(sites.size() == 1);
  CHECK(sites[0].traced);
  CHECK(requests_at(launch.accesses, 0, 0, 0, sites[0]).size() == 1);
}

TEST_CASE("half a word, and types of other sizes") {
  CHECK(element_bytes("f32") == 4);
  CHECK(element_bytes("f64") == 8);
  CHECK(element_bytes("bf16") == 2);
  CHECK(element_bytes("") == 4);
  const OneLaunch launch = row(false, [](int x) { return x; });
  CHECK(fetch_of(launch.requests()[0], 2).sectors.size() == 2);
}
