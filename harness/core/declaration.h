// A puzzle's declaration, looked at as a whole: its tasks, what is wrong with it, what the command line needs
// to know of it.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "runs/words.h"
#include "workbook/puzzle.h"

namespace workbook::core {

const Variant* find_variant(const Puzzle& puzzle, std::string_view name);

/// The variant's task. Throws std::invalid_argument when it names none.
const Task& task_of(const Puzzle& puzzle, const Variant& variant);

/// As records have it.
runs::TensorRole role_of(const Tensor& tensor);

const Tensor* find_tensor(const Task& task, std::string_view name);

/// Whether the variant has the tensor: inputs, its intermediates, its outputs.
bool uses(const Variant& variant, const Tensor& tensor);

/// Why the variant does not take these sizes; empty where it does.
std::string refusal(const Variant& variant, const Dims& dims);

/// What contradicts itself or is missing, a sentence each, naming the place: an output without a tolerance, a
/// tensor that no variant uses, a misspelt name, a fill for a tensor that is not there, a variant without
/// regions.
std::vector<std::string> faults_of(const Puzzle& puzzle);

/// The same between the declaration and launches.cu.
std::vector<std::string> faults_of(const Puzzle& puzzle, std::initializer_list<Launcher> launchers);

/// For lists, reports and the book, as JSON text: titles, tasks with their shapes and tensors, variants,
/// faults.
std::string describe(const Puzzle& puzzle);

/// For callers of the variants (harness/python), as JSON text: the tensors of each variant with their types,
/// roles, starts and shapes, and the dimensions that shapes are made of. Programs are left out.
std::string describe_calls(const Puzzle& puzzle);

}  // namespace workbook::core
