// Case 3, repaired. Copy the program over this file and repair the copy:
//   cp puzzles/09_detective_work/clicks.cu puzzles/09_detective_work/clicks_repaired.cu
//   workbook run 9 --clicks-repaired
// It is right when it prints what it should and the simulator finds nothing.
// FILL ME IN: clicks_repaired (roughly 50 lines)
// END: clicks_repaired
