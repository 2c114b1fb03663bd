#include "model/fusion_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr float kRowPitch = 50, kClosePitch = 39;  // of few rows, and of many: their text stays larger
constexpr std::size_t kManyRows = 10;
constexpr float kBoxesApart = 16, kFramePadding = 12, kMostLabel = 200;
constexpr int kOrderSweeps = 12;

/// A box, or a point of a long edge, in its row.
struct Item {
  int box = -1;  ///< -1: a point
  int launch = -1;
  float width = 8, x = 0;
  std::vector<int> above, below;  ///< items it is tied to
};

class Layout {
 public:
  Layout(const runs::FusionGraph& graph, const runs::FusionPlan* plan, const FusionTextWidth& text_width)
      : graph_(graph), plan_(plan), text_width_(text_width) {}

  FusionPicture run() {
    if (plan_ != nullptr)
      add_launches();
    else
      add_operations(-1, all_operations(), 1);
    drop_empty_rows();
    make_items();
    order_rows();
    place();
    finish();
    return std::move(picture_);
  }

 private:
  const runs::FusionNode& node(int number) const { return graph_.nodes[slot(number)]; }
  bool is_input(int number) const { return node(number).op == "input"; }
  bool is_operation(int number) const { return !is_input(number) && node(number).op != "constant"; }

