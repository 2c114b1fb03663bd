#include "cli/grade/plain_text.h"

#include <cstddef>
#include <cstdint>

namespace workbook::cli {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: none begins here
};

/// The character at the begin of `text`, which is not empty: of its shortest form, and no surrogate.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const std::uint32_t least = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least || code > 0x10FFFF || is_surrogate ? Character() : Character{code, bytes};
}

/// Commands to a terminal, and what no text holds.
bool is_control(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code & 0xFFFE) == 0xFFFE;
}

}  // namespace

std::string plain_text(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const Character character = first_of(bytes);
    if (character.bytes == 0)
      out += "\uFFFD";
    else if (!is_control(character.code))
      out += bytes.substr(0, character.bytes);
    bytes.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
  }
  return out;
}

}  // namespace workbook::cli
