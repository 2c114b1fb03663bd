#include "cli/report/listing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/listing/facts.h"
#include "cli/report/format.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kNoteColumn = 50;

std::string shortened(std::string text, std::size_t width) {
  if (columns(text) <= width) return text;
  while (columns(text) > width - 3) text.pop_back();
  return text + "...";
}

/// What a reader looks for is marked where it stands; the rest has its words in the table.
std::string note_of(const Instruction& each) {
  const std::string mnemonic = mnemonic_of(each), meaning = meaning_of(mnemonic);
  const bool moves = moved_bytes(mnemonic) > 0;
  if (moves && meaning.find("local memory") != meaning.npos)
    return fmt::format("spill {}, {} bytes", meaning.starts_with("loads") ? "load" : "store",
                       moved_bytes(mnemonic));
  if (moves)
    return fmt::format("{}, {} {}", meaning.starts_with("loads") ? "load" : "store", moved_bytes(mnemonic),
                       moved_bytes(mnemonic) == 1 ? "byte" : "bytes");
  if (meaning.starts_with("special function unit")) return replaced(meaning, "function unit", "function");
  if (const std::string predicated = predication_of(each); predicated.size() > 10) return predicated;
  if (meaning.starts_with("__syncthreads")) return "barrier";
  if (meaning.starts_with("double")) return "double";
  if (meaning.starts_with("tensor") || meaning.starts_with("shuffle") || meaning.starts_with("atomic"))
    return meaning.substr(0, meaning.find(':'));
  return "";
}

std::string instruction_line(const Instruction& each, std::size_t address_width) {
  std::string line = fmt::format("  {:>{}}  {}", each.address, address_width, each.text);
  const std::string note = note_of(each);
  if (!note.empty() && line.size() + 2 + note.size() <= kScreen) {
    line.resize(std::max(line.size() + 2, std::min(kNoteColumn, kScreen - note.size())), ' ');
    return line + paint(Colour::accent, note) + '\n';
  }
  return shortened(line, kScreen) + '\n';
}

std::string resources_text(const KernelListing& kernel) {
  const KernelResources& its = kernel.resources;
  std::string text = count_text(static_cast<std::int64_t>(kernel.instructions.size()), "instruction");
  if (its.registers < 0) return text;
  text += fmt::format(", {} registers a thread", its.registers);
  if (its.stack_bytes > 0) text += fmt::format(", a stack of {} bytes", its.stack_bytes);
  if (its.spill_store_bytes > 0 || its.spill_load_bytes > 0)
    text +=
        fmt::format(", spilled: {} bytes stored and {} loaded", its.spill_store_bytes, its.spill_load_bytes);
  else
    text += ", nothing spilled";
  if (its.shared_bytes > 0) text += fmt::format(", {} bytes of shared memory a block", its.shared_bytes);
  return text;
}

/// The instructions that occur, the most frequent first, and what they do.
std::string legend(const KernelListing& kernel) {
  std::map<std::string, int> times;
  for (const Instruction& each : kernel.instructions) {
    ++times[mnemonic_of(each)];
    if (const std::string predicated = predication_of(each); !predicated.empty())
      ++times[predicate_of(each).starts_with("@%") || predicate_of(each).starts_with("@!%")
                  ? "@%p " + (predicated == "predicated" ? "..." : mnemonic_of(each))
                  : "@P " + (predicated == "predicated" ? "..." : mnemonic_of(each))];
  }
  std::vector<std::pair<std::string, int>> rows(times.begin(), times.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Table table({"instruction", "times", "what it does"});
  table.left(2);
  std::size_t name_width = 11;
  for (const auto& [name, count] : rows)
    name_width = std::max(name_width, std::min<std::size_t>(name.size(), 32));
  const std::size_t words_width = kScreen - (2 + name_width + 2 + 5 + 2);
  for (const auto& [name, count] : rows) {
    std::string words = meaning_of(name);
    if (name.starts_with('@'))
      words = name.ends_with("...") ? "carried out where the predicate is true"
              : name.find("EXIT") != name.npos || name.ends_with("ret")
                  ? "predicated exit: some threads end here"
                  : "predicated branch: some threads jump";
    table.row({shortened(name, 32), std::to_string(count), shortened(words, words_width)});
  }
  return table.text();
}

}  // namespace

std::string listing_origin(const Listing& listing) {
  return listing.made_by + ", for " + listing.architecture + (listing.recorded ? ", recorded" : "");
}

