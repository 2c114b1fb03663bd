#include "panels/memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/format.h"
#include "model/repository.h"
#include "model/source_text.h"
#include "panels/launch_controls.h"
#include "widgets/draw.h"
#include "widgets/request_picture.h"
#include "widgets/thread_map.h"
#include "widgets/traffic_flow.h"

namespace workbook::viewer {
namespace {

std::string one_digit(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

const runs::LaunchCounters* counters_of(const runs::RunRecord& run, const std::string& benchmark,
                                        int launch) {
  for (const runs::Benchmark& each : run.benchmarks)
    if (each.name == benchmark && launch < static_cast<int>(each.launches.size()) &&
        each.launches[static_cast<std::size_t>(launch)].counters)
      return &*each.launches[static_cast<std::size_t>(launch)].counters;
  return nullptr;
}

std::string tensor_name(const AccessIndex& accesses, int tensor) {
  const runs::TensorInfo* info = accesses.tensor(tensor);
  return info != nullptr ? info->name : "several tensors";
}

std::string unit(const Site& site) {
  const bool one = site.per_request() == 1.0;
  return site.shared ? one ? " pass" : " passes" : one ? " sector" : " sectors";
}

int nearest(const std::vector<int>& list, int wanted) {
  if (list.empty()) return 0;
  return std::binary_search(list.begin(), list.end(), wanted) ? wanted : list.front();
}

}  // namespace

void MemoryPanel::refresh_list(View& view) {
  Selection& selection = view.selection;
  ListKey key{selection.mapped_run(), selection.run_a, selection.run_b, selection.launch,
              selection.benchmark};
  if (key == list_key_) return;
  run_ = view.library.run(key.run);
  sites_.clear();
  site_ = 0;
  request_key_ = {};
  const auto side = [&](std::int64_t id, std::string& name) {
    const auto run = id != 0 ? view.library.run(id) : nullptr;
    name = run ? run->record.variant : "";
    return run ? traffic_of(run->record, selection.benchmark) : Traffic{};
  };
  a_ = side(selection.run_a, name_a_);
  b_ = side(selection.run_b, name_b_);
  if (run_ && !run_->accesses.empty()) {
    selection.launch = std::clamp(selection.launch, 0, run_->accesses.launches() - 1);
    key.launch = selection.launch;
    sites_ = sites_of(run_->accesses, selection.launch,
                      counters_of(run_->record, selection.benchmark, selection.launch));
  }
  list_key_ = key;
}

const Site* MemoryPanel::site() const {
  return site_ < static_cast<int>(sites_.size()) ? &sites_[static_cast<std::size_t>(site_)] : nullptr;
}

// The line chosen elsewhere, unless the one shown is of that line already; else the worst that can be drawn.
int MemoryPanel::site_of_selection(const Selection& selection) const {
  const auto at_line = [&](const Site& each) {
    return each.at.line == selection.line && each.at.file == selection.file;
  };
  if (selection.line > 0) {
    if (site() != nullptr && at_line(*site())) return site_;
    const auto found = std::find_if(sites_.begin(), sites_.end(), at_line);
    if (found != sites_.end()) return static_cast<int>(found - sites_.begin());
  }
  if (site() != nullptr && (site()->traced || site_ > 0)) return site_;
  const auto drawable =
      std::find_if(sites_.begin(), sites_.end(), [](const Site& each) { return each.traced; });
  return drawable == sites_.end() ? 0 : static_cast<int>(drawable - sites_.begin());
}

void MemoryPanel::refresh_requests(View& view) {
  const Selection& selection = view.selection;
  site_ = site_of_selection(selection);
  const RequestKey key{list_key_, site_, selection.block, selection.warp};
  if (key == request_key_) return;
  request_key_ = key;
  requests_.clear();
  request_ = 0;
  drawn_request_ = -1;
  source_line_.clear();
  if (site() == nullptr) return;
  source_line_ = load_source(run_->record, site()->at.file, find_repository()).line(site()->at.line);
  blocks_ = blocks_at(run_->accesses, selection.launch, *site());
  block_ = nearest(blocks_, selection.block);
  warps_ = warps_at(run_->accesses, selection.launch, block_, *site());
  warp_ = nearest(warps_, selection.warp);
  requests_ = requests_at(run_->accesses, selection.launch, block_, warp_, *site());
}

void MemoryPanel::choose_site(View& view, int number) {
  if (number < 0 || number >= static_cast<int>(sites_.size())) return;
  site_ = number;
  view.selection.file = site()->at.file;
  view.selection.line = site()->at.line;
}

void MemoryPanel::step_request(int by) {
  request_ = std::clamp(request_ + by, 0, std::max(0, static_cast<int>(requests_.size()) - 1));
}

void MemoryPanel::handle_keys(View& view) {
  if (ImGui::IsKeyPressed(ImGuiKey_Period)) step_request(1);
  if (ImGui::IsKeyPressed(ImGuiKey_Comma)) step_request(-1);
  if (ImGui::IsKeyPressed(ImGuiKey_RightBracket)) choose_site(view, site_ + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_LeftBracket)) choose_site(view, site_ - 1);
}

std::vector<Command> MemoryPanel::commands() {
  return {
      {"Memory: next request of the line", ".", [this](View&) { step_request(1); }},
      {"Memory: request before", ",", [this](View&) { step_request(-1); }},
      {"Memory: next line that touches memory", "]", [this](View& view) { choose_site(view, site_ + 1); }},
      {"Memory: line before", "[", [this](View& view) { choose_site(view, site_ - 1); }}};
}

void MemoryPanel::draw(View& view) {
  refresh_list(view);
  if (!run_ || run_->accesses.empty()) {
    draw_no_trace(view, run_.get());
    return;
  }
  refresh_requests(view);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool stacked = room.x < px(860) || room.y < px(480);
  const float left = stacked ? room.x : px(292);
  const float right = stacked ? room.x : room.x - left - gap;
  const float lower = px(256);
  const float upper = stacked ? px(392) : room.y - lower - ImGui::GetStyle().ItemSpacing.y;
  const auto card = [&](const char* id, ImVec2 size, auto content) {
    if (begin_card(view, id, size)) (this->*content)(view);
    end_card();
  };
  if (!stacked) {
    card("sites", {left, room.y}, &MemoryPanel::draw_sites);
    ImGui::SameLine();
  }
  ImGui::BeginGroup();
  card("request", {right, upper}, &MemoryPanel::draw_request);
  card("traffic", {right, lower}, &MemoryPanel::draw_traffic);
  ImGui::EndGroup();
  if (stacked)
    card("sites", {left, px(150) + px(50) * static_cast<float>(sites_.size())}, &MemoryPanel::draw_sites);
}

void MemoryPanel::draw_sites(View& view) {
  const float width = ImGui::GetContentRegionAvail().x;
  draw_side_switch(view, nullptr, width);
  draw_launch_list(view, *run_, width);
  draw_heading(view, "Lines, worst first", shape_words(view.selection.benchmark));
  for (int i = 0; i < static_cast<int>(sites_.size()); ++i) {
    const Site& each = sites_[static_cast<std::size_t>(i)];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = px(44);
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("site", {width, height})) choose_site(view, i);
    const bool hovered = ImGui::IsItemHovered(), here = site_ == i;
    ImGui::PopID();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (here || hovered)
      draw->AddRectFilled(at, at + ImVec2{width, height},
                          here ? mix(view.theme.card, view.theme.accent, 0.14f) : view.theme.raised, px(6));
    const bool bad = each.waste() > 1.05;
    const Ink name{view.fonts.strong, 15.5f, view.theme.text},
        quiet{view.fonts.regular, 13.5f, view.theme.muted};
    const Ink figure{bad ? view.fonts.strong : view.fonts.regular, 14.5f,
                     bad ? view.theme.bad : view.theme.muted};
    std::string cost = "not counted";
    if (each.counted) cost = (bad ? "! " : "") + one_digit(each.per_request()) + unit(each);
    const float used = measure(figure, cost).x;
    put(draw, figure, {at.x + width - used - px(6), at.y + px(5)}, cost);
    put(draw, name, {at.x + px(8), at.y + px(4)},
        elide(name, tensor_name(run_->accesses, each.tensor), width - used - px(22)));
    const std::string asked = each.counted ? format_number(static_cast<double>(each.requests)) + " req." : "";
    put(draw, quiet, {at.x + width - measure(quiet, asked).x - px(6), at.y + px(24)}, asked);
    put(draw, quiet, {at.x + px(8), at.y + px(24)},
        elide(quiet, each.kind() + ", " + format_line(each.at), width - measure(quiet, asked).x - px(22)));
    ImGui::SetCursorScreenPos({at.x, at.y + height + px(2)});
  }
  ImGui::Dummy({width, 0});
  if (sites_.empty()) ImGui::TextDisabled("This launch touches no memory.");
}

