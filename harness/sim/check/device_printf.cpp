#include "device_printf.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "diagnosis.h"
#include "hooks.h"
#include "sim/source/symbols.h"
#include "workbook_sim/device_printf.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t kLowerHalf = 0xffff'ffff;

/// What a conversion takes; a width or a precision of `*` is an int.
struct Conversion {
  Printed takes;
  std::string text;  ///< "%lld"
};

std::vector<Conversion> conversions(const char* format) {
  std::vector<Conversion> out;
  const auto one_of = [](char c, const char* set) { return c != '\0' && std::strchr(set, c) != nullptr; };
  for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
    const char* const begin = at++;
    for (; one_of(*at, "-+ #0123456789.*"); ++at)
      if (*at == '*') out.push_back({Printed::integer4, "*"});
    bool wide = false;
    for (; one_of(*at, "hljztLq"); ++at) wide |= one_of(*at, "ljztq");
    if (*at == '\0') break;
    const char what = *at++;
    if (what == '%') continue;
    const Printed integer = wide ? Printed::integer8 : Printed::integer4;
    out.push_back({one_of(what, "diouxXc")    ? integer
                   : one_of(what, "fFeEgGaA") ? Printed::real
                   : what == 's'              ? Printed::text
                   : what == 'p'              ? Printed::pointer
                                              : Printed::other,
                   std::string(begin, at)});
  }
  return out;
}

bool fits(Printed takes, Printed given) {
  if (takes == given || takes == Printed::other || given == Printed::other) return true;
  if (takes == Printed::integer8) return given == Printed::pointer || given == Printed::text;
  return takes == Printed::pointer && (given == Printed::text || given == Printed::integer8);
}

const char* describe(Printed kind) {
  switch (kind) {
    case Printed::integer4:
      return "an integer of 4 bytes";
    case Printed::integer8:
      return "an integer of 8 bytes";
    case Printed::real:
      return "a floating-point number";
    case Printed::text:
      return "a text";
    case Printed::pointer:
      return "a pointer";
    case Printed::other:
      break;
  }
  return "something else";
}

const char* conversion_for(Printed kind) {
  switch (kind) {
    case Printed::integer4:
      return "%d, or %u without a sign";
    case Printed::integer8:
      return "%lld for long long, %ld for long, %zu for size_t";
    case Printed::real:
      return "%f, or %g";
    case Printed::text:
      return "%s";
    case Printed::pointer:
    case Printed::other:
      break;
  }
  return "%p";
}

constexpr std::size_t kMostArguments = 32;  // of which CUDA prints no more

/// The arguments as they came, 8 bytes each; those behind one of another kind are not known.
struct Values {
  std::array<std::uint64_t, kMostArguments> of{};
  std::size_t known = 0;
};

Values values_of(const Printed* kinds, std::size_t count, std::va_list arguments) {
  Values out;
  for (; out.known < std::min(count, kMostArguments) && kinds[out.known] != Printed::other; ++out.known) {
    std::uint64_t& value = out.of[out.known];
    if (kinds[out.known] == Printed::integer4)
      value = static_cast<std::uint64_t>(std::int64_t{va_arg(arguments, int)});
    else if (kinds[out.known] == Printed::real)
      va_arg(arguments, double);
    else
      value = va_arg(arguments, std::uint64_t);
  }
  return out;
}

/// A number of 8 bytes that 4 hold, and nothing behind it that would be read from its other half: it appears
/// as it is.
bool appears_right(Printed takes, Printed given, std::uint64_t value, bool before_integer4) {
  if (takes != Printed::integer4 || given != Printed::integer8 || before_integer4) return false;
  const auto number = static_cast<std::int64_t>(value);
  return value <= kLowerHalf || number == static_cast<std::int32_t>(number);
}

void tell(const Scene& scene, Pc pc, bool harmless, const std::string& what, const std::string& advice) {
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    if (harmless) f.severity = runs::Severity::warning;
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.message = what;
    f.advice = advice;
  });
}

void tell_missing(const Scene& scene, const std::vector<Conversion>& wanted, std::size_t given, Pc pc) {
  tell(scene, pc, false,
       "the format of printf() asks for " + std::to_string(wanted.size()) + " arguments, and " +
           std::to_string(given) + (given == 1 ? " is" : " are") + " given: " + wanted[given].text +
           " prints whatever lies there.",
       "Give each % of the format its argument; a percent sign itself is %%.");
}

void tell_other(const Scene& scene, const Conversion& c, Printed given, std::size_t number, bool harmless,
                Pc pc) {
  tell(scene, pc, harmless,
       "argument " + std::to_string(number) + " behind the format of printf() is " + describe(given) +
           ", and " + c.text + " prints " + describe(c.takes) +
           (harmless ? ": a larger number appears as another one." : ": what appears is another value."),
       std::string("Write ") + conversion_for(given) + "; or convert the argument.");
}

