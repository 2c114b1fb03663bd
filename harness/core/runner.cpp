// The child program: checks and times one variant of the puzzle it is linked with and writes what it saw to
// DIR/report.json. The learner's code runs only here, so nothing it does can hurt the parent.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "backend.h"
#include "check.h"
#include "prepare.h"
#include "runs/json.h"
#include "runs/trace.h"
#include "stage.h"

namespace workbook::core {
namespace {

constexpr int kExitNoDevice = 77;

struct Arguments {
  std::string variant, phase, out;
  Options options;
  bool dump = false;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--dump") {
      a.dump = true;
      continue;
    }
    if (i + 1 >= argc) throw std::invalid_argument(flag + " needs a value");
    const std::string value = argv[++i];
    if (flag == "--variant")
      a.variant = value;
    else if (flag == "--phase")
      a.phase = value;
    else if (flag == "--out")
      a.out = value;
    else if (flag == "--gpu")
      a.options.gpu = value;
    else if (flag == "--loop-limit")
      a.options.loop_limit = std::chrono::milliseconds(std::stoll(value));
    else if (flag == "--size") {
      const auto equals = value.find('=');
      if (equals == std::string::npos) throw std::invalid_argument("--size wants NAME=NUMBER, not " + value);
      a.sizes.emplace_back(value.substr(0, equals), std::stoll(value.substr(equals + 1)));
    } else
      throw std::invalid_argument("unknown option " + flag);
  }
  if (a.out.empty()) throw std::invalid_argument("--out DIR is missing");
  return a;
}

runs::Sizes to_sizes(const Dims& dims) { return {dims.items().begin(), dims.items().end()}; }

/// Tells the stage file which kernel runs, whatever the backend.
class StagedRun : public Run {
 public:
  StagedRun(Run& inner, Stage& stage, const std::string& phase, const std::string& name)
      : inner_(inner), stage_(stage), phase_(phase), name_(name) {}
  int dim(std::string_view name) const override { return inner_.dim(name); }
  float* tensor(std::string_view name) override { return inner_.tensor(name); }
  CUstream_st* stream() const override { return inner_.stream(); }
  void launch(const LaunchInfo& info, const std::function<void()>& body) override {
    stage_.set(phase_, name_, std::string(info.kernel));
    inner_.launch(info, body);
  }

 private:
  Run& inner_;
  Stage& stage_;
  std::string phase_, name_;
};

class Runner {
 public:
  Runner(Backend& backend, Stage& stage, const Arguments& arguments, const Variant& variant)
      : backend_(backend), stage_(stage), arguments_(arguments), variant_(variant) {
    report_.puzzle = puzzle.number;
    report_.puzzle_title = puzzle.title;
    report_.variant = variant.name;
    report_.backend = backend.name();
    report_.device = backend.device();
    report_.verdict = "correct";
  }

  runs::RunRecord run() {
    const bool fast = backend_.engine() == "simulator, fast";
    const std::string& phase = arguments_.phase;
    try {
      if (phase.empty() ? !fast : phase == "check") check_cases();
      if (phase.empty() ? backend_.engine() != "simulator, diagnosing" : phase == "large")
        check_case({"large", puzzle.large, {}}, "large", false);
      if (report_.verdict == "correct" && (phase.empty() ? !fast : phase == "bench")) benchmark();
      if (phase == "sweep") benchmark_shape(phase, puzzle.bench, false);
    } catch (const LaunchFailed& failure) {
      report_.verdict = "crashed";
      report_.detail = failure.what();
    }
    return std::move(report_);
  }

 private:
  void check_cases() {
    for (std::size_t i = 0; i < puzzle.cases.size(); ++i) {
      Case which = puzzle.cases[i];
      // --size replaces sizes of the teaching shape and checks that one case only.
      for (const auto& [name, value] : arguments_.sizes) which.dims.set(name, value);
      check_case(which, "check", i == 0);
      if (!arguments_.sizes.empty() || stopped()) break;
    }
  }

  /// The kernel came to no end of its own: what follows would only say so again.
  bool stopped() const { return report_.verdict == "crashed" || report_.verdict == "timed_out"; }

