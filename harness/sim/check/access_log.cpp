#include "access_log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "clock/model.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr ModelConstants kClock;

// Without the instruction, which not every machine has, the compiler calls a function.
std::uint32_t ones(std::uint32_t bits) {
  bits -= bits >> 1 & 0x55555555u;
  bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
  return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
std::uint32_t ones_of_four(std::uint32_t bits) { return 0x4332322132212110u >> 4 * bits & 0xfu; }

/// Calls `visit` with every word that the lanes of a request touch; `wide` words follow each lane's first.
template <class Visit>
inline void for_each_word(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide, Visit visit) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = word[__builtin_ctz(rest)];
    for (std::uint32_t k = 0; k < wide; ++k) visit(first + k);
  }
}

/// The words, sorted, each once; their number.
std::uint32_t distinct_words(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide,
                             std::uint32_t* out) {
  std::uint32_t count = 0;
  for_each_word(word, mask, wide, [&](std::uint32_t w) { out[count++] = w; });
  std::sort(out, out + count);
  return static_cast<std::uint32_t>(std::unique(out, out + count) - out);
}

// Of a whole warp, in one sweep: whether its lanes ask for neighbours in order; and whether all that they ask
// for lies in one row of 32 words.
bool is_run(const std::uint32_t* word) {
  std::uint32_t differ = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l) differ |= word[l] ^ (word[0] + l);
  return differ == 0;
}
bool is_within_row(const std::uint32_t* word) {
  std::uint32_t differ = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l) differ |= word[l] ^ word[0];
  return differ < 32;
}

/// Passes over the 32 banks of 4 bytes: as many as the busiest bank has distinct words. Accesses of 8 and 16
/// bytes go by halves and quarters of a warp, each of which is a request of its own to the banks; the passes
/// are theirs on average, so that 1 is free of conflicts whatever the width.
std::uint32_t bank_passes(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide) {
  if (mask == ~0u && wide == 1 && (is_within_row(word) || is_run(word))) return 1;
  std::uint32_t first_of[32], used = 0, conflicts = 0;
  for_each_word(word, mask, wide, [&](std::uint32_t w) {
    const std::uint32_t bank = w % 32;
    if ((used >> bank & 1u) == 0) first_of[bank] = w;
    used |= 1u << bank;
    conflicts |= first_of[bank] ^ w;
  });
  if (conflicts == 0) return 1;
  std::uint32_t turns = 0, requests = 0;
  for (std::uint32_t first = 0, lanes = kWarpSize / wide; first < kWarpSize; first += lanes) {
    const std::uint32_t share = mask & (lanes == kWarpSize ? ~0u : ((1u << lanes) - 1u) << first);
    if (share == 0) continue;
    std::uint32_t words[kWarpSize * 4];
    const std::uint32_t count = distinct_words(word, share, wide, words);
    std::uint8_t in_bank[32] = {};
    std::uint32_t worst = 1;
    for (std::uint32_t i = 0; i < count; ++i)
      worst = std::max<std::uint32_t>(worst, ++in_bank[words[i] % 32]);
    turns += worst;
    ++requests;
  }
  return (turns + requests - 1) / requests;
}

/// The same for atomics: lanes that share a bank take turns, even when they want one word.
std::uint32_t atomic_passes(const std::uint32_t* word, std::uint32_t mask) {
  std::uint8_t in_bank[32] = {};
  std::uint32_t worst = 1;
  for_each_word(word, mask, 1,
                [&](std::uint32_t w) { worst = std::max<std::uint32_t>(worst, ++in_bank[w % 32]); });
  return worst;
}

struct Sectors {
  std::uint32_t touched = 0, words = 0;  ///< 32-byte sectors, distinct 4-byte words
};

