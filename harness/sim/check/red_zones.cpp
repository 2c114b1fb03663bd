#include "red_zones.h"

#include <optional>
#include <string>

#include "diagnosis.h"
#include "findings.h"
#include "sim/engine/fiber.h"

namespace workbook::sim {
namespace {

std::uint64_t red_word_at(std::uintptr_t address) {
  std::uint64_t word;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

struct FencedArray {
  std::uintptr_t begin;
  std::uint64_t bytes, element;
  const char* name;
};

/// The array that begins there, if one of the program's does.
std::optional<FencedArray> array_from(std::uintptr_t begin) {
  constexpr std::size_t kHead = 4 * sizeof(std::uint64_t) + kRedBytes;
  const std::uintptr_t head = begin - kHead;
  if (red_word_at(head) != kRedHead) return std::nullopt;
  const std::uint64_t element = red_word_at(head + 2 * sizeof head),
                      bytes = red_word_at(head + 3 * sizeof head);
  if (element == 0) return std::nullopt;
  return FencedArray{begin, bytes, element, reinterpret_cast<const char*>(red_word_at(head + sizeof head))};
}

/// Whose red zone holds the byte at `at`.
std::optional<FencedArray> array_beside(std::uintptr_t at) {
  const auto is_red = [](std::uintptr_t byte) { return looks_red<std::uint8_t>(byte); };
  std::uintptr_t end = at;
  while (end < at + kRedBytes && is_red(end)) ++end;
  if (red_word_at(end) == ~kRedHead) return array_from(end - kRedBytes - red_word_at(end + sizeof end));
  std::uintptr_t begin = at;
  while (begin > at - kRedBytes && is_red(begin - 1)) --begin;
  return array_from(begin + kRedBytes);
}

}  // namespace

void see_red_zone(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc) {
  const Fiber& fiber = *scene.worker.running->fiber;
  // What an abandoned thread has left there is nobody's; and nothing is read past the stack's ends.
  constexpr std::size_t kGuard = std::size_t{2} * 4096, kReach = 4 * kRedBytes;
  const std::uintptr_t above = address - reinterpret_cast<std::uintptr_t>(fiber.stack);
  if (fiber.abandoned || above < kGuard || above + kReach > kStackBytes) return;
  const std::uintptr_t last = bytes > 4 ? address + bytes - 4 : address;
  auto array = looks_red<std::uint8_t>(address) ? array_beside(address) : std::nullopt;
  if (!array) array = array_beside(last);
  if (!array || (address >= array->begin && address + bytes <= array->begin + array->bytes)) return;
  const EngineScope scope;
  findings().add(runs::FindingClass::oob_local, pc, 0, [&](runs::Finding& f) {
    const auto element = static_cast<std::int64_t>(array->element);
    const auto from = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(array->begin);
    const std::int64_t index = from < 0 ? (from - element + 1) / element : from / element;
    const auto count = static_cast<std::int64_t>(array->bytes) / element;
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = std::string(array->name) + "[" + std::to_string(index) + "]";
    f.message = scene.name(*f.who) + " " + verb(kind) + " " + f.object + ", but " + array->name +
                ", an array of the thread's own, has " + std::to_string(count) +
                (count == 1 ? " element." : " elements.");
    f.advice =
        "What lies there are other variables of the thread, or nothing: a GPU says nothing of it. Compare the "
        "index, or the loop's end, with the array's declaration: may it be empty, may it be full?";
  });
}

}  // namespace workbook::sim
