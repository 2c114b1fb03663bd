// Given with the program: what its kernel stores by, and its data, a number in a file of the puzzle's folder.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

__device__ void store(int* out, int index, int value) { out[index] = value; }

inline int number_in_data() {
  int number = 0;
  const std::string name = std::string(std::getenv("WORKBOOK_PUZZLE")) + "/number.txt";
  if (std::FILE* file = std::fopen(name.c_str(), "r")) {
    if (std::fscanf(file, "%d", &number) != 1) number = -1;
    std::fclose(file);
  }
  return number;
}
