// Puzzle 47, given: all that the learner's functions work with, and the program that tries them (judge.cu).
#pragma once

#include "lines.h"
#include "plans.h"
#include "search.h"

// Gives the program's exit status.
int run_program(int count, char** arguments);
