// Where the elements of wgmma's tiles lie: PTX ISA, "Asynchronous warpgroup level matrix shared memory
// layout".
#include "sim/engine/group_tiles.h"
#include "tests/catch.h"

using workbook::sim::GroupTile;

namespace {

constexpr std::uint64_t descriptor(std::uint64_t start, std::uint64_t leading, std::uint64_t stride,
                                   std::uint64_t kind, std::uint64_t base = 0) {
  return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | base << 49 | kind << 62;
}

}  // namespace

TEST_CASE("wgmma: fields of a descriptor") {
  constexpr GroupTile tile(descriptor(0x12340, 0x800, 0x400, 2, 5));
  CHECK(tile.start == 0x12340);
  CHECK(tile.leading == 0x800);
  CHECK(tile.stride == 0x400);
  CHECK(tile.base == 5);
  CHECK(tile.width == 64);
  CHECK(GroupTile(descriptor(0, 0, 0, 0)).width == 16);
  CHECK(GroupTile(descriptor(0, 0, 0, 1)).width == 128);
  CHECK(GroupTile(descriptor(0, 0, 0, 3)).width == 32);
}

TEST_CASE("wgmma: an address beyond 18 bits is the first from the lowest that the launch has asked for") {
  CHECK(GroupTile(descriptor(0x400, 0, 0, 1), 0x3fc00).start == 0x40400);
  CHECK(GroupTile(descriptor(0x3fc00, 0, 0, 1), 0x3fc00).start == 0x3fc00);
}

TEST_CASE("wgmma: tiles along k") {
  const GroupTile plain(descriptor(0x1000, 128, 256, 0));
  CHECK(plain.along_k(0, 1) == 0x1000 + 128);
  CHECK(plain.along_k(3, 0) == 0x1000 + 48);
  CHECK(plain.along_k(8, 0) == 0x1000 + 256);
  const GroupTile wide(descriptor(0x1000, 16, 1024, 1));
  CHECK(wide.along_k(0, 1) == 0x1000 + 16);
  CHECK(wide.along_k(1, 0) == 0x1000 + 128 + 16);
  CHECK(wide.along_k(5, 1) == 0x1000 + 5 * 128 + (5 ^ 1) * 16);
  CHECK(wide.along_k(13, 0) == 0x1000 + 1024 + 5 * 128 + 5 * 16);
  const GroupTile next(descriptor(0x1000 + 32, 16, 1024, 1));  // the next 16 along k
  CHECK(next.along_k(3, 0) == 0x1000 + 3 * 128 + (3 ^ 2) * 16);
  const GroupTile half(descriptor(0x1000, 16, 512, 2));
  CHECK(half.along_k(1, 0) == 0x1000 + 64);
  CHECK(half.along_k(2, 0) == 0x1000 + 128 + 16);
  const GroupTile quarter(descriptor(0x1000, 16, 256, 3));
  CHECK(quarter.along_k(3, 1) == 0x1000 + 96 + 16);
  CHECK(quarter.along_k(4, 1) == 0x1000 + 128);
}

TEST_CASE("wgmma: tiles across k") {
  const GroupTile plain(descriptor(0x1000, 128, 256, 0));
  CHECK(plain.across(1, 0) == 0x1000 + 256);
  CHECK(plain.across(0, 9) == 0x1000 + 128 + 16);
  const GroupTile wide(descriptor(0x2000, 0x2000, 1024, 1));
  CHECK(wide.across(1, 0) == 0x2000 + 16);
  CHECK(wide.across(8, 0) == 0x4000);
  CHECK(wide.across(2, 3) == 0x2000 + 3 * 128 + (2 ^ 3) * 16);
  CHECK(wide.across(0, 8) == 0x2000 + 1024);
  const GroupTile half(descriptor(0x2000, 0x1000, 512, 2));
  CHECK(half.across(4, 0) == 0x3000);
  CHECK(half.across(3, 2) == 0x2000 + 128 + (3 ^ 1) * 16);
}

TEST_CASE("wgmma: the swizzle's pattern begins where the descriptor says") {
  const GroupTile tile(descriptor(0x1080, 16, 1024, 1, 1));
  CHECK(tile.along_k(0, 0) == 0x1080);
  CHECK(tile.along_k(1, 0) == 0x1100 + 16);
}
