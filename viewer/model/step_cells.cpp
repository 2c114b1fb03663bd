#include "model/step_cells.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace workbook::viewer {
namespace {

constexpr std::int64_t kShownWhole = 4096;  // cells: of larger tensors only the part that is touched is shown

struct Bounds {
  std::int64_t top = std::numeric_limits<std::int64_t>::max(), left = top, bottom = -1, right = -1;
};

// Calls `visit(element)` for each element of an event.
template <class Visit>
void each_element(const Grid& whole, const runs::TraceEvent& event, const Visit& visit) {
  const std::int64_t end = std::min(whole.elements, static_cast<std::int64_t>(event.element) + event.count);
  for (std::int64_t at = event.element; at < end; ++at) visit(at);
}

// A long row that is cropped is cropped along its own length, not along the lines into which it is folded.
Grid unfolded(Grid grid) {
  if (grid.folded == 0) return grid;
  grid.rows /= grid.group_rows;
  grid.columns = std::exchange(grid.folded, 0);
  grid.group_rows = grid.shape.size() == 3 ? grid.shape[1] : 0;
  return grid;
}

}  // namespace

std::int64_t StepPicture::element(std::int64_t shown) const {
  if (!cropped) return shown;
  return whole.element(first_row + shown / grid.shape[1], first_column + shown % grid.shape[1]).value_or(-1);
}

std::int64_t StepPicture::shown(std::int64_t element) const {
  if (!cropped) return element;
  return (whole.row_of(element) - first_row) * grid.shape[1] + whole.column_of(element) - first_column;
}

StepCells::StepCells(const AccessIndex& index, int launch, int block, const BlockSteps& steps) {
  const runs::Dim3& threads = index.launch(launch).block;
  std::vector<Bounds> bounds;
  for (const auto space : {runs::TensorSpace::global, runs::TensorSpace::shared})
    for (const int id : index.tensors_of(launch, space)) {
      StepPicture picture;
      const bool shared = space == runs::TensorSpace::shared;
      picture.place = {launch, id, shared ? block : -1};
      picture.grid = make_grid(index.tensor(id)->shape, shared && threads.y > 1 ? threads.x : 0);
      picture.whole = unfolded(picture.grid);
      if (picture.whole.elements <= 0) continue;
      if (id >= static_cast<int>(by_tensor_.size())) by_tensor_.resize(static_cast<std::size_t>(id) + 1, -1);
      by_tensor_[static_cast<std::size_t>(id)] = static_cast<int>(pictures_.size());
      pictures_.push_back(std::move(picture));
      bounds.emplace_back();
    }
  for (int step = 0; step < steps.steps(); ++step)
    for (const runs::TraceEvent& event : steps.events_of_step(step)) {
      const int at = by_tensor_[event.tensor];
      if (at < 0) continue;
      StepPicture& picture = pictures_[static_cast<std::size_t>(at)];
      Bounds& box = bounds[static_cast<std::size_t>(at)];
      if (event.access != runs::Access::read) picture.written = true;
      each_element(picture.whole, event, [&](std::int64_t element) {
        const std::int64_t row = picture.whole.row_of(element), column = picture.whole.column_of(element);
        box = {std::min(box.top, row), std::min(box.left, column), std::max(box.bottom, row),
               std::max(box.right, column)};
      });
    }
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    StepPicture& picture = pictures_[i];
    const Bounds& box = bounds[i];
    if (box.bottom < 0) continue;
    if (picture.whole.elements <= kShownWhole || picture.whole.group_rows > 0) continue;
    picture.grid = make_grid({box.bottom - box.top + 1, box.right - box.left + 1});
    picture.cropped = picture.grid.elements < picture.whole.elements;
    picture.first_row = box.top;
    picture.first_column = box.left;
  }
  // What the block never touched is no part of its picture.
  for (std::size_t i = 0; i < pictures_.size(); ++i)
    if (bounds[i].bottom < 0) by_tensor_[static_cast<std::size_t>(pictures_[i].place.tensor)] = -1;
  std::erase_if(pictures_, [&](const StepPicture& picture) {
    return by_tensor_[static_cast<std::size_t>(picture.place.tensor)] < 0;
  });
  for (std::size_t i = 0; i < pictures_.size(); ++i)
    by_tensor_[static_cast<std::size_t>(pictures_[i].place.tensor)] = static_cast<int>(i);
}

