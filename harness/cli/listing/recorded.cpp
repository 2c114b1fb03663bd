// A recorded listing: a line a thing, so that two of them can be compared by eye and by git.
//   workbook listing 1
//   form sass
//   architecture sm_90
//   made by nvcc 13.0.88, nvdisasm 13.5.37
//   of 0123...
//   kernel vector_kernel
//   resources 24 0 0 0 0     registers, stack, spill stores, spill loads, shared (bytes)
//   at given.cuh 12          of the instructions below; "at - 0": no source line
//   label .L_x_1             of the next instruction
//   0000 LDC R1, c[0x0][0x28]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "cli/base/text.h"
#include "cli/listing/listing.h"

namespace workbook::cli {
namespace {

constexpr const char* kFirstLine = "workbook listing 1";

}  // namespace

std::string recorded_text(const Listing& listing) {
  std::string text = std::string(kFirstLine) + "\nform " + form_name(listing.form) + "\narchitecture " +
                     listing.architecture + "\nmade by " + listing.made_by + "\nof " + listing.of + '\n';
  for (const KernelListing& kernel : listing.kernels) {
    const KernelResources& its = kernel.resources;
    text += "kernel " + kernel.name + "\nresources";
    for (const int number :
         {its.registers, its.stack_bytes, its.spill_store_bytes, its.spill_load_bytes, its.shared_bytes})
      text += ' ' + std::to_string(number);
    text += '\n';
    std::string place;
    for (const Instruction& each : kernel.instructions) {
      const std::string here =
          "at " + (each.file.empty() ? "-" : each.file) + ' ' + std::to_string(each.line) + '\n';
      if (here != place) text += here;
      place = here;
      if (!each.label.empty()) text += "label " + each.label + '\n';
      text += each.address + ' ' + each.text + '\n';
    }
  }
  return text;
}

Listing read_recorded(std::string_view text) {
  Listing listing;
  listing.recorded = true;
  std::string file, label;
  int source_line = 0, number = 0;
  for (const std::string& line : lines_of(text)) {
    if (++number == 1) {
      if (line != kFirstLine)
        throw std::runtime_error("it does not begin with '" + std::string(kFirstLine) + "'");
      continue;
    }
    const std::size_t space = line.find(' ');
    const std::string word = line.substr(0, space);
    const std::string rest = space == line.npos ? "" : line.substr(space + 1);
    if (word.empty()) continue;
    if (word == "form") {
      listing.form = rest == "ptx" ? ListingForm::ptx : ListingForm::sass;
    } else if (word == "architecture") {
      listing.architecture = rest;
    } else if (word == "made") {
      listing.made_by = rest.substr(std::min<std::size_t>(3, rest.size()));
    } else if (word == "of") {
      listing.of = rest;
    } else if (word == "kernel") {
      listing.kernels.emplace_back().name = rest;
      file = label = "";
      source_line = 0;
    } else if (listing.kernels.empty()) {
      throw std::runtime_error("its line " + std::to_string(number) + " belongs to no kernel");
    } else if (word == "resources") {
      KernelResources& its = listing.kernels.back().resources;
      if (std::sscanf(rest.c_str(), "%d %d %d %d %d", &its.registers, &its.stack_bytes,
                      &its.spill_store_bytes, &its.spill_load_bytes, &its.shared_bytes) != 5)
        throw std::runtime_error("its line " + std::to_string(number) + " should hold five numbers");
    } else if (word == "at") {
      const std::size_t end = rest.rfind(' ');
      file = rest.substr(0, end) == "-" ? "" : rest.substr(0, end);
      source_line = end == rest.npos ? 0 : std::atoi(rest.c_str() + end);
    } else if (word == "label") {
      label = rest;
    } else {
      listing.kernels.back().instructions.push_back({word, rest, label, file, source_line});
      label.clear();
    }
  }
  if (number == 0) throw std::runtime_error("it is empty");
  return listing;
}

}  // namespace workbook::cli
