// The judge's side: a backend whose kernels run in another program, which is started confined and never sees
// what is expected of them. What it says of launches and findings is believed as far as it fits together;
// what it computed is compared here.
#include "core/backend.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "channel.h"
#include "workload_json.h"

// The variants' functions are the other program's.
const workbook::Launchers workbook::launchers = {};

namespace workbook::apart {
namespace {

using runs::Json;
namespace say = says;

/// What no launch can be, or what is made of it could not be counted.
bool is_possible(const runs::LaunchRecord& launch) {
  constexpr std::uint32_t kMostThreads = 1024, kMostBlocks = 0x7fffffff, kMostRows = 65535;
  const auto within = [](std::uint32_t size, std::uint32_t most) { return size >= 1 && size <= most; };
  const runs::Dim3 &grid = launch.grid, &block = launch.block;
  return within(block.x, kMostThreads) && within(block.y, kMostThreads) && within(block.z, kMostThreads) &&
         block.x * block.y * block.z <= kMostThreads && within(grid.x, kMostBlocks) &&
         within(grid.y, kMostRows) && within(grid.z, kMostRows);
}

class Backend : public core::Backend {
 public:
  explicit Backend(const core::Options& options) : channel_(start(options.apart)) {
    const Json hello = ask({{"says", say::kHello}, {"gpu", options.gpu}});
    device_ = hello.at("device");
    engine_ = hello.at("engine");
  }
  ~Backend() override {
    close(end_);
    kill(kernels_, SIGKILL);
    waitpid(kernels_, nullptr, 0);
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  runs::Backend name() const override { return runs::Backend::sim; }
  std::string device() const override { return device_; }
  std::string engine() const override { return engine_; }
  bool is_apart() const override { return true; }

  core::Execution execute(const core::Workload& workload) override {
    runs::RunRecord said = carry_out(say::kExecute, workload);
    for (const runs::Benchmark& benchmark : said.benchmarks)
      for (const runs::LaunchRecord& launch : benchmark.launches)
        if (!is_possible(launch)) lost();
    core::Execution out;
    try {
      for (const runs::TensorInfo& info : workload.tensors)
        out.values.push_back(channel_.receive(static_cast<std::size_t>(info.bytes)));
    } catch (const Silence&) {
      lost();
    }
    if (!said.benchmarks.empty()) out.launches = std::move(said.benchmarks.front().launches);
    out.findings = std::move(said.findings);
    return out;
  }

  std::optional<core::Writer> writer_of(int tensor, std::int64_t element) const override {
    const Json said = ask({{"says", say::kWriter}, {"tensor", tensor}, {"element", element}});
    const std::vector<runs::Finding> found = understood(said).findings;
    if (found.empty()) return std::nullopt;
    core::Writer writer;
    writer.who = found.front().who;
    if (found.front().at.line > 0) writer.at = found.front().at;
    writer.name = found.front().object;
    return writer;
  }

  std::optional<runs::SourceLine> caller_of_writer(const core::Workload&, int tensor,
                                                   std::int64_t element) override {
    const Json said = ask({{"says", say::kCaller}, {"tensor", tensor}, {"element", element}});
    const std::vector<runs::Finding> found = understood(said).findings;
    return found.empty() ? std::nullopt : std::optional(found.front().at);
  }

  std::vector<runs::Finding> last_findings() override { return std::move(last_findings_); }

  runs::Benchmark benchmark(const core::Workload& workload) override {
    runs::RunRecord said = carry_out(say::kBenchmark, workload);
    return said.benchmarks.empty() ? runs::Benchmark() : std::move(said.benchmarks.front());
  }

  std::vector<runs::Finding> take_advice() override {
    return understood(ask({{"says", say::kAdvice}})).findings;
  }

 private:
  /// Starts the program with the other end of a socket.
  Channel start(const std::vector<std::string>& command) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    kernels_ = fork();
    if (kernels_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (ends[1] == kKernelsEnd) {
        const int kept = dup(ends[1]);
        close(ends[1]);
        dup2(kept, kKernelsEnd);
        close(kept);
      } else {
        dup2(ends[1], kKernelsEnd);
      }
      execvp(argv[0], argv.data());
      _exit(127);
    }
    close(ends[1]);
    if (kernels_ < 0) throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
    end_ = ends[0];
    return Channel(end_);
  }

  runs::RunRecord carry_out(const char* what, const core::Workload& workload) {
    try {
      channel_.send({{"says", what}, {"workload", to_json(workload)}});
      for (const core::Bytes& bytes : workload.initial) channel_.send(std::span<const std::byte>(bytes));
    } catch (const Silence&) {
      lost();
    }
    return understood(answer(&workload));
  }

  Json ask(const Json& question) const {
    try {
      channel_.send(question);
    } catch (const Silence&) {
      lost();
    }
    return answer(nullptr);
  }

  /// What is said last of a request, once it is done. Tells of the steps on the way.
  Json answer(const core::Workload* workload) const {
    try {
      for (;;) {
        Json said = channel_.receive();
        const std::string what = said.at("says").get<std::string>();
        if (what == say::kDone) return said;
        if (what == say::kLaunchFailed) throw core::LaunchFailed(said.at("why").get<std::string>());
        if (what == say::kFailed) throw std::runtime_error(said.at("why").get<std::string>());
        if (what == say::kLost) {
          last_words_ = said.at("lines").get<std::vector<std::string>>();
          last_findings_ = understood(said).findings;
        } else if (what == say::kStep && workload != nullptr) {
          const std::string step = said.at("name").get<std::string>();
          workload->on_step(Step{step});
        }
      }
    } catch (const Silence&) {
      lost();
    } catch (const nlohmann::json::exception&) {
      lost();
    }
  }

  /// What a message holds as a record holds it, read as strictly.
  runs::RunRecord understood(const Json& said) const {
    try {
      return runs::run_from_json(said.at("record"));
    } catch (const std::exception&) {
      lost();
    }
  }

  /// The kernels' program has ended, or says what is no answer.
  [[noreturn]] void lost() const {
    close(end_);
    int status = 0;
    // It may go on without its end of the socket: whoever started the judge has a limit of time for both.
    waitpid(kernels_, &status, 0);
    throw core::KernelsLost{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), last_words_};
  }

  int end_ = -1;
  pid_t kernels_ = -1;
  Channel channel_;
  std::string device_, engine_;
  mutable std::vector<std::string> last_words_;
  mutable std::vector<runs::Finding> last_findings_;
};

}  // namespace
}  // namespace workbook::apart

namespace workbook::core {

std::unique_ptr<Backend> make_backend(const Options& options) {
  if (options.apart.empty()) throw std::invalid_argument("--apart COMMAND is missing");
  return std::make_unique<apart::Backend>(options);
}

}  // namespace workbook::core