  void check_case(const Case& which, const std::string& phase, bool teaching) {
    const Prepared data = prepare(puzzle, which, true);
    Workload workload = make_workload(puzzle, variant_, data);
    workload.run = [&, inner = workload.run](Run& run) {
      StagedRun staged(run, stage_, phase, data.name);
      inner(staged);
    };
    runs::CaseResult result;
    result.name = data.name;
    result.sizes = to_sizes(data.dims);
    result.engine = backend_.engine();
    check_host_versions(data, result);
    Execution execution = backend_.execute(workload);
    if (arguments_.dump) dump(workload, execution);
    if (teaching) {
      if (auto trace = backend_.take_trace()) trace_ = std::move(*trace);
      for (const runs::LaunchRecord& launch : execution.launches) {
        runs::LaunchRecord outline;
        outline.kernel = launch.kernel;
        outline.grid = launch.grid;
        outline.block = launch.block;
        outline.shared_bytes = launch.shared_bytes;
        trace_.launches.push_back(std::move(outline));
      }
    }
    for (const Tensor& tensor : puzzle.tensors)
      for (const auto& info : workload.tensors)
        if (info.name == tensor.name && tensor.role != Role::input && tensor.tolerance != nullptr)
          check_tensor(tensor, info, execution, data, result);
    const bool wrong = std::any_of(result.checks.begin(), result.checks.end(),
                                   [](const runs::Check& check) { return !check.correct(); });
    if (teaching || (wrong && !kept_wrong_)) keep_values(workload, execution, data);
    kept_wrong_ = kept_wrong_ || wrong;
    for (auto& finding : execution.findings) add_finding(std::move(finding), data.name);
    report_.cases.push_back(std::move(result));
  }

  void keep_values(const Workload& workload, const Execution& execution, const Prepared& data) {
    runs::CaseValues kept{data.name, {}};
    std::size_t elements = 0;
    for (const Tensor& tensor : puzzle.tensors)
      for (const auto& info : workload.tensors) {
        if (info.name != tensor.name) continue;
        const std::vector<float>& got = execution.values[static_cast<std::size_t>(info.id)];
        runs::TensorValues values{info, got, {}, 0.0};
        if (tensor.role == Role::input) {
          values.got = workload.initial[static_cast<std::size_t>(info.id)];
        } else if (tensor.tolerance != nullptr) {
          const auto& expected = data.reference.arrays.find(info.name)->second;
          values.expected.assign(expected.begin(), expected.end());
          values.tolerance = tensor.tolerance(data.dims);
        }
        elements += values.got.size();
        kept.tensors.push_back(std::move(values));
      }
    if (elements <= static_cast<std::size_t>(runs::kMostValues)) trace_.values.push_back(std::move(kept));
  }

  void check_host_versions(const Prepared& data, runs::CaseResult& result) {
    for (const Tensor& tensor : puzzle.tensors) {
      if (tensor.role != Role::output) continue;
      const auto& expected = data.reference.arrays.find(tensor.name)->second;
      const auto shape = extents(tensor, data.dims);
      const std::string name(tensor.name);
      // A double carries 2^-29 of a float's rounding error; a thousandth leaves room for ill-conditioned
      // rows.
      if (puzzle.cross_check != nullptr)
        add_check(result, compare("reference", name,
                                  run_on_host<double>(puzzle, data, puzzle.cross_check).arrays[name],
                                  expected, tensor.tolerance(data.dims) * 1e-3, shape));
      if (puzzle.cpu != nullptr)
        add_check(result, compare("cpu", name, run_on_host<float>(puzzle, data, puzzle.cpu).arrays[name],
                                  expected, tensor.tolerance(data.dims), shape));
    }
  }

  void add_check(runs::CaseResult& result, runs::Check check) {
    if (!check.correct()) {
      report_.verdict = "harness_error";
      report_.detail = "the puzzle's own " + check.who + " is wrong on case '" + result.name + "'";
    }
    result.checks.push_back(std::move(check));
  }

  void check_tensor(const Tensor& tensor, const runs::TensorInfo& info, const Execution& execution,
                    const Prepared& data, runs::CaseResult& result) {
    const Contents got{execution.values[static_cast<std::size_t>(info.id)], [&](std::size_t position) {
                         return backend_.writer_of(info.id, static_cast<std::int64_t>(position)).has_value();
                       }};
    const auto& expected = data.reference.arrays.find(info.name)->second;
    runs::Check check = compare(std::string(variant_.name), info.name, got, expected,
                                tensor.tolerance(data.dims), info.shape);
    if (!check.correct()) {
      std::int64_t position = 0;
      for (std::size_t d = 0; d < info.shape.size(); ++d)
        position = position * info.shape[d] + check.first_wrong->index[d];
      if (const auto writer = backend_.writer_of(info.id, position)) {
        check.first_wrong->writer = writer->who;
        check.first_wrong->at = writer->at;
      }
      if (result.diagnosis.empty()) result.diagnosis = diagnose(puzzle, data, tensor, got);
      if (report_.verdict == "correct" || report_.verdict == "finding") report_.verdict = "wrong";
    }
    result.checks.push_back(std::move(check));
  }

