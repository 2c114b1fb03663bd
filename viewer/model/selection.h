// What is selected, one thing in every panel.
#pragma once

#include <cstdint>
#include <string>

#include "model/access.h"

namespace workbook::viewer {

struct Selection {
  int puzzle = 0;                         ///< 0: none yet
  std::int64_t run_a = 0, run_b = 0;      ///< the baseline and the other; 0: none
  bool follow_a = true, follow_b = true;  ///< take the newest run of the variant as it comes in
  std::string variant_a, variant_b;       ///< what is followed; empty: chosen by `choose_runs`
  std::string benchmark = "teaching";     ///< the shape, as the runs' records call it

  bool on_b = false;          ///< Mapping shows run B
  bool side_by_side = false;  ///< Mapping shows the launches of both
  int launch = 0;
  int block = -1, warp = -1, thread = -1;  ///< -1: all
  int step = -1;                           ///< between barriers of the block; -1: all
  int moment = -1;                         ///< of that step, one line run once by all; -1: the whole step
  std::string file;                        ///< a line of the source, with `line`
  int line = 0;                            ///< 0: none
  int tensor = -1;
  int tensor_block = -1;  ///< whose shared tile `tensor` is; -1 for global tensors
  std::int64_t element = -1;
  std::string
      program;    ///< of Fusion, as `workbook optimize` calls it; empty: that of the puzzle, or the newest
  int plan = -1;  ///< of it, from 0; -1: the best
  bool search = false;   ///< Fusion shows how the search went
  bool listing = false;  ///< Source shows beside it what the compiler made of it
  ColourBy colour_by = ColourBy::block;
  Show show = Show::touched;

  std::int64_t mapped_run() const { return on_b && run_b != 0 ? run_b : run_a; }
  void clear_focus() {
    block = warp = thread = -1;
    tensor = tensor_block = -1;
    element = -1;
    step = moment = -1;
    line = 0;
  }
};

}  // namespace workbook::viewer
