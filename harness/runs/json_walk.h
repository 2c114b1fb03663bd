// Writes and reads whatever names its fields (fields.h, fusion_fields.h, listing_fields.h). For json.cpp and
// document_json.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runs/json.h"
#include "runs/words.h"

namespace workbook::runs::walk {

[[noreturn]] inline void fail(const std::string& where, const std::string& what) {
  throw std::runtime_error("this is not a run record: " + (where.empty() ? "the whole" : "'" + where + "'") +
                           " " + what);
}

// Writing.

inline Json write(const std::string& x) { return x; }
inline Json write(bool x) { return x; }
inline Json write(std::int64_t x) { return x; }
inline Json write(int x) { return x; }
template <Worded Enum>
Json write(Enum x) {
  return word_of(x);
}
inline Json write(double x) {
  if (std::isnan(x)) return nullptr;
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}
inline Json write(const Dim3& x) { return Json::array({x.x, x.y, x.z}); }
inline Json write(const Sizes& sizes) {
  Json json = Json::object();
  for (const auto& [name, size] : sizes) json[name] = size;
  return json;
}

template <class T>
requires std::is_class_v<T> Json write(const T& x);

template <class T>
Json write(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& item : list) json.push_back(write(item));
  return json;
}

struct Writer {
  Json json = Json::object();
  template <class T>
  void operator()(const char* name, const T& value) {
    json[name] = write(value);
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) json[name] = write(*value);
  }
  template <class T>
  void later(const char* name, const T& value) {
    json[name] = write(value);
  }
};

template <class T>
requires std::is_class_v<T> Json write(const T& x) {
  Writer writer;
  fields(writer, x);
  return std::move(writer.json);
}

// Reading: `where` is the path of the value, for the sentence when it does not fit.

inline void read(const Json& json, const std::string& where, std::string& x) {
  if (!json.is_string()) fail(where, "should be a text");
  x = json.get<std::string>();
}
inline void read(const Json& json, const std::string& where, bool& x) {
  if (!json.is_boolean()) fail(where, "should be true or false");
  x = json.get<bool>();
}
inline void read(const Json& json, const std::string& where, std::int64_t& x) {
  if (!json.is_number_integer()) fail(where, "should be a whole number");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    fail(where, "is too large");
  x = json.get<std::int64_t>();
}
inline void read(const Json& json, const std::string& where, int& x) {
  std::int64_t wide = 0;
  read(json, where, wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    fail(where, "is too large");
  x = static_cast<int>(wide);
}
template <Worded Enum>
void read(const Json& json, const std::string& where, Enum& x) {
  std::string word;
  read(json, where, word);
  const std::optional<Enum> known = from_word<Enum>(word);
  if (!known) fail(where, "is '" + word + "', which means nothing here");
  x = *known;
}
inline void read(const Json& json, const std::string& where, double& x) {
  if (json.is_null())
    x = std::numeric_limits<double>::quiet_NaN();
  else if (json == "inf" || json == "-inf")
    x = (json == "inf" ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  else if (json.is_number())
    x = json.get<double>();
  else
    fail(where, "should be a number");
}
inline void read(const Json& json, const std::string& where, Dim3& x) {
  if (!json.is_array() || json.size() != 3) fail(where, "should be three whole numbers");
  std::uint32_t* const part[] = {&x.x, &x.y, &x.z};
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t wide = 0;
    read(json[i], where, wide);
    if (wide < 0 || wide > std::numeric_limits<std::uint32_t>::max()) fail(where, "is out of range");
    *part[i] = static_cast<std::uint32_t>(wide);
  }
}
inline void read(const Json& json, const std::string& where, Sizes& sizes) {
  if (!json.is_object()) fail(where, "should be an object of sizes by name");
  sizes.clear();
  for (const auto& [name, size] : json.items()) {
    sizes.emplace_back(name, 0);
    read(size, where + "." + name, sizes.back().second);
  }
}

template <class T>
requires std::is_class_v<T>
void read(const Json& json, const std::string& where, T& x);

template <class T>
void read(const Json& json, const std::string& where, std::vector<T>& list) {
  if (!json.is_array()) fail(where, "should be a list");
  list.clear();
  list.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    read(json[i], where + "[" + std::to_string(i) + "]", list.emplace_back());
}

struct Reader {
  const Json& json;
  const std::string& where;
  std::size_t known = 0;  ///< fields of `json` that were asked for

  std::string path(const char* name) const { return where.empty() ? name : where + "." + name; }

  const Json* find(const char* name) {
    const auto found = json.find(name);
    if (found == json.end()) return nullptr;
    ++known;
    return &*found;
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if (const Json* found = find(name))
      read(*found, path(name), value);
    else
      fail(path(name), "is missing");
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& value) {
    if (const Json* found = find(name)) read(*found, path(name), value);
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& value) {
    const Json* found = find(name);
    if (found && !found->is_null()) read(*found, path(name), value.emplace());
  }
  template <class T>
  void later(const char* name, T& value) {
    if (const Json* found = find(name)) read(*found, path(name), value);
  }
};

struct Names {
  std::vector<std::string> list;
  template <class T>
  void operator()(const char* name, const T&) {
    list.emplace_back(name);
  }
  template <class T>
  void later(const char* name, const T&) {
    list.emplace_back(name);
  }
};

template <class T>
requires std::is_class_v<T>
void read(const Json& json, const std::string& where, T& x) {
  if (!json.is_object()) fail(where, "should be an object");
  Reader reader{json, where};
  fields(reader, x);
  if (reader.known == json.size()) return;
  Names names;
  fields(names, x);
  for (const auto& [name, value] : json.items())
    if (std::find(names.list.begin(), names.list.end(), name) == names.list.end())
      throw std::runtime_error("a newer program wrote this run record: '" + reader.path(name.c_str()) +
                               "' is no field that this one knows. `make viewer` builds the viewer anew");
}

template <class T>
T read_as(const Json& json) {
  T x;
  read(json, "", x);
  return x;
}

}  // namespace workbook::runs::walk
