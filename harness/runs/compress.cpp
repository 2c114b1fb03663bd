#include <zstd.h>

#include <stdexcept>

#include "runs/trace.h"

namespace workbook::runs {
namespace {

constexpr int kLevel = 3;                           // a teaching-shape trace takes milliseconds
constexpr unsigned long long kMostBytes = 1 << 30;  // a blob that claims more is damaged

}  // namespace

std::string compress(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size))
    throw std::runtime_error(std::string("zstd could not compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

std::string decompress(const std::string& bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostBytes)
    throw std::runtime_error("the compressed access trace is damaged");
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size) throw std::runtime_error("the compressed access trace is damaged");
  return out;
}

}  // namespace workbook::runs
