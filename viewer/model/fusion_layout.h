// Where the boxes of a graph lie: operations in rows below their operands, kernels as bands one below the
// other, and between them what lies in DRAM. In design units, y downwards.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runs/fusion.h"

namespace workbook::viewer {

inline std::size_t slot(int number) { return static_cast<std::size_t>(number); }

struct FusionPoint {
  float x = 0, y = 0;
};

/// An operation, or a tensor in DRAM: an input of a launch, what crosses launches, the output.
struct FusionBox {
  int node = 0;
  bool tensor = false;   ///< it lies in DRAM
  bool crosses = false;  ///< written by one launch and read by another
  int launch = -1;       ///< of an operation in a plan
  std::string label;
  int row = 0;
  FusionPoint centre;
  float width = 0;
};

struct FusionEdge {
  int from = 0, to = 0;  ///< boxes
  int node = 0;          ///< the tensor that it carries
  bool dram = false;
  std::int64_t bytes = 0;
  std::vector<FusionPoint> points;  ///< from the lower side of one box to the upper side of the other
};

struct FusionFrame {
  int launch = 0;
  FusionPoint min, max;
  std::string label;
  float label_x = 0;  ///< where it begins: beside the edges that come in
};

struct FusionPicture {
  std::vector<FusionBox> boxes;
  std::vector<FusionEdge> edges;
  std::vector<FusionFrame> frames;
  float width = 0, height = 0;
};

inline constexpr float kFusionBox = 26;     ///< height of a box
inline constexpr float kFusionHeader = 24;  ///< of a frame
inline constexpr float kFusionText = 13.5f;

/// Of a label at kFusionText.
using FusionTextWidth = std::function<float(const std::string&)>;

/// `plan` null: the graph as it stands, no kernels.
FusionPicture fusion_picture(const runs::FusionGraph& graph, const runs::FusionPlan* plan,
                             const FusionTextWidth& text_width);

/// Units: grows with the logarithm of the bytes.
float fusion_edge_width(std::int64_t bytes);

}  // namespace workbook::viewer