  void add_finding(runs::Finding finding, const std::string& on_case) {
    if (finding.fatal || finding.klass == "infinite_loop") {
      if (!stopped()) {
        report_.detail = finding.message;
        report_.at = finding.at;
        report_.verdict = finding.fatal ? "crashed" : "timed_out";
      }
    } else if (finding.severity == "error" && report_.verdict == "correct") {
      report_.verdict = "finding";
    }
    for (auto& known : report_.findings)
      if (known.klass == finding.klass && known.at.line == finding.at.line &&
          known.at.file == finding.at.file &&
          (known.other ? known.other->line : 0) == (finding.other ? finding.other->line : 0)) {
        known.count += finding.count;
        return;
      }
    finding.on_case = on_case;
    report_.findings.push_back(std::move(finding));
  }

  void benchmark() {
    benchmark_shape("teaching", puzzle.cases.front().dims, true);
    benchmark_shape("real", puzzle.bench, false);
  }

  void benchmark_shape(const std::string& name, Dims dims, bool time_cpu) {
    if (name != "real")  // --size is for the teaching shape, and for the points of a sweep
      for (const auto& [size, value] : arguments_.sizes) dims.set(size, value);
    const Prepared data = prepare(puzzle, {name, dims, {}}, false);
    Workload workload = make_workload(puzzle, variant_, data);
    stage_.set("bench", name, "");
    // On a GPU the launches are timed as the host makes them: no file may be written between two of them.
    if (backend_.name() == "sim")
      workload.run = [&, inner = workload.run](Run& run) {
        StagedRun staged(run, stage_, "bench", name);
        inner(staged);
      };
    runs::Benchmark result = backend_.benchmark(workload);
    result.name = name;
    result.sizes = to_sizes(dims);
    if (time_cpu && puzzle.cpu != nullptr) result.cpu_us = time_cpu_version(data);
    report_.benchmarks.push_back(std::move(result));
  }

  double time_cpu_version(const Prepared& data) const {
    using clock = std::chrono::steady_clock;
    HostArrays<float> arrays = run_on_host<float>(puzzle, data, puzzle.cpu);
    HostTensors<float> view = arrays.view();
    double best = 1e300;
    for (int i = 0; i < 20; ++i) {
      const auto start = clock::now();
      puzzle.cpu(data.dims, view);
      best = std::min(best, std::chrono::duration<double, std::micro>(clock::now() - start).count());
    }
    return best;
  }

  /// Raw little-endian floats, one file a tensor, for comparing backends element by element.
  void dump(const Workload& workload, const Execution& execution) const {
    const std::string folder = arguments_.out + "/dump";
    std::filesystem::create_directories(folder);
    for (const auto& info : workload.tensors) {
      const auto& values = execution.values[static_cast<std::size_t>(info.id)];
      if (values.empty()) continue;
      std::string file = workload.name + "." + info.name + ".f32";
      for (char& c : file)
        if (c == ' ' || c == '/') c = '_';
      std::ofstream(folder + "/" + file, std::ios::binary)
          .write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(float)));
    }
  }

 public:
  const runs::Trace& trace() const { return trace_; }

 private:
  Backend& backend_;
  Stage& stage_;
  const Arguments& arguments_;
  const Variant& variant_;
  runs::RunRecord report_;
  runs::Trace trace_;
  bool kept_wrong_ = false;  ///< trace_ has the values of a wrong case
};

/// Complete or not there: written beside its place and then renamed.
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path + ".part", std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  std::filesystem::rename(path + ".part", path);
}

int run(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  const Variant* variant = find_variant(puzzle, arguments.variant);
  if (variant == nullptr)
    throw std::invalid_argument("this puzzle has no variant '" + arguments.variant + "'");
  const auto backend = make_backend(arguments.options);
  Stage stage(arguments.out, backend.get());
  Runner runner(*backend, stage, arguments, *variant);
  const runs::RunRecord report = runner.run();
  if (!runner.trace().values.empty())
    write_file(arguments.out + "/trace.bin", runs::serialize(runner.trace()));
  write_file(arguments.out + "/report.json", runs::dump(runs::to_json(report)));
  return 0;
}

}  // namespace
}  // namespace workbook::core

int main(int argc, char** argv) {
  try {
    return workbook::core::run(argc, argv);
  } catch (const workbook::core::NoDevice& reason) {
    std::cerr << reason.what() << "\n";
    return workbook::core::kExitNoDevice;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 5;
  }
}
