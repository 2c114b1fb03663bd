// The program of a stranger's kernels: it executes what the judge asks for, on the one backend that it is
// linked with, and hands back what came out. It knows no puzzle: no reference, no case, no other kernels.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#ifdef __GLIBC__
#include <printf.h>
#endif

#include "channel.h"
#include "core/backend.h"
#include "core/fatal_signals.h"
#include "workload_json.h"

namespace workbook::apart {
namespace {

using runs::Json;
namespace say = says;

Json record_of(std::vector<runs::Finding> findings, std::vector<runs::Benchmark> benchmarks = {}) {
  runs::RunRecord record;
  record.findings = std::move(findings);
  record.benchmarks = std::move(benchmarks);
  return runs::to_json(record);
}

Json done(std::vector<runs::Finding> findings, std::vector<runs::Benchmark> benchmarks = {}) {
  return {{"says", say::kDone}, {"record", record_of(std::move(findings), std::move(benchmarks))}};
}

class Server {
 public:
  /// Until the judge hangs up.
  void serve() {
    for (;;) {
      Json asked;
      try {
        asked = channel_.receive();
      } catch (const Silence&) {
        return;
      }
      try {
        answer(asked);
      } catch (const core::LaunchFailed& failure) {
        reply({{"says", say::kLaunchFailed}, {"why", failure.what()}});
      } catch (const Silence&) {
        return;
      } catch (const std::exception& error) {
        reply({{"says", say::kFailed}, {"why", error.what()}});
      }
    }
  }

  /// For the handler of signals: the program is lost.
  void say_last_words(int signal, std::uintptr_t pc, const void* address) {
    std::vector<std::string> lines;
    if (backend_ != nullptr) {
      backend_->leave_kernel();
      if (const char* reason = signal == SIGSEGV ? backend_->crash_reason(address) : ""; *reason != '\0')
        lines.push_back(std::string("reason ") + reason);
      if (const auto at = backend_->locate(pc))
        lines.push_back("at " + at->file + ":" + std::to_string(at->line));
    }
    channel_.send({{"says", say::kLost},
                   {"lines", lines},
                   {"record", record_of(backend_ != nullptr ? backend_->last_findings()
                                                            : std::vector<runs::Finding>())}});
  }

 private:
  /// What the kernels printed goes before: the judge ends this program when it has heard enough.
  void reply(const Json& message) const {
    std::fflush(stdout);
    channel_.send(message);
  }

  void answer(const Json& asked) {
    const std::string what = asked.at("says");
    if (what == say::kHello) {
      core::Options options;
      options.gpu = asked.at("gpu");
      backend_ = core::make_backend(options);
      reply({{"says", say::kDone}, {"device", backend_->device()}, {"engine", backend_->engine()}});
    } else if (what == say::kExecute) {
      take(asked);
      core::Execution execution = backend_->execute(workload_);
      runs::Benchmark benchmark;
      benchmark.launches = std::move(execution.launches);
      reply(done(std::move(execution.findings), {std::move(benchmark)}));
      for (const core::Bytes& values : execution.values) channel_.send(std::span<const std::byte>(values));
    } else if (what == say::kBenchmark) {
      take(asked);
      reply(done({}, {backend_->benchmark(workload_)}));
    } else if (what == say::kAdvice) {
      reply(done(backend_->take_advice()));
    } else if (what == say::kWriter) {
      std::vector<runs::Finding> found;
      if (const auto writer = backend_->writer_of(asked.at("tensor"), asked.at("element"))) {
        runs::Finding& finding = found.emplace_back();
        finding.who = writer->who;
        if (writer->at) finding.at = *writer->at;
        finding.object = writer->name;
      }
      reply(done(std::move(found)));
    } else if (what == say::kCaller) {
      std::vector<runs::Finding> found;
      if (const auto at = backend_->caller_of_writer(workload_, asked.at("tensor"), asked.at("element")))
        found.emplace_back().at = *at;
      reply(done(std::move(found)));
    }
  }

  /// The workload that is asked for, with its arrays, as the workload of now.
  void take(const Json& asked) {
    workload_ = workload_from(asked.at("workload"));
    for (core::Bytes& bytes : workload_.initial) bytes = channel_.receive(bytes.size());
    const auto launcher = std::find_if(launchers.begin(), launchers.end(), [&](const Launcher& each) {
      return each.variant == workload_.variant;
    });
    if (launcher == launchers.end() || launcher->run == nullptr)
      throw std::invalid_argument("launches.cu has no variant '" + workload_.variant + "'");
    workload_.run = launcher->run;
    // On a GPU launches are timed as the host makes them: nothing may be sent between two of them.
    workload_.on_step = [this](const Step& step) {
      if (backend_->name() == runs::Backend::sim)
        channel_.send({{"says", say::kStep}, {"name", std::string(step.name)}});
    };
  }

  Channel channel_{kKernelsEnd};
  std::unique_ptr<core::Backend> backend_;
  core::Workload workload_;
};

Server& server() {
  static Server only;
  return only;
}

volatile std::sig_atomic_t lost_to = 0;

void end_by_it(int) {
  ::signal(lost_to, SIG_DFL);
  raise(lost_to);
}

// As core::Stage does: saying where it was may allocate, and if that locks up or fails, it ends all the same.
void on_signal(int signal, siginfo_t* info, void* context) {
  if (lost_to == 0) {
    lost_to = signal;
    ::signal(SIGALRM, end_by_it);
    alarm(60);
    try {
      server().say_last_words(signal, core::interrupted_pc(context), info->si_addr);
    } catch (const std::exception&) {
    }
  }
  end_by_it(signal);
}

#ifdef __GLIBC__
int of_pointer(const printf_info*, std::size_t count, int* types, int* sizes) {
  if (count < 1) return 1;
  types[0] = PA_POINTER;
  sizes[0] = sizeof(void*);
  return 1;
}

int write_nothing(FILE*, const printf_info*, const void* const*) { return 0; }

/// A kernel's printf() has no %n: it would write where no check looks.
void take_from_printf_what_writes() { register_printf_specifier('n', write_nothing, of_pointer); }
#else
void take_from_printf_what_writes() {}
#endif

}  // namespace
}  // namespace workbook::apart

int main() {
  try {
    workbook::apart::take_from_printf_what_writes();
    workbook::core::handle_fatal_signals(workbook::apart::on_signal);
    workbook::apart::server().serve();
    std::fflush(stdout);
    _exit(0);  // threads of the kernels' own may go on for ever
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
