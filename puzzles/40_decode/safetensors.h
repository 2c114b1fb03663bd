// Reads the safetensors format: 8 bytes that say how long the header is, the header in JSON, and the numbers.
// The header gives each tensor's type, shape and place: {"name": {"dtype": "F16", "shape": [64],
// "data_offsets": [0, 128]}}. Every fault of a file is told in words that name the file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

class Safetensors {
 public:
  /// Throws std::runtime_error when the file is not there or not whole.
  explicit Safetensors(const std::string& path) : path_(path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) fail("cannot be opened");
    std::fseek(file, 0, SEEK_END);
    bytes_.resize(static_cast<std::size_t>(std::ftell(file)));
    std::rewind(file);
    const bool read = std::fread(bytes_.data(), 1, bytes_.size(), file) == bytes_.size();
    std::fclose(file);
    if (!read) fail("cannot be read");
    if (bytes_.size() < kLengthBytes) fail("is shorter than the 8 bytes that say how long its header is");
    std::uint64_t length = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | bytes_[i];
    if (length > bytes_.size() - kLengthBytes) fail("says that its header is longer than the file");
    end_ = data_ = kLengthBytes + static_cast<std::size_t>(length);
    read_header();
  }

  /// An entry of "__metadata__" as a whole number.
  int number(const std::string& key) const {
    for (const Entry& entry : metadata_)
      if (entry.name == key) return std::atoi(entry.value.c_str());
    fail("has no metadata called '" + key + "'");
  }

  const std::vector<std::int64_t>& shape(const std::string& name) const { return tensor(name).shape; }

  /// The numbers of a tensor of halves, `count` of them.
  const std::uint16_t* halves(const std::string& name, std::int64_t count) const {
    const Tensor& found = tensor(name);
    if (found.type != "F16") fail("holds '" + name + "' as " + found.type + ", and F16 is needed");
    std::int64_t elements = 1;
    for (const std::int64_t size : found.shape) elements *= size;
    if (elements != count)
      fail("holds " + std::to_string(elements) + " numbers as '" + name + "', and " + std::to_string(count) +
           " are needed");
    if (found.begin < 0 || found.end - found.begin != 2 * count ||
        found.end > static_cast<std::int64_t>(bytes_.size() - data_))
      fail("says that '" + name + "' lies where it cannot lie");
    return reinterpret_cast<const std::uint16_t*>(bytes_.data() + data_ + found.begin);
  }

 private:
  static constexpr std::size_t kLengthBytes = 8;

  struct Entry {
    std::string name, value;
  };
  struct Tensor {
    std::string name, type;
    std::vector<std::int64_t> shape;
    std::int64_t begin = 0, end = 0;
  };

  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_ + " " + what); }
  [[noreturn]] void bad_header() const {
    fail("has a header that is not as expected near its byte " + std::to_string(at_));
  }

  const Tensor& tensor(const std::string& name) const {
    for (const Tensor& tensor : tensors_)
      if (tensor.name == name) return tensor;
    fail("has no tensor called '" + name + "'");
  }

  // The header is JSON of one known form: objects of objects, strings, and lists of whole numbers.
  char next() {
    while (at_ < end_ &&
           (bytes_[at_] == ' ' || bytes_[at_] == '\n' || bytes_[at_] == '\t' || bytes_[at_] == '\r'))
      ++at_;
    if (at_ >= end_) bad_header();
    return static_cast<char>(bytes_[at_]);
  }
  void expect(char wanted) {
    if (next() != wanted) bad_header();
    ++at_;
  }
  std::string string() {
    expect('"');
    std::string text;
    while (at_ < end_ && bytes_[at_] != '"') {
      if (bytes_[at_] == '\\') bad_header();  // no name of ours needs an escape
      text += static_cast<char>(bytes_[at_++]);
    }
    expect('"');
    return text;
  }
  std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> list;
    expect('[');
    while (next() != ']') {
      if (!list.empty()) expect(',');
      if (next() < '0' || next() > '9') bad_header();
      std::int64_t value = 0;
      while (at_ < end_ && bytes_[at_] >= '0' && bytes_[at_] <= '9')
        value = value * 10 + (bytes_[at_++] - '0');
      list.push_back(value);
    }
    expect(']');
    return list;
  }
  template <class Function>
  void object(Function entry) {
    expect('{');
    for (bool first = true; next() != '}'; first = false) {
      if (!first) expect(',');
      const std::string key = string();
      expect(':');
      entry(key);
    }
    expect('}');
  }
  void read_header() {
    at_ = kLengthBytes;
    object([&](const std::string& name) {
      if (name == "__metadata__")
        return object([&](const std::string& key) { metadata_.push_back({key, string()}); });
      Tensor tensor;
      tensor.name = name;
      object([&](const std::string& key) {
        if (key == "dtype") {
          tensor.type = string();
        } else if (key == "shape") {
          tensor.shape = numbers();
        } else if (key == "data_offsets") {
          const std::vector<std::int64_t> offsets = numbers();
          if (offsets.size() != 2) bad_header();
          tensor.begin = offsets[0], tensor.end = offsets[1];
        } else {
          bad_header();
        }
      });
      tensors_.push_back(tensor);
    });
  }

  std::string path_;
  std::vector<unsigned char> bytes_;
  std::size_t data_ = 0, at_ = 0, end_ = 0;
  std::vector<Tensor> tensors_;
  std::vector<Entry> metadata_;
};
