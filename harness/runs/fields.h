// The fields of every part of a record, named once: json_walk.h walks these lists both to write and to read.
// `f.later` names a field that came after the first records were written: these read without it.
#pragma once

#include <concepts>

#include "runs/record.h"
#include "runs/sweep.h"

namespace workbook::runs {

template <class T, class Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

template <class V>
void fields(V& f, Is<ThreadId> auto& x) {
  f("block", x.block);
  f("thread", x.thread);
}

template <class V>
void fields(V& f, Is<SourceLine> auto& x) {
  f("file", x.file);
  f("line", x.line);
}

template <class V>
void fields(V& f, Is<TensorInfo> auto& x) {
  f("id", x.id);
  f("name", x.name);
  f("space", x.space);
  f("role", x.role);
  f("dtype", x.dtype);
  f("shape", x.shape);
  f("bytes", x.bytes);
}

template <class V>
void fields(V& f, Is<TensorTraffic> auto& x) {
  f("tensor", x.tensor);
  f("bytes_read", x.bytes_read);
  f("bytes_written", x.bytes_written);
}

template <class V>
void fields(V& f, Is<SiteCounters> auto& x) {
  f("kernel", x.kernel);
  f("at", x.at);
  f("kind", x.kind);
  f("tensor", x.tensor);
  f("requests", x.requests);
  f("sectors", x.sectors);
  f("ideal_sectors", x.ideal_sectors);
  f("bank_passes", x.bank_passes);
  f("bytes", x.bytes);
  f.later("lines", x.lines);
  f.later("l1_sectors", x.l1_sectors);
  f.later("misses", x.misses);
  f("approximate", x.approximate);
}

template <class V>
void fields(V& f, Is<LaunchCounters> auto& x) {
  f("threads", x.threads);
  f("dram_bytes_read", x.dram_bytes_read);
  f("dram_bytes_written", x.dram_bytes_written);
  f("l2_sectors", x.l2_sectors);
  f("global_requests", x.global_requests);
  f("shared_requests", x.shared_requests);
  f("shared_passes", x.shared_passes);
  f("barriers", x.barriers);
  f.later("grid_barriers", x.grid_barriers);
  f("atomics", x.atomics);
  f.later("warp_operations", x.warp_operations);
  f.later("chained_misses", x.chained_misses);
  f.later("chained_dram_misses", x.chained_dram_misses);
  f.later("chained_shared", x.chained_shared);
  f.later("cluster_barriers", x.cluster_barriers);
  f.later("remote_requests", x.remote_requests);
  f.later("chained_remote", x.chained_remote);
  f("flops", x.flops);
  f.later("tensor_flops", x.tensor_flops);
  f("blocks_total", x.blocks_total);
  f("blocks_sampled", x.blocks_sampled);
  f("traffic", x.traffic);
  f("sites", x.sites);
}

template <class V>
void fields(V& f, Is<ModelledTime> auto& x) {
  f("gpu", x.gpu);
  f("total_us", x.total_us);
  f("launch_us", x.launch_us);
  f("dram_us", x.dram_us);
  f.later("dispatch_us", x.dispatch_us);
  f("l2_us", x.l2_us);
  f("sm_us", x.sm_us);
  f("arithmetic_us", x.arithmetic_us);
  f.later("tensor_us", x.tensor_us);
  f("latency_us", x.latency_us);
  f.later("atomics_us", x.atomics_us);
  f("bound", x.bound);
}

template <class V>
void fields(V& f, Is<LaunchRecord> auto& x) {
  f("kernel", x.kernel);
  f.later("step", x.step);
  f.later("resident_blocks", x.resident_blocks);
  f.later("resident_limit", x.resident_limit);
  f.later("empty_slots", x.empty_slots);
  f.later("count", x.count);
  f("grid", x.grid);
  f("block", x.block);
  f("shared_bytes", x.shared_bytes);
  f.later("registers", x.registers);
  f("counters", x.counters);
  f("modelled", x.modelled);
  f("warm_us", x.warm_us);
  f("cold_us", x.cold_us);
}

template <class V>
void fields(V& f, Is<HostCall> auto& x) {
  f("kind", x.kind);
  f("name", x.name);
  f("thread", x.thread);
  f("stream", x.stream);
  f("begin_us", x.begin_us);
  f("end_us", x.end_us);
  f("device_begin_us", x.device_begin_us);
  f("device_end_us", x.device_end_us);
  f("waits", x.waits);
}

template <class V>
void fields(V& f, Is<Benchmark> auto& x) {
  f("name", x.name);
  f("sizes", x.sizes);
  f("tensors", x.tensors);
  f("launches", x.launches);
  f("modelled_total_us", x.modelled_total_us);
  f("graph_warm_us", x.graph_warm_us);
  f("graph_cold_us", x.graph_cold_us);
  f("host_us", x.host_us);
  f("cpu_us", x.cpu_us);
  f.later("note", x.note);
  f.later("calls", x.calls);
  f.later("calls_left_out", x.calls_left_out);
}

template <class V>
void fields(V& f, Is<FirstWrong> auto& x) {
  f("index", x.index);
  f("got", x.got);
  f("expected", x.expected);
  f("written", x.written);
  f("writer", x.writer);
  f.later("writer_name", x.writer_name);
  f("at", x.at);
  f("called_from", x.called_from);
}

template <class V>
void fields(V& f, Is<Check> auto& x) {
  f("who", x.who);
  f("tensor", x.tensor);
  f("max_difference", x.max_difference);
  f("tolerance", x.tolerance);
  f.later("relative", x.relative);
  f("wrong", x.wrong);
  f("total", x.total);
  f("first_wrong", x.first_wrong);
  f.later("worst_difference", x.worst_difference);
  f.later("worst_accepted", x.worst_accepted);
}

template <class V>
void fields(V& f, Is<Score> auto& x) {
  f("name", x.name);
  f("spent", x.spent);
  f("budget", x.budget);
}

template <class V>
void fields(V& f, Is<CaseResult> auto& x) {
  f("name", x.name);
  f("sizes", x.sizes);
  f("engine", x.engine);
  f("checks", x.checks);
  f("diagnosis", x.diagnosis);
  f.later("scores", x.scores);
  f.later("places", x.places);
}

template <class V>
void fields(V& f, Is<Finding> auto& x) {
  f("class", x.klass);
  f("severity", x.severity);
  f("kernel", x.kernel);
  f("at", x.at);
  f("other", x.other);
  f("who", x.who);
  f("other_who", x.other_who);
  f("object", x.object);
  f("count", x.count);
  f("message", x.message);
  f("advice", x.advice);
  f("on_case", x.on_case);
  f.later("fatal", x.fatal);
  f("called_from", x.called_from);
  f.later("reach", x.reach);
}

template <class V>
void fields(V& f, Is<CompileError> auto& x) {
  f("at", x.at);
  f("column", x.column);
  f("message", x.message);
}

template <class V>
void fields(V& f, Is<RunRecord> auto& x) {
  f("id", x.id);
  f("started_at", x.started_at);
  f("elapsed_ms", x.elapsed_ms);
  f("puzzle", x.puzzle);
  f("puzzle_name", x.puzzle_name);
  f("puzzle_title", x.puzzle_title);
  f("variant", x.variant);
  f("origin", x.origin);
  f("backend", x.backend);
  f("device", x.device);
  f("source", x.source);
  f("source_hash", x.source_hash);
  f("verdict", x.verdict);
  f("detail", x.detail);
  f("at", x.at);
  f("cases", x.cases);
  f("findings", x.findings);
  f("compile_errors", x.compile_errors);
  f("benchmarks", x.benchmarks);
  f.later("untimed", x.untimed);
  f("learner_output", x.learner_output);
}

template <class V>
void fields(V& f, Is<KernelTotals> auto& x) {
  f("kernel", x.kernel);
  f("launches", x.launches);
  f("grid", x.grid);
  f("block", x.block);
  f("shared_bytes", x.shared_bytes);
  f("counters", x.counters);
  f("modelled", x.modelled);
}

template <class V>
void fields(V& f, Is<ProgramReport> auto& x) {
  f("gpu", x.gpu);
  f("diagnosing", x.diagnosing);
  f("kernels", x.kernels);
  f("findings", x.findings);
  f("ended_by", x.ended_by);
  f("at", x.at);
  f.later("calls", x.calls);
  f.later("calls_left_out", x.calls_left_out);
}

template <class V>
void fields(V& f, Is<SweepPoint> auto& x) {
  f("variant", x.variant);
  f("sizes", x.sizes);
  f("bytes", x.bytes);
  f("dram_bytes", x.dram_bytes);
  f("flops", x.flops);
  f("median_us", x.median_us);
  f("low_us", x.low_us);
  f("high_us", x.high_us);
  f("note", x.note);
}

template <class V>
void fields(V& f, Is<Sweep> auto& x) {
  f("id", x.id);
  f("started_at", x.started_at);
  f("puzzle", x.puzzle);
  f("puzzle_name", x.puzzle_name);
  f("puzzle_title", x.puzzle_title);
  f("origin", x.origin);
  f("backend", x.backend);
  f("device", x.device);
  f("dimension", x.dimension);
  f("variants", x.variants);
  f("complete", x.complete);
  f("points", x.points);
}

}  // namespace workbook::runs
