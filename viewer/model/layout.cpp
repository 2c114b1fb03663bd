#include "model/layout.h"

#include <algorithm>
#include <cmath>

namespace workbook::viewer {

std::vector<double> spread(const std::vector<Span>& spans, double gap, double low, double high) {
  // Neighbours that collide join a cluster that sits at the mean of its members' wishes, as in isotonic
  // regression: one pass from the left, merging backwards while clusters overlap.
  struct Cluster {
    double left, width, wish_sum;
    int members;
  };
  std::vector<Cluster> clusters;
  for (const Span& span : spans) {
    clusters.push_back({span.centre - span.width / 2, span.width, span.centre - span.width / 2, 1});
    while (clusters.size() > 1) {
      Cluster& last = clusters[clusters.size() - 1];
      Cluster& before = clusters[clusters.size() - 2];
      if (before.left + before.width + gap <= last.left) break;
      // wish_sum holds each member's wish less its offset, so that the mean is the cluster's own wish.
      before.wish_sum += last.wish_sum - last.members * (before.width + gap);
      before.members += last.members;
      before.width += gap + last.width;
      before.left = before.wish_sum / before.members;
      clusters.pop_back();
    }
    for (Cluster& cluster : clusters)
      cluster.left = std::max(low, std::min(cluster.left, high - cluster.width));
  }
  std::vector<double> left;
  std::size_t at = 0;
  double floor = low;
  for (const Cluster& cluster : clusters) {
    double x = std::max(cluster.left, floor);
    for (int member = 0; member < cluster.members; ++member, ++at) {
      left.push_back(x);
      x += spans[at].width + gap;
    }
    floor = x;
  }
  // Keeping clusters inside [low, high] can push one into the next: shift back what hangs over the end.
  double ceiling = high;
  for (std::size_t i = left.size(); i-- > 0;) {
    left[i] = std::min(left[i], ceiling - spans[i].width);
    ceiling = left[i] - gap;
  }
  double edge = low;
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = std::max(left[i], edge);
    edge = left[i] + spans[i].width + gap;
  }
  return left;
}

Packing pack_columns(const std::vector<Extent>& boxes, const std::vector<bool>& breaks, double height,
                     double gap_x, double gap_y) {
  Packing packing;
  double x = 0.0, y = 0.0, column = 0.0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (i > 0 && (breaks[i] || y + boxes[i].height > height)) {
      x += column + gap_x;
      y = column = 0.0;
    }
    packing.x.push_back(x);
    packing.y.push_back(y);
    column = std::max(column, boxes[i].width);
    packing.width = std::max(packing.width, x + boxes[i].width);
    packing.height = std::max(packing.height, y + boxes[i].height);
    y += boxes[i].height + gap_y;
  }
  return packing;
}

double tick_step(double high, int most) {
  if (!(high > 0.0) || most < 1) return 1.0;
  const double rough = high / most;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1.0 - 1e-9)) return factor * power;
  return 10.0 * power;
}

}  // namespace workbook::viewer
