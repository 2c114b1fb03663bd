#include "case_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "budget.h"
#include "check.h"
#include "declaration.h"
#include "diagnose.h"
#include "places.h"
#include "runs/fresh_case.h"

namespace workbook::core {
namespace {

/// For the viewer: float, and NaN with every bit set where nothing was written.
std::vector<float> for_picture(const Contents& contents) {
  std::vector<float> values(contents.values.begin(), contents.values.end());
  const std::uint32_t bits = 0xffffffffu;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!contents.was_written(i)) std::memcpy(&values[i], &bits, sizeof bits);
  return values;
}

bool decides_values(const runs::Finding& finding) {
  return runs::is_race(finding.klass) || runs::is_uninitialised(finding.klass) ||
         runs::is_out_of_bounds(finding.klass);
}

/// Whether the simulator ends the threads that it finds so: what they would have stored is not there.
bool ends_threads(const runs::Finding& finding) {
  return finding.severity == runs::Severity::error &&
         (runs::is_out_of_bounds(finding.klass) || finding.klass == runs::FindingClass::misaligned ||
          finding.klass == runs::FindingClass::use_after_free);
}

class CaseChecker {
 public:
  CaseChecker(Backend& backend, const Task& task, const Variant& variant, void (*steps)(Run&),
              const Case& which, const Arguments& arguments, KnownMistakes& known, bool name_caller,
              bool traced, const std::function<void(const Step&)>& on_step)
      : backend_(backend),
        task_(task),
        variant_(variant),
        arguments_(arguments),
        known_(known),
        name_caller_(name_caller),
        data_(prepare(task, which, true, runs::is_fresh(which.name) ? arguments.seed : 0)),
        workload_(make_workload(task, variant, data_)) {
    workload_.run = steps;
    workload_.on_step = on_step;
    workload_.traced = traced;
  }

  CheckedCase run() {
    out_.result.name = data_.name;
    out_.result.sizes = {data_.dims.items().begin(), data_.dims.items().end()};
    out_.result.engine = backend_.engine();
    if (arguments_.host_versions) check_host_versions();
    execution_ = backend_.execute(workload_);
    if (arguments_.dump) dump();
    contents_.reserve(workload_.tensors.size());
    for (const auto& info : workload_.tensors) contents_.push_back(contents_of(info));
    for (const auto& info : workload_.tensors)
      if (const Tensor& tensor = *find_tensor(task_, info.name); tensor.role == Role::input)
        check_input(info);
      else if (tensor.tolerance)
        check_tensor(tensor, info);
    out_.lucky = std::any_of(execution_.findings.begin(), execution_.findings.end(), decides_values);
    look_for_known_mistakes();
    out_.result.scores = scores(variant_.budget, workload_, execution_.launches);
    if (out_.over_budget()) {
      out_.result.diagnosis = known_.waste(data_.name, out_.result.scores);
      if (out_.result.diagnosis.empty())
        out_.result.diagnosis = waste_of(out_.result.scores, execution_.launches);
    }
    keep_values();
    if (name_caller_) name_first_caller();
    out_.findings = std::move(execution_.findings);
    out_.launches = std::move(execution_.launches);
    keep_for_suppositions();
    return std::move(out_);
  }

 private:
  std::size_t id_of(const runs::TensorInfo& info) const { return static_cast<std::size_t>(info.id); }

  Contents contents_of(const runs::TensorInfo& info) const {
    const Type type = workload_.types[id_of(info)];
    const Bytes& bytes = execution_.values[id_of(info)];
    Contents contents{as_doubles(type, bytes)};
    if (!workload_.initial[id_of(info)].empty()) return contents;  // it began with values of its own
    contents.was_written = [this, type, &bytes, id = info.id](std::size_t i) {
      return !is_poison(type, bytes, i) || backend_.writer_of(id, static_cast<std::int64_t>(i)).has_value();
    };
    return contents;
  }

  /// The puzzle's own answers, checked against each other: a wrong one is the puzzle's fault.
  void check_host_versions() {
    HostArrays<double> second;
    HostArrays<float> on_cpu;
    if (task_.cross_check != nullptr) second = run_on_host<double>(task_, data_, task_.cross_check);
    if (task_.cpu != nullptr) on_cpu = run_on_host<float>(task_, data_, task_.cpu);
    for (const Tensor& tensor : task_.tensors) {
      if (tensor.role != Role::output) continue;
      const auto& expected = data_.reference.arrays.find(tensor.name)->second;
      const auto shape = extents(tensor, data_.dims);
      const Allowed allowed(tensor, data_.dims);
      const std::string name(tensor.name);
      // A double carries 2^-29 of a float's rounding error; a thousandth leaves room for ill-conditioned
      // rows.
      if (task_.cross_check != nullptr)
        out_.result.checks.push_back(compare("reference", name, {second.arrays[name]}, expected,
                                             {allowed.absolute * 1e-3, allowed.relative * 1e-3}, shape));
      if (task_.cpu != nullptr) {
        const std::vector<float>& computed = on_cpu.arrays[name];
        std::vector<double> values(computed.begin(), computed.end());
        for (double& value : values) value = rounded(tensor.type, value);
        out_.result.checks.push_back(compare("cpu", name, {std::move(values)}, expected, allowed, shape));
      }
    }
  }

