#include "access_match.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr std::size_t kMostLoops = 64;

/// From the first access that was seen of it to where it jumps back from, as Place has them.
struct Loop {
  std::uint32_t begin, end;
};

/// Numbers far apart, and odd.
constexpr std::array<std::uint64_t, kMostLoops + 2> kFactors = [] {
  std::array<std::uint64_t, kMostLoops + 2> factors{};
  std::uint64_t x = 0;
  for (std::uint64_t& factor : factors) {
    x += 0x9e3779b97f4a7c15u;
    factor = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    factor = (factor ^ factor >> 27) * 0x94d049bb133111ebu | 1;
  }
  return factors;
}();

class Matching {
 public:
  Matching(const std::span<const LoggedAccess> (&lanes)[kWarpSize], std::size_t from)
      : lanes_(lanes), from_(from) {
    number_places();
    find_functions();
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
    std::uint32_t all = 0;
    for (std::uint32_t l = 0; l < kWarpSize; ++l) all |= static_cast<std::uint32_t>(!lanes_[l].empty()) << l;
    for (PlaceRequests& place : out)
      place.approximate = std::any_of(place.requests.begin(), place.requests.end(),
                                      [&](const WarpRequest& r) { return r.mask != all; });
    return out;
  }

 private:
  struct KnownPlace {
    Place place;
    std::uint32_t function = 0;  ///< that it lies in
    std::uint64_t loops = 0;     ///< around it, as bits
    std::uint32_t most_times = 0, keys = 0;
    std::uint32_t lane = kNone, times = 0;  ///< of the lane that is being read
    bool ambiguous = false;                 ///< a lane has one key twice: a loop was not seen
    bool is_keyed() const { return keys != 0 && keys <= most_times && !ambiguous; }
  };

  /// Gives every access the number of its place.
  void number_places() {
    std::size_t accesses = 0, latest = 0;
    for (const auto& lane : lanes_) accesses += lane.size();
    numbers_.reserve(accesses);
    for (std::uint32_t l = 0; l < kWarpSize; ++l)
      for (std::size_t k = 0; k < lanes_[l].size(); ++k) {
        const LoggedAccess& access = lanes_[l][k];
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
        place.times += k >= from_;
        place.most_times = std::max(place.most_times, place.times);
        numbers_.push_back(static_cast<std::uint32_t>(at));
      }
  }

  void find_functions() {
    std::map<std::uintptr_t, std::pair<std::uint32_t, std::size_t>> functions;  // number, places in it
    std::size_t most = 0;
    for (KnownPlace& place : places_) {
      const std::uintptr_t begin = function_of(program_base() + place.place.pc_offset());
      const auto [known, fresh] =
          functions.try_emplace(begin, static_cast<std::uint32_t>(functions.size()), std::size_t{0});
      place.function = known->second.first;
      if (++known->second.second > most) most = known->second.second, main_ = place.function;
    }
    functions_ = functions.size();
  }

