// JSON files of one kind, {"format": ..., "version": ..., KEY: {...}}, that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "runs/json.h"
#include "runs/whole_file.h"

namespace workbook::runs {

struct DocumentKind {
  const char* format;  ///< "workbook fusion"
  int version;
  const char* key;      ///< of what it holds
  const char* nothing;  ///< "it holds no listing": of a file of another kind
};

/// Whether the text begins as a document of that kind does.
bool is_document(const DocumentKind& kind, std::string_view text);

/// Writes beside the file first: who is killed meanwhile, or reads meanwhile, finds the last one whole.
/// Creates its folder. Throws std::runtime_error with a sentence.
void write_document(const std::filesystem::path& file, const DocumentKind& kind, const Json& content);

/// What `read` makes of the document's content. Throws std::runtime_error with a sentence that names the
/// file, also for what `read` throws.
template <class Read>
auto read_document(const std::filesystem::path& file, const DocumentKind& kind, Read read);

/// The content, from text. Throws std::runtime_error with a sentence that names no file.
Json content_of(const DocumentKind& kind, std::string_view text);

template <class Read>
auto read_document(const std::filesystem::path& file, const DocumentKind& kind, Read read) {
  const std::string text = read_whole(file);
  try {
    return read(content_of(kind, text));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + " cannot be read: " + error.what() + ".");
  }
}

}  // namespace workbook::runs
