#include "runs/document.h"

#include <stdexcept>

namespace workbook::runs {

bool is_document(const DocumentKind& kind, std::string_view text) {
  return text.starts_with("{\"format\":\"" + std::string(kind.format) + '"');
}

Json content_of(const DocumentKind& kind, std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object() || !json.contains(kind.key) || json.value("format", Json()) != kind.format)
    throw std::runtime_error(kind.nothing);
  if (json.value("version", Json()) != kind.version)
    throw std::runtime_error("it was written by another version of the workbook");
  return json[kind.key];
}

void write_document(const std::filesystem::path& file, const DocumentKind& kind, const Json& content) {
  write_whole(file, dump({{"format", kind.format}, {"version", kind.version}, {kind.key, content}}) + '\n');
}

}  // namespace workbook::runs
