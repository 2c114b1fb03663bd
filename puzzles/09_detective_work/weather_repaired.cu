// Case 2, repaired. Copy the program over this file and repair the copy:
//   cp puzzles/09_detective_work/weather.cu puzzles/09_detective_work/weather_repaired.cu
//   workbook run 9 --weather-repaired
// It is right when it prints what it should and the simulator finds nothing.
// FILL ME IN: weather_repaired (roughly 60 lines)
// END: weather_repaired