/// Calls `visit` with the number of each 128-byte line that a request touches and its sectors as bits.
template <class Visit>
Sectors for_each_line(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide, Visit visit) {
  if (mask == ~0u && wide == 1 && is_run(word)) {
    const std::uint32_t first = word[0] / 8, last = word[kWarpSize - 1] / 8;
    for (std::uint32_t line = first / 4; line <= last / 4; ++line) {
      const std::uint32_t from = line == first / 4 ? first % 4 : 0, to = line == last / 4 ? last % 4 : 3;
      visit(line, (0xfu << from) & (0xfu >> (3 - to)));
    }
    return {last - first + 1, kWarpSize};
  }
  // Lines in order, with the words of each that are asked for. Lanes ask for few, and mostly in order.
  struct Line {
    std::uint32_t line, words;
  } lines[kWarpSize * 4];
  std::uint32_t count = 0;
  const auto add = [&](std::uint32_t line, std::uint32_t words) {
    std::uint32_t at = count;
    while (at > 0 && lines[at - 1].line > line) --at;
    if (at > 0 && lines[at - 1].line == line) {
      lines[at - 1].words |= words;
      return;
    }
    std::copy_backward(lines + at, lines + count, lines + count + 1);
    lines[at] = {line, words};
    ++count;
  };
  if (mask == ~0u && wide == 1) {
    for (std::uint32_t l = 0; l < kWarpSize;) {
      const std::uint32_t line = word[l] / 32;
      std::uint32_t words = 0;
      for (; l < kWarpSize && word[l] / 32 == line; ++l) words |= 1u << word[l] % 32;
      add(line, words);
    }
    mask = 0;
  }
  const std::uint32_t together = (1u << wide) - 1;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = word[__builtin_ctz(rest)];
    if (first % 32 + wide <= 32)
      add(first / 32, together << first % 32);
    else
      for (std::uint32_t k = 0; k < wide; ++k) add((first + k) / 32, 1u << (first + k) % 32);
  }
  Sectors out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t words = lines[i].words;
    std::uint32_t eighths = words | words >> 4;
    eighths |= eighths >> 2;
    eighths = (eighths | eighths >> 1) & 0x01010101u;
    const std::uint32_t sectors = (eighths | eighths >> 7 | eighths >> 14 | eighths >> 21) & 0xfu;
    out.words += ones(words);
    out.touched += ones_of_four(sectors);
    visit(lines[i].line, sectors);
  }
  return out;
}

}  // namespace

void AccessLog::begin_launch(std::uint32_t block_threads, TensorOf tensor_of) {
  constexpr std::size_t kWarps = kMaxThreads / kWarpSize;
  if (!words_) {
    words_ = std::make_unique_for_overwrite<Words[]>(kWarps * (kWarpStride / kTogetherInMemory));
    warp_ways_ = std::make_unique_for_overwrite<Way[]>(kWarps * kWayStride);
    own_ways_ = std::make_unique_for_overwrite<Way[]>(std::size_t{kMaxThreads} * kWayStride);
  }
  for (std::uint32_t first = 0; first < block_threads; first += kWarpSize) restart(first);
  threads_ = block_threads;
  l1_.clear();
  touched_.clear();
  waits_ = {};
  any_remote_ = false;
  remote_requests_ = 0;
  tensor_of_ = tensor_of;
  counts_.clear();
  index_.clear();
  std::fill(std::begin(recent_), std::end(recent_), Recent{});
}

/// Nothing is in the windows of a warp.
void AccessLog::restart(std::uint32_t first_thread) {
  const std::uint32_t warp = first_thread / kWarpSize;
  Way* const ways = ways_of(warp);
  *ways = {};
  for (std::uint32_t l = 0; l < kWarpSize; ++l)
    cursors_[first_thread + l] = {ways, words_of(warp) + l * kTogetherInMemory, ways + kWindow};
  std::fill_n(diverged_at_ + first_thread, kWarpSize, kWindow);
  warp_diverged_at_[warp] = kWindow;
}

/// Of an access whose way is not the one that is known of its warp. Beyond what any lane has done stands a
/// place that is none, as in a lane's own ways.
void AccessLog::append_way(std::uint32_t thread, Way way) {
  const std::uint32_t warp = thread / kWarpSize, i = length(thread);
  Cursor& c = cursors_[thread];
  if (diverged_at_[thread] == kWindow) {
    // Where lanes come from counts from their second access on.
    if (c.way->place != Place() && !(i == 0 && c.way->place == way.place)) {
      diverged_at_[thread] = i;
      warp_diverged_at_[warp] = std::min(warp_diverged_at_[warp], i);
      c.way = own_ways_of(thread) + i;
      c.end = own_ways_of(thread) + kWindow;
    }
  }
  const bool first = c.way->place == Place() || diverged_at_[thread] != kWindow;
  c.way[0] = way;
  if (first) c.way[1] = {};
}

/// To those that are looked at, what the thread has done from one of its accesses on to another.
void AccessLog::append_diverged(std::uint32_t thread, std::uint32_t from, std::uint32_t end) {
  const std::uint32_t warp = thread / kWarpSize, own_from = diverged_at_[thread];
  const Way *const shared = ways_of(warp), *const own = own_ways_of(thread);
  const std::uint32_t* const words = words_of(warp) + thread % kWarpSize * kTogetherInMemory;
  const auto base = static_cast<std::uint32_t>(program_base());
  for (std::uint32_t i = from; i < end; ++i) {
    const Way& way = i < own_from ? shared[i] : own[i];
    const std::uint32_t word =
        words[i / kTogetherInMemory * kTogetherInMemory * kWarpSize + i % kTogetherInMemory];
    diverged_.push_back({way.place, word, way.reach == 0 ? 0 : way.reach - base});
  }
}

