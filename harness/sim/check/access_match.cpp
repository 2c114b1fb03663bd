#include "access_match.h"

#include <algorithm>
#include <map>
#include <utility>

#include "symbols.h"

namespace workbook::sim {
namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr std::size_t kMostLoops = 64;

/// The addresses of the first and the last access of a loop, as ranks among all of the lanes'.
struct Loop {
  std::uint32_t begin, end;
  std::uint32_t span() const { return end - begin; }
};

/// Loops nest or lie apart: those that overlap otherwise are one.
void join_overlapping(std::vector<Loop>& loops) {
  const auto joined_one = [&] {
    for (std::size_t i = 0; i < loops.size(); ++i)
      for (std::size_t k = 0; k < loops.size(); ++k) {
        Loop &a = loops[i], &b = loops[k];
        const bool overlap = a.begin < b.begin && b.begin <= a.end && a.end < b.end;
        const bool same = i < k && a.begin == b.begin && a.end == b.end;
        if (!overlap && !same) continue;
        a.end = b.end;
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(k));
        return true;
      }
    return false;
  };
  while (joined_one()) {
  }
}

class Matching {
 public:
  explicit Matching(const std::span<const LoggedAccess> (&lanes)[kWarpSize]) : lanes_(lanes) {
    number_places();
    rank_places();
    find_loops();
  }

  std::vector<PlaceRequests> take() {
    if (!loops_.empty()) key_accesses();
    std::vector<PlaceRequests> out(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const KnownPlace& place = places_[i];
      out[i].place = place.place;
      out[i].requests.resize(place.is_keyed() ? place.keys : place.most_times);
    }
    fill(out);
    return out;
  }

 private:
  struct KnownPlace {
    Place place;
    std::uint32_t rank = 0;      ///< of its address
    std::uint32_t function = 0;  ///< that it lies in
    std::uint32_t most_times = 0, keys = 0;
    std::uint32_t lane = kNone, times = 0;  ///< of the lane that is being read
    bool is_keyed() const { return keys != 0 && keys <= most_times; }
  };

  /// Gives every access the number of its place.
  void number_places() {
    std::size_t accesses = 0, latest = 0;
    for (const auto& lane : lanes_) accesses += lane.size();
    numbers_.reserve(accesses);
    for (std::uint32_t l = 0; l < kWarpSize; ++l)
      for (const LoggedAccess& access : lanes_[l]) {
        // Loops come back to the same places in the same order: look from the latest one on.
        std::size_t at = latest, tried = 0;
        while (tried < places_.size() && places_[at].place != access.place) {
          at = at + 1 == places_.size() ? 0 : at + 1;
          ++tried;
        }
        if (tried == places_.size()) {
          at = places_.size();
          places_.emplace_back().place = access.place;
        }
        latest = at;
        KnownPlace& place = places_[at];
        if (place.lane != l) place.lane = l, place.times = 0;
        place.most_times = std::max(place.most_times, ++place.times);
        numbers_.push_back(static_cast<std::uint32_t>(at));
      }
  }

  void rank_places() {
    std::vector<std::uint32_t> pcs;
    for (const KnownPlace& place : places_) pcs.push_back(place.place.pc_offset());
    std::sort(pcs.begin(), pcs.end());
    pcs.erase(std::unique(pcs.begin(), pcs.end()), pcs.end());
    ranks_ = pcs.size();
    std::map<std::uintptr_t, std::pair<std::uint32_t, std::size_t>> functions;  // number, places in it
    std::size_t most = 0;
    for (KnownPlace& place : places_) {
      const auto at = std::lower_bound(pcs.begin(), pcs.end(), place.place.pc_offset());
      place.rank = static_cast<std::uint32_t>(at - pcs.begin());
      const std::uintptr_t begin = function_of(program_base() + place.place.pc_offset());
      const auto [known, fresh] =
          functions.try_emplace(begin, static_cast<std::uint32_t>(functions.size()), std::size_t{0});
      place.function = known->second.first;
      if (++known->second.second > most) most = known->second.second, main_ = place.function;
    }
    functions_ = functions.size();
  }

  /// Calls `visit` with each access, the one before it in the same function or null, and whether that is of
  /// another lane's log. A function that others call begins anew with every access of the main one.
  template <class Visit>
  void walk(Visit visit) const {
    struct Last {
      std::uint32_t place = kNone;
      std::uint64_t since = 0;  ///< accesses of the main function by then
    };
    std::vector<Last> last(functions_);
    std::uint64_t of_main = 0;
    std::size_t i = 0;
    for (const auto& lane : lanes_) {
      std::fill(last.begin(), last.end(), Last{});
      for (std::size_t k = 0; k < lane.size(); ++k, ++i) {
        const KnownPlace& place = places_[numbers_[i]];
        Last& before = last[place.function];
        const bool in_main = place.function == main_;
        const bool follows = before.place != kNone && (in_main || before.since == of_main);
        visit(i, place, follows ? &places_[before.place] : nullptr, k == 0);
        of_main += in_main;
        before = {numbers_[i], of_main};
      }
    }
  }

