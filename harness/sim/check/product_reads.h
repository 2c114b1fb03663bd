// Products of warp groups (wgmma), which read their tiles in shared memory until they are waited for.
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

  /// Where the product stands that reads this place of shared memory; 0: none does.
  Pc reader_of(std::uintptr_t shared) const;

  static constexpr std::size_t kChunk = 16;  ///< bytes

 private:
  struct Product {
    std::uint32_t first, group;
    Pc pc;
    std::vector<std::uintptr_t> chunks;
  };
  void end(Scene& scene, const Product& product);

  std::vector<Product> products_;       ///< under way
  std::vector<std::uint32_t> closed_;   ///< groups, by thread
  std::vector<std::uint16_t> readers_;  ///< by chunk from Scene::shared_low: products that read it
};

}  // namespace workbook::sim
