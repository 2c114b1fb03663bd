// Runs as JSON files. The trace travels as base64 of its compressed bytes.
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "runs/json.h"
#include "runs/store.h"

namespace workbook::runs {
namespace {

constexpr const char* kFormat = "workbook runs";
constexpr int kVersion = 1;
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += kDigits[bits >> (held - 6) & 63];
  }
  if (held > 0) out += kDigits[bits << (6 - held) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("a trace is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((held += 6) < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 255);
  }
  return out;
}

}  // namespace

void write_runs(const std::filesystem::path& file, const std::vector<StoredRun>& runs) {
  Json json = {{"format", kFormat}, {"version", kVersion}, {"runs", Json::array()}};
  for (const StoredRun& run : runs) {
    Json entry = {{"run", to_json(run.record)}};
    if (run.trace) entry["trace"] = to_base64(compress(serialize(*run.trace)));
    json["runs"].push_back(std::move(entry));
  }
  std::ofstream out(file, std::ios::binary);
  out << dump(json, 1) << '\n';
  out.close();
  if (!out) throw std::runtime_error(file.string() + " cannot be written: " + std::strerror(errno) + ".");
}

std::vector<StoredRun> read_runs(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  std::ostringstream text;
  text << in.rdbuf();
  try {
    const Json json = parse_json(text.str());
    if (json.is_object() && json.contains("verdict"))
      return {{run_from_json(json), std::nullopt}};  // one bare record
    if (!json.is_object() || json.value("format", "") != kFormat || !json.contains("runs") ||
        !json["runs"].is_array())
      throw std::runtime_error("it is not a file of workbook runs");
    if (json.value("version", 0) != kVersion)
      throw std::runtime_error("it was written by another version of the workbook");
    std::vector<StoredRun> runs;
    for (const Json& entry : json["runs"]) {
      if (!entry.is_object() || !entry.contains("run")) throw std::runtime_error("an entry has no run");
      StoredRun run{run_from_json(entry["run"]), std::nullopt};
      if (const auto trace = entry.find("trace"); trace != entry.end())
        run.trace = deserialize(decompress(from_base64(trace->get<std::string>())));
      runs.push_back(std::move(run));
    }
    return runs;
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(file.string() + " cannot be read: a value has the wrong type.");
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + " cannot be read: " + error.what() + ".");
  }
}

}  // namespace workbook::runs