SiteCount& AccessLog::site(Place place) {
  Recent& recent = recent_[(place.bits() * 0x9e3779b1u) >> 24];
  if (recent.bits == place.bits()) return counts_[recent.index];
  const auto [found, fresh] = index_.try_emplace(place.bits(), static_cast<std::uint32_t>(counts_.size()));
  if (fresh) counts_.emplace_back().place = place;
  recent = {place.bits(), found->second};
  return counts_[found->second];
}

void AccessLog::end_underway() {
  underway_.clear();
  loads_underway_ = 0;
  chase_.arrived();
  underway_missed_ = underway_from_dram_ = false;
}

void AccessLog::load(Place place, std::uint32_t word, bool missed, bool first_touch) {
  if (place.copies()) {
    Copies& copies = copies_[warp_];
    copies.missed = copies.missed || missed;
    copies.dram = copies.dram || first_touch;
    copies.work_since_copy = 0.0;
    copy_stores_next_ = true;
    block_copies_.missed = block_copies_.missed || missed;
    block_copies_.dram = block_copies_.dram || first_touch;
    return;
  }
  if (chase_.see(place, word) == Chase::Index::is_under_way) end_underway();
  auto mine =
      std::find_if(underway_.begin(), underway_.end(), [&](const Underway& u) { return u.place == place; });
  const bool comes_again = mine != underway_.end();
  const bool next_part =
      comes_again && (chase_.under_way() ? loads_underway_ == kMostUnderway
                                         : (mine->times + 1) * underway_.size() > kTogether);
  if (next_part || underway_.size() == kMostUnderway) {
    end_underway();
    mine = underway_.end();
  }
  if (mine == underway_.end())
    underway_.push_back({place, 1});
  else
    ++mine->times;
  ++loads_underway_;
  if (missed && !std::exchange(underway_missed_, true)) {
    waits_.all += 1.0;
    work(first_touch ? kClock.dram_latency_clocks : kClock.l2_latency_clocks);
  } else {
    work(kClock.access_clocks);
  }
  if (first_touch && !std::exchange(underway_from_dram_, true)) waits_.dram += 1.0;
}

// A copy was begun `pending` stages and what was done since the latest copy ago. Of its latency that leaves
// a rest, and of the rest the stages that stay under way wait their part.
double AccessLog::part_waited_for(const Copies& copies, std::uint32_t pending) {
  const double latency = copies.dram ? kClock.dram_latency_clocks : kClock.l2_latency_clocks;
  const double hidden = pending * copies.work_since_wait + copies.work_since_copy;
  return std::max(0.0, 1.0 - hidden / latency) / (1.0 + pending);
}

void AccessLog::count_wait(std::uint32_t said) {
  if (said == kStageCommit) {
    copies_[warp_].work_since_copy = 0.0;
    return;
  }
  Copies copies = std::exchange(copies_[warp_], {});
  if ((said & kOfBlock) != 0) copies.missed = block_copies_.missed, copies.dram = block_copies_.dram;
  const double part = part_waited_for(copies, said & ~kOfBlock);
  if (copies.missed) waits_.all += part;
  if (copies.dram) waits_.dram += part;
}

