// Read first where a program is written in a standard before C++20 and compiled as C++20 all the same: takes
// back the names that C++20 put into the global namespace, which the program may use for its own.
#pragma once

#define lerp workbook_sim_std_lerp
#include <math.h>
#undef lerp