void MemoryPanel::draw_steppers(View& view) {
  Selection& selection = view.selection;
  const runs::LaunchRecord& launch = run_->accesses.launch(selection.launch);
  const float gap = px(14);
  const float each = std::min(px(210), (ImGui::GetContentRegionAvail().x - 2 * gap) / 3);
  const auto step = [&](const char* label, const std::string& shown, const std::vector<int>& list, int now) {
    int at = static_cast<int>(std::lower_bound(list.begin(), list.end(), now) - list.begin());
    if (!draw_stepper(view, label, shown, &at, static_cast<int>(list.size()), each) || at < 0) return now;
    return list[static_cast<std::size_t>(at)];
  };
  if (const int block =
          step("Block", format_position(unravel(block_, launch.grid), launch.grid), blocks_, block_);
      block != block_) {
    selection.block = block;
    selection.thread = -1;
  }
  ImGui::SameLine(0, gap);
  if (const int warp = step("Warp", std::to_string(warp_), warps_, warp_); warp != warp_) {
    selection.warp = warp;
    selection.thread = -1;
    selection.block = block_;
  }
  ImGui::SameLine(0, gap);
  const int count = static_cast<int>(requests_.size());
  int at = request_;
  if (draw_stepper(view, "Request", std::to_string(request_ + 1) + " of " + format_count(count), &at, count,
                   each))
    request_ = std::max(0, at);
}

