#include "model/block_steps.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "model/format.h"

namespace workbook::viewer {
namespace {

struct Pass {
  int file = 0, line = 0, round = 0;
  auto operator<=>(const Pass&) const = default;
};

// One thread's way through a step: the line it is in, and what it has touched there this time.
class Walk {
 public:
  /// Whether the event is the first of a pass: the thread comes to another line, or touches another element
  /// of the same tensor in the same line, which is a loop's next turn.
  bool begins_anew(const runs::TraceEvent& event) const {
    if (file_ != event.file || line_ != event.line) return true;
    return std::any_of(seen_.begin(), seen_.end(), [&](const runs::TraceEvent& each) {
      return each.tensor == event.tensor && is_read(each) == is_read(event) && each.element != event.element;
    });
  }
  Pass begin(const runs::TraceEvent& event) {
    file_ = event.file;
    line_ = event.line;
    seen_.clear();
    for (Pass& each : rounds_)
      if (each.file == file_ && each.line == line_) return {file_, line_, ++each.round};
    rounds_.push_back({file_, line_, 0});
    return rounds_.back();
  }
  void add(const runs::TraceEvent& event) {
    for (const runs::TraceEvent& each : seen_)
      if (each.tensor == event.tensor && is_read(each) == is_read(event)) return;
    seen_.push_back(event);
  }

 private:
  static bool is_read(const runs::TraceEvent& event) { return event.access == runs::Access::read; }

  int file_ = -1, line_ = 0;
  std::vector<Pass> rounds_;  // the latest of each line
  std::vector<runs::TraceEvent> seen_;
};

}  // namespace

BlockSteps::BlockSteps(const AccessIndex& index, int launch, int block) {
  std::vector<std::vector<std::uint32_t>> by_step;
  for (const std::uint32_t number : index.events_of(launch, block)) {
    const std::size_t step = index.event(number).step;
    if (step >= by_step.size()) by_step.resize(step + 1);
    by_step[step].push_back(number);
  }
  for (std::vector<std::uint32_t>& numbers : by_step) {
    first_.push_back(static_cast<int>(moments_.size()));
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
      return index.event(a).thread < index.event(b).thread;
    });
    add_step(index, numbers);
  }
}

void BlockSteps::add_step(const AccessIndex& index, const std::vector<std::uint32_t>& numbers) {
  struct Node {
    Pass pass;
    std::size_t id = 0;
  };
  // Threads that take the same way fall into the same moments; one that turns off puts its own in between.
  std::list<Node> order;
  std::map<Pass, std::list<Node>::iterator> known;
  std::vector<std::size_t> node_of;
  node_of.reserve(numbers.size());
  Walk walk;
  int thread = -1;
  auto at = order.end();
  for (const std::uint32_t number : numbers) {
    const runs::TraceEvent& event = index.event(number);
    if (event.thread != thread) {
      walk = Walk();
      thread = event.thread;
      at = order.end();
    }
    if (walk.begins_anew(event)) {
      const Pass pass = walk.begin(event);
      const auto next = at == order.end() ? order.begin() : std::next(at);
      if (next != order.end() && next->pass == pass)
        at = next;
      else if (const auto there = known.find(pass); there != known.end())
        at = there->second;
      else
        known[pass] = at = order.insert(next, {pass, known.size()});
    }
    walk.add(event);
    node_of.push_back(at->id);
  }
  std::map<std::pair<int, int>, int> rounds;
  for (const Node& node : order) ++rounds[{node.pass.file, node.pass.line}];
  const int step = static_cast<int>(first_.size()) - 1;
  const std::size_t first = moments_.size();
  std::vector<std::size_t> moment_of(order.size());
  for (const Node& node : order) {
    moment_of[node.id] = moments_.size();
    const Pass& pass = node.pass;
    moments_.push_back({step, pass.file, pass.line, pass.round, rounds[{pass.file, pass.line}], 0, 0, 0});
  }
  // The events by moment, in the order of threads within each.
  for (const std::size_t node : node_of) ++moments_[moment_of[node]].end;
  std::size_t begin = events_.size();
  for (std::size_t i = first; i < moments_.size(); ++i) {
    moments_[i].begin = begin;
    begin += moments_[i].end;
    moments_[i].end = moments_[i].begin;
  }
  events_.resize(begin);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Moment& moment = moments_[moment_of[node_of[i]]];
    const runs::TraceEvent& event = index.event(numbers[i]);
    if (moment.end == moment.begin || events_[moment.end - 1].thread != event.thread) ++moment.threads;
    events_[moment.end++] = event;
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
  // Downwards to the next access; in a loop that line stands above, and the first barrier below counts. The
  // function's end is as far as it goes: what follows are barriers of others.
  const int last = static_cast<int>(sources[file].lines.size());
  const int end = place.before > left.line ? std::min(last, place.before) : last;
  int line = left.line;
  for (; line <= end && !sources[file].line(line).starts_with('}'); ++line)
    if (waits(sources[file].line(line))) {
      place.line = line;
      return place;
    }
  if (line > end) return place;
  // The last access may have been a called function's: then it is above the first access after it.
  const auto next = static_cast<std::size_t>(right.file);
  if (next >= sources.size() || sources[next].origin == SourceOrigin::changed) return place;
  for (line = std::min<int>(right.line, static_cast<int>(sources[next].lines.size())); line > 0; --line) {
    if (sources[next].line(line).starts_with('}')) break;
    if (!waits(sources[next].line(line))) continue;
    place.file = index.file(right.file);
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
