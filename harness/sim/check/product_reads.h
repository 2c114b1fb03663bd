// Products of warp groups (wgmma), which read their tiles in shared memory, and write their sums, until they
// are waited for.
#pragma once

#include <vector>

#include "check.h"

namespace workbook::sim {

class ProductReads {
 public:
  void begin_block();
  /// Tells of products that nobody has waited for when the block ends.
  void end_block(Scene& scene);

  /// The warp group has met whose first thread is `first`. Its threads know of each other's reads from here
  /// on, so that one of them may tell others that the tiles are free.
  void begin(Scene& scene, std::uint32_t first, const std::vector<std::uintptr_t>& chunks, Pc pc);
  // Of the running thread. The first of a warp group to wait has waited for all of it.
  void close_group(const Scene& scene);
  void wait_for_groups(Scene& scene, unsigned int pending);

  /// The running thread's registers, 4 bytes each, are the sums of a product: in use until it waits for that.
  void begin_sums(const Scene& scene, void* const* registers, std::size_t count, Pc pc);
  bool any_sums() const { return threads_with_sums_ > 0; }
  /// The running thread's access to a variable of its own.
  void see_own(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind,
               Pc pc) const;

  /// Where the product stands that reads this place of shared memory; 0: none does.
  Pc reader_of(std::uintptr_t shared) const;

  static constexpr std::size_t kChunk = 16;  ///< bytes

 private:
  struct Product {
    std::uint32_t first, group;
    Pc pc;
    std::vector<std::uintptr_t> chunks;
  };
  struct Sums {
    std::vector<std::uintptr_t> registers;  ///< by address
    std::uint32_t group;
    Pc pc;
  };
  void end(Scene& scene, const Product& product);

  std::vector<Product> products_;        ///< under way
  std::vector<std::uint32_t> closed_;    ///< groups, by thread
  std::vector<std::vector<Sums>> sums_;  ///< under way, by thread; empty before the first
  std::uint32_t threads_with_sums_ = 0;
  std::vector<std::uint16_t> readers_;  ///< by chunk from Scene::shared_low: products that read it
};

}  // namespace workbook::sim
