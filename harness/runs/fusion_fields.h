// The fields of what `workbook optimize` leaves behind, as fields.h has those of a run.
#pragma once

#include "runs/fields.h"
#include "runs/fusion.h"

namespace workbook::runs {

template <class V>
void fields(V& f, Is<FusionNode> auto& x) {
  f("name", x.name);
  f("op", x.op);
  f("text", x.text);
  f("over", x.over);
  f("operands", x.operands);
  f("indices", x.indices);
  f("dtype", x.dtype);
  f("bytes", x.bytes);
}

template <class V>
void fields(V& f, Is<FusionGraph> auto& x) {
  f("formula", x.formula);
  f("nodes", x.nodes);
  f("output", x.output);
  f("flops", x.flops);
  f("bytes", x.bytes);
  f("passes", x.passes);
}

template <class V>
void fields(V& f, Is<FusionCut> auto& x) {
  f("index", x.index);
  f("grid", x.grid);
  f("loop", x.loop);
  f("tile", x.tile);
}

template <class V>
void fields(V& f, Is<FusionLaunch> auto& x) {
  f("path", x.path);
  f("nodes", x.nodes);
  f("cuts", x.cuts);
  f("warps", x.warps);
  f("blocks", x.blocks);
  f("shared_bytes", x.shared_bytes);
  f("traffic", x.traffic);
  f("predicted_us", x.predicted_us);
  f("bound", x.bound);
  f.later("launch_us", x.launch_us);
  f.later("dram_us", x.dram_us);
}

template <class V>
void fields(V& f, Is<FusionCrossing> auto& x) {
  f("node", x.node);
  f("from", x.from);
  f("to", x.to);
  f("merged_us", x.merged_us);
}

template <class V>
void fields(V& f, Is<FusionBuilt> auto& x) {
  f("right", x.right);
  f("trouble", x.trouble);
  f("shapes", x.shapes);
  f("simulated_us", x.simulated_us);
}

template <class V>
void fields(V& f, Is<FusionPlan> auto& x) {
  f("graph", x.graph);
  f("launches", x.launches);
  f("crossings", x.crossings);
  f("predicted_us", x.predicted_us);
  f("bytes", x.bytes);
  f("built", x.built);
  f("measured_us", x.measured_us);
  f("cold_us", x.cold_us);
  f.later("unmeasured", x.unmeasured);
}

template <class V>
void fields(V& f, Is<FusionDepth> auto& x) {
  f("nodes", x.nodes);
  f("states", x.states);
  f("tried", x.tried);
  f("found", x.found);
  f("cut", x.cut);
}

template <class V>
void fields(V& f, Is<FusionState> auto& x) {
  f("parent", x.parent);
  f("depth", x.depth);
  f("text", x.text);
  f("cut", x.cut);
  f("kept", x.kept);
  f("equal", x.equal);
}

template <class V>
void fields(V& f, Is<FusionRecord> auto& x) {
  f("made_at", x.made_at);
  f("program", x.program);
  f("title", x.title);
  f("formula", x.formula);
  f("sizes", x.sizes);
  f("gpu", x.gpu);
  f.later("measured_on", x.measured_on);
  f("graphs", x.graphs);
  f("equal", x.equal);
  f("plans", x.plans);
  f("unfused", x.unfused);
  f("best", x.best);
  f("all_plans", x.all_plans);
  f("priced", x.priced);
  f("note", x.note);
  f("reasons", x.reasons);
  f("depths", x.depths);
  f("tree", x.tree);
  f("tree_one_in", x.tree_one_in);
  f("search", x.search);
}

}  // namespace workbook::runs
