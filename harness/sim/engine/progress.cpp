#include "progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "program_variables.h"

namespace workbook::sim {
namespace {

std::atomic<std::uint64_t>* open_counter() {
  static std::atomic<std::uint64_t> unseen{0};
  const char* const name = std::getenv(kProgressVariable);
  const int file = name == nullptr ? -1 : open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) return &unseen;
  void* const memory = mmap(nullptr, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? &unseen : static_cast<std::atomic<std::uint64_t>*>(memory);
}

}  // namespace

void note_progress(std::uint64_t steps) {
  static std::atomic<std::uint64_t>& counter = *open_counter();
  counter.fetch_add(steps, std::memory_order_relaxed);
}

}  // namespace workbook::sim
