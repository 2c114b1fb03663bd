// The shadow of device memory: what is known of each aligned word of 4 bytes, at 4 bytes a word for memory
// that is only filled and read, 8 for memory that kernels write, beside half a byte where it is not written
// by whole pages.
//
// What a launch does to a word it does, mostly, as it does to the words beside it: the lanes of a warp touch
// neighbours at one place of the program. So that is kept once, as a context, and a word has its number and
// the lane. Many threads may read one word: then it has the number of a pair of them. Contexts and pairs of
// past launches are known by their numbers, and are no more than memory to take back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace workbook::sim {

/// Addresses for memory that takes no room until it is used, and reads as zero; with `usable` false, for
/// memory that mprotect() makes usable. Ends the program with a sentence where the machine refuses them:
/// nothing here works without, and whoever asks first may be a constructor of the program.
void* reserve_memory(std::size_t bytes, bool usable = true);
/// Zeroes it and gives whole pages of it back.
void drop_memory(void* pointer, std::size_t bytes);

class Shadow {
 public:
  /// The warp (the number of its first lane in the grid), and the moment and place of what it did.
  struct Context {
    std::uint32_t generation, base, epoch, clock, pc;
    std::uint8_t mask,
        atomic;  ///< bytes of the word; 1: nothing but a signal, and 2: one of its block's scope
    /// The lane, counted from the record's, that wrote the word's other bytes before and at the same place,
    /// as threads do that store a half each; 0: who did is not known, or Cell::w_row tells.
    std::int8_t beside;
    std::uint8_t row;  ///< Cell::w_row
  };
  /// One thread's access: context * 32 + lane. 0: none.
  using Record = std::uint32_t;
  struct Pair {
    Record latest, before;
  };
  /// Who read a word: a Record, or kPair with the number of a pair. 0: nobody. In memory, kLocked is added
  /// while a worker looks at what is kept of the word and changes it, where other workers may do the same.
  using Readers = std::uint32_t;
  static constexpr std::uint32_t kPair = std::uint32_t{1} << 31, kLocked = std::uint32_t{1} << 30;

  explicit Shadow(std::size_t bytes);
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  std::uint32_t generation() const { return generation_; }
  /// What earlier launches did orders nothing any more. `contexts_` that nobody asks for are given back.
  void begin_launch(std::uint32_t generation);
  /// As if nobody had touched the words; [offset, offset + bytes) are whole ones.
  void forget(std::uint64_t offset, std::size_t bytes);