void AccessLog::count(Place place, const WarpRequest& request) {
  if (place.waits()) return count_wait(request.word[__builtin_ctz(request.mask)]);
  SiteCount& site = this->site(place);
  if (!place.shared() && place.kind() != runs::Access::read) {
    end_underway();
    work(kClock.access_clocks);
  }
  const std::uint32_t bytes = place.bytes();
  const std::uint32_t lanes = ones(request.mask);
  const std::uint32_t first = request.word[__builtin_ctz(request.mask)] & (place.shared() ? ~kRemote : ~0u);
  const int tensor = tensor_of_(place.shared(), first);
  if (tensor != site.tensor) site.tensor = site.tensor == -2 ? tensor : -1;
  ++site.requests;
  site.bytes += std::uint64_t{lanes} * bytes;
  const std::uint32_t wide = bytes > 4 ? bytes / 4 : 1;
  if (place.shared()) {
    if (!any_remote_) [[likely]]
      return count_shared(site, request, false);
    const auto [home, remote] = brought_home(request);
    return count_shared(site, home, remote);
  }
  // Loads go through the L1; stores and atomics are the L2's.
  const bool loads = place.kind() == runs::Access::read;
  std::uint32_t lines = 0, found = 0;
  bool first_touch = false, under_way = false;
  const Sectors sectors =
      for_each_line(request.word, request.mask, wide, [&](std::uint32_t line, std::uint32_t bits) {
        ++lines;
        if (!loads) return;
        const std::uint32_t hits = l1_.load(line, bits, warp_, under_way);
        found += ones_of_four(hits);
        if (hits != bits && !touched_.seen(line, bits & ~hits)) first_touch = true;
      });
  site.lines += lines;
  site.l1_sectors += found;
  if (loads) {
    const bool missed = found < sectors.touched;
    site.misses += missed;
    load(place, first, missed || under_way, first_touch);
  }
  site.sectors += sectors.touched;
  const std::uint32_t asked = bytes >= 4 ? sectors.words * 4 : std::min(sectors.words * 4, lanes * bytes);
  site.ideal_sectors += std::max(1u, (asked + 31) / 32);
}

void AccessLog::count_shared(SiteCount& site, const WarpRequest& request, bool remote) {
  const runs::Access kind = site.place.kind();
  const bool loads = kind == runs::Access::read;
  const bool waits = !loads || !shared_underway_;
  if (waits) ++waits_.shared, remote_underway_ = false;
  // What a copy stores is no work of the warp's.
  if (!std::exchange(copy_stores_next_, false))
    work(waits ? kClock.access_clocks : kClock.next_access_clocks);
  shared_underway_ = loads;
  if (remote) {
    ++remote_requests_;
    // Nothing waits for what it stores; an atomic's thread may.
    if (kind != runs::Access::write && !remote_underway_) ++waits_.remote;
    remote_underway_ = loads;
  }
  const std::uint32_t bytes = site.place.bytes(), wide = bytes > 4 ? bytes / 4 : 1;
  site.passes += kind == runs::Access::atomic ? atomic_passes(request.word, request.mask)
                                              : bank_passes(request.word, request.mask, wide);
}

/// The same request with words as they are numbered in each block, and whether any was another block's: lanes
/// that reach into several are taken to meet in banks as if all were one.
std::pair<WarpRequest, bool> AccessLog::brought_home(WarpRequest request) {
  bool remote = false;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    std::uint32_t& word = request.word[__builtin_ctz(rest)];
    remote = remote || (word & kRemote) != 0;
    word &= ~kRemote;
  }
  return {request, remote};
}

void AccessLog::flush() {
  l1_.begin_interval();
  for (std::uint32_t first = 0; first < threads_; first += kWarpSize) {
    const std::uint32_t end = std::min<std::uint32_t>(kWarpSize, threads_ - first);
    std::uint32_t lanes = 0, shortest = kWindow, longest = 0;
    for (std::uint32_t l = 0; l < end; ++l) {
      const std::uint32_t done = length(first + l);
      if (done == 0) continue;
      lanes |= 1u << l;
      shortest = std::min(shortest, done);
      longest = std::max(longest, done);
    }
    if (lanes == 0) continue;
    flush_warp(first, lanes, shortest, longest);
    restart(first);
  }
}

// As long as all lanes are at the same place with the same number of accesses behind them, and came there by
// the same way, their next ones are one request; lanes that end early only leave it.
void AccessLog::flush_warp(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t shortest,
                           std::uint32_t longest) {
  const auto length_of = [&](std::uint32_t lane) { return length(first_thread + lane); };
  WarpRequest requests[kTogetherInMemory];
  end_underway();
  chase_.forget();
  shared_underway_ = remote_underway_ = false;
  warp_ = first_thread / kWarpSize;
  const std::uint32_t diverged_at = warp_diverged_at_[warp_];
  const Way* const ways = ways_of(warp_);
  work(kClock.barrier_clocks);  // which is why a block takes stock, as a rule
  for (std::uint32_t i = 0; i < longest; ++i) {
    if (i == shortest) {
      shortest = kWindow;
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto l = static_cast<std::uint32_t>(__builtin_ctz(rest));
        if (length_of(l) == i)
          lanes &= ~(1u << l);
        else
          shortest = std::min(shortest, length_of(l));
      }
    }
    if (i == diverged_at) return flush_diverged(first_thread, lanes, i);
    if (i % kTogetherInMemory == 0) {
      const std::uint32_t* const words = words_of(warp_) + i * kWarpSize;
      for (std::uint32_t l = 0; l < kWarpSize; ++l)
        for (std::uint32_t k = 0; k < kTogetherInMemory; ++k)
          requests[k].word[l] = words[l * kTogetherInMemory + k];
    }
    WarpRequest& request = requests[i % kTogetherInMemory];
    request.mask = lanes;
    count(ways[i].place, request);
  }
}

