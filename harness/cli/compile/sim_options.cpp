#include "cli/compile/sim_options.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/compile/nvcc_options.h"
#include "clock/gpus.h"

namespace workbook::cli {
namespace {

/// Goes through the words; an option takes its value from the same word or from the next one.
class OptionReader {
 public:
  explicit OptionReader(const std::vector<std::string>& words) : words_(words) {}

  bool next() {
    if (position_ >= words_.size()) return false;
    word_ = words_[position_++];
    return true;
  }
  const std::string& word() const { return word_; }
  std::vector<std::string> rest() const {
    return {words_.begin() + static_cast<std::ptrdiff_t>(position_), words_.end()};
  }

  /// `--name VALUE` or `--name=VALUE`.
  bool value_of(const std::string& name, std::string& value) {
    if (word_ == name) {
      value = following(name);
      return true;
    }
    if (!word_.starts_with(name + "=")) return false;
    value = word_.substr(name.size() + 1);
    return true;
  }

  /// `-Ivalue` or `-I value`.
  bool letter(const std::string& name, std::string& value) {
    if (!word_.starts_with(name) || word_.starts_with("--")) return false;
    value = word_.size() > name.size() ? word_.substr(name.size()) : following(name);
    return true;
  }

 private:
  std::string following(const std::string& name) {
    if (position_ >= words_.size()) throw UsageError(name + " wants a value.");
    return words_[position_++];
  }

