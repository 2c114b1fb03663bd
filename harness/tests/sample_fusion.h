// A made-up record of `workbook optimize`: y = sum(h, x / sqrt(mean(h, x * x)) * w), in two launches and in
// one.
#pragma once

#include "runs/fusion.h"

namespace workbook::test {

inline runs::FusionGraph sample_graph() {
  runs::FusionGraph graph;
  graph.formula = "sum(h, x / sqrt(mean(h, x * x)) * w)";
  graph.nodes = {{"x", "input", "x", "", {}, {"b", "h"}, "f16", 131072},
                 {"w", "input", "w", "", {}, {"h", "o"}, "f16", 50331648},
                 {"t1", "mul", "x * x", "", {0}, {"b", "h"}, "f32", 262144},
                 {"t2", "sum", "sum(h, t1)", "h", {2}, {"b"}, "f32", 64},
                 {"t3", "fn", "sqrt(t2 / h)", "", {3}, {"b"}, "f32", 64},
                 {"t4", "div", "x / t3", "", {0, 4}, {"b", "h"}, "f32", 262144},
                 {"y", "matmul", "sum(h, t4 * w)", "h", {5, 1}, {"b", "o"}, "f16", 196608}};
  graph.output = 6;
  graph.flops = 8.1e8;
  graph.bytes = 5.1e7;
  graph.passes = 2;
  return graph;
}

inline runs::FusionRecord sample_fusion() {
  runs::FusionRecord record;
  record.made_at = "2026-01-05T09:30:00.000Z";
  record.program = "rmsnorm_linear";
  record.title = "RMSNorm, then a linear layer";
  record.formula = "y = sum(h, x / sqrt(mean(h, x * x)) * w)";
  record.sizes = {{"b", 16}, {"h", 4096}, {"o", 6144}};
  record.gpu = "H200";
  record.measured_on = "NVIDIA H200";
  record.graphs = {sample_graph()};
  record.equal = {0};
  const auto cuts = [](std::int64_t b, std::int64_t loop, std::int64_t o) {
    return std::vector<runs::FusionCut>{
        {"b", b, 1, (16 + b - 1) / b}, {"h", 1, loop, 4096 / loop}, {"o", o, 1, 6144 / o}};
  };
  runs::FusionPlan two;
  two.launches = {{"row",
                   {2, 3, 4, 5},
                   cuts(16, 1, 1),
                   2,
                   16,
                   0,
                   {{0, 131072, 0}, {5, 0, 262144}},
                   2.4,
                   runs::BoundBy::launch},
                  {"product",
                   {6},
                   cuts(2, 64, 384),
                   8,
                   768,
                   4352,
                   {{5, 262144, 0}, {1, 50331648, 0}, {6, 0, 196608}},
                   122.4,
                   runs::BoundBy::dram}};
  two.crossings = {{5, 0, 1, 135.3}};
  two.predicted_us = 124.8;
  two.bytes = 51183616;
  two.built = runs::FusionBuilt{true, "", 5, 46.9};
  runs::FusionPlan one;
  one.launches = {{"product",
                   {2, 3, 4, 5, 6},
                   cuts(2, 64, 384),
                   8,
                   768,
                   8448,
                   {{0, 131072, 0}, {1, 50331648, 0}, {6, 0, 196608}},
                   135.3,
                   runs::BoundBy::dram}};
  one.predicted_us = 135.3;
  one.bytes = 50659328;
  one.measured_us = 131.0;
  one.cold_us = {131.0, 130.0, 133.0};
  record.plans = {two, one};
  record.unfused = record.best = 0;
  record.all_plans = 7;
  record.priced = 5221;
  record.reasons = {"order", "shape", "loose", "expression", "duplicate"};
  record.depths = {{1, 1, 21, 0, {0, 3, 18, 0, 0}},
                   {2, 8, 133, 0, {68, 52, 70, 4, 0}},
                   {3, 23, 706, 0, {354, 321, 282, 81, 1}},
                   {4, 48, 1782, 0, {929, 833, 567, 335, 3}},
                   {5, 88, 3891, 2, {2058, 1831, 1113, 860, 7}}};
  record.tree = {{-1, 0, "", {0, 3, 0, 9, 0}, 3, false},
                 {0, 1, "x * x", {2, 13, 0, 12, 0}, 2, false},
                 {1, 2, "sum(h, t1)", {3, 18, 4, 25, 0}, 1, false},
                 {2, 3, "sqrt(t2 / h)", {5, 24, 7, 39, 0}, 2, false},
                 {3, 4, "x / t3", {9, 24, 7, 39, 1}, 1, false},
                 {4, 5, "sum(h, t4 * w)", {0, 0, 0, 0, 0}, 0, true},
                 {3, 4, "sum(h, x * w)", {9, 24, 7, 39, 1}, 1, false},
                 {6, 5, "t4 / t3", {0, 0, 0, 0, 0}, 0, true},
                 {1, 2, "sum(h, x * w)", {3, 30, 9, 2, 0}, 0, false},
                 {0, 1, "sum(h, x)", {3, 2, 9, 20, 0}, 0, false},
                 {0, 1, "sum(h, w)", {3, 20, 9, 2, 0}, 0, false}};
  record.search = "0123456789abcdef";
  return record;
}

}  // namespace workbook::test
