#include "cli/compile/debug_functions.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace workbook::cli {
namespace {

// Of the DWARF standard, version 5, section 7.
enum Tag : std::uint64_t { kCompileUnit = 0x11, kInlined = 0x1d, kSubprogram = 0x2e };
enum Attribute : std::uint64_t {
  kName = 0x03,
  kLineTable = 0x10,
  kFolder = 0x1b,
  kOrigin = 0x31,
  kDeclFile = 0x3a,
  kDeclLine = 0x3b,
  kSpecification = 0x47,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kLinkageName = 0x6e,
};
enum Form : std::uint64_t {
  kBlock2 = 0x03,
  kBlock4 = 0x04,
  kText = 0x08,
  kBlock = 0x09,
  kBlock1 = 0x0a,
  kSignedLeb = 0x0d,
  kTextAt = 0x0e,
  kLeb = 0x0f,
  kReferenceAt = 0x10,
  kReferenceLeb = 0x15,
  kExpression = 0x18,
  kPresent = 0x19,
  kLineTextAt = 0x1f,
  kConstant = 0x21,
};
/// Of the forms of a fixed width, in bytes: addresses, numbers, flags, references, offsets into sections.
/// Else 0.
constexpr auto kWidths = [] {
  std::array<std::uint8_t, 0x22> widths{};
  for (const auto& [form, bytes] :
       {std::pair(0x01, 8), std::pair(0x05, 2), std::pair(0x06, 4), std::pair(0x07, 8), std::pair(0x0b, 1),
        std::pair(0x0c, 1), std::pair(0x10, 4), std::pair(0x11, 1), std::pair(0x12, 2), std::pair(0x13, 4),
        std::pair(0x14, 8), std::pair(0x17, 4), std::pair(0x1e, 16), std::pair(0x20, 8)})
    widths[static_cast<std::size_t>(form)] = static_cast<std::uint8_t>(bytes);
  return widths;
}();
constexpr std::uint64_t kMostShapes = 1 << 16;  // compilers number them from 1 on, and have some hundred

/// Reads forward; past the end everything is 0 and `ok` false.
class Cursor {
 public:
  Cursor(std::string_view data, std::size_t at) : data_(data), at_(at) { ok_ = at <= data.size(); }