  const std::vector<std::string>& words_;
  std::size_t position_ = 0;
  std::string word_;
};

const std::vector<std::string> kOptions = {
    "--report", "--gpu",           "--timeout", "--json", "--cxx",
    "--fast",   "--counters",      "--std",     "--help", "--expt-relaxed-constexpr",
    "--sample", "--default-stream"};

bool is_source(const std::string& file) {
  for (const char* end : {".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"})
    if (file.ends_with(end)) return true;
  return false;
}

/// Libraries of the CUDA Toolkit: the simulator has its own in their place, and no program finds NVIDIA's.
bool is_of_toolkit(const std::string& library) {
  static const std::vector<std::string> kNames = {
      "cuda",     "cudart",   "cudadevrt", "cublas",     "cublasLt",     "curand", "cufft",     "cufftw",
      "cusparse", "cusolver", "nvrtc",     "nvToolsExt", "nvtx3interop", "nvml",   "nvidia-ml", "culibos"};
  const std::string name = library.ends_with("_static") ? library.substr(0, library.size() - 7) : library;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void check(const SimOptions& options) {
  if (options.help) return;
  if (options.files.empty())
    throw UsageError("Which program? `workbook sim FILE.cu`; `workbook sim --help` says more.");
  for (const std::string& file : options.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw UsageError("There is no file " + file + ".");
    if (!std::filesystem::is_regular_file(file, error)) throw UsageError(file + " is not a file.");
    if (!is_source(file))
      throw UsageError(file +
                       " is no source file: its name ends in none of .cu, .cpp, .cc, .cxx, .c. Arguments " +
                       "for the program come after --.");
  }
  if (!(options.timeout_s > 0.0) || options.timeout_s > 86400.0)
    throw UsageError("--timeout wants seconds, more than 0 and at most 86400.");
  if (!(options.sample_percent > 0.0) || options.sample_percent > 100.0)
    throw UsageError("--sample wants a percentage of the blocks, more than 0 and at most 100.");
  if (options.fast && options.sample_percent < 100.0)
    throw UsageError("--fast checks no block, --sample some: which one?");
  if (sim::find_gpu(options.gpu) == nullptr) {
    std::vector<std::string> known;
    for (const sim::GpuSpec& gpu : sim::known_gpus()) known.emplace_back(gpu.key);
    throw UsageError("There is no GPU '" + options.gpu + "'." + did_you_mean(options.gpu, known) +
                     " There are: " + joined(known, ", ") + ".");
  }
  static const std::vector<std::string> kStandards = {"c++11",   "c++14",   "c++17",   "c++20",   "c++23",
                                                      "gnu++11", "gnu++14", "gnu++17", "gnu++20", "gnu++23"};
  if (std::find(kStandards.begin(), kStandards.end(), options.standard) == kStandards.end())
    throw UsageError("There is no standard '" + options.standard + "'." +
                     did_you_mean(options.standard, kStandards) + " There are: c++11 to c++23.");
}

bool is_stream_of_thread(const std::string& kind) {
  if (kind != "per-thread" && kind != "legacy" && kind != "null")
    throw UsageError("--default-stream is legacy or per-thread, not '" + kind + "'.");
  return kind == "per-thread";
}

bool is_cuda(const std::string& language) {
  if (language != "cu" && language != "c++" && language != "c")
    throw UsageError("-x wants cu, c++ or c, not '" + language + "'.");
  return language == "cu";
}

/// 0, which no option takes, for what is no number.
double number_or_zero(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end == text.c_str() || *end != '\0' ? 0.0 : number;
}

}  // namespace

SimOptions read_sim_options(const std::vector<std::string>& typed) {
  SimOptions options;
  const std::vector<std::string> words = without_nvcc_options(typed);
  OptionReader reader(words);
  std::string value;
  while (reader.next()) {
    const std::string& word = reader.word();
    if (word == "--") {
      options.arguments = reader.rest();
      break;
    }
    if (word == "--json")
      options.json = true;
    else if (word == "--fast")
      options.fast = true;
    else if (word == "--counters")
      options.counters = true;
    else if (word == "--expt-relaxed-constexpr")
      options.relaxed_constexpr = true;
    else if (word == "--help" || word == "-h")
      options.help = true;
    else if (reader.value_of("--report", options.report) || reader.value_of("--gpu", options.gpu) ||
             reader.value_of("--cxx", options.cxx) || reader.value_of("-std", options.standard))
      continue;
    else if (reader.value_of("--default-stream", value))
      options.stream_of_thread = is_stream_of_thread(value);
    else if (reader.value_of("-x", value))
      options.all_cuda = is_cuda(value);
    else if (reader.value_of("-include", value))
      options.headers.push_back(value);
    else if (reader.value_of("--timeout", value))
      options.timeout_s = number_or_zero(value);
    else if (reader.value_of("--sample", value))
      options.sample_percent = number_or_zero(value);
    else if (word == "-fopenmp")
      options.openmp = true;
    else if (word == "-fpermissive" || word == "-funsigned-char")
      options.warnings.push_back(word);
    else if (reader.letter("-I", value))
      options.includes.push_back(value);
    else if (reader.letter("-D", value))
      options.defines.push_back("-D" + value);
    else if (reader.letter("-U", value))
      options.defines.push_back("-U" + value);
    else if (reader.letter("-l", value)) {
      if (!is_of_toolkit(value)) options.libraries.push_back("-l" + value);
    } else if (word.starts_with("-Wl,"))
      options.libraries.push_back(word);
    else if (reader.letter("-L", value))
      options.libraries.push_back("-L" + std::filesystem::absolute(value).string());
    else if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3')
      options.optimisation = word;
    else if (word.starts_with("-W") && word.size() > 2)
      options.warnings.push_back(word);
    else if (word.starts_with('-') && word.size() > 1)
      throw UsageError("There is no option '" + word + "'." + did_you_mean(word, kOptions) +
                       " `workbook sim --help` lists them; arguments for the program come after --.");
    else
      options.files.push_back(word);
  }
  check(options);
  return options;
}

std::string sim_help() {
  return R"(workbook sim FILE.cu [more files] [options] [-- arguments of the program]

Compiles a CUDA program for the simulator and runs it here, without a GPU. Its input, output and exit status
are its own. What is wrong with it is said on standard error when it has ended; then the status is 1.

  --report OUT.json    findings, counters by source line, and totals, as JSON
  --counters           print a table of what each kernel did
  --fast               an optimised build without findings and counters
  --sample PERCENT     check so many of each launch's blocks, spread over the grid (32 at least, all where blocks
                       run together), and let the others run unchecked: all results are computed, findings and
                       counters are those of the checked blocks, and the report says how many they were
  --gpu NAME           the GPU that is modelled: t4, rtx4090, a100, h100, h200 (h200)
  --timeout SECONDS    the longest it may run (300), waiting included; time in which other programs have the
                       processors does not count. What it has found until then is said, which may take 10 s more
  --cxx COMPILER       g++ or clang++ (also WORKBOOK_CXX)
  --json               the report as the last line of standard output, and nothing on standard error
  --expt-relaxed-constexpr
                       kernels may call constexpr functions of the host, as with nvcc's option of that name
  --default-stream KIND
                       legacy or per-thread: what stream 0 is, as with nvcc's option of that name
  -I DIR, -isystem DIR, -D NAME[=VALUE], -U NAME, -include FILE, -std=c++NN, -x cu, -O0 to -O3, -W..., -fopenmp,
  -l NAME, -L DIR      as the compiler has them; for libraries of the CUDA Toolkit the simulator has its own. The
                       simulator's headers are C++20, so programs in an older standard are compiled as C++20 too.
  nvcc's other options (-arch, -gencode, -rdc, -maxrregcount, -Xptxas, -lineinfo, -o and so on, long and short)
                       can stand there and change nothing; of -Xcompiler and -Xlinker what concerns messages,
                       macros, libraries and OpenMP is taken

Exit status: the program's own; 1 if there is an error finding; 2 usage; 3 it does not compile; 4 it crashed
or did not end in time; 5 the workbook's own fault.
)";
}

}  // namespace workbook::cli
