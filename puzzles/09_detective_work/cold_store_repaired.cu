// Case 1, repaired. Copy the program over this file and repair the copy:
//   cp puzzles/09_detective_work/cold_store.cu puzzles/09_detective_work/cold_store_repaired.cu
//   workbook run 9 --cold-store-repaired
// It is right when it prints what it should and the simulator finds nothing.
// FILL ME IN: cold_store_repaired (roughly 65 lines)
// END: cold_store_repaired
