// Launches that come after a kernel's fault.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "sim/engine/arena.h"
#include "sim/engine/registered.h"
#include "sim/engine/runtime.h"

namespace workbook::sim {
namespace {

/// Puts back, at its end, what lay in memory that host and device share at its beginning.
class KeptHostMemory {
 public:
  KeptHostMemory() {
    const Arena& arena = Arena::get();
    for (const auto& a : arena.allocations())
      if (a != nullptr && a->live && a->on_host()) keep(arena.address_of(a->offset), a->bytes);
    for (const auto& [address, bytes] : registered_ranges()) keep(address, bytes);
  }
  ~KeptHostMemory() {
    for (const Kept& k : kept_)
      std::memcpy(reinterpret_cast<void*>(k.address), k.bytes.data(), k.bytes.size());
  }
  KeptHostMemory(const KeptHostMemory&) = delete;
  KeptHostMemory& operator=(const KeptHostMemory&) = delete;

 private:
  struct Kept {
    std::uintptr_t address;
    std::vector<char> bytes;
  };
  void keep(std::uintptr_t address, std::size_t bytes) {
    const auto* const from = reinterpret_cast<const char*>(address);
    kept_.push_back({address, {from, from + bytes}});
  }
  std::vector<Kept> kept_;
};

/// What printf() in kernels writes goes nowhere meanwhile.
class SilentOutput {
 public:
  SilentOutput() {
    std::fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    saved_ = dup(STDOUT_FILENO);
    if (saved_ >= 0) dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~SilentOutput() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  int saved_ = -1;
};

}  // namespace

void run_unseen(const std::function<void()>& launch) {
  const KeptHostMemory memory;
  const SilentOutput output;
  launch();
}

}  // namespace workbook::sim