  void check_input(const runs::TensorInfo& info) {
    const std::vector<double> given =
        as_doubles(workload_.types[id_of(info)], workload_.initial[id_of(info)]);
    runs::Check check =
        compare(std::string(variant_.name), info.name, contents_[id_of(info)], given, {0.0, 0.0}, info.shape);
    if (check.correct()) return;
    name_writer(info, check);
    if (out_.result.diagnosis.empty()) {
      out_.result.diagnosis = info.name + " is an input, and " + std::to_string(check.wrong) +
                              " of its elements " + "were overwritten: write to the output only.";
      out_.certain = true;
    }
    out_.result.checks.push_back(std::move(check));
  }

  void check_tensor(const Tensor& tensor, const runs::TensorInfo& info) {
    const std::vector<double>& expected = data_.reference.arrays.find(info.name)->second;
    const Contents& got = contents_[id_of(info)];
    const Allowed allowed(tensor, data_.dims);
    runs::Check check = compare(std::string(variant_.name), info.name, got, expected, allowed, info.shape);
    if (!check.correct()) {
      name_writer(info, check);
      if (out_.result.diagnosis.empty() && !is_known_wrong()) {
        const Suspicion suspicion = suspicion_of(tensor, info, got, expected, allowed);
        Diagnosis said = diagnose(suspicion);
        out_.result.diagnosis = std::move(said.words);
        out_.tells_cause = said.tells_cause;
        out_.goes_on = said.goes_on;
        // Where nearly all is wrong and it is told how, a picture adds nothing.
        if (!out_.tells_cause || !check.first_wrong->written || 4 * check.wrong < 3 * check.total)
          out_.result.places = places_of(suspicion);
        out_.certain = std::none_of(got.values.begin(), got.values.end(), [&](const double& value) {
          return got.was_written(static_cast<std::size_t>(&value - got.values.data()));
        });
      }
    }
    seen_.push_back({info.name, tensor.role, info.shape, got.values, expected, allowed, !check.correct()});
    out_.result.checks.push_back(std::move(check));
  }

  /// Whether a tensor that this one is made of is wrong: what this one looks like follows from that.
  bool is_known_wrong() const {
    return std::any_of(seen_.begin(), seen_.end(), [](const Seen& seen) { return seen.wrong; });
  }

