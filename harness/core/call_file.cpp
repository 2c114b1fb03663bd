#include "call_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "runs/json.h"

namespace workbook::core {

CallFile read_call_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  const runs::Json json = runs::parse_json(text.str());
  CallFile call;
  for (const auto& [name, size] : json.at("sizes").items()) call.sizes[name] = size.get<std::int64_t>();
  for (const auto& [name, array] : json.at("tensors").items())
    call.tensors[name] = {array.at("file").get<int>(), array.at("given").get<bool>()};
  return call;
}

}  // namespace workbook::core