// What the picture says in words, and what the simulator counted over all requests of the line.
void MemoryPanel::draw_verdict(const View& view) {
  const Request& request = requests_[static_cast<std::size_t>(request_)];
  const bool shared = site()->shared, atomic = site()->access == runs::Access::atomic;
  const bool bad =
      shared ? banks_.passes > 1 : static_cast<std::int64_t>(fetch_.sectors.size()) > fetch_.ideal;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string text =
      shared ? describe(banks_, atomic) : describe(request, fetch_, site()->access != runs::Access::read);
  float size = kTitleSize + 2;
  while (size > 14 && measure({view.fonts.strong, size, 0}, text).x > width) size -= 0.5f;
  const Ink ink{view.fonts.strong, size, bad ? view.theme.bad : view.theme.text};
  put(draw, ink, at, elide(ink, text, width));
  std::string counted = "Nothing was counted for this line";
  if (site()->counted) {
    counted = "Counted over " + plural(site()->requests, "request") + ", " +
              shape_words(view.selection.benchmark) + ": " + one_digit(site()->per_request()) +
              unit(*site()) + " each";
    if (!shared && site()->requests > 0)
      counted +=
          ", " +
          one_digit(static_cast<double>(site()->ideal_sectors) / static_cast<double>(site()->requests)) +
          " at best";
    if (site()->approximate) counted += " (about: sampled, or lanes took different ways)";
  }
  const Ink quiet{view.fonts.regular, kSmallSize, view.theme.muted};
  put(draw, quiet, {at.x, at.y + px(27)}, elide(quiet, counted + ".", width));
  ImGui::Dummy({width, px(50)});
}