  /// Calls `visit` with each access, its number, its place, the place before it in the same function or null,
  /// and its number in the lane's log. A function that others call begins anew with every access of the main
  /// one.
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
        visit(lane[k], i, place, follows ? &places_[before.place] : nullptr, k);
        of_main += in_main;
        before = {numbers_[i], of_main};
      }
    }
  }

  /// Whether the lane has jumped back between two accesses. From where: the farther of the last one and what
  /// it reached.
  static bool jumped_back(std::uint32_t from, const KnownPlace& to) { return from >= to.place.pc_offset(); }

  void find_loops() {
    walk([&](const LoggedAccess& access, std::size_t, const KnownPlace& place, const KnownPlace* before,
             std::size_t) {
      const std::uint32_t from = before == nullptr ? 0 : std::max(access.reach, before->place.pc_offset());
      if (before == nullptr || !jumped_back(from, place)) return;
      const std::uint32_t begin = std::min(place.place.pc_offset(), before->place.pc_offset());
      const auto known =
          std::find_if(loops_.begin(), loops_.end(), [&](const Loop& l) { return l.end == from; });
      if (known != loops_.end())
        known->begin = std::min(known->begin, begin);
      else if (loops_.size() <= kMostLoops)
        loops_.push_back({begin, from});
    });
    if (loops_.size() > kMostLoops) loops_.clear();
    // A loop that ends within another one lies in it.
    std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) { return a.end > b.end; });
    for (std::size_t outer = loops_.size(); outer-- > 0;)
      for (std::size_t inner = outer + 1; inner < loops_.size(); ++inner)
        if (loops_[inner].end >= loops_[outer].begin)
          loops_[outer].begin = std::min(loops_[outer].begin, loops_[inner].begin);
    within_.assign(loops_.size(), 0);
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      for (KnownPlace& place : places_)
        if (place.place.pc_offset() >= loops_[i].begin && place.place.pc_offset() <= loops_[i].end)
          place.loops |= std::uint64_t{1} << i;
      for (std::size_t k = i + 1; k < loops_.size(); ++k)
        if (loops_[k].begin >= loops_[i].begin) within_[i] |= std::uint64_t{1} << k;
    }
  }

  /// Numbers the accesses of each place by the turns of the loops around them.
  void key_accesses() {
    const auto restart = [&](std::uint64_t loops) {
      if (loops != 0) counted_ = 0;
      for (; loops != 0; loops &= loops - 1) turns_[__builtin_ctzll(loops)] = 0;
    };
    std::uint64_t main_key = 0;
    std::uint32_t lane = 0;  // from 1 on
    requests_.resize(numbers_.size());
    walk([&](const LoggedAccess& access, std::size_t i, const KnownPlace& place, const KnownPlace* before,
             std::size_t of_lane) {
      if (of_lane == 0) main_key = 0, ++lane;
      const std::uint64_t entered = place.loops & ~(before == nullptr ? 0 : before->loops);
      const std::uint32_t from = before == nullptr ? 0 : std::max(access.reach, before->place.pc_offset());
      restart(entered);
      if (before != nullptr && jumped_back(from, place)) {
        const auto loop = static_cast<std::size_t>(
            std::find_if(loops_.begin(), loops_.end(), [&](const Loop& l) { return l.end == from; }) -
            loops_.begin());
        ++turns_[loop];
        counted_ = 0;
        restart(within_[loop]);
      }
      const bool in_main = place.function == main_;
      const std::uint64_t key = (in_main ? 0 : main_key * kFactors[kMostLoops]) +
                                (numbers_[i] + 1) * kFactors[kMostLoops + 1] + turns_of(place.loops);
      if (in_main) main_key = key;
      if (of_lane >= from_) requests_[i] = request_of(key, places_[numbers_[i]], lane);
    });
  }

  /// A number for the turns of some loops, different for different ones.
  std::uint64_t turns_of(std::uint64_t loops) {
    if (counted_ == loops) return turns_counted_;  // of none it is 0 at first, and stays so
    counted_ = loops;
    turns_counted_ = 0;
    for (std::uint64_t rest = loops; rest != 0; rest &= rest - 1) {
      const auto loop = static_cast<std::size_t>(__builtin_ctzll(rest));
      turns_counted_ += turns_[loop] * kFactors[loop];
    }
    return turns_counted_;
  }

  // Of keys, which hold the place as well, in the order in which they first came: the next lane's come in the
  // same order, mostly, so that they are found without the table.
  struct Known {
    std::uint64_t key;
    std::uint32_t request;  ///< its number among its place's
    std::uint32_t lane;     ///< the latest that has it
  };
  std::uint32_t request_of(std::uint64_t key, KnownPlace& place, std::uint32_t lane) {
    const std::size_t number =
        expected_ < known_.size() && known_[expected_].key == key ? expected_ : number_of(key, place);
    expected_ = number + 1;
    Known& known = known_[number];
    place.ambiguous |= std::exchange(known.lane, lane) == lane;
    return known.request;
  }
  std::size_t number_of(std::uint64_t key, KnownPlace& place) {
    if (2 * known_.size() >= table_.size()) grow_table();
    std::size_t at = place_of(key);
    while (table_[at] != kNone && known_[table_[at]].key != key) at = (at + 1) & (table_.size() - 1);
    if (table_[at] == kNone) {
      table_[at] = static_cast<std::uint32_t>(known_.size());
      known_.push_back({key, place.keys++, 0});
    }
    return table_[at];
  }
  std::size_t place_of(std::uint64_t key) const {
    key *= 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) & (table_.size() - 1);
  }
  void grow_table() {
    table_.assign(std::max<std::size_t>(1024, 4 * table_.size()), kNone);
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      std::size_t at = place_of(known_[i].key);
      while (table_[at] != kNone) at = (at + 1) & (table_.size() - 1);
      table_[at] = i;
    }
  }

  void fill(std::vector<PlaceRequests>& out) {
    constexpr std::uint64_t kBetween = 1u << 20;
    std::size_t i = 0;
    std::uint64_t step = kBetween;  // of the first lane
    for (std::uint32_t l = 0; l < kWarpSize; ++l) {
      std::uint64_t order = 0;
      for (std::size_t k = 0; k < lanes_[l].size(); ++k, ++i) {
        if (k < from_) continue;
        KnownPlace& place = places_[numbers_[i]];
        if (place.lane != l + kWarpSize) place.lane = l + kWarpSize, place.times = 0;
        const std::uint32_t nth = place.times++;
        WarpRequest& request = out[numbers_[i]].requests[place.is_keyed() ? requests_[i] : nth];
        if (request.mask == 0) request.order = order + step;
        order = std::max(order, request.order);
        request.mask |= 1u << l;
        request.word[l] = lanes_[l][k].word;
      }
      if (order != 0) step = 1;
    }
  }

  const std::span<const LoggedAccess> (&lanes_)[kWarpSize];
  const std::size_t from_;
  std::vector<KnownPlace> places_;
  std::vector<std::uint32_t> numbers_;   ///< by access: its place
  std::vector<std::uint32_t> requests_;  ///< by access: its request, as the loops have it
  std::size_t functions_ = 0;
  std::uint32_t main_ = 0;                         ///< the function with the most places
  std::vector<Loop> loops_;                        ///< each before those within it
  std::vector<std::uint64_t> within_;              ///< by loop: the loops within it, as bits
  std::uint32_t turns_[kMostLoops] = {};           ///< by loop, of the lane that is being read
  std::uint64_t counted_ = 0, turns_counted_ = 0;  ///< loops, and turns_of() them; 0: none are counted
  std::vector<Known> known_;
  std::vector<std::uint32_t> table_;  ///< numbers of these, by key
  std::size_t expected_ = 0;          ///< the number of the next one, as the lane before had it
};

}  // namespace

std::vector<PlaceRequests> match_diverged(const std::span<const LoggedAccess> (&lanes)[kWarpSize],
                                          std::size_t from) {
  return Matching(lanes, from).take();
}

}  // namespace workbook::sim