void AccessLog::flush_diverged(std::uint32_t first_thread, std::uint32_t lanes, std::uint32_t from) {
  std::span<const LoggedAccess> left[kWarpSize];
  const std::uint32_t known = from > 0;  // the access before tells from where the lanes went different ways
  from -= known;
  std::size_t all = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l)
    if ((lanes >> l & 1u) != 0) all += length(first_thread + l) - from;
  diverged_.clear();
  diverged_.reserve(all);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<std::uint32_t>(__builtin_ctz(rest));
    LoggedAccess* const begin = diverged_.data() + diverged_.size();
    const std::uint32_t end = length(first_thread + l);
    append_diverged(first_thread + l, from, end);
    left[l] = {begin, end - from};
  }
  const std::vector<PlaceRequests> places = match_diverged(left, known);
  std::vector<std::pair<Place, const WarpRequest*>> in_order;
  for (const PlaceRequests& at : places)
    for (const WarpRequest& request : at.requests) in_order.emplace_back(at.place, &request);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const auto& x, const auto& y) { return x.second->order < y.second->order; });
  for (const auto& [place, request] : in_order) count(place, *request);
  for (const PlaceRequests& at : places)
    if (!at.place.waits()) site(at.place).approximate |= at.approximate;
}

Sites to_record(const std::vector<const AccessLog*>& logs, const char* kernel, double scale) {
  std::vector<SiteCount> sums;
  Waits waits;
  std::uint64_t remote_requests = 0;
  for (const AccessLog* log : logs) {
    waits.all += log->waits().all;
    waits.dram += log->waits().dram;
    waits.shared += log->waits().shared;
    waits.remote += log->waits().remote;
    remote_requests += log->remote_requests();
    for (const SiteCount& c : log->counts()) {
      auto sum =
          std::find_if(sums.begin(), sums.end(), [&](const SiteCount& s) { return s.place == c.place; });
      if (sum == sums.end()) {
        sums.push_back(c);
        continue;
      }
      if (sum->tensor != c.tensor) sum->tensor = -1;
      sum->requests += c.requests, sum->sectors += c.sectors, sum->ideal_sectors += c.ideal_sectors;
      sum->passes += c.passes, sum->bytes += c.bytes;
      sum->lines += c.lines, sum->l1_sectors += c.l1_sectors, sum->misses += c.misses;
      sum->approximate = sum->approximate || c.approximate;
    }
  }
  std::sort(sums.begin(), sums.end(),
            [](const SiteCount& a, const SiteCount& b) { return a.place.pc_offset() < b.place.pc_offset(); });
  const auto scaled = [&](std::uint64_t n) { return std::llround(static_cast<double>(n) * scale); };
  Sites out;
  out.chained_misses = std::llround(waits.all * scale);
  out.chained_dram_misses = std::llround(waits.dram * scale);
  out.chained_shared = scaled(waits.shared);
  out.remote_requests = scaled(remote_requests);
  out.chained_remote = scaled(waits.remote);
  for (const SiteCount& sum : sums) {
    using runs::SiteKind;
    static constexpr SiteKind kKinds[2][3] = {
        {SiteKind::global_load, SiteKind::global_store, SiteKind::atomic},
        {SiteKind::shared_load, SiteKind::shared_store, SiteKind::atomic}};
    runs::SiteCounters c;
    c.kernel = kernel;
    c.at = source_line(program_base() + sum.place.pc_offset());
    c.kind = kKinds[sum.place.shared() ? 1 : 0][static_cast<int>(sum.place.kind())];
    c.tensor = sum.tensor;
    c.requests = scaled(sum.requests);
    c.sectors = scaled(sum.sectors);
    c.ideal_sectors = scaled(sum.ideal_sectors);
    c.bank_passes = scaled(sum.passes);
    c.bytes = scaled(sum.bytes);
    c.lines = scaled(sum.lines);
    c.l1_sectors = scaled(sum.l1_sectors);
    c.misses = scaled(sum.misses);
    c.approximate = sum.approximate || scale != 1.0;
    out.counters.push_back(std::move(c));
  }
  return out;
}

}  // namespace workbook::sim