  /// Of more than 8 bytes the first.
  std::uint64_t fixed(std::size_t bytes) {
    if (!ok_ || bytes > data_.size() - at_) return stop();
    std::uint64_t value = 0;  // on a little-endian machine, as all are that this runs on
    std::memcpy(&value, data_.data() + at_, bytes < 8 ? bytes : 8);
    at_ += bytes;
    return value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = fixed(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::string_view text() {
    const std::size_t end = ok_ ? data_.find('\0', at_) : data_.npos;
    if (end == data_.npos) return stop(), "";
    const std::string_view value = data_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }
  void skip(std::uint64_t bytes) {
    if (!ok_ || bytes > data_.size() - at_)
      stop();
    else
      at_ += bytes;
  }
  std::size_t at() const { return at_; }
  bool ok() const { return ok_; }
  std::uint64_t stop() {
    ok_ = false;
    return 0;
  }

 private:
  std::string_view data_;
  std::size_t at_;
  bool ok_ = true;
};

std::string_view text_at(std::string_view strings, std::uint64_t offset) {
  return Cursor(strings, offset).text();
}

struct Value {
  std::uint64_t number = 0;
  std::string_view text;
};

struct Entry {
  std::uint64_t place = 0, tag = 0, origin = 0, decl_file = 0, call_file = 0;
  int decl_line = 0, call_line = 0;
  std::string_view name, symbol;
};

class DebugReader {
 public:
  explicit DebugReader(const ElfObject& object)
      : info_(object.contents(".debug_info")),
        abbreviations_(object.contents(".debug_abbrev")),
        strings_(object.contents(".debug_str")),
        line_strings_(object.contents(".debug_line_str")),
        lines_(object.contents(".debug_line")) {}

  std::vector<CompiledFunction> read() {
    Cursor c(info_, 0);
    while (c.ok() && c.at() < info_.size()) {
      const std::size_t unit = c.at();
      const std::uint64_t length = c.fixed(4);
      const std::size_t end = c.at() + length;
      if (length >= 0xfffffff0 || end > info_.size() || !read_unit(c, unit, end)) break;
      c = Cursor(info_, end);
    }
    return std::move(out_);
  }

 private:
  struct Shape {
    std::uint64_t attribute, form, constant;
  };
  struct Abbreviation {
    std::uint64_t tag = 0;
    bool children = false;
    std::vector<Shape> shapes;
  };

  /// By their codes; of a code that is not there the tag is 0.
  std::vector<Abbreviation> abbreviations_at(std::uint64_t offset) const {
    std::vector<Abbreviation> all;
    Cursor c(abbreviations_, offset);
    while (const std::uint64_t code = c.leb()) {
      if (code >= kMostShapes) break;
      if (code >= all.size()) all.resize(code + 1);
      Abbreviation& one = all[code];
      one.tag = c.leb();
      one.children = c.fixed(1) != 0;
      while (c.ok()) {
        Shape form{c.leb(), c.leb(), 0};
        if (form.form == kConstant) form.constant = c.leb();
        if (form.attribute == 0 && form.form == 0) break;
        one.shapes.push_back(form);
      }
    }
    return all;
  }

  /// The value of one attribute, and `c` behind it.
  Value value(Cursor& c, std::uint64_t form, std::uint64_t constant) const {
    if (form < kWidths.size() && kWidths[form] != 0) return {c.fixed(kWidths[form]), {}};
    switch (form) {
      case kLeb:
      case kSignedLeb:
      case kReferenceLeb:
        return {c.leb(), {}};
      case kText:
        return {0, c.text()};
      case kTextAt:
        return {0, text_at(strings_, c.fixed(4))};
      case kLineTextAt:
        return {0, text_at(line_strings_, c.fixed(4))};
      case kPresent:
        return {1, {}};
      case kConstant:
        return {constant, {}};
      case kBlock1:
        c.skip(c.fixed(1));
        return {};
      case kBlock2:
        c.skip(c.fixed(2));
        return {};
      case kBlock4:
        c.skip(c.fixed(4));
        return {};
      case kBlock:
      case kExpression:
        c.skip(c.leb());
        return {};
      default:
        c.stop();  // nothing behind it can be read either
        return {};
    }
  }

  Entry entry(Cursor& c, const Abbreviation& shape, std::size_t unit) {
    Entry one;
    one.tag = shape.tag;
    for (const Shape& form : shape.shapes) {
      const Value v = value(c, form.form, form.constant);
      switch (form.attribute) {
        case kName:
          one.name = v.text;
          break;
        case kLinkageName:
          one.symbol = v.text;
          break;
        case kOrigin:
        case kSpecification:
          one.origin = form.form == kReferenceAt ? v.number : unit + v.number;
          break;
        case kDeclFile:
          one.decl_file = v.number;
          break;
        case kDeclLine:
          one.decl_line = static_cast<int>(v.number);
          break;
        case kCallFile:
          one.call_file = v.number;
          break;
        case kCallLine:
          one.call_line = static_cast<int>(v.number);
          break;
        case kFolder:
          folder_ = v.text;
          break;
        case kLineTable:
          line_table_ = v.number;
          break;
        default:
          break;
      }
    }
    return one;
  }

  bool read_unit(Cursor& c, std::size_t unit, std::size_t end) {
    const std::uint64_t version = c.fixed(2);
    if (version != 4 && version != 5) return false;
    if (version == 5 && c.fixed(1) != 1) return false;  // a unit of another kind than compiled code
    std::uint64_t abbreviations = 0;
    if (version == 5)
      c.skip(1), abbreviations = c.fixed(4);
    else
      abbreviations = c.fixed(4), c.skip(1);
    const std::vector<Abbreviation> shapes = abbreviations_at(abbreviations);
    std::vector<Entry> entries;  // functions, in the order in which they stand, as in out_ from here on
    const std::size_t first = out_.size();
    std::vector<std::size_t> around;  // the function that each open entry belongs to
    constexpr std::size_t kNone = ~std::size_t{0};
    while (c.ok() && c.at() < end) {
      const std::size_t place = c.at();
      const std::uint64_t code = c.leb();
      if (code == 0) {
        if (!around.empty()) around.pop_back();
        continue;
      }
      if (code >= shapes.size() || shapes[code].tag == 0) return false;
      Entry one = entry(c, shapes[code], unit);
      std::size_t inside = around.empty() ? kNone : around.back();
      if (one.tag == kCompileUnit) read_files(version);
      if (one.tag == kSubprogram || one.tag == kInlined) {
        one.place = place;
        entries.push_back(one);
        if (one.tag == kInlined && inside != kNone) out_[inside].inlined.push_back(out_.size());
        inside = out_.size();
        out_.emplace_back();
      }
      if (shapes[code].children) around.push_back(inside);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) describe(entries, entries[i], out_[first + i]);
    return c.ok();
  }

  static const Entry* entry_at(const std::vector<Entry>& entries, std::uint64_t place) {
    const auto at =
        std::lower_bound(entries.begin(), entries.end(), place,
                         [](const Entry& one, std::uint64_t wanted) { return one.place < wanted; });
    return at == entries.end() || at->place != place ? nullptr : &*at;
  }

  void describe(const std::vector<Entry>& entries, const Entry& first, CompiledFunction& out) const {
    if (first.tag == kInlined) out.call = {file(first.call_file), first.call_line};
    std::size_t steps = 0;
    for (const Entry* at = &first; at != nullptr && steps < 8; at = entry_at(entries, at->origin)) {
      const Entry& one = *at;
      DeclaredFunction& to = out.declared;
      if (to.name.empty()) to.name = one.name;
      if (to.symbol.empty()) to.symbol = one.symbol;
      if (to.at.line == 0 && one.decl_line > 0) to.at = {file(one.decl_file), one.decl_line};
      ++steps;
    }
    if (out.declared.symbol.empty()) out.declared.symbol = out.declared.name;
  }

  std::string file(std::uint64_t index) const { return index < files_.size() ? files_[index] : ""; }

  std::string joined_path(const std::string& folder, const std::string& name) const {
    if (name.starts_with('/') || folder.empty()) return name;
    return folder + '/' + name;
  }

  void read_files(std::uint64_t version) {
    files_.clear();
    Cursor c(lines_, line_table_);
    c.skip(4);
    if (c.fixed(2) != version) return;
    if (version == 5) c.skip(2);
    c.skip(4);  // the length of the header
    c.skip(5);  // lengths of instructions, is_stmt, line base and range
    const std::uint64_t opcodes = c.fixed(1);
    if (opcodes > 0) c.skip(opcodes - 1);
    if (version == 4) return read_files_4(c);
    const std::vector<std::pair<std::string, std::uint64_t>> folders = read_names(c);
    for (const auto& [name, folder] : read_names(c))
      files_.push_back(joined_path(folder < folders.size() ? folder_of(folders, folder) : "", name));
  }

  std::string folder_of(const std::vector<std::pair<std::string, std::uint64_t>>& folders,
                        std::uint64_t index) const {
    return index == 0 ? folders[0].first : joined_path(folders[0].first, folders[index].first);
  }

  /// The folders or the files of a line table of version 5, with the folder of each.
  std::vector<std::pair<std::string, std::uint64_t>> read_names(Cursor& c) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> formats(c.fixed(1));
    for (auto& [content, form] : formats) content = c.leb(), form = c.leb();
    std::vector<std::pair<std::string, std::uint64_t>> names;
    const std::uint64_t count = c.leb();
    for (std::uint64_t i = 0; i < count && c.ok(); ++i) {
      names.emplace_back();
      for (const auto& [content, form] : formats) {
        const Value v = value(c, form, 0);
        if (content == 1) names.back().first = v.text;
        if (content == 2) names.back().second = v.number;
      }
    }
    return names;
  }

  void read_files_4(Cursor& c) {
    std::vector<std::string> folders = {folder_};
    for (std::string name(c.text()); !name.empty(); name = c.text())
      folders.push_back(joined_path(folder_, name));
    files_ = {""};
    for (std::string name(c.text()); !name.empty(); name = c.text()) {
      const std::uint64_t folder = c.leb();
      c.leb(), c.leb();
      files_.push_back(joined_path(folder < folders.size() ? folders[folder] : "", name));
    }
  }

  std::string info_, abbreviations_, strings_, line_strings_, lines_;
  std::vector<CompiledFunction> out_;
  std::string folder_;  // of the unit that is being read, as are the next three
  std::uint64_t line_table_ = 0;
  std::vector<std::string> files_;
};

}  // namespace

std::vector<CompiledFunction> debug_functions(const ElfObject& object) { return DebugReader(object).read(); }

}  // namespace workbook::cli