  static std::int64_t position_of(const runs::TensorInfo& info, const runs::FirstWrong& first) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < info.shape.size(); ++d) position = position * info.shape[d] + first.index[d];
    return position;
  }

  void name_writer(const runs::TensorInfo& info, runs::Check& check) const {
    if (const auto writer = backend_.writer_of(info.id, position_of(info, *check.first_wrong))) {
      check.first_wrong->writer = writer->who;
      check.first_wrong->at = writer->at;
      check.first_wrong->writer_name = writer->name;
    }
  }

  /// Of the first wrong element, which is the one that is shown.
  void name_first_caller() {
    constexpr std::int64_t kMost = 1 << 20;  // bytes of a case that is small enough to be run again
    std::int64_t bytes = 0;
    for (const auto& info : workload_.tensors) bytes += info.bytes;
    if (bytes > kMost) return;
    for (runs::Check& check : out_.result.checks) {
      if (check.correct() || !check.first_wrong) continue;
      const auto info =
          std::find_if(workload_.tensors.begin(), workload_.tensors.end(),
                       [&](const runs::TensorInfo& known) { return known.name == check.tensor; });
      if (check.first_wrong->at && !check.first_wrong->at->file.ends_with(".cu") &&
          info != workload_.tensors.end())
        check.first_wrong->called_from =
            backend_.caller_of_writer(workload_, info->id, position_of(*info, *check.first_wrong));
      return;
    }
  }

  Suspicion suspicion_of(const Tensor& tensor, const runs::TensorInfo& info, const Contents& got,
                         const std::vector<double>& expected, const Allowed& allowed) const {
    Suspicion suspicion{tensor, info.shape, got, expected, allowed, {}, {}, {}};
    for (const runs::Finding& f : execution_.findings) {
      suspicion.nan_explained = suspicion.nan_explained || runs::is_out_of_bounds(f.klass) ||
                                runs::is_uninitialised(f.klass) ||
                                f.klass == runs::FindingClass::copy_not_waited;
      suspicion.threads_ended = suspicion.threads_ended || ends_threads(f);
      suspicion.undefined_values =
          suspicion.undefined_values ||
          (f.klass == runs::FindingClass::bad_warp_mask && f.severity == runs::Severity::error);
    }
    for (const runs::Check& check : out_.result.checks)
      if (check.who == variant_.name && check.correct()) suspicion.right_before.push_back(check.tensor);
    for (const auto& other : workload_.tensors)
      if (other.role == runs::TensorRole::input) {
        suspicion.inputs.emplace_back(other.name, contents_[id_of(other)].values);
        suspicion.input_shapes.push_back(other.shape);
      } else if (find_tensor(task_, other.name)->start == Start::filled) {
        const std::size_t id = id_of(other);
        suspicion.inputs.emplace_back("the old " + other.name,
                                      as_doubles(workload_.types[id], workload_.initial[id]));
        suspicion.input_shapes.push_back(other.shape);
      }
    for (const auto& [size_name, size] : data_.dims.items()) suspicion.sizes.push_back(size);
    constexpr std::size_t kMostAsked = 1 << 12;
    if (got.values.size() <= kMostAsked)
      suspicion.thread_of = [this, id = info.id](std::size_t i) {
        const auto writer = backend_.writer_of(id, static_cast<std::int64_t>(i));
        return writer ? writer->who : std::nullopt;
      };
    for (const runs::LaunchRecord& launch : execution_.launches)
      if (launch.block.y == 1 && launch.block.z == 1) suspicion.block_threads.push_back(launch.block.x);
    return suspicion;
  }

  /// Takes the data and what came out, which nothing needs any more.
  void keep_for_suppositions() {
    out_.seen.wrong = out_.wrong();
    for (const auto& info : workload_.tensors) {
      const Tensor& tensor = *find_tensor(task_, info.name);
      if (tensor.role == Role::input || !tensor.tolerance) continue;
      const auto check = std::find_if(
          out_.result.checks.begin(), out_.result.checks.end(),
          [&](const runs::Check& each) { return each.who == variant_.name && each.tensor == info.name; });
      out_.seen.got.emplace_back(info.name, std::move(contents_[id_of(info)].values));
      if (check != out_.result.checks.end() && !check->correct()) break;
    }
    if (!out_.launches.empty()) {
      const runs::LaunchRecord& launch = out_.launches.front();
      out_.seen.threads = std::int64_t{launch.grid.x} * launch.grid.y * launch.grid.z * launch.block.x *
                          launch.block.y * launch.block.z;
    }
    out_.seen.data = std::move(data_);
  }

  void look_for_known_mistakes() {
    known_.look_at(data_.name, seen_, out_.lucky);
    if (!arguments_.probe || !out_.wrong()) return;
    out_.probes = probes_of(seen_, false);
    if (!out_.lucky) out_.few_probes = probes_of(seen_, true);
  }

  void keep_values() {
    std::size_t elements = 0;
    for (const Contents& contents : contents_) elements += contents.values.size();
    if (elements > static_cast<std::size_t>(runs::kMostValues)) return;
    out_.values.on_case = data_.name;
    for (const auto& info : workload_.tensors) {
      const Tensor& tensor = *find_tensor(task_, info.name);
      runs::TensorValues values{info, for_picture(contents_[id_of(info)]), {}, 0.0};
      if (tensor.tolerance) {
        const auto& expected = data_.reference.arrays.find(info.name)->second;
        values.expected.assign(expected.begin(), expected.end());
        const Allowed allowed(tensor, data_.dims);
        double largest = 0.0;
        for (const double value : expected)
          if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
        values.tolerance = allowed.at(largest);
      }
      out_.values.tensors.push_back(std::move(values));
    }
  }

  /// Raw little-endian elements, one file a tensor, for comparing backends element by element.
  void dump() const {
    const std::filesystem::path folder = std::filesystem::path(arguments_.out) / "dump";
    std::filesystem::create_directories(folder);
    for (const auto& info : workload_.tensors) {
      if (info.role == runs::TensorRole::input) continue;
      std::string file = workload_.name + "." + info.name + "." + info.dtype;
      for (char& c : file)
        if (c == ' ' || c == '/') c = '_';
      const Bytes& bytes = execution_.values[id_of(info)];
      std::ofstream(folder / file, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }

  Backend& backend_;
  const Task& task_;
  const Variant& variant_;
  const Arguments& arguments_;
  KnownMistakes& known_;
  const bool name_caller_;
  Prepared data_;
  Workload workload_;
  Execution execution_;
  std::vector<Contents> contents_;  ///< by tensor id
  std::vector<Seen> seen_;          ///< the checked tensors, in dataflow order
  CheckedCase out_;
};

}  // namespace

bool CheckedCase::wrong() const {
  return std::any_of(result.checks.begin(), result.checks.end(),
                     [](const runs::Check& check) { return !check.correct(); });
}

bool CheckedCase::over_budget() const {
  return !wrong() && std::any_of(result.scores.begin(), result.scores.end(),
                                 [](const runs::Score& score) { return !score.within(); });
}

CheckedCase check_case(Backend& backend, const Task& task, const Variant& variant, void (*steps)(Run&),
                       const Case& which, const Arguments& arguments, KnownMistakes& known, bool name_caller,
                       bool traced, const std::function<void(const Step&)>& on_step) {
  return CaseChecker(backend, task, variant, steps, which, arguments, known, name_caller, traced, on_step)
      .run();
}

}  // namespace workbook::core