void MemoryPanel::draw_request(View& view) {
  if (site() == nullptr) {
    ImGui::TextDisabled("This launch touches no memory: there is no request to draw.");
    return;
  }
  const AccessIndex& accesses = run_->accesses;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const Ink title{view.fonts.strong, kTitleSize, view.theme.text},
      code{view.fonts.mono, 14.0f, view.theme.muted};
  const std::string head = capitalised(site()->kind()) + ": " + tensor_name(accesses, site()->tensor);
  const float used = put(draw, title, at, elide(title, head, width));
  const std::string source = format_line(site()->at) + "  " + source_line_;
  put(draw, code, {at.x + used + px(14), at.y + px(3)}, elide(code, source, width - used - px(14)));
  ImGui::Dummy({width, px(28)});
  if (requests_.empty()) {
    ImGui::TextWrapped(
        "The trace holds no access of this line: it keeps some blocks of the teaching shape only, and stops "
        "at its "
        "limit. Choose another line.");
    return;
  }
  draw_steppers(view);
  const Request& request = requests_[static_cast<std::size_t>(request_)];
  const runs::TensorInfo* info = accesses.tensor(request.tensor);
  if (info == nullptr) return;
  Served served{info->name, info->shape, element_bytes(info->dtype), warp_, -1};
  served.store = site()->access == runs::Access::write;
  const int thread = view.selection.thread;
  if (thread >= 0 && thread / kWarp == warp_) served.lane = thread % kWarp;
  if (drawn_request_ != request_) {
    drawn_request_ = request_;
    fetch_ = site()->shared ? Fetch{} : fetch_of(request, served.element_bytes);
    banks_ = site()->shared ? banks_of(request, served.element_bytes, site()->access == runs::Access::atomic)
                            : Banks{};
  }
  ImGui::Dummy({0, px(2)});
  draw_verdict(view);
  const ImVec2 room{width, std::min(px(420), ImGui::GetContentRegionAvail().y)};
  const LaneHit hit = site()->shared ? draw_banks(view, request, banks_, served, room)
                                     : draw_fetch(view, request, fetch_, served, room);
  if (hit.clicked && request.lanes[static_cast<std::size_t>(hit.hovered)].active) {
    Selection& selection = view.selection;
    const int chosen = warp_ * kWarp + hit.hovered;
    const bool again = selection.thread == chosen;
    selection.block = block_;
    selection.warp = warp_;
    selection.thread = again ? -1 : chosen;
  }
}

void MemoryPanel::draw_traffic(const View& view) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool both = a_.counted && b_.counted;
  const std::string head = both ? headline(a_, b_) : "Traffic of the whole run";
  const Ink title{view.fonts.strong, kTitleSize, view.theme.text},
      quiet{view.fonts.regular, kSmallSize, view.theme.muted};
  const float used = put(draw, title, at, elide(title, head, width));
  std::string note =
      "all launches, " + shape_words(view.selection.benchmark) + "; each hop has its own scale";
  if (a_.sampled || b_.sampled) note += "; scaled from sampled blocks";
  put(draw, quiet, {at.x + used + px(12), at.y + px(3)}, elide(quiet, note, width - used - px(12)));
  ImGui::Dummy({width, px(30)});
  if (!a_.counted && !b_.counted) {
    ImGui::TextWrapped(
        "Neither run has counters at this shape. The simulator counts: workbook run %d --backend sim",
        std::max(1, view.selection.puzzle));
    return;
  }
  draw_traffic_flow(view, a_, b_, name_a_, name_b_, ImGui::GetContentRegionAvail());
}

}  // namespace workbook::viewer
