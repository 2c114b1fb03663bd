#include "arguments.h"

#include <stdexcept>

namespace workbook::core {

Arguments parse_arguments(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--dump" || flag == "--probe") {
      (flag == "--dump" ? a.dump : a.probe) = true;
      continue;
    }
    if (flag == "--no-trace" || flag == "--no-host-versions") {
      (flag == "--no-trace" ? a.trace : a.host_versions) = false;
      continue;
    }
    if (flag == "--apart") {  // the rest is another program's
      a.options.apart.assign(argv + i + 1, argv + argc);
      break;
    }
    if (i + 1 >= argc) throw std::invalid_argument(flag + " needs a value");
    const std::string value = argv[++i];
    if (flag == "--variant") {
      a.variant = value;
    } else if (flag == "--phase") {
      const auto known = runs::from_word<runs::PhaseKind>(value);
      if (!known) throw std::invalid_argument("there is no phase '" + value + "'");
      a.phase = *known;
    } else if (flag == "--out") {
      a.out = value;
    } else if (flag == "--fingerprints") {
      a.fingerprints = value;
    } else if (flag == "--call") {
      a.call = value;
    } else if (flag == "--until") {
      a.until = value;
    } else if (flag == "--seed") {
      a.seed = std::stoull(value);
    } else if (flag == "--leave-out") {
      a.left_out.push_back(value);
    } else if (flag == "--gpu") {
      a.options.gpu = value;
    } else if (flag == "--size") {
      const auto equals = value.find('=');
      if (equals == std::string::npos) throw std::invalid_argument("--size wants NAME=NUMBER, not " + value);
      a.sizes.emplace_back(value.substr(0, equals), std::stoll(value.substr(equals + 1)));
    } else {
      throw std::invalid_argument("unknown option " + flag);
    }
  }
  if (a.out.empty()) throw std::invalid_argument("--out DIR is missing");
  return a;
}

}  // namespace workbook::core