  void find_loops() {
    std::vector<std::uint32_t> furthest(ranks_, kNone);  // by begin: ends are few, and joined below
    walk([&](std::size_t, const KnownPlace& place, const KnownPlace* before, bool) {
      if (before == nullptr || before->rank < place.rank) return;
      const Loop loop{place.rank, before->rank};
      if (furthest[place.rank] == loop.end) return;
      furthest[place.rank] = loop.end;
      if (loops_.size() <= kMostLoops &&
          std::none_of(loops_.begin(), loops_.end(),
                       [&](const Loop& l) { return l.begin == loop.begin && l.end == loop.end; }))
        loops_.push_back(loop);
    });
    if (loops_.size() > kMostLoops) loops_.clear();
    join_overlapping(loops_);
    std::stable_sort(loops_.begin(), loops_.end(),
                     [](const Loop& a, const Loop& b) { return a.span() > b.span(); });
    around_.assign(ranks_, 0);
    within_.assign(loops_.size(), 0);
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      for (std::uint32_t rank = loops_[i].begin; rank <= loops_[i].end; ++rank)
        around_[rank] |= std::uint64_t{1} << i;
      for (std::size_t k = i + 1; k < loops_.size(); ++k)
        if (loops_[k].begin >= loops_[i].begin && loops_[k].end <= loops_[i].end)
          within_[i] |= std::uint64_t{1} << k;
    }
  }

  /// Numbers the accesses of each place by the turns of the loops around them.
  void key_accesses() {
    std::uint32_t turns[kMostLoops] = {};
    const auto restart = [&](std::uint64_t loops) {
      for (; loops != 0; loops &= loops - 1) turns[__builtin_ctzll(loops)] = 0;
    };
    const auto mix = [](std::uint64_t& hash, std::uint64_t word) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    };
    std::uint64_t main_key = 0;
    begin_table();
    requests_.resize(numbers_.size());
    walk([&](std::size_t i, const KnownPlace& place, const KnownPlace* before, bool first_of_lane) {
      if (first_of_lane) main_key = 0;
      const std::uint64_t here = around_[place.rank];
      const std::uint64_t there = before == nullptr ? 0 : around_[before->rank];
      if (before != nullptr && place.rank <= before->rank) {
        const int loop = 63 - __builtin_clzll(here & there);  // the innermost around both
        ++turns[loop];
        restart(within_[static_cast<std::size_t>(loop)]);
      } else {
        restart(here & ~there);
      }
      std::uint64_t key = place.function == main_ ? 0 : main_key;
      mix(key, numbers_[i] + 1);
      for (std::uint64_t rest = here; rest != 0; rest &= rest - 1) mix(key, turns[__builtin_ctzll(rest)]);
      if (place.function == main_) main_key = key;
      requests_[i] = request_of(key, places_[numbers_[i]]);
    });
  }

  // Of keys, which hold the place as well: the number of the request among its place's.
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t request = kNone;
  };
  void begin_table() {
    std::size_t size = 64;
    while (size < 2 * numbers_.size()) size *= 2;
    table_.assign(size, {});
  }
  std::uint32_t request_of(std::uint64_t key, KnownPlace& place) {
    std::size_t at = key & (table_.size() - 1);
    while (table_[at].request != kNone && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
    if (table_[at].request == kNone) table_[at] = {key, place.keys++};
    return table_[at].request;
  }

  void fill(std::vector<PlaceRequests>& out) {
    std::size_t i = 0;
    for (std::uint32_t l = 0; l < kWarpSize; ++l)
      for (const LoggedAccess& access : lanes_[l]) {
        KnownPlace& place = places_[numbers_[i]];
        if (place.lane != l + kWarpSize) place.lane = l + kWarpSize, place.times = 0;
        const std::uint32_t nth = place.times++;
        WarpRequest& request = out[numbers_[i]].requests[place.is_keyed() ? requests_[i] : nth];
        request.mask |= 1u << l;
        request.word[l] = access.word;
        ++i;
      }
  }

  const std::span<const LoggedAccess> (&lanes_)[kWarpSize];
  std::vector<KnownPlace> places_;
  std::vector<std::uint32_t> numbers_;   ///< by access: its place
  std::vector<std::uint32_t> requests_;  ///< by access: its request, as the loops have it
  std::size_t ranks_ = 0, functions_ = 0;
  std::uint32_t main_ = 0;     ///< the function with the most places
  std::vector<Loop> loops_;    ///< the longest first
  std::vector<std::uint64_t> around_, within_;  ///< by rank, by loop: loops, as bits
  std::vector<Slot> table_;
};

}  // namespace

std::vector<PlaceRequests> match_diverged(const std::span<const LoggedAccess> (&lanes)[kWarpSize]) {
  return Matching(lanes).take();
}

}  // namespace workbook::sim
