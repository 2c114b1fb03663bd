// What CUDA has for kernels of the C and C++ libraries and of its own runtime: the names that a kernel's
// object may ask the linker for.
#pragma once

#include <string>
#include <string_view>

#include "runs/record.h"

namespace workbook::cli {

/// "std::vector::push_back" of the mangled "_ZNSt6vectorIfSaIfEE9push_backEOf", "rand" of "rand": without
/// arguments of templates, parameters and the result's type.
std::string plain_function_name(const std::string& symbol);

/// The function as nvcc names it: "plain(int)", "rand". Where that is long, the plain name.
std::string shown_function_name(const std::string& symbol);

/// Whether a function that the standard library's header `file` declares has a form for kernels in CUDA:
/// mathematics, placement new, std::move and its kin.
bool has_device_form(const std::string& file, std::string_view plain_name);

/// Whether a symbol that no source of the program defines is a function of the host's libraries.
bool is_host_symbol(const std::string& symbol);

/// Whether a compiler calls this function on its own account: for printf("x\n") it calls puts.
bool is_called_by_compilers(std::string_view symbol);

/// What to do instead of calling that function in a kernel.
std::string_view instead_of(std::string_view plain_name);

}  // namespace workbook::cli
