// Finds out by what formula wrong elements were computed, where it is a short one in the inputs' elements
// around them. For diagnose.cpp.
#pragma once

#include <string>

#include "evidence.h"

namespace workbook::core {

/// "the wrong elements are 2 * a[i] + b[i + 1], where 2 * a[i] + b[i] is right.": a sum of at most four terms
/// (elements of inputs near the own place or across it, the indices, a constant) that gives every
/// wrong element, with three quarters of them inside of the tensor's ends; or by how much each differs from
/// what is right, as such a sum of at most two. Many more elements than terms are asked for, so that none
/// fits by accident. Else nothing.
std::string is_formula(const Evidence& evidence);

/// "in each row of y all elements are off by the same amount" or factor, another one in each: what a row
/// shares is wrong.
std::string is_off_by_row(const Evidence& evidence);

/// The same of a vector, in runs of at least sixteen elements that begin at multiples of a length: the pieces
/// of a scan.
std::string is_off_by_run(const Evidence& evidence);

}  // namespace workbook::core
