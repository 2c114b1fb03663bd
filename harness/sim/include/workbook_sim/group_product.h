// Products of a warp group, the four warps of 128 threads whose first is a multiple of 128: PTX's wgmma. The
// engine (engine/group_products.cpp) computes a product when all four have come to it, and the diagnosis
// knows that it reads its tiles until it is waited for.
#pragma once

#include <cstdint>

#include "attributes.h"

namespace workbook::sim {

enum class GroupFactor : unsigned int { f16, bf16, tf32, e4m3, e5m2 };
enum class GroupSum : unsigned int { f32, f16 };

/// What the text of an instruction says.
struct GroupForm {
  unsigned int columns : 9;          ///< n; m is 64, and k 32 bytes
  unsigned int left : 3, right : 3;  ///< GroupFactor
  unsigned int sum : 1;              ///< GroupSum
  unsigned int left_in_registers : 1;
  unsigned int negative_left : 1, negative_right : 1;  ///< they are multiplied by -1
  unsigned int left_across : 1, right_across : 1;      ///< their elements lie along m or n, not along k
  unsigned int none : 11;                              ///< 0, so that two of them are alike by their bits
};
static_assert(sizeof(GroupForm) == 4);

constexpr GroupForm group_form(unsigned int columns, GroupFactor left, GroupFactor right, GroupSum sum,
                               bool left_in_registers, long long sign_left = 1, long long sign_right = 1,
                               long long left_across = 0, long long right_across = 0) {
  GroupForm form{};
  form.columns = columns & 511u;
  form.left = static_cast<unsigned int>(left) & 7u;
  form.right = static_cast<unsigned int>(right) & 7u;
  form.sum = static_cast<unsigned int>(sum) & 1u;
  form.left_in_registers = left_in_registers;
  form.negative_left = sign_left < 0;
  form.negative_right = sign_right < 0;
  form.left_across = left_across != 0;
  form.right_across = right_across != 0;
  return form;
}

}  // namespace workbook::sim

extern "C" {
/// sums = left * right, or that plus sums where `adds`. `sums`: the calling lane's registers of 4 bytes, in
/// order. `left`: its descriptor, or four registers where the form has them.
void workbook_sim_group_product(void* const* sums, workbook::sim::GroupForm form, std::uint64_t left,
                                std::uint32_t left0, std::uint32_t left1, std::uint32_t left2,
                                std::uint32_t left3, std::uint64_t right, bool adds);
/// wgmma.commit_group and wgmma.wait_group.
void workbook_sim_group_commit();
void workbook_sim_group_wait(unsigned int pending);
}

namespace workbook::sim::ptx {

/// Registers as they stand: a copy of each, in and out, is what such kernels have no time for.
template <class... Registers>
WORKBOOK_SIM_UNTRACED void gather_registers(void** to, Registers&... registers) {
  static_assert(((sizeof(Registers) == 4) && ...), "a register of wgmma has 32 bits");
  ((*to++ = const_cast<void*>(static_cast<const volatile void*>(&registers))), ...);
}

template <class... Sums>
WORKBOOK_SIM_INLINE void group_product(GroupForm form, std::uint64_t left, std::uint64_t right, bool adds,
                                       Sums&... sums) {
  void* registers[sizeof...(Sums)];
  gather_registers(registers, sums...);
  workbook_sim_group_product(registers, form, left, 0, 0, 0, 0, right, adds);
}
template <class... Sums>
WORKBOOK_SIM_INLINE void group_product_of_registers(GroupForm form, std::uint32_t left0, std::uint32_t left1,
                                                    std::uint32_t left2, std::uint32_t left3,
                                                    std::uint64_t right, bool adds, Sums&... sums) {
  void* registers[sizeof...(Sums)];
  gather_registers(registers, sums...);
  workbook_sim_group_product(registers, form, 0, left0, left1, left2, left3, right, adds);
}
WORKBOOK_SIM_INLINE void group_fence() {}
WORKBOOK_SIM_INLINE void group_commit() { workbook_sim_group_commit(); }
WORKBOOK_SIM_INLINE void group_wait(unsigned int pending) { workbook_sim_group_wait(pending); }

}  // namespace workbook::sim::ptx