void StepCells::show(const BlockSteps& steps, const StepCursor& at, int thread, int threads) {
  for (StepPicture& picture : pictures_) {
    picture.cells = Pyramid<StepCell>(picture.grid.rows, picture.grid.columns);
    picture.touched_now = 0;
    for (std::int64_t row = 0; row < picture.grid.rows; ++row)
      for (std::int64_t c = picture.grid.columns; c-- > 0 && !picture.grid.element(row, c);)
        picture.cells.base(row, c).flags = kOutside;
  }
  if (at.step < 0 || at.step >= steps.steps()) return;
  const int begin = at.moment >= 0 ? at.moment : steps.first(at.step);
  const int end = at.moment >= 0 ? at.moment + 1 : steps.last(at.step);
  std::vector<std::tuple<int, std::int64_t, std::uint16_t>> now;  // picture, element as shown, thread
  for (int i = 0; i < end; ++i) {
    const bool current = i >= begin;
    for (const runs::TraceEvent& event : steps.events(steps.moments()[static_cast<std::size_t>(i)])) {
      const int number = by_tensor_[event.tensor];
      if (number < 0) continue;
      StepPicture& picture = pictures_[static_cast<std::size_t>(number)];
      const bool read = event.access == runs::Access::read;
      const bool mine = threads > 0 && event.thread >= thread && event.thread < thread + threads;
      each_element(picture.whole, event, [&](std::int64_t element) {
        const std::int64_t shown = picture.shown(element);
        StepCell& cell = picture.cells.base(picture.grid.row_of(shown), picture.grid.column_of(shown));
        cell.flags |= current ? read ? kReadNow : kWrittenNow : read ? kReadBefore : kWrittenBefore;
        if (!current) return;
        if (mine) cell.flags |= kMine;
        now.emplace_back(number, shown, event.thread);
      });
    }
  }
  std::sort(now.begin(), now.end());
  now.erase(std::unique(now.begin(), now.end()), now.end());
  for (const auto& [number, where, who] : now) {
    StepPicture& picture = pictures_[static_cast<std::size_t>(number)];
    StepCell& cell = picture.cells.base(picture.grid.row_of(where), picture.grid.column_of(where));
    if (cell.several++ == 0) {
      cell.thread = who;
      ++picture.touched_now;
    }
  }
  for (StepPicture& picture : pictures_)
    picture.cells.build([](StepCell& into, const StepCell& from) {
      const auto both = static_cast<std::uint8_t>(into.flags & from.flags & kOutside);
      into.flags = static_cast<std::uint8_t>(((into.flags | from.flags) & ~kOutside) | both);
      into.several = static_cast<std::uint16_t>(into.several + from.several);
    });
}

StepCursor move_cursor(const BlockSteps& steps, StepCursor at, int by, bool whole) {
  for (; by != 0 && steps.steps() > 0; by += by > 0 ? -1 : 1) {
    const int way = by > 0 ? 1 : -1, last = steps.steps() - 1;
    if (whole) {
      at = {std::clamp(at.step + way, 0, last), -1};
      continue;
    }
    const int first = steps.first(at.step), end = steps.last(at.step);
    const int moment = at.moment < 0 ? (way > 0 ? first : first - 1) : at.moment + way;
    if (moment >= first && moment < end)
      at.moment = moment;
    else if (at.step + way >= 0 && at.step + way <= last) {
      at.step += way;
      // A step in which nothing was touched is a stop of its own.
      const bool empty = steps.first(at.step) == steps.last(at.step);
      at.moment = empty ? -1 : way > 0 ? steps.first(at.step) : steps.last(at.step) - 1;
    }
  }
  return at;
}

}  // namespace workbook::viewer
