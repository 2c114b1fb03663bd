// Two runs side by side, as data: what the Compare panel draws. No drawing here, so that tests can look.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/record.h"
#include "runs/timing.h"

namespace workbook::viewer {

/// Where a time comes from. The two kinds are never mixed unmarked.
enum class Basis { none, modelled, measured };

struct Timing {
  Basis basis = Basis::none;
  double median_us = 0.0;
  double low_us = 0.0;   ///< p10 of the samples; equal to the median when modelled
  double high_us = 0.0;  ///< p90
  int samples = 0;
};

/// Median, p10 and p90 of samples, by linear interpolation between neighbours.
Timing summarise(std::vector<double> samples_us);

/// What lies between the work of launches, as every panel calls it: the model knows that it is what starting
/// one costs, a GPU's times do not say.
std::string overhead_words(Basis basis);

/// One launch on the time axis: first what it costs to start it, then its work.
struct Segment {
  std::string kernel;
  runs::Dim3 grid, block;
  std::int64_t count = 1;  ///< launches; more than 1: all of the kernel's in a program
  double start_us = 0.0;
  double gap_us = 0.0;  ///< launch overhead, before the work
  double busy_us = 0.0;
  Timing time;                                ///< of the launch alone
  runs::BoundBy bound = runs::BoundBy::none;  ///< what bounds it on the modelled clock; none when measured
  bool counted = false;
  std::int64_t bytes_read = 0, bytes_written = 0;
  double flops = 0.0;
  double tensor_flops = 0.0;  ///< of them by tensor cores, fragments counted whole
  double end_us() const { return start_us + gap_us + busy_us; }
};

/// A tensor that travels through DRAM between launches: written by some, read again by others.
struct Carried {
  std::string name;
  std::vector<std::int64_t> shape;
  std::int64_t bytes = 0;
  std::int64_t bytes_written = 0, bytes_read = 0;
  std::vector<int> writers, readers;  ///< launch numbers, from 0
};

/// DRAM traffic of one global tensor over all launches.
struct TensorBytes {
  std::string name;
  runs::TensorRole role;
  std::int64_t bytes_read = 0, bytes_written = 0;
};

/// One run at one shape.
struct Side {
  bool present = false;  ///< false: the run has no benchmark of that name
  std::int64_t run = 0;
  std::string variant, origin, device;
  std::string basis_text;  ///< "modelled (H200)" or "measured on NVIDIA H200, cold"
  Basis basis = Basis::none;
  runs::Sizes sizes;
  std::vector<Segment> segments;
  std::vector<Carried> carried;
  std::vector<TensorBytes> traffic;
  Timing total;                 ///< as `contestant` has it; where only launches were timed, their sum
  runs::Contestant contestant;  ///< what is compared with another side, as the terminal compares it
  runs::Benchmark benchmark;    ///< what its gain over another side is told from
  bool counted = false;         ///< every launch has counters
  bool lists_tensors = false;   ///< a program does not say what its memory holds
  std::int64_t bytes_read = 0, bytes_written = 0;
  double flops = 0.0;
  double tensor_flops = 0.0;
  std::int64_t launches() const { return contestant.launches; }
  std::int64_t bytes() const { return bytes_read + bytes_written; }
  double intensity() const { return bytes() > 0 ? flops / static_cast<double>(bytes()) : 0.0; }
};

Side make_side(const runs::RunRecord& run, const std::string& benchmark);

enum class Tone { neutral, good, bad };

/// The story in words.
struct Verdict {
  std::string headline;  ///< "Fused is 3.70x as fast as unfused", in the terminal's words
  std::string detail;    ///< "It saves 3 launches and 3 intermediate tensors, ..."
  std::string why;       ///< what launches, bytes and the kernels themselves have to do with it; may be empty
  Tone tone = Tone::neutral;
};
Verdict judge(const Side& a, const Side& b);

/// One figure of both runs, B against A.
struct Row {
  std::string label, a, b, difference, ratio;
  std::string metric;           ///< NVIDIA's name of it, where there is one
  Tone tone = Tone::neutral;    ///< of the difference
  double from = 0.0, to = 0.0;  ///< A's and B's, as numbers
  std::string magnitude = {};   ///< of the difference, without its sign; empty where there is none
  std::string note = {};        ///< why the difference is no verdict, where it is none
};
std::vector<Row> difference_table(const Side& a, const Side& b);

/// Names for A and B that tell them apart: the variants, else origins, else whether they were measured, else
/// run numbers.
std::pair<std::string, std::string> names_apart(const Side& a, const Side& b);

}  // namespace workbook::viewer
