// What a warp's request comes to: sectors of 32 bytes in lines of 128, or passes over the banks of shared
// memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "access_match.h"

namespace workbook::sim {

// Without the instruction, which not every machine has, the compiler calls a function.
inline std::uint32_t ones(std::uint32_t bits) {
  bits -= bits >> 1 & 0x55555555u;
  bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
  return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
inline bool is_one_lane(std::uint32_t mask) { return (mask & (mask - 1)) == 0; }
inline std::uint32_t ones_of_four(std::uint32_t bits) { return 0x4332322132212110u >> 4 * bits & 0xfu; }

/// Calls `visit` with every word that the lanes of a request touch; `wide` words follow each lane's first.
template <class Visit>
inline void for_each_word(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide, Visit visit) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = word[__builtin_ctz(rest)];
    for (std::uint32_t k = 0; k < wide; ++k) visit(first + k);
  }
}

/// The words, sorted, each once; their number.
inline std::uint32_t distinct_words(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide,
                                    std::uint32_t* out) {
  std::uint32_t count = 0;
  for_each_word(word, mask, wide, [&](std::uint32_t w) { out[count++] = w; });
  std::sort(out, out + count);
  return static_cast<std::uint32_t>(std::unique(out, out + count) - out);
}

// Of a whole warp, in one sweep: whether its lanes ask for neighbours in order; and whether all that they ask
// for lies in one row of 32 words.
inline bool is_run(const std::uint32_t* word) {
  std::uint32_t differ = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l) differ |= word[l] ^ (word[0] + l);
  return differ == 0;
}
inline bool is_within_row(const std::uint32_t* word) {
  std::uint32_t differ = 0;
  for (std::uint32_t l = 0; l < kWarpSize; ++l) differ |= word[l] ^ word[0];
  return differ < 32;
}

/// Passes over the 32 banks of 4 bytes: as many as the busiest bank has distinct words. Accesses of 8 and 16
/// bytes go by halves and quarters of a warp, each of which is a request of its own to the banks; the passes
/// are theirs on average, so that 1 is free of conflicts whatever the width.
inline std::uint32_t bank_passes(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide) {
  if (is_one_lane(mask)) return 1;
  if (mask == ~0u && wide == 1 && (is_within_row(word) || is_run(word))) return 1;
  std::uint32_t first_of[32], used = 0, conflicts = 0;
  for_each_word(word, mask, wide, [&](std::uint32_t w) {
    const std::uint32_t bank = w % 32;
    if ((used >> bank & 1u) == 0) first_of[bank] = w;
    used |= 1u << bank;
    conflicts |= first_of[bank] ^ w;
  });
  if (conflicts == 0) return 1;
  std::uint32_t turns = 0, requests = 0;
  for (std::uint32_t first = 0, lanes = kWarpSize / wide; first < kWarpSize; first += lanes) {
    const std::uint32_t share = mask & (lanes == kWarpSize ? ~0u : ((1u << lanes) - 1u) << first);
    if (share == 0) continue;
    std::uint32_t words[kWarpSize * 4];
    const std::uint32_t count = distinct_words(word, share, wide, words);
    std::uint8_t in_bank[32] = {};
    std::uint32_t worst = 1;
    for (std::uint32_t i = 0; i < count; ++i)
      worst = std::max<std::uint32_t>(worst, ++in_bank[words[i] % 32]);
    turns += worst;
    ++requests;
  }
  return (turns + requests - 1) / requests;
}

/// The same for atomics: lanes that share a bank take turns, even when they want one word.
inline std::uint32_t atomic_passes(const std::uint32_t* word, std::uint32_t mask) {
  std::uint8_t in_bank[32] = {};
  std::uint32_t worst = 1;
  for_each_word(word, mask, 1,
                [&](std::uint32_t w) { worst = std::max<std::uint32_t>(worst, ++in_bank[w % 32]); });
  return worst;
}

struct Sectors {
  std::uint32_t touched = 0, words = 0;  ///< 32-byte sectors, distinct 4-byte words
};

/// Calls `visit` with the number of each 128-byte line that a request touches and its sectors as bits.
template <class Visit>
Sectors for_each_line(const std::uint32_t* word, std::uint32_t mask, std::uint32_t wide, Visit visit) {
  if (mask == ~0u && wide == 1 && is_run(word)) {
    const std::uint32_t first = word[0] / 8, last = word[kWarpSize - 1] / 8;
    for (std::uint32_t line = first / 4; line <= last / 4; ++line) {
      const std::uint32_t from = line == first / 4 ? first % 4 : 0, to = line == last / 4 ? last % 4 : 3;
      visit(line, (0xfu << from) & (0xfu >> (3 - to)));
    }
    return {last - first + 1, kWarpSize};
  }
  if (is_one_lane(mask)) {
    const std::uint32_t first = word[__builtin_ctz(mask)], last = first + wide - 1;
    if (first / 32 == last / 32) {
      const std::uint32_t sectors = (0xfu << first % 32 / 8) & (0xfu >> (3 - last % 32 / 8));
      visit(first / 32, sectors);
      return {ones_of_four(sectors), wide};
    }
  }
  // Lines in order, with the words of each that are asked for. Lanes ask for few, and mostly in order.
  struct Line {
    std::uint32_t line, words;
  } lines[kWarpSize * 4];
  std::uint32_t count = 0;
  const auto add = [&](std::uint32_t line, std::uint32_t words) {
    std::uint32_t at = count;
    while (at > 0 && lines[at - 1].line > line) --at;
    if (at > 0 && lines[at - 1].line == line) {
      lines[at - 1].words |= words;
      return;
    }
    std::copy_backward(lines + at, lines + count, lines + count + 1);
    lines[at] = {line, words};
    ++count;
  };
  if (mask == ~0u && wide == 1) {
    for (std::uint32_t l = 0; l < kWarpSize;) {
      const std::uint32_t line = word[l] / 32;
      std::uint32_t words = 0;
      for (; l < kWarpSize && word[l] / 32 == line; ++l) words |= 1u << word[l] % 32;
      add(line, words);
    }
    mask = 0;
  }
  const std::uint32_t together = (1u << wide) - 1;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = word[__builtin_ctz(rest)];
    if (first % 32 + wide <= 32)
      add(first / 32, together << first % 32);
    else
      for (std::uint32_t k = 0; k < wide; ++k) add((first + k) / 32, 1u << (first + k) % 32);
  }
  Sectors out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t words = lines[i].words;
    std::uint32_t eighths = words | words >> 4;
    eighths |= eighths >> 2;
    eighths = (eighths | eighths >> 1) & 0x01010101u;
    const std::uint32_t sectors = (eighths | eighths >> 7 | eighths >> 14 | eighths >> 21) & 0xfu;
    out.words += ones(words);
    out.touched += ones_of_four(sectors);
    visit(lines[i].line, sectors);
  }
  return out;
}

}  // namespace workbook::sim
