#include "core/element.h"

#include <cmath>
#include <cstring>

#include "tests/catch.h"
#include "tests/core/not_finite.h"

using namespace workbook;
using namespace workbook::core;
using sample::kInfinity;
using sample::kNan;

namespace {

constexpr Type kTypes[] = {Type::f32, Type::f16, Type::bf16, Type::i32, Type::u32, Type::u8, Type::i64};

double through(Type type, double value) {
  Bytes bytes(size_of(type));
  store(type, bytes, 0, rounded(type, value));
  return load(type, bytes, 0);
}

double of_bits(Type type, std::uint16_t bits) {
  Bytes bytes(2);
  std::memcpy(bytes.data(), &bits, 2);
  return load(type, bytes, 0);
}

std::uint16_t bits_of(Type type, double value) {
  Bytes bytes(2);
  store(type, bytes, 0, value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data(), 2);
  return bits;
}

}  // namespace

TEST_CASE("types have the names and sizes of the record") {
  const char* names[] = {"f32", "f16", "bf16", "i32", "u32", "u8", "i64"};
  const std::size_t sizes[] = {4, 2, 2, 4, 4, 1, 8};
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(type_name(kTypes[i]) == names[i]);
    CHECK(size_of(kTypes[i]) == sizes[i]);
    CHECK(is_integer(kTypes[i]) == (i >= 3));
  }
}

TEST_CASE("every type keeps its values, in arrays of odd length") {
  for (const Type type : kTypes) {
    INFO(type_name(type));
    Bytes bytes(5 * size_of(type), kPoison);
    const double values[] = {0.0, 1.0, 100.0, 3.0, 255.0};
    for (std::size_t i = 0; i < 5; ++i) store(type, bytes, i, values[i]);
    CHECK(as_doubles(type, bytes) == std::vector<double>{0.0, 1.0, 100.0, 3.0, 255.0});
  }
}

TEST_CASE("every half and bfloat16 that there is comes back with the same bits") {
  for (const Type type : {Type::f16, Type::bf16}) {
    int changed = 0;
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
      const double value = of_bits(type, static_cast<std::uint16_t>(bits));
      if (std::isnan(value)) continue;
      changed += rounded(type, value) != value || bits_of(type, value) != bits;
    }
    CHECK(changed == 0);
  }
  CHECK(of_bits(Type::f16, 0x3c00) == 1.0);
  CHECK(of_bits(Type::f16, 0xc100) == -2.5);
  CHECK(of_bits(Type::f16, 0x7bff) == 65504.0);
  CHECK(of_bits(Type::f16, 0x0001) == 0x1p-24);
  CHECK(of_bits(Type::bf16, 0x3f80) == 1.0);
  CHECK(of_bits(Type::bf16, 0x4049) == 3.140625);
  CHECK(of_bits(Type::bf16, 0x0001) == 0x1p-133);
}

TEST_CASE("halfway between two values goes to the even one") {
  CHECK(through(Type::f16, 2049.0) == 2048.0);
  CHECK(through(Type::f16, 2051.0) == 2052.0);
  CHECK(through(Type::f16, std::nextafter(2049.0, 3e3)) == 2050.0);
  CHECK(through(Type::bf16, 257.0) == 256.0);
  CHECK(through(Type::bf16, -259.0) == -260.0);
  CHECK(through(Type::f32, 16777217.0) == 16777216.0);
  CHECK(through(Type::f32, 16777219.0) == 16777220.0);
  CHECK(through(Type::i32, 2.5) == 2.0);
  CHECK(through(Type::i64, -3.5) == -4.0);
}

TEST_CASE("subnormal numbers are rounded to their own, coarser steps") {
  CHECK(through(Type::f16, 0x1p-25) == 0.0);
  CHECK(through(Type::f16, std::nextafter(0x1p-25, 1.0)) == 0x1p-24);
  CHECK(through(Type::f16, 0x1.8p-24) == 0x1p-23);
  CHECK(through(Type::f16, -0x1.ffcp-15) == -0x1p-14);  // the largest subnormal's upper neighbour is normal
  CHECK(through(Type::bf16, 0x1p-134) == 0.0);
  CHECK(through(Type::bf16, 0x1.8p-133) == 0x1p-132);
  CHECK(std::signbit(through(Type::f16, -0.0)));
  CHECK(std::signbit(through(Type::bf16, -0x1p-140)));
}

TEST_CASE("what is too large becomes infinite, from half a step above the largest on") {
  CHECK(through(Type::f16, 65519.99) == 65504.0);
  CHECK(through(Type::f16, 65520.0) == kInfinity);
  CHECK(through(Type::f16, -1e9) == -kInfinity);
  CHECK(through(Type::bf16, 0x1.fep127) == 0x1.fep127);
  CHECK(through(Type::bf16, 0x1.ffp127) == kInfinity);
  CHECK(through(Type::f32, 1e39) == kInfinity);
  for (const Type type : {Type::f32, Type::f16, Type::bf16}) CHECK(through(type, -kInfinity) == -kInfinity);
}

TEST_CASE("integers are clamped to their range") {
  CHECK(through(Type::u8, 300.0) == 255.0);
  CHECK(through(Type::u8, -1.0) == 0.0);
  CHECK(through(Type::i32, 3e9) == 2147483647.0);
  CHECK(through(Type::i32, -3e9) == -2147483648.0);
  CHECK(through(Type::u32, 4294967295.0) == 4294967295.0);
  CHECK(through(Type::u32, 5e9) == 4294967295.0);
  CHECK(through(Type::i64, 1e300) == 0x1p53);
  CHECK(through(Type::i64, -0x1p53) == -0x1p53);
}

TEST_CASE("NaN stays NaN, is 0 in an integer, and is not what nothing wrote") {
  for (const Type type : {Type::f32, Type::f16, Type::bf16}) {
    Bytes bytes(3 * size_of(type), kPoison);
    CHECK(std::isnan(load(type, bytes, 1)));
    CHECK(is_poison(type, bytes, 1));
    store(type, bytes, 1, kNan);
    CHECK(std::isnan(load(type, bytes, 1)));
    CHECK_FALSE(is_poison(type, bytes, 1));
    CHECK(is_poison(type, bytes, 2));
  }
  CHECK(rounded(Type::i32, kNan) == 0.0);
}

TEST_CASE("many values at once are stored as each alone") {
  const std::vector<double> values = {0.0,        -0.0,    1.0,    -2.5,   0.1,          1e-5, -1e-7,
                                      0x1p-134,   65520.0, 1e39,   -1e300, 300.0,        -1.0, kInfinity,
                                      -kInfinity, kNan,    0.3333, 4097.0, 2147483648.0, 5e9,  -0x1p-25};
  for (const Type type : kTypes) {
    INFO(type_name(type));
    Bytes together((values.size() + 1) * size_of(type), kPoison), alone = together;
    store_rounded(type, together, 1, values);
    for (std::size_t i = 0; i < values.size(); ++i) store(type, alone, i + 1, rounded(type, values[i]));
    CHECK(together == alone);
  }
}
