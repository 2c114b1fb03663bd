#include "division.h"

#include <ucontext.h>

#include <cstdint>
#include <cstring>

#include "engine.h"

namespace workbook::sim {

#if defined(__x86_64__)

namespace {

constexpr int kRegisters[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/// A DIV or IDIV of 32 or 64 bits.
struct Division {
  bool is_signed = false, wide = false;
  std::uint64_t divisor = 0;
  std::uint64_t next = 0;  ///< the instruction behind it
};

class Decoder {
 public:
  explicit Decoder(const gregset_t& registers) : registers_(registers), at_(of(REG_RIP)) {}

  bool read(Division& out) {
    std::uint8_t code = byte();
    if ((code & 0xf0) == 0x40) {
      rex_ = code;
      code = byte();
    }
    if (code != 0xf7) return false;
    const std::uint8_t form = byte();
    const int operation = form >> 3 & 7;
    if (operation != 6 && operation != 7) return false;
    out.is_signed = operation == 7;
    out.wide = (rex_ & 8) != 0;
    const std::uint64_t value = form >> 6 == 3 ? general(form & 7, rex_ & 1) : in_memory(form);
    out.divisor = out.wide ? value : value & 0xffffffffu;
    out.next = at_;
    return true;
  }

 private:
  std::uint64_t of(int index) const { return static_cast<std::uint64_t>(registers_[index]); }
  std::uint64_t general(int low, bool high) const { return of(kRegisters[low + (high ? 8 : 0)]); }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint8_t byte() { return take<std::uint8_t>(); }

  std::uint64_t in_memory(std::uint8_t form) {
    const int mode = form >> 6;
    int base = form & 7;
    std::uint64_t address = 0;
    const bool relative = mode == 0 && base == 5;
    if (base == 4) {
      const std::uint8_t scaled = byte();
      const int index = scaled >> 3 & 7;
      if (index != 4 || (rex_ & 2) != 0) address = general(index, rex_ & 2) << (scaled >> 6);
      base = scaled & 7;
      if (mode == 0 && base == 5)
        address += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
      else
        address += general(base, rex_ & 1);
    } else if (!relative) {
      address = general(base, rex_ & 1);
    }
    if (mode == 1) address += static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
    if (mode == 2 || relative) address += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
    if (relative) address += at_;  // of the next instruction
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), (rex_ & 8) != 0 ? 8 : 4);
    return value;
  }

  const gregset_t& registers_;
  std::uint64_t at_;
  std::uint8_t rex_ = 0;
};

}  // namespace

bool finish_division(void* context) {
  if (this_worker == nullptr || this_worker->current == nullptr) return false;
  gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  Division division;
  if (!Decoder(registers).read(division)) return false;
  const std::uint64_t all = division.wide ? ~std::uint64_t{0} : 0xffffffffu;
  const std::uint64_t dividend = static_cast<std::uint64_t>(registers[REG_RAX]) & all;
  std::uint64_t quotient = dividend, remainder = 0;  // of the lowest number by -1
  if (division.divisor == 0) {
    // A GPU divides numbers of 64 bits that have 32 as such.
    quotient = dividend >> 32 == 0 ? 0xffffffffu : all;
    remainder = dividend;
  } else if (!division.is_signed) {
    return false;
  }
  registers[REG_RAX] = static_cast<greg_t>(quotient);
  registers[REG_RDX] = static_cast<greg_t>(remainder);
  registers[REG_RIP] = static_cast<greg_t>(division.next);
  return true;
}

#else

bool finish_division(void*) { return false; }

#endif

}  // namespace workbook::sim
