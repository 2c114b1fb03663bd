#include "replay.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <map>
#include <set>

#include "arena.h"
#include "host_copies.h"
#include "sim/source/symbols.h"

/// Only in a program that has something unset.
extern "C" [[gnu::weak]] std::array<std::int32_t, workbook::sim::kUnsetWordsInAll> workbook_sim_unset_words;

namespace workbook::sim {
namespace {

// What is looked at: bounded by what a launch does, so that it is the same on every machine.
constexpr std::uint64_t kMostThreads = 65536;          // of a launch
constexpr std::uint64_t kMostWork = 30'000'000;        // of a launch, in accesses
constexpr std::uint64_t kWorkInAll = 100'000'000;      // of all launches that are compared, each once
constexpr int kTimesPrepared = 8, kTimesCompared = 2;  // a kernel
constexpr std::size_t kMostPages = 16384, kPageBytes = Shadow::kPageBytes;
constexpr std::size_t kMostWords = 65536;  // that are told of
constexpr std::size_t kMostStrays = 64;
constexpr std::size_t kMostVariableBytes = std::size_t{1} << 20;

std::atomic<bool> on{false};
std::atomic<std::uint64_t> work_done{0};
std::array<std::atomic<Pc>, kUndefinedKinds> undefined_at{};

struct Times {
  int prepared = 0, compared = 0;
};
std::map<const void*, Times>& times() {  // by kernel; under the lock of launches
  static auto& all = *new std::map<const void*, Times>;
  return all;
}

/// What the copies and the program share.
struct Room {
  std::uint32_t pages;   ///< first those that the program names, then what the copy leaves
  std::uint32_t strays;  ///< accesses outside of every array, also those that were told of before
  Pc stray_at[kMostStrays];
  std::uint32_t numbers[kMostPages];
  std::uint32_t stores[kMostPages]
                      [Shadow::kPageWords];            ///< offset of the return address; 0: it did not store
  std::uint8_t masks[kMostPages][Shadow::kPageWords];  ///< bytes that it stored
  std::uint8_t contents[kMostPages][kPageBytes];
  std::uint8_t variables[kMostVariableBytes];
};

struct Question {
  std::uint32_t first, end;
};

/// Who stored a word in the launch that is over, as Shadow::Context has it; null: it did not.
const Shadow::Context* writer_of(std::uint64_t word) {
  const Shadow& shadow = Arena::get().shadow();
  const Shadow::Record record = shadow.writer_now(word);
  return record == 0 ? nullptr : &shadow.context(record);
}

std::uint8_t* page_at(std::uint32_t number) {
  return reinterpret_cast<std::uint8_t*>(Arena::base()) + std::size_t{number} * kPageBytes;
}

/// Pages of device memory in which the launch has written.
std::vector<std::uint32_t> written_pages() {
  std::vector<std::uint32_t> pages;
  for (const std::uint32_t page : Arena::get().shadow().touched_pages()) {
    if (std::size_t{page} * kPageBytes >= kArenaBytes) continue;
    for (std::size_t word = 0; word < Shadow::kPageWords; ++word)
      if (writer_of(std::uint64_t{page} * Shadow::kPageWords + word) != nullptr) {
        pages.push_back(page);
        break;
      }
  }
  return pages;
}

/// Calls visit(address, bytes, place) for each variable that kernels may write, as many as there is room for.
template <class Visit>
void each_variable(Visit visit) {
  std::size_t place = 0;
  for_each_device_variable([&](const HostCopy& variable) {
    if (variable.is_constant() || place + variable.bytes > kMostVariableBytes) return;
    visit(variable.variable, variable.bytes, place);
    place += variable.bytes;
  });
}

[[noreturn]] void leave(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

bool read_all(int from, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = read(from, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::int32_t undefined_result(unsigned int what, Pc pc) {
  undefined_at[what % kUndefinedKinds].store(pc, std::memory_order_relaxed);
  return workbook_sim_unset_words[kUnsetWordsInAll - kUndefinedKinds + what % kUndefinedKinds];
}

Pc undefined_result_at(unsigned int what) { return undefined_at[what % kUndefinedKinds]; }

void Replay::turn_on() { on = true; }
bool replays() { return on; }

std::unique_ptr<Replay> Replay::prepare(const Launch& launch, std::function<void()> run) {
  const bool is_small = launch.blocks * launch.block_threads <= kMostThreads;
  if (!on || &workbook_sim_unset_words == nullptr || !is_small || launch.blocks_run_together())
    return nullptr;
  Times& of_kernel = times()[launch.kernel->function];
  if (of_kernel.prepared >= kTimesPrepared || of_kernel.compared >= kTimesCompared) return nullptr;
  ++of_kernel.prepared;
  int questions[2], answers[2];
  if (pipe2(questions, O_CLOEXEC) != 0) return nullptr;
  if (pipe2(answers, O_CLOEXEC) != 0) return close(questions[0]), close(questions[1]), nullptr;
  void* const room =
      mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  std::unique_ptr<Replay> replay(new Replay);
  if (room != MAP_FAILED) {
    replay->room_ = static_cast<std::uint8_t*>(room);
    const pid_t program = getpid();
    replay->copy_ = fork();
    if (replay->copy_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != program) leave(1);
      close(questions[1]), close(answers[0]);
      replay->questions_ = questions[0], replay->answers_ = answers[1];
      replay->wait(run);
    }
  }
  close(questions[0]), close(answers[1]);
  replay->questions_ = questions[1], replay->answers_ = answers[0];
  if (replay->copy_ < 0) return nullptr;
  return replay;
}

Replay::~Replay() {
  if (questions_ >= 0) close(questions_);
  if (answers_ >= 0) close(answers_);
  if (room_ != nullptr) munmap(room_, sizeof(Room));
  while (copy_ > 0 && waitpid(copy_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// In the copy: all stays as it was before the launch, which runs in copies of this one.
void Replay::wait(const std::function<void()>& run) {
  // What the kernel prints it has printed already, and what ends a copy is nobody's to see.
  if (const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0)
    for (const int out : {STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, out);
  for (const int signal : {SIGTERM, SIGINT}) ::signal(signal, SIG_DFL);
  Question question;
  while (read_all(questions_, &question, sizeof question)) {
    const pid_t self = getpid(), again = fork();
    if (again == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != self) leave(1);
      run_again(question.first, question.end, run);
    }
    int status = 1;
    while (again > 0 && waitpid(again, &status, 0) < 0 && errno == EINTR) {
    }
    const char answer = again > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (write(answers_, &answer, 1) != 1) break;
  }
  leave(0);
}

void Replay::run_again(unsigned int first, unsigned int end, const std::function<void()>& run) {
  // Not all the same: the difference of two of them depends on them, too.
  for (unsigned int place = first; place < end; ++place)
    workbook_sim_unset_words[place] = kOtherWord + static_cast<std::int32_t>(place % 16);
  Room& room = *reinterpret_cast<Room*>(room_);
  run();
  std::vector<std::uint32_t> pages(room.numbers, room.numbers + room.pages);
  const std::vector<std::uint32_t> own = written_pages();
  pages.insert(pages.end(), own.begin(), own.end());
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  if (pages.size() > kMostPages) leave(1);
  each_variable([&](std::uintptr_t address, std::size_t bytes, std::size_t place) {
    std::memcpy(room.variables + place, reinterpret_cast<const void*>(address), bytes);
  });
  room.strays = 0;
  for (const Pc pc : overruns_told())
    if (room.strays < kMostStrays) room.stray_at[room.strays++] = pc;
  room.pages = static_cast<std::uint32_t>(pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    room.numbers[i] = pages[i];
    std::memcpy(room.contents[i], page_at(pages[i]), kPageBytes);
    for (std::size_t k = 0; k < Shadow::kPageWords; ++k) {
      const Shadow::Context* const writer = writer_of(std::uint64_t{pages[i]} * Shadow::kPageWords + k);
      room.stores[i][k] = writer == nullptr ? 0 : writer->pc;
      room.masks[i][k] = writer == nullptr ? std::uint8_t{0} : writer->mask;
    }
  }
  leave(0);
}

/// Whether the launch ran again, with another number at the places [first, end).
bool Replay::ask(unsigned int first, unsigned int end) {
  Room& room = *reinterpret_cast<Room*>(room_);
  room.pages = static_cast<std::uint32_t>(pages_.size());
  std::copy(pages_.begin(), pages_.end(), room.numbers);
  const Question question{first, end};
  char answer = 0;
  return write(questions_, &question, sizeof question) == sizeof question && read_all(answers_, &answer, 1) &&
         answer != 0;
}

std::vector<UnsetWord> Replay::differences() const {
  const Room& room = *reinterpret_cast<const Room*>(room_);
  std::vector<UnsetWord> words;
  for (std::size_t i = 0; i < room.pages; ++i) {
    const std::uint8_t* const here = page_at(room.numbers[i]);
    const std::uint8_t* const there = room.contents[i];
    if (std::memcmp(here, there, kPageBytes) == 0) continue;
    for (std::size_t at = 0; at < kPageBytes; at += 4) {
      std::uint32_t mask = 0;
      for (unsigned int k = 0; k < 4; ++k) mask |= (here[at + k] != there[at + k] ? 1u : 0u) << k;
      if (mask == 0) continue;
      // A number of which one byte is another is another number.
      const std::uint64_t word = (std::uint64_t{room.numbers[i]} * kPageBytes + at) / 4;
      const Shadow::Context* const writer = writer_of(word);
      const std::uint32_t stored = writer != nullptr ? writer->mask : room.masks[i][at / 4],
                          store = writer != nullptr ? writer->pc : room.stores[i][at / 4];
      if ((stored & mask) != 0) mask |= stored & 0xfu;
      words.push_back({word, mask, store == 0 ? 0 : program_base() + store,
                       writer != nullptr && room.stores[i][at / 4] != 0});
    }
  }
  each_variable([&](std::uintptr_t address, std::size_t bytes, std::size_t place) {
    for (std::size_t at = 0; at < bytes; at += 4) {
      const std::size_t left = std::min<std::size_t>(4, bytes - at);
      if (std::memcmp(reinterpret_cast<const void*>(address + at), room.variables + place + at, left) != 0)
        words.push_back({(address + at) / 4, (1u << left) - 1, 0, true});
    }
  });
  return words;
}

/// The lowest place of an access that only the launch that ran again has made outside of every array; 0:
/// none.
Pc Replay::stray() const {
  const Room& room = *reinterpret_cast<const Room*>(room_);
  const std::set<Pc> own = overruns_told();
  for (std::uint32_t i = 0; i < room.strays; ++i)
    if (!own.contains(room.stray_at[i])) return room.stray_at[i];
  return 0;
}

/// The one place whose number makes the difference; nothing where several do together.
std::optional<unsigned int> Replay::find_place(const std::function<bool()>& is_there) {
  const auto depends = [&](unsigned int first, unsigned int end) { return ask(first, end) && is_there(); };
  unsigned int first = 0, end = kUnsetWordsInAll;
  while (end - first > 1) {
    const unsigned int middle = first + (end - first) / 2;
    if (depends(first, middle))
      end = middle;
    else if (depends(middle, end))
      first = middle;
    else
      return std::nullopt;
  }
  return first;
}

void Replay::compare(const Launch& launch, std::uint64_t work) {
  Times& of_kernel = times()[launch.kernel->function];
  if (work > kMostWork || work_done + work > kWorkInAll) {
    of_kernel.prepared = kTimesPrepared;  // blocks that run one after another for nothing
    return;
  }
  work_done += work;
  ++of_kernel.compared;
  pages_ = written_pages();
  if (pages_.size() > kMostPages) return;
  if (!ask(0, kUnsetWordsInAll)) return;
  std::vector<UnsetWord> words = differences();
  const Pc strayed = stray();
  if (words.empty() && strayed == 0) return;
  if (!ask(0, 0) || !differences().empty() || stray() != 0) return;  // it is not the same twice
  if (words.size() > kMostWords) words.resize(kMostWords);
  const auto has_strayed = [&] { return stray() == strayed; };
  const auto has_differed = [&] {
    const std::vector<UnsetWord> other = differences();
    return std::any_of(other.begin(), other.end(),
                       [&](const UnsetWord& w) { return w.word == words.front().word; });
  };
  std::optional<unsigned int> place;
  if (constexpr std::uint64_t kRuns = 28; work * kRuns <= kWorkInAll)
    place = strayed != 0 ? find_place(has_strayed) : find_place(has_differed);
  // What differs is what the access outside has changed, or not.
  if (strayed != 0)
    see_unset_index(launch, strayed, place);
  else
    see_unset_words(launch, words, place);
}

}  // namespace workbook::sim
