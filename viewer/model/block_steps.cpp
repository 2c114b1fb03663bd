#include "model/block_steps.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <tuple>

#include "model/format.h"

namespace workbook::viewer {
namespace {

struct Pass {
  int file = 0, line = 0, round = 0;
  auto operator<=>(const Pass&) const = default;
};

// One thread's way through a step: the line it is in, and what it has touched there this time.
struct Walk {
  Pass at{-1, 0, 0};
  std::map<std::pair<int, int>, int> rounds;               // by file and line
  std::vector<std::tuple<int, bool, std::uint32_t>> seen;  // tensor, written, element
  int step = -1;
};

// The same line again, when the thread comes back to it or touches another element of the same tensor there:
// that is a loop's next turn.
bool begins_anew(const Walk& walk, const runs::TraceEvent& event) {
  if (walk.at.file != event.file || walk.at.line != event.line) return true;
  const bool written = event.access != runs::Access::read;
  return std::any_of(walk.seen.begin(), walk.seen.end(), [&](const auto& each) {
    return std::get<0>(each) == event.tensor && std::get<1>(each) == written &&
           std::get<2>(each) != event.element;
  });
}

void advance(Walk& walk, const runs::TraceEvent& event) {
  if (walk.step != event.step) {
    walk = Walk();
    walk.step = event.step;
  }
  if (begins_anew(walk, event)) {
    walk.at = {event.file, event.line, walk.rounds[{event.file, event.line}]++};
    walk.seen.clear();
  }
  const std::tuple<int, bool, std::uint32_t> touch{event.tensor, event.access != runs::Access::read,
                                                   event.element};
  if (std::find(walk.seen.begin(), walk.seen.end(), touch) == walk.seen.end()) walk.seen.push_back(touch);
}

}  // namespace

BlockSteps::BlockSteps(const AccessIndex& index, int launch, int block) {
  const std::vector<std::uint32_t>& numbers = index.events_of(launch, block);
  int steps = 0;
  std::map<int, std::map<int, std::vector<std::pair<Pass, runs::TraceEvent>>>> ways;  // by step, by thread
  {
    std::map<int, Walk> walks;
    for (const std::uint32_t number : numbers) {
      const runs::TraceEvent& event = index.event(number);
      steps = std::max(steps, event.step + 1);
      Walk& walk = walks[event.thread];
      advance(walk, event);
      ways[event.step][event.thread].emplace_back(walk.at, event);
    }
  }
  for (int step = 0; step < steps; ++step) {
    first_.push_back(static_cast<int>(moments_.size()));
    const auto found = ways.find(step);
    if (found == ways.end()) continue;
    // Threads that take the same way fall into the same moments; one that turns off puts its own in between.
    std::list<Pass> order;
    std::map<Pass, std::list<Pass>::iterator> known;
    std::map<Pass, std::vector<runs::TraceEvent>> events;
    for (const auto& [thread, way] : found->second) {
      auto at = order.end();
      for (const auto& [pass, event] : way) {
        events[pass].push_back(event);
        if (at != order.end() && *at == pass) continue;
        const auto there = known.find(pass);
        if (there != known.end())
          at = there->second;
        else
          known[pass] = at = order.insert(at == order.end() ? order.begin() : std::next(at), pass);
      }
    }
    std::map<std::pair<int, int>, int> rounds;
    for (const Pass& pass : order) ++rounds[{pass.file, pass.line}];
    for (const Pass& pass : order) {
      Moment moment{step, pass.file,      pass.line, pass.round, rounds[{pass.file, pass.line}],
                    0,    events_.size(), 0};
      int thread = -1;
      for (const runs::TraceEvent& event : events[pass]) {
        if (event.thread != thread) ++moment.threads;
        thread = event.thread;
        events_.push_back(event);
      }
      moment.end = events_.size();
      moments_.push_back(moment);
    }
  }
}

std::span<const runs::TraceEvent> BlockSteps::events_of_step(int step) const {
  if (step < 0 || step >= steps() || first(step) == last(step)) return {};
  const std::size_t begin = moments_[static_cast<std::size_t>(first(step))].begin,
                    end = moments_[static_cast<std::size_t>(last(step) - 1)].end;
  return {events_.data() + begin, end - begin};
}

std::vector<TensorUse> uses_of(std::span<const runs::TraceEvent> events) {
  std::vector<std::pair<int, bool>> order;
  std::map<std::pair<int, bool>, std::map<int, std::set<std::uint32_t>>> touched;
  for (const runs::TraceEvent& event : events) {
    const std::pair<int, bool> key{event.tensor, event.access != runs::Access::read};
    auto& elements = touched[key];
    if (elements.empty()) order.push_back(key);
    for (std::uint32_t i = 0; i < event.count; ++i) elements[event.thread].insert(event.element + i);
  }
  std::stable_partition(order.begin(), order.end(), [](const auto& key) { return !key.second; });
  std::vector<TensorUse> uses;
  for (const auto& key : order) {
    TensorUse use{key.first, key.second, static_cast<int>(touched[key].size()), 0, 0};
    for (const auto& [thread, elements] : touched[key]) {
      const auto count = static_cast<std::int64_t>(elements.size());
      use.least = use.least == 0 ? count : std::min(use.least, count);
      use.most = std::max(use.most, count);
    }
    uses.push_back(use);
  }
  return uses;
}

std::string describe(const AccessIndex& index, int launch, std::span<const runs::TraceEvent> events) {
  const int all = index.threads_of(launch);
  const std::vector<TensorUse> uses = uses_of(events);
  const auto alike = [](const TensorUse& a, const TensorUse& b) {
    return a.threads == b.threads && a.written == b.written && a.least == b.least && a.most == b.most;
  };
  std::string text;
  for (std::size_t i = 0; i < uses.size();) {
    const TensorUse& use = uses[i];
    const bool each = use.threads == all && all > 1, one = use.threads == 1;
    const bool same_who = i > 0 && uses[i - 1].threads == use.threads;
    const bool same_verb = same_who && uses[i - 1].written == use.written;
    if (!same_who)
      text += (text.empty() ? "" : "; ") +
              (each  ? std::string("each thread ")
               : one ? std::string(all == 1 ? "the thread " : "one thread ")
                     : format_count(use.threads) + " of " + format_count(all) + " threads ");
    else
      text += " and ";
    if (!same_verb) text += std::string(use.written ? "write" : "read") + (each || one ? "s " : " ");
    text += use.least == use.most ? "" : "up to ";
    text += same_verb ? format_count(use.most) : plural(use.most, "element");
    std::size_t end = i;
    while (end < uses.size() && alike(uses[end], use)) ++end;
    for (std::size_t at = i; at < end; ++at)
      text += (at == i         ? ""
               : at + 1 == end ? " and"
                               : ",") +
              std::string(" of ") + index.tensor(uses[at].tensor)->name;
    i = end;
  }
  return text;
}

std::string lines_of(const AccessIndex& index, std::span<const runs::TraceEvent> events) {
  if (events.empty()) return "";
  int low = events.front().line, high = low;
  for (const runs::TraceEvent& event : events) {
    if (event.file != events.front().file) continue;
    low = std::min<int>(low, event.line);
    high = std::max<int>(high, event.line);
  }
  const std::string first = format_line({index.file(events.front().file), low});
  return low == high ? first : first + "-" + std::to_string(high);
}

namespace {
bool waits(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  for (const char* call : {"__syncthreads", "__barrier_sync", ".sync(", "sync(", "arrive_and_wait"})
    if (code.find(call) != std::string::npos) return code.find("__syncwarp") == std::string::npos;
  return false;
}
}  // namespace

BarrierPlace barrier_after(const AccessIndex& index, const BlockSteps& steps, int step,
                           const std::vector<SourceText>& sources) {
  BarrierPlace place;
  // Steps in which nothing was touched stand between two barriers that cannot be told apart.
  int before = step, after = step + 1;
  while (before >= 0 && steps.first(before) == steps.last(before)) --before;
  while (after < steps.steps() && steps.first(after) == steps.last(after)) ++after;
  if (before < 0 || after >= steps.steps()) return place;
  const Moment& left = steps.moments()[static_cast<std::size_t>(steps.last(before) - 1)];
  const Moment& right = steps.moments()[static_cast<std::size_t>(steps.first(after))];
  place.file = index.file(left.file);
  place.after = left.line;
  place.before = left.file == right.file ? right.line : 0;
  const auto file = static_cast<std::size_t>(left.file);
  // Lines of a file that was written after the run may have moved.
  if (file >= sources.size() || sources[file].origin == SourceOrigin::changed) return place;
  // Downwards to the next access; in a loop that line stands above, and the first barrier below counts.
  const int last = static_cast<int>(sources[file].lines.size());
  for (int line = left.line; line <= (place.before > left.line ? std::min(last, place.before) : last); ++line)
    if (waits(sources[file].line(line))) {
      place.line = line;
      break;
    }
  return place;
}

std::string format_barrier(const BarrierPlace& place) {
  if (place.file.empty()) return "barrier";
  if (place.line > 0) return "barrier at " + format_line({place.file, place.line});
  const std::string after = format_line({place.file, place.after});
  if (place.before > place.after) return "barrier between " + after + " and " + std::to_string(place.before);
  return "barrier after " + after;
}

}  // namespace workbook::viewer