  // Initialised bytes of words: 4 bits each.
  void mark_initialised(std::uint64_t offset, std::size_t bytes);
  std::optional<std::uint64_t> first_uninitialised(std::uint64_t offset, std::size_t bytes) const;
  /// Of a word that was. Not while a launch runs.
  void mark_uninitialised(std::uint64_t word, std::uint32_t mask);
  [[gnu::always_inline]] std::uint32_t initialised(std::uint64_t word) const {
    const std::uint32_t page = __atomic_load_n(&pages_[word / kPageWords].state, __ATOMIC_RELAXED);
    if (page == kWhole) [[likely]]
      return 0xf;
    return page == kUntouched
               ? 0
               : __atomic_load_n(&nibbles_[word / 2], __ATOMIC_RELAXED) >> 4 * (word % 2) & 0xfu;
  }
  [[gnu::always_inline]] void initialise(std::uint64_t word, std::uint32_t mask) {
    std::uint32_t& page = pages_[word / kPageWords].state;
    const std::uint32_t state = __atomic_load_n(&page, __ATOMIC_RELAXED);
    if (state == kWhole) return;
    if (state == kUntouched) __atomic_store_n(&page, kMixed, __ATOMIC_RELAXED);
    // Two words share a byte, and may be written by two workers at once.
    const auto bits = static_cast<std::uint8_t>(mask << 4 * (word % 2));
    if ((__atomic_load_n(&nibbles_[word / 2], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&nibbles_[word / 2], bits, __ATOMIC_RELAXED);
  }

  Readers* readers(std::uint64_t word) { return &readers_[word]; }
  Record writer(std::uint64_t word) const { return __atomic_load_n(&writers_[word], __ATOMIC_RELAXED); }
  /// 0 where the launch has not written the word: most pages it has not written at all.
  [[gnu::always_inline]] Record writer_now(std::uint64_t word) const {
    if (__atomic_load_n(&pages_[word / kPageWords].written, __ATOMIC_ACQUIRE) != generation_) return 0;
    const Record record = writer(word);
    return record >= first_record_ ? record : 0;
  }
  [[gnu::always_inline]] void set_writer(std::uint64_t word, Record record) {
    __atomic_store_n(&writers_[word], record, __ATOMIC_RELAXED);
    std::uint32_t& written = pages_[word / kPageWords].written;
    if (__atomic_load_n(&written, __ATOMIC_RELAXED) == generation_) return;
    __atomic_store_n(&written, generation_, __ATOMIC_RELEASE);
    list_page(word / kPageWords);
  }
  /// The launch reads the word for the first time.
  [[gnu::always_inline]] void note_read(std::uint64_t word) {
    std::uint32_t& read = pages_[word / kPageWords].read;
    if (__atomic_load_n(&read, __ATOMIC_RELAXED) == generation_) return;
    __atomic_store_n(&read, generation_, __ATOMIC_RELAXED);
    list_page(word / kPageWords);
  }
  /// The latest launches that read and that wrote some word of these bytes' pages; 0: none.
  struct LatestUse {
    std::uint32_t read = 0, written = 0;
  };
  LatestUse latest_use(std::uint64_t offset, std::size_t bytes) const;
  /// The pages that the latest launch has touched, in order, each once; until the next one begins. Not while
  /// it runs.
  std::vector<std::uint32_t> touched_pages() const;
  [[gnu::always_inline]] static Readers lock(Readers* readers) {
    for (;;) {
      const Readers before = __atomic_fetch_or(readers, kLocked, __ATOMIC_ACQUIRE);
      if ((before & kLocked) == 0) return before;
    }
  }
  [[gnu::always_inline]] bool are_of_this_launch(Readers readers) const {
    return readers >= first_pair_ || (readers < kPair && readers >= first_record_);
  }
  /// Whether the word is initialised, and the launch has read some word of its page; and the same for
  /// writing.
  [[gnu::always_inline]] bool is_settled_for_reading(std::uint64_t word) const {
    return __atomic_load_n(&pages_[word / kPageWords].read, __ATOMIC_RELAXED) == generation_ &&
           initialised(word) == 0xf;
  }
  [[gnu::always_inline]] bool is_settled_for_writing(std::uint64_t word) const {
    return __atomic_load_n(&pages_[word / kPageWords].written, __ATOMIC_RELAXED) == generation_ &&
           initialised(word) == 0xf;
  }
  [[gnu::always_inline]] void set_writer_of_settled(std::uint64_t word, Record record) {
    __atomic_store_n(&writers_[word], record, __ATOMIC_RELAXED);
  }
  const Context& context(Record record) const { return contexts_[record / 32]; }
  const Pair& pair(Readers readers) const { return pairs_[readers & (kLocked - 1)]; }

  /// Numbers for the caller alone, so many from the one returned on; 0: there are no more in this launch.
  static constexpr std::uint32_t kBatch = 256;
  static constexpr std::size_t kPageBytes = 4096, kPageWords = kPageBytes / 4;
  std::uint32_t take_contexts() { return take(next_context_, kMostContexts); }
  std::uint32_t take_pairs() { return take(next_pair_, kMostPairs); }
  Context& context_at(std::uint32_t number) { return contexts_[number]; }
  Pair& pair_at(std::uint32_t number) { return pairs_[number]; }

 private:
  static constexpr std::uint32_t kUntouched = 0, kMixed = 1, kWhole = 2;
  static constexpr std::uint32_t kMostContexts = std::uint32_t{1} << 25, kMostPairs = std::uint32_t{1} << 28;
  struct alignas(16) Page {  // found by a shift
    std::uint32_t written;   ///< generation of the latest launch that wrote some word of it
    std::uint32_t read;      ///< the same for reading
    std::uint32_t state;     ///< whether its words are initialised
  };
  void list_page(std::uint64_t page) {
    const std::size_t place = listed_.fetch_add(1, std::memory_order_relaxed);
    if (place < most_listed_) list_[place] = static_cast<std::uint32_t>(page);
  }
  static std::uint32_t take(std::atomic<std::uint32_t>& next, std::uint32_t most) {
    if (next + kBatch > most) return 0;
    const std::uint32_t first = next.fetch_add(kBatch);
    return first + kBatch > most ? 0 : first;
  }
  void mark_words(std::uint64_t offset, std::uint64_t end);

  // There is one shadow, and every access asks for these: without a pointer to it on the way.
  static inline Page* pages_ = nullptr;
  static inline std::uint8_t* nibbles_ = nullptr;
  static inline std::uint32_t *readers_ = nullptr, *writers_ = nullptr;
  static inline Context* contexts_ = nullptr;
  static inline Pair* pairs_ = nullptr;
  static inline std::uint32_t generation_ = 0, first_record_ = 0, first_pair_ = 0;
  std::size_t words_;
  std::uint32_t* list_;  ///< pages that the launch has touched; several workers may list one
  std::size_t most_listed_;
  std::atomic<std::size_t> listed_{0};
  std::atomic<std::uint32_t> next_context_{kBatch}, next_pair_{kBatch};
};

}  // namespace workbook::sim
