// Path strip: sums and maxima over any indices of what lies in memory, with the last index along the lanes in
// packs of 16 bytes, whether it is summed away (a block sums a stretch of memory) or stays (threads stand in
// rows and columns, and the columns stay). What is summed is read in turns of several packs that are on their
// way together; where all of it is one turn it is read once, however often it is gone over. Where it is not,
// sums of exponents less their maximum are kept beside that, and scaled when it grows. The grid may cut one
// of the indices: then sums and maxima are left in parts, and a launch that reads parts shares them among its
// rows.
#pragma once

#include <map>

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

/// Of what all blocks that run at the same time have read, what an H200's L2 still has for a later sweep or
/// launch.
inline constexpr std::int64_t kKeptBytes = 30'000'000;

struct StripShape {
  std::vector<int> over;   ///< indices that a block goes over, as they lie in memory
  std::vector<int> batch;  ///< of the others each one element a block, but for `lane` where that stays
  int lane = -1;           ///< the last index of all that is read and written in packs
  bool across = false;     ///< it stays
  int cut = -1;            ///< of `over`, what the grid cuts, or none
  std::vector<int> axes;   ///< of the grid, most blocks first
  int vector = 8;          ///< elements of a pack
  int lanes = 1, rows = 1, threads = 32;  ///< threads along `lane`; groups of such; all. Not across: one row
  int together = 1;                       ///< packs of a tensor that are on their way together
  std::int64_t items = 1;  ///< packs of a block, or rows of packs, that it goes over; of the real size
  bool held = false;       ///< they are one turn

  /// Indices over which a node's values are gone over: where sums follow one another, as sum(c, sum(p, x)),
  /// those of the inner one, too, which is no value of its own.
  std::vector<IndexSet> spread;
  std::vector<int> finals;            ///< sums and maxima that are finished, or left in parts
  std::vector<int> packs, singles;    ///< read in each item: as packs; one element for all of a pack
  std::vector<int> made;              ///< looked up or computed, element by element
  std::vector<int> columns, numbers;  ///< read once: a pack a thread; one for all
  std::vector<int> parted;            ///< left in parts by an earlier launch
  std::vector<int> phase;             ///< of each node: so many sums have to be there before it, or -1
  std::map<int, int> running;  ///< sums that are taken in the sweep of a maximum, which they follow, and that

  int tile() const { return lanes * vector; }
  int phases() const;
  bool goes_over(int node) const;  ///< it has a value for each item
  bool is_final(int node) const { return listed(finals, node); }
  /// A sum or a maximum is taken in the sweep of that phase.
  bool is_taken(int node, int in_phase) const {
    return is_final(node) && phase[slot(node)] == in_phase + (running.contains(node) ? 2 : 1);
  }
  int turns() const {
    return static_cast<int>((items + std::int64_t{rows_of_items()} * together - 1) /
                            (std::int64_t{rows_of_items()} * together));
  }
  /// Items of a block at the same time.
  int rows_of_items() const { return across ? rows : threads; }
  IndexSet over_set() const;
  std::vector<int> running_maxima() const;
  bool is_swept_again() const;  ///< the one turn
  /// Of a thread, so that all that is loaded together is on its way together.
  int registers() const;
  /// Blocks whose registers an SM has room for. Where several sweeps go over one turn, its loads stay
  /// together by themselves, and other blocks have theirs on the way meanwhile: 0 leaves it to the compiler
  /// how many.
  int blocks_of_sm() const;
};

/// Nothing where the launch has anything that the path does not cover, or cuts that it does not have.
std::optional<StripShape> strip_shape(const Program& program, const Plan& plan, const Launch& launch,
                                      const Kernel& kernel);
/// The same but for cuts and threads, so that they can be chosen.
std::optional<StripShape> strip_indices(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel);

const Form& strip_form();
CutsOf try_strip_cuts;
CounterOf strip_counter;
EmitterOf strip_emitter;

}  // namespace workbook::opt
