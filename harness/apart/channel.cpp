#include "channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace workbook::apart {
namespace {

constexpr std::uint64_t kMostMessage = std::uint64_t{16} << 20;

}  // namespace

void Channel::send(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Silence(std::strerror(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void Channel::send(const runs::Json& message) const {
  const std::string text = runs::dump(message);
  const std::uint64_t size = text.size();
  send(std::as_bytes(std::span(&size, 1)));
  send(std::as_bytes(std::span(text)));
}

void Channel::read_all(void* into, std::size_t bytes) const {
  auto* at = static_cast<std::byte*>(into);
  while (bytes > 0) {
    const ssize_t got = read(descriptor_, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Silence("nobody is there");
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

runs::Json Channel::receive() const {
  std::uint64_t size = 0;
  read_all(&size, sizeof size);
  if (size > kMostMessage) throw Silence("a message is too long");
  std::string text(size, '\0');
  read_all(text.data(), text.size());
  try {
    return runs::parse_json(text);
  } catch (const std::exception& error) {
    throw Silence(error.what());
  }
}

core::Bytes Channel::receive(std::size_t bytes) const {
  core::Bytes all(bytes);
  read_all(all.data(), bytes);
  return all;
}

}  // namespace workbook::apart