std::string listing_overview(const Listing& listing) {
  const bool sass = listing.form == ListingForm::sass;
  using Words = std::vector<std::string>;
  Table table(
      sass ? Words{"kernel", "instr.", "regs", "spilled", "load", "store", "FFMA", "MUFU", "double", "@BRA"}
           : Words{"kernel", "instr.", "load", "store", "fma", "special", "double", "branches"});
  for (const KernelListing& kernel : listing.kernels) {
    const Counts counts = counts_of(kernel);
    std::vector<std::string> row = {shortened(kernel.name, 24), std::to_string(counts.instructions)};
    if (sass) {
      row.push_back(std::to_string(kernel.resources.registers));
      row.push_back(fmt::format("{} B", std::max(0, kernel.resources.spill_store_bytes)));
    }
    for (const int bytes : {counts.widest_load, counts.widest_store})
      row.push_back(fmt::format("{} B", bytes));
    for (const int count : {counts.fma, counts.special, counts.doubles, counts.branches})
      row.push_back(std::to_string(count));
    table.row(std::move(row));
  }
  return table.text() +
         (sass ? "  load, store: the widest of global memory; MUFU: special functions;\n"
                 "  @BRA: branches under a predicate\n"
               : "  load, store: the widest of global memory; branches: those under a predicate\n");
}

std::string listing_text(const Listing& listing, const KernelListing& kernel, const LineText& source,
                         std::size_t most, const std::string& how_to_see_all) {
  std::string text = paint(Colour::bold, kernel.name) + "  " + form_name(listing.form) + '\n' +
                     wrapped(resources_text(kernel), kScreen, "") + '\n';
  std::size_t width = 0, shown = 0;
  for (const Instruction& each : kernel.instructions) width = std::max(width, each.address.size());
  std::string file;
  int at = -1;
  for (const Instruction& each : kernel.instructions) {
    if (shown++ == most) break;
    if (each.file != file || each.line != at) {
      file = each.file, at = each.line;
      const std::string place =
          file.empty() ? "(a subroutine of the compiler's)" : fmt::format("{}:{}", file, at);
      const std::string words(trimmed(file.empty() ? "" : source(file, at)));
      text += paint(Colour::dim, shortened(fmt::format("{:<16} {}", place, words), kScreen)) + '\n';
    }
    if (!each.label.empty()) text += shortened(each.label, kScreen - 1) + ":\n";
    text += instruction_line(each, width);
  }
  if (kernel.instructions.size() > most)
    text += fmt::format("  ... {} more: {}\n", kernel.instructions.size() - most, how_to_see_all);
  return text + '\n' + legend(kernel);
}

runs::Json listing_json(const Listing& listing, const std::string& wanted) {
  runs::Json json = {{"form", form_name(listing.form)},
                     {"architecture", listing.architecture},
                     {"made_by", listing.made_by},
                     {"recorded", listing.recorded},
                     {"kernels", runs::Json::array()}};
  for (const KernelListing& kernel : listing.kernels) {
    if (!wanted.empty() && kernel.name != wanted) continue;
    const KernelResources& its = kernel.resources;
    const Counts counts = counts_of(kernel);
    runs::Json entry = {{"kernel", kernel.name},
                        {"counts",
                         {{"instructions", counts.instructions},
                          {"widest_load_bytes", counts.widest_load},
                          {"widest_store_bytes", counts.widest_store},
                          {"fma", counts.fma},
                          {"special", counts.special},
                          {"double", counts.doubles},
                          {"local", counts.spills},
                          {"predicated_branches", counts.branches},
                          {"predicated_exits", counts.exits},
                          {"barriers", counts.barriers}}},
                        {"instructions", runs::Json::array()}};
    if (its.registers >= 0)
      entry["resources"] = {{"registers", its.registers},
                            {"stack_bytes", its.stack_bytes},
                            {"spill_store_bytes", its.spill_store_bytes},
                            {"spill_load_bytes", its.spill_load_bytes},
                            {"shared_bytes", its.shared_bytes}};
    for (const Instruction& each : kernel.instructions)
      entry["instructions"].push_back({{"address", each.address},
                                       {"text", each.text},
                                       {"label", each.label},
                                       {"file", each.file},
                                       {"line", each.line},
                                       {"meaning", meaning_of(mnemonic_of(each))}});
    json["kernels"].push_back(std::move(entry));
  }
  return json;
}

runs::ListingRecord listing_record(const Listing& listing) {
  runs::ListingRecord record;
  record.form = form_name(listing.form);
  record.architecture = listing.architecture;
  record.origin = listing_origin(listing);
  for (const KernelListing& kernel : listing.kernels) {
    runs::ListedKernel& made = record.kernels.emplace_back();
    made.name = kernel.name;
    made.resources = resources_text(kernel);
    for (const Instruction& each : kernel.instructions)
      made.instructions.push_back({each.address, each.text, each.label, each.file, each.line, note_of(each),
                                   meaning_of(mnemonic_of(each))});
  }
  return record;
}

}  // namespace workbook::cli