  std::vector<int> all_operations() const {
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i)
      if (is_operation(i)) found.push_back(i);
    return found;
  }

  /// What is stored of a tensor: in parts that is more than its elements.
  std::int64_t stored_bytes(int number) const {
    std::int64_t bytes = node(number).bytes;
    if (plan_ == nullptr || is_input(number)) return bytes;
    for (const runs::FusionLaunch& launch : plan_->launches)
      for (const runs::TensorTraffic& each : launch.traffic)
        if (each.tensor == number) bytes = std::max(bytes, each.bytes_written);
    return bytes;
  }

  int add_box(int number, bool tensor, int launch, int row) {
    FusionBox box;
    box.node = number;
    box.tensor = tensor;
    box.launch = launch;
    box.row = row;
    const runs::FusionNode& n = node(number);
    box.label = tensor ? n.name + "  " + format_bytes(stored_bytes(number)) : n.name + " = " + n.text;
    box.width = std::min(text_width_(box.label) + (tensor ? 26.0f : 18.0f), kMostLabel);
    picture_.boxes.push_back(std::move(box));
    return static_cast<int>(picture_.boxes.size()) - 1;
  }
  void add_edge(int from, int to, int number) {
    const bool dram = picture_.boxes[slot(from)].tensor || picture_.boxes[slot(to)].tensor;
    picture_.edges.push_back({from, to, number, dram, dram ? stored_bytes(number) : node(number).bytes, {}});
  }

  /// The operations of a launch from `first` on; below them the tensors that are written, above those read.
  /// `written`: boxes of tensors by node. Returns the row behind the operations.
  int add_operations(int launch, const std::vector<int>& nodes, int first) {
    std::map<int, int> boxes;
    int last = first;
    for (const int number : nodes) {
      int row = first;
      for (const int operand : node(number).operands)
        if (const auto known = boxes.find(operand); known != boxes.end())
          row = std::max(row, picture_.boxes[slot(known->second)].row + 1);
      boxes[number] = add_box(number, false, launch, row);
      last = std::max(last, row);
    }
    // An operation stands close to its only user, not far above it.
    for (auto each = nodes.rbegin(); each != nodes.rend(); ++each) {
      int nearest = last + 1;
      bool used = false;
      for (const int user : nodes)
        for (const int operand : node(user).operands)
          if (operand == *each) {
            nearest = std::min(nearest, picture_.boxes[slot(boxes[user])].row);
            used = true;
          }
      if (used) picture_.boxes[slot(boxes[*each])].row = nearest - 1;
    }
    std::map<int, int> read;  // the box of each tensor that is read
    for (const int number : nodes)
      for (const int operand : node(number).operands) {
        if (node(operand).op == "constant") continue;
        const auto own = boxes.find(operand);
        if (own != boxes.end()) {
          add_edge(own->second, boxes[number], operand);
          continue;
        }
        if (!read.contains(operand)) {
          const auto above = written_.find({operand, first - 1});
          read[operand] = above != written_.end() ? above->second : add_box(operand, true, -1, first - 1);
          picture_.boxes[slot(read[operand])].crosses = !is_input(operand);
        }
        add_edge(read[operand], boxes[number], operand);
      }
    if (launch < 0)  // an input of the program stands just above its first user
      for (const auto& [tensor, box] : read) {
        int nearest = last;
        for (const FusionEdge& edge : picture_.edges)
          if (edge.from == box) nearest = std::min(nearest, picture_.boxes[slot(edge.to)].row);
        picture_.boxes[slot(box)].row = nearest - 1;
      }
    for (const int number : nodes)
      if (number == graph_.output || crosses(launch, number)) {
        const int box = add_box(number, true, -1, last + 1);
        picture_.boxes[slot(box)].crosses = number != graph_.output;
        written_[{number, last + 1}] = box;
        add_edge(boxes[number], box, number);
      }
    return last + 1;
  }
  bool crosses(int launch, int number) const {
    return plan_ != nullptr &&
           std::any_of(plan_->crossings.begin(), plan_->crossings.end(),
                       [&](const auto& each) { return each.node == number && each.from == launch; });
  }
  void add_launches() {
    int row = 1;
    for (int k = 0; k < static_cast<int>(plan_->launches.size()); ++k)
      row = add_operations(k, plan_->launches[slot(k)].nodes, row) + 1;
  }
  void drop_empty_rows() {
    std::map<int, int> rows;
    for (const FusionBox& box : picture_.boxes) rows[box.row] = 0;
    for (int number = 0; auto& [row, now] : rows) now = number++;
    for (FusionBox& box : picture_.boxes) box.row = rows[box.row];
    rows_.resize(rows.size());
  }

  int add_item(int row, Item item) {
    items_.push_back(std::move(item));
    rows_[slot(row)].push_back(static_cast<int>(items_.size()) - 1);
    return rows_[slot(row)].back();
  }
  void tie(int upper, int lower) {
    items_[slot(upper)].below.push_back(lower);
    items_[slot(lower)].above.push_back(upper);
  }
  void make_items() {
    std::vector<int> of_row(rows_.size(), -1);  // the launch that has operations there
    for (std::size_t i = 0; i < picture_.boxes.size(); ++i) {
      const FusionBox& box = picture_.boxes[i];
      if (box.launch >= 0) of_row[slot(box.row)] = box.launch;
      Item item;
      item.box = static_cast<int>(i);
      item.launch = box.launch;
      item.width = box.width;
      add_item(box.row, item);
    }
    for (const FusionEdge& edge : picture_.edges) {
      std::vector<int> chain{edge.from};
      for (int row = picture_.boxes[slot(edge.from)].row + 1; row < picture_.boxes[slot(edge.to)].row;
           ++row) {
        Item point;
        point.launch = of_row[slot(row)];
        point.width = fusion_edge_width(edge.bytes) + 2;
        chain.push_back(add_item(row, point));
        tie(chain[chain.size() - 2], chain.back());
      }
      tie(chain.back(), edge.to);
      chain.push_back(edge.to);
      chains_.push_back(std::move(chain));
    }
  }

  static float mean_of(const std::vector<int>& list, const std::vector<float>& places) {
    float sum = 0;
    for (const int each : list) sum += places[slot(each)];
    return sum / static_cast<float>(list.size());
  }
  std::int64_t crossings() const {
    std::int64_t count = 0;
    for (std::size_t row = 0; row + 1 < rows_.size(); ++row) {
      std::vector<std::pair<float, float>> ties;
      for (const int upper : rows_[row])
        for (const int lower : items_[slot(upper)].below)
          ties.emplace_back(place_[slot(upper)], place_[slot(lower)]);
      for (std::size_t a = 0; a < ties.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          count += (ties[a].first - ties[b].first) * (ties[a].second - ties[b].second) < 0 ? 1 : 0;
    }
    return count;
  }
  /// Barycentres, down and up in turn; the order with the fewest crossings is kept.
  void order_rows() {
    place_.assign(items_.size(), 0);
    const auto number = [&] {
      for (const std::vector<int>& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
          place_[slot(row[i])] = static_cast<float>(i) - static_cast<float>(row.size() - 1) / 2;
    };
    number();
    auto best = rows_;
    std::int64_t least = crossings();
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        std::vector<int>& row = rows_[down ? i : rows_.size() - 1 - i];
        std::vector<float> wanted = place_;
        for (const int item : row) {
          const std::vector<int>& ties = down ? items_[slot(item)].above : items_[slot(item)].below;
          if (!ties.empty()) wanted[slot(item)] = mean_of(ties, place_);
        }
        std::stable_sort(row.begin(), row.end(),
                         [&](int a, int b) { return wanted[slot(a)] < wanted[slot(b)]; });
        for (std::size_t k = 0; k < row.size(); ++k)
          place_[slot(row[k])] = static_cast<float>(k) - static_cast<float>(row.size() - 1) / 2;
      }
      if (const std::int64_t now = crossings(); now < least) {
        least = now;
        best = rows_;
      }
    }
    rows_ = best;
    number();
    // Neighbours change places where that undoes a crossing.
    for (bool better = true; better;) {
      better = false;
      for (std::vector<int>& row : rows_)
        for (std::size_t k = 0; k + 1 < row.size(); ++k) {
          const auto change = [&] {
            std::swap(row[k], row[k + 1]);
            std::swap(place_[slot(row[k])], place_[slot(row[k + 1])]);
          };
          change();
          if (const std::int64_t now = crossings(); now < least) {
            least = now;
            better = true;
          } else {
            change();
          }
        }
    }
  }

  /// Each wants to stand at the mean of what it is tied to; neighbours in a row keep their distance.
  void place() {
    for (std::vector<int>& row : rows_) {
      float x = 0;
      for (const int item : row) {
        place_[slot(item)] = x + items_[slot(item)].width / 2;
        x += items_[slot(item)].width + kBoxesApart;
      }
      for (const int item : row) place_[slot(item)] -= x / 2;
    }
    for (int sweep = 0; sweep < 4 * kOrderSweeps + 1; ++sweep)
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool down = sweep % 2 == 0;
        const std::vector<int>& row = rows_[down ? i : rows_.size() - 1 - i];
        std::vector<float> wanted;
        for (const int item : row) {
          std::vector<int> ties = items_[slot(item)].above;
          ties.insert(ties.end(), items_[slot(item)].below.begin(), items_[slot(item)].below.end());
          wanted.push_back(ties.empty() ? place_[slot(item)] : mean_of(ties, place_));
        }
        spread(row, wanted);
      }
  }
  /// The places nearest to the wanted ones with room between: blocks of touching neighbours move as one.
  void spread(const std::vector<int>& row, const std::vector<float>& wanted) {
    struct Block {
      float sum = 0;
      std::size_t first = 0, count = 0;
      float left() const { return sum / static_cast<float>(count); }
    };
    std::vector<float> offset(row.size(), 0);
    for (std::size_t i = 1; i < row.size(); ++i)
      offset[i] =
          offset[i - 1] + (items_[slot(row[i - 1])].width + items_[slot(row[i])].width) / 2 + kBoxesApart;
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < row.size(); ++i) {
      blocks.push_back({wanted[i] - offset[i], i, 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].left() > blocks.back().left()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().count += last.count;
      }
    }
    for (const Block& block : blocks)
      for (std::size_t i = block.first; i < block.first + block.count; ++i)
        place_[slot(row[i])] = block.left() + offset[i];
  }

  void finish() {
    // Rows: a frame's header above its first, room below its last.
    std::vector<float> y(rows_.size());
    std::vector<int> launch(rows_.size(), -1);
    for (const FusionBox& box : picture_.boxes)
      if (box.launch >= 0) launch[slot(box.row)] = box.launch;
    float top = kFusionBox / 2;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int before = i > 0 ? launch[i - 1] : -1;
      if (i > 0) top += rows_.size() > kManyRows ? kClosePitch : kRowPitch;
      if (launch[i] != before && before >= 0) top += kFramePadding - 4;
      if (launch[i] != before && launch[i] >= 0) top += kFusionHeader - 2;
      y[i] = top;
    }
    std::map<int, FusionFrame> frames;
    float left = 1e9f, right = -1e9f;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const int item : rows_[i]) {
        const float from = place_[slot(item)] - items_[slot(item)].width / 2,
                    to = from + items_[slot(item)].width;
        left = std::min(left, from);
        right = std::max(right, to);
        if (launch[i] < 0) continue;
        auto [frame, fresh] =
            frames.try_emplace(launch[i], FusionFrame{launch[i], {from, y[i]}, {to, y[i]}, ""});
        frame->second.min.x = std::min(frame->second.min.x, from);
        frame->second.max.x = std::max(frame->second.max.x, to);
        frame->second.max.y = y[i];
      }
    for (auto& [number, frame] : frames) {
      const runs::FusionLaunch& of = plan_->launches[slot(number)];
      frame.min.x -= kFramePadding;
      frame.max.x += kFramePadding;
      frame.label =
          "launch " + std::to_string(number + 1) + "  ·  " + of.path + "  ·  " + format_us(of.predicted_us);
      place_label(frame, y);
      frame.min.y -= kFusionBox / 2 + kFusionHeader;
      frame.max.y += kFusionBox / 2 + kFramePadding - 2;
      left = std::min(left, frame.min.x);
      right = std::max(right, frame.max.x);
    }
    const auto moved = [&](int item) { return place_[slot(item)] - left; };
    for (FusionBox& box : picture_.boxes)
      box.centre = {moved(static_cast<int>(&box - picture_.boxes.data())), y[slot(box.row)]};
    for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
      FusionEdge& edge = picture_.edges[e];
      const int first = picture_.boxes[slot(edge.from)].row;
      for (std::size_t i = 0; i < chains_[e].size(); ++i) {
        const bool begins = i == 0, ends = i + 1 == chains_[e].size();
        const float height = y[slot(first) + i];
        if (!begins) edge.points.push_back({moved(chains_[e][i]), height - kFusionBox / 2});
        if (!ends) edge.points.push_back({moved(chains_[e][i]), height + kFusionBox / 2});
      }
    }
    for (auto& [number, frame] : frames) {
      frame.min.x -= left;
      frame.max.x -= left;
      frame.label_x -= left;
      picture_.frames.push_back(frame);
    }
    picture_.width = right - left;
    picture_.height = (y.empty() ? 0 : y.back()) + kFusionBox / 2;
  }

  /// Left or right of the edges that come in from above, whichever makes the frame less wide.
  void place_label(FusionFrame& frame, const std::vector<float>& y) const {
    const float width = text_width_(frame.label), beside = 2 * kFramePadding;
    float first = frame.max.x, last = frame.min.x;
    const auto row = static_cast<std::size_t>(std::find(y.begin(), y.end(), frame.min.y) - y.begin());
    for (const int lower : row < rows_.size() ? rows_[row] : std::vector<int>{})
      for (const int upper : items_[slot(lower)].above)
        for (const float share : {0.4f, 1.0f}) {  // of the way down, where the label lies
          const float x = place_[slot(upper)] + (place_[slot(lower)] - place_[slot(upper)]) * share;
          first = std::min(first, x);
          last = std::max(last, x);
        }
    const float left = std::max(0.0f, frame.min.x + width + beside - first),
                right = std::max(0.0f, last + width + beside - frame.max.x);
    if (left <= right) {
      frame.min.x -= left;
      frame.label_x = frame.min.x + kFramePadding - 2;
      frame.max.x = std::max(frame.max.x, frame.min.x + width + beside);
    } else {
      frame.max.x += right;
      frame.label_x = frame.max.x - kFramePadding - width + 2;
    }
  }

  const runs::FusionGraph& graph_;
  const runs::FusionPlan* plan_;
  const FusionTextWidth& text_width_;
  FusionPicture picture_;
  std::map<std::pair<int, int>, int> written_;  // box of a tensor by node and row
  std::vector<Item> items_;                     // the first are the boxes, with their numbers
  std::vector<std::vector<int>> rows_, chains_;
  std::vector<float> place_;
};

}  // namespace

FusionPicture fusion_picture(const runs::FusionGraph& graph, const runs::FusionPlan* plan,
                             const FusionTextWidth& text_width) {
  return Layout(graph, plan, text_width).run();
}

float fusion_edge_width(std::int64_t bytes) {
  return std::clamp(1.0f + 1.5f * (std::log10(static_cast<float>(std::max<std::int64_t>(bytes, 1))) - 2),
                    1.0f, 12.0f);
}

}  // namespace workbook::viewer
