#include "cli/report/glossary.h"

#include <cctype>

#include "cli/base/terminal.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

struct Entry {
  const char* word;
  const char* meaning;
};

// The model's terms are those of harness/clock/model.h.
constexpr Entry kGlossary[] = {
    {"grid", "how many blocks a launch has, in x, y and z."},
    {"block", "threads that run on one multiprocessor, share memory and can wait for each other."},
    {"of roof",
     "the time that DRAM or arithmetic alone would take at full speed, whichever takes longer, as a share of "
     "the time taken. 100 % cannot be beaten without moving less or computing less."},
    {"launch", "starting a kernel costs about 2 us, whatever it does."},
    {"dispatch",
     "the GPU hands out blocks one after another; with many small blocks that alone takes longer than their "
     "work."},
    {"DRAM", "the GPU's memory outside the chip, and the bytes that travel to and from it."},
    {"L2",
     "the cache that all multiprocessors share; bound by it: more passes through it than through DRAM."},
    {"load/store", "the unit of a multiprocessor that carries out loads and stores, shared memory's too."},
    {"arithmetic", "additions and multiplications, at the rate of the chip."},
    {"tensor cores",
     "the units that multiply whole tiles of half precision numbers, at a rate of their own."},
    {"latency",
     "one thread's chain of steps, each waiting for the one before: more threads at work would hide it."},
    {"atomics", "updates that queue for one address."},
    {"modelled", "not measured: what the counted work would take by the simulator's model of that GPU."},
    {"cold", "with inputs and outputs out of the caches before each run."},
    {"warm", "run again and again, with the data still in the caches."},
    {"sectors", "pieces of 32 bytes, in which memory is read; 32 floats in a row take 4."},
    {"bank", "shared memory has 32 banks of 4 bytes; two words of one bank take two passes."},
    {"warp", "32 threads that one instruction is issued for at a time."},
    {"lane", "a thread's place in its warp, 0 to 31."},
    {"accepted", "the largest difference that rounding explains, from the puzzle's declaration."},
    {"diagnosing", "the build in which every access is checked, for the small shapes."},
    {"crossing", "the size at which one variant begins to be faster than another."},
};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool stands_in(std::string_view word, std::string_view text) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || (!is_word_char(text[at - 1]) && text[at - 1] != '-')) &&
        (end == text.size() || !is_word_char(text[end])))
      return true;
  }
  return false;
}

}  // namespace

std::string explained_words(std::string_view text, std::set<std::string>& told) {
  std::string out;
  for (const Entry& entry : kGlossary) {
    if (!stands_in(entry.word, text) || !told.insert(entry.word).second) continue;
    const std::string word = entry.word;
    out += "  " + paint(Colour::accent, word) + std::string(word.size() < 12 ? 12 - word.size() : 1, ' ') +
           entry.meaning + '\n';
  }
  return out.empty() ? "" : out + '\n';
}

}  // namespace workbook::cli