/// The texts that will be read.
struct Texts {
  std::array<std::uintptr_t, kMostArguments> of{};
  std::size_t count = 0;
  bool all_there = true;  ///< else printing would follow what is no pointer
};

Texts check(const Scene& scene, const char* format, const Printed* kinds, const Values& values,
            std::size_t count, Pc pc) {
  const EngineScope scope;
  const std::vector<Conversion> wanted = conversions(format);
  Texts texts;
  for (std::size_t i = 0; i < std::min(wanted.size(), count); ++i) {
    const Conversion& c = wanted[i];
    if (!fits(c.takes, kinds[i])) {
      texts.all_there &= c.takes != Printed::text;
      const bool before_integer4 = i + 1 < wanted.size() && wanted[i + 1].takes == Printed::integer4;
      const bool harmless =
          i < values.known && appears_right(c.takes, kinds[i], values.of[i], before_integer4);
      tell_other(scene, c, kinds[i], i + 1, harmless, pc);
    } else if (c.takes == Printed::text && i < values.known && values.of[i] != 0) {
      texts.of[texts.count++] = values.of[i];
    }
  }
  if (wanted.size() > count) {
    tell_missing(scene, wanted, count, pc);
    for (std::size_t i = count; i < wanted.size(); ++i) texts.all_there &= wanted[i].takes != Printed::text;
  }
  return texts;
}

/// What the call takes of the buffer, at least: the format's address, and the arguments, texts as they are.
std::size_t bytes_in_buffer(const Printed* kinds, std::size_t count, const Values& values, bool texts_there) {
  std::size_t bytes = sizeof(void*);
  for (std::size_t i = 0; i < std::min(count, kMostArguments); ++i) {
    bytes += kinds[i] == Printed::integer4 ? 4 : 8;
    if (kinds[i] == Printed::text && texts_there && i < values.known && values.of[i] != 0)
      bytes += std::strlen(reinterpret_cast<const char*>(values.of[i]));
  }
  return bytes;
}

}  // namespace

PrintedOutput& PrintedOutput::get() {
  static PrintedOutput& all = *new PrintedOutput;
  return all;
}

void PrintedOutput::printed(Pc pc, std::size_t bytes) {
  const EngineScope scope;
  const std::lock_guard lock(mutex_);
  calls_[pc] += bytes;
  waits_ = true;
}

void PrintedOutput::tell_of_overflow(FindingLog& findings) const {
  std::size_t all = 0;
  for (const auto& [pc, bytes] : calls_) all += bytes;
  const std::size_t room = room_;
  if (all <= room) return;
  const auto most = std::max_element(calls_.begin(), calls_.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  findings.add(runs::FindingClass::bad_api_call, most->first, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.message = "what kernels print here before the host waits takes at least " + std::to_string(all) +
                " bytes of a buffer of " + std::to_string(room) +
                ": it goes round, and of the first lines a GPU shows none.";
    f.advice =
        "Print from few threads, wait between the launches, or ask for a larger buffer before the first: "
        "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes).";
  });
}

void PrintedOutput::clear() {
  const std::lock_guard lock(mutex_);
  if (workbook_sim_is_diagnosing()) tell_of_overflow(Diagnosis::get().findings);
  calls_.clear();
  waits_ = false;
}

void PrintedOutput::report_lost(FindingLog& findings) {
  const std::lock_guard lock(mutex_);
  for (const auto& [pc, bytes] : calls_)
    findings.add(runs::FindingClass::bad_api_call, pc, 0, [](runs::Finding& f) {
      f.message =
          "what printf() prints here never appears on a GPU: the program ends before the host has waited for "
          "the kernel.";
      f.advice =
          "Call cudaDeviceSynchronize() after the launch: what kernels print appears when the host waits.";
    });
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" int workbook_sim_printf(const Printed* kinds, std::size_t count, const char* format, ...) {
  const Pc pc = WORKBOOK_PC;
  const Worker* const worker = this_worker;
  std::va_list arguments;
  if (workbook_sim_is_diagnosing() && worker != nullptr && worker->current != nullptr) {
    va_start(arguments, format);
    const Values values = values_of(kinds, count, arguments);
    va_end(arguments);
    Checker& checker = checker_of(*worker);
    const Texts texts = check(checker.scene, format, kinds, values, count, pc);
    for (std::size_t i = 0; i < texts.count; ++i) checker.access_range(texts.of[i], 1, false, pc);
    PrintedOutput::get().printed(pc, bytes_in_buffer(kinds, count, values, texts.all_there));
    if (!texts.all_there) return -1;
  }
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}
