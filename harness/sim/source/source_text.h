// What the learner's source says at a line, for findings that name things by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runs/record.h"

namespace workbook::sim {

/// Of a name in C++.
bool is_name_char(char c);

/// Keeps in which order the allocating calls were made first: those of one line are told apart by it.
void note_allocating_call(std::uintptr_t pc);

/// "d_x" for a call `cudaMalloc(&d_x, n)` that returned to `pc`, also inside a macro or with a cast; empty
/// when the source cannot be read or does not say.
std::string allocated_variable(std::uintptr_t pc);

/// "s" for a call `cudaStreamCreate(&s)` that returned to `pc`, the one behind `before` others of its line;
/// empty as above.
std::string made_stream(std::uintptr_t pc, std::size_t before);

/// The variable number `n` of those that the line declares without a value, else "".
std::string declared_without_value(const runs::SourceLine& at, std::size_t n);

/// "base, declared at line 7": a variable that the line uses and that is declared without a value not far
/// before it; else "".
std::string used_without_value(const runs::SourceLine& at);

/// The variable that the line's malloc() or new is assigned to, else "".
std::string assigned_variable(std::uintptr_t pc);

/// Whether the line of `pc` loads a fragment, for tensor cores: it has a stride that may be wrong.
bool loads_fragment(std::uintptr_t pc);

/// Whether the line of `pc` adds what a shuffle gives to a variable: v += __shfl_down_sync(...), v +=
/// tile.shfl_down(...).
bool accumulates_shuffle(std::uintptr_t pc);

/// Whether the line of `pc` begins a statement that stores to an element of the array: `a[i] = ...`.
bool stores_element_of(std::uintptr_t pc, const std::string& array);

/// Whether the line of `pc` passes the address of a variable: f(x, &h, n).
bool passes_address(std::uintptr_t pc);

/// Whether the line of `pc` is the update of an element: out[i] += x, *sum -= x.
bool updates_element(std::uintptr_t pc);

/// The line where the loop around `at` begins, for compilers put the instructions of `for (...)` on any line
/// of it: the line itself if it says for, while or do; else the one before that encloses it; else `at`.
runs::SourceLine loop_head(const runs::SourceLine& at);

/// "tile", "p->rows" or "stages[s].rows": the array whose index the compiler checks at a column of the line
/// of `pc`; empty where the source does not say.
std::string indexed_array(std::uintptr_t pc, std::size_t column);

}  // namespace workbook::sim
