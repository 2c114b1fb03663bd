// What the compiled part of workbook_op (arrays.cpp) and a puzzle's library for the GPU (library.cpp) say to
// each other. Plain C: the two are compiled by different compilers, for different Pythons.
#pragma once

extern "C" {

struct WorkbookArray {
  const char* name;
  int type;  ///< workbook::Type
  void* data;
};

struct WorkbookSize {
  const char* name;
  long long size;
};

enum WorkbookOutcome {
  workbook_op_done = 0,
  workbook_op_refused = 1,
  workbook_op_failed = 2,
  workbook_op_broken = 3
};

/// Puts the variant's work on `stream` of `device` and returns at once. Else `words` says why: refused are
/// sizes, failed is the learner's launch, broken is the workbook.
using WorkbookCall = WorkbookOutcome(const char* variant, const WorkbookArray* arrays, int array_count,
                                     const WorkbookSize* sizes, int size_count, int device, void* stream,
                                     char* words, int words_bytes);

}  // extern "C"
