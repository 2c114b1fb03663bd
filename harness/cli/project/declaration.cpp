#include "cli/project/declaration.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace workbook::cli {
namespace {

/// A braced initialiser as a tree: a text, a list with or without names, or other code kept as it stands.
struct Node {
  enum class Kind { text, list, code } kind = Kind::code;
  std::string name;   ///< ".title = " gives "title"
  std::string value;  ///< of a text or code
  std::vector<Node> items;

  const Node* find(std::string_view key) const {
    for (const Node& item : items)
      if (item.name == key) return &item;
    return nullptr;
  }
  std::string text(std::string_view key) const {
    const Node* node = find(key);
    if (!node || node->kind != Kind::text)
      throw std::runtime_error("its declaration has no ." + std::string(key) + " = \"...\"");
    return node->value;
  }
};

class Parser {
 public:
  explicit Parser(std::string_view rest) : rest_(rest) {}

  Node list() {
    Node node;
    node.kind = Node::Kind::list;
    expect('{');
    for (skip(); !rest_.empty() && rest_.front() != '}'; skip()) {
      node.items.push_back(item());
      skip();
      if (!rest_.empty() && rest_.front() == ',') rest_.remove_prefix(1);
    }
    expect('}');
    return node;
  }

 private:
  Node item() {
    std::string name;
    if (rest_.front() == '.' && rest_.size() > 1 && std::isalpha(static_cast<unsigned char>(rest_[1]))) {
      rest_.remove_prefix(1);
      name = identifier();
      skip();
      expect('=');
      skip();
    }
    Node node = value();
    node.name = std::move(name);
    return node;
  }

  Node value() {
    if (!rest_.empty() && rest_.front() == '{') return list();
    Node node;
    if (!rest_.empty() && rest_.front() == '"') {
      node.kind = Node::Kind::text;
      for (; !rest_.empty() && rest_.front() == '"'; skip())
        node.value += literal();  // neighbours are one text
      return node;
    }
    // Any other expression up to the comma or brace that ends it: kept, not understood.
    int depth = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (depth == 0 && (c == ',' || c == '}')) break;
      if (c == '"') {
        node.value += literal();
        continue;
      }
      depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
      node.value += c;
      rest_.remove_prefix(1);
    }
    return node;
  }

  std::string identifier() {
    std::string out;
    while (!rest_.empty() &&
           (std::isalnum(static_cast<unsigned char>(rest_.front())) || rest_.front() == '_')) {
      out += rest_.front();
      rest_.remove_prefix(1);
    }
    return out;
  }

  std::string literal() {
    expect('"');
    std::string out;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      out += rest_.front();
      rest_.remove_prefix(1);
    }
    expect('"');
    return out;
  }

  void skip() {
    while (!rest_.empty()) {
      if (std::isspace(static_cast<unsigned char>(rest_.front())))
        rest_.remove_prefix(1);
      else if (rest_.starts_with("//"))
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (rest_.starts_with("/*"))
        rest_.remove_prefix(std::min(rest_.find("*/"), rest_.size() - 2) + 2);
      else
        return;
    }
  }

  void expect(char c) {
    if (rest_.empty() || rest_.front() != c)
      throw std::runtime_error(std::string("its declaration cannot be read: '") + c + "' is missing");
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

VariantInfo variant_of(const Node& node) {
  VariantInfo variant{node.text("name"), node.text("title"), node.text("summary"), {}, true};
  if (const Node* regions = node.find("regions"))
    for (const Node& region : regions->items) variant.regions.push_back(region.value);
  if (const Node* required = node.find("required"))
    variant.required = required->value.find("false") == std::string::npos;
  return variant;
}

}  // namespace

Declaration read_declaration(std::string_view source) {
  constexpr std::string_view kStart = "workbook::puzzle = {";
  const std::size_t start = source.find(kStart);
  if (start == std::string_view::npos)
    throw std::runtime_error("it has no 'const workbook::Puzzle workbook::puzzle = {'");
  const Node root = Parser(source.substr(start + kStart.size() - 1)).list();
  Declaration declaration;
  const Node* number = root.find("number");
  declaration.number = number ? std::atoi(number->value.c_str()) : 0;
  if (declaration.number <= 0) throw std::runtime_error("its declaration has no .number");
  declaration.title = root.text("title");
  declaration.part = root.text("part");
  declaration.summary = root.text("summary");
  if (const Node* variants = root.find("variants"))
    for (const Node& variant : variants->items) declaration.variants.push_back(variant_of(variant));
  if (declaration.variants.empty()) throw std::runtime_error("its declaration has no .variants");
  return declaration;
}

}  // namespace workbook::cli
