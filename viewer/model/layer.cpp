#include "model/layer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/block_steps.h"

namespace workbook::viewer {
namespace {

// Where an element's cell is: only four dimensions lie otherwise than in memory, and dividing costs.
LayerCell& cell_of(Layer& layer, std::int64_t element) {
  const Grid& grid = layer.grid;
  if (grid.group_columns == 0 && grid.folded == 0) return layer.cells.base(element);
  return layer.cells.base(grid.row_of(element), grid.column_of(element));
}

// Calls `visit(event, cell, element)` for each element of each event at the place that `wanted` lets through.
template <class Wanted, class Visit>
void each_cell(const AccessIndex& index, Layer& layer, const Wanted& wanted, const Visit& visit) {
  const Grid& grid = layer.grid;
  for (const std::uint32_t number : index.events_at(layer.request.place)) {
    const runs::TraceEvent& event = index.event(number);
    if (!wanted(event)) continue;
    const std::int64_t end = std::min(grid.elements, static_cast<std::int64_t>(event.element) + event.count);
    for (std::int64_t at = event.element; at < end; ++at) visit(event, cell_of(layer, at), at);
  }
}

bool chosen(const Layer& layer, const runs::TraceEvent& event) {
  return layer.request.chosen_block < 0 || static_cast<int>(event.block) == layer.request.chosen_block;
}

float owner_of(ColourBy by, const runs::TraceEvent& event) {
  if (by == ColourBy::block) return static_cast<float>(event.block);
  return static_cast<float>(by == ColourBy::warp ? event.thread / kWarp : event.thread);
}

template <class Wanted>
void fill_owners(const AccessIndex& index, Layer& layer, const Wanted& wanted) {
  // Second and later owners of a cell are rare: only they are kept, sorted and counted.
  std::vector<std::pair<std::int64_t, float>> others;
  each_cell(index, layer, wanted, [&](const auto& event, LayerCell& cell, std::int64_t at) {
    if (layer.request.chosen_block >= 0 && (cell.flags & kChosen) != 0 && !chosen(layer, event)) return;
    const float owner = owner_of(layer.request.by, event);
    if ((cell.flags & kPresent) == 0) {
      cell.flags |= kPresent;
      cell.number = owner;
      cell.several = 1;
    } else if (cell.number != owner && (others.empty() || others.back() != std::pair{at, owner})) {
      others.emplace_back(at, owner);
    }
  });
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (const auto& [at, owner] : others) {
    LayerCell& cell = cell_of(layer, at);
    if (cell.several < std::numeric_limits<std::uint16_t>::max()) ++cell.several;
  }
}

// Time is counted in moments of the block, each one line that its threads run side by side: the simulator's
// own order, one thread after another, is no part of the program.
template <class Wanted>
void fill_times(const AccessIndex& index, Layer& layer, const Wanted& wanted) {
  const Place& place = layer.request.place;
  std::size_t most = 1;
  for (const int block : index.blocks_traced(place.launch)) {
    if (place.block >= 0 && block != place.block) continue;
    const BlockSteps steps(index, place.launch, block);
    most = std::max(most, steps.moments().size());
    for (std::size_t moment = 0; moment < steps.moments().size(); ++moment)
      for (const runs::TraceEvent& event : steps.events(steps.moments()[moment])) {
        if (event.tensor != place.tensor || !wanted(event)) continue;
        const std::int64_t end =
            std::min(layer.grid.elements, static_cast<std::int64_t>(event.element) + event.count);
        for (std::int64_t at = event.element; at < end; ++at) {
          LayerCell& cell = cell_of(layer, at);
          if (layer.request.chosen_block >= 0 && (cell.flags & kChosen) != 0 && !chosen(layer, event))
            continue;
          const auto now = static_cast<float>(moment + 1);
          if ((cell.flags & kPresent) == 0 || now < cell.number) cell.number = now;
          cell.flags |= kPresent;
        }
      }
  }
  // One scale for all tensors of the launch.
  layer.low = 1.0;
  layer.high = static_cast<double>(most);
}

void fill_reads(const AccessIndex& index, Layer& layer) {
  const auto reads = [](const runs::TraceEvent& event) { return event.access == runs::Access::read; };
  each_cell(index, layer, reads, [&](const auto& event, LayerCell& cell, std::int64_t) {
    if (layer.request.chosen_block >= 0 && !chosen(layer, event)) return;
    cell.flags |= kPresent;
    cell.number += 1.0f;
  });
}

void fill_values(Layer& layer) {
  const runs::TensorValues* values = layer.request.values;
  if (values == nullptr) return;
  const bool error = layer.request.by == ColourBy::error;
  const auto count = static_cast<std::int64_t>(error ? std::min(values->got.size(), values->expected.size())
                                                     : values->got.size());
  for (std::int64_t at = 0; at < std::min(count, layer.grid.elements); ++at) {
    const auto i = static_cast<std::size_t>(at);
    LayerCell& cell = cell_of(layer, at);
    cell.number = error ? values->got[i] - values->expected[i] : values->got[i];
    cell.flags |= kPresent | kChosen;
    // What was never written, or is no number, has no place on the scale, but is wrong.
    if (!std::isfinite(cell.number)) cell.flags &= static_cast<std::uint8_t>(~kPresent);
    if (error && !(std::abs(static_cast<double>(cell.number)) <= values->tolerance)) cell.flags |= kWrong;
  }
}

// What a coarser cell shows of the finer ones: the first owner, the earliest time, the most reads, the
// largest value, the worst error.
void combine(ColourBy by, LayerCell& into, const LayerCell& from) {
  if ((from.flags & kPresent) != 0) {
    const bool fresh = (into.flags & kPresent) == 0;
    bool take = fresh;
    if (by == ColourBy::time) take = fresh || from.number < into.number;
    if (by == ColourBy::reads || by == ColourBy::value) take = fresh || from.number > into.number;
    if (by == ColourBy::error) take = fresh || std::abs(from.number) > std::abs(into.number);
    if (names_owner(by) && !fresh && from.number != into.number)
      into.several = std::max({into.several, from.several, std::uint16_t{2}});
    else
      into.several = std::max(into.several, from.several);
    if (take) into.number = from.number;
  }
  const bool padding = (into.flags & from.flags & kPadding) != 0;
  into.flags = static_cast<std::uint8_t>((into.flags | from.flags) & ~kPadding);
  if (padding) into.flags |= kPadding;
}

void measure_range(Layer& layer) {
  bool first = true;
  for (const LayerCell& cell : layer.cells.level(0).cells) {
    if ((cell.flags & kOnLine) != 0) layer.line_touches = true;
    if ((cell.flags & kPresent) == 0) continue;
    ++layer.present;
    const auto number = static_cast<double>(cell.number);
    if (layer.request.by == ColourBy::time) continue;  // its scale is the launch's
    layer.low = first ? number : std::min(layer.low, number);
    layer.high = first ? number : std::max(layer.high, number);
    first = false;
  }
}

}  // namespace

bool names_owner(ColourBy by) {
  return by == ColourBy::block || by == ColourBy::warp || by == ColourBy::thread;
}

std::optional<Layer> make_layer(const AccessIndex& index, const LayerRequest& request, std::int64_t wrap) {
  const runs::TensorInfo* info = index.tensor(request.place.tensor);
  if (info == nullptr) return {};
  Layer layer;
  layer.request = request;
  layer.grid = make_grid(info->shape, wrap);
  if (layer.grid.elements <= 0 || layer.grid.elements > kMostElements) return {};
  layer.cells = Pyramid<LayerCell>(layer.grid.rows, layer.grid.columns);
  for (std::int64_t row = 0; row < layer.grid.rows; ++row)
    for (std::int64_t at = layer.grid.columns; at-- > 0 && !layer.grid.element(row, at);)
      layer.cells.base(row, at).flags = kPadding;
  const Place& place = request.place;
  layer.by_writers = request.show == Show::written ||
                     (request.show == Show::touched && index.writes(place.launch, place.tensor));
  const auto wanted = [&](const runs::TraceEvent& event) {
    return (event.access != runs::Access::read) == layer.by_writers;
  };
  const auto all = [](const runs::TraceEvent&) { return true; };
  if (request.by != ColourBy::value && request.by != ColourBy::error)
    each_cell(index, layer, wanted, [&](const auto& event, LayerCell& cell, std::int64_t) {
      if (chosen(layer, event)) cell.flags |= kChosen;
    });
  if (request.line > 0)
    each_cell(index, layer, all, [&](const auto& event, LayerCell& cell, std::int64_t) {
      if (event.line == request.line && event.file == request.file) cell.flags |= kOnLine;
    });
  if (names_owner(request.by))
    fill_owners(index, layer, wanted);
  else if (request.by == ColourBy::time)
    fill_times(index, layer, wanted);
  else if (request.by == ColourBy::reads)
    fill_reads(index, layer);
  else
    fill_values(layer);
  measure_range(layer);
  layer.cells.build([&](LayerCell& into, const LayerCell& from) { combine(request.by, into, from); });
  return layer;
}

const runs::TensorValues* values_of(const runs::Trace& trace, const runs::TensorInfo& tensor) {
  for (const runs::CaseValues& one : trace.values)
    for (const runs::TensorValues& values : one.tensors)
      if (values.tensor.name == tensor.name && values.tensor.shape == tensor.shape) return &values;
  return nullptr;
}

}  // namespace workbook::viewer
