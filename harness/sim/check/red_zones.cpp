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

/// The thread's stack, past whose ends nothing is read.
struct Stack {
  std::uintptr_t begin, end;
  bool holds(std::uintptr_t at, std::size_t bytes) const {
    return at >= begin && at < end && bytes <= end - at;
  }
};

/// The array that begins there, if one of the program's does: what stands before it and behind it agrees.
std::optional<FencedArray> array_from(const Stack& stack, std::uintptr_t begin) {
  constexpr std::size_t kWord = sizeof(std::uint64_t), kHead = 4 * kWord + kRedBytes,
                        kTail = kRedBytes + 2 * kWord;
  const std::uintptr_t head = begin - kHead;
  if (!stack.holds(head, kHead) || red_word_at(head) != kRedHead) return std::nullopt;
  const std::uint64_t element = red_word_at(head + 2 * kWord), bytes = red_word_at(head + 3 * kWord);
  if (element == 0 || bytes > stack.end - begin || !stack.holds(begin + bytes, kTail)) return std::nullopt;
  const std::uintptr_t tail = begin + bytes + kRedBytes;
  if (red_word_at(tail) != ~kRedHead || red_word_at(tail + kWord) != bytes) return std::nullopt;
  return FencedArray{begin, bytes, element, reinterpret_cast<const char*>(red_word_at(head + kWord))};
}

/// Whose red zone holds the byte at `at`.
std::optional<FencedArray> array_beside(const Stack& stack, std::uintptr_t at) {
  const auto is_red = [](std::uintptr_t byte) { return looks_red<std::uint8_t>(byte); };
  std::uintptr_t end = at;
  while (end < at + kRedBytes && is_red(end)) ++end;
  if (red_word_at(end) == ~kRedHead)
    return array_from(stack, end - kRedBytes - red_word_at(end + sizeof end));
  std::uintptr_t begin = at;
  while (begin > at - kRedBytes && is_red(begin - 1)) --begin;
  return array_from(stack, begin + kRedBytes);
}

}  // namespace

void see_red_zone(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc) {
  const Fiber& fiber = *scene.worker.running->fiber;
  // What an abandoned thread has left there is nobody's; and nothing is read past the stack's ends.
  constexpr std::size_t kGuard = std::size_t{2} * 4096, kReach = 4 * kRedBytes;
  const auto lowest = reinterpret_cast<std::uintptr_t>(fiber.stack);
  const Stack stack{lowest + kGuard, lowest + kStackBytes};
  const std::uintptr_t above = address - lowest;
  if (fiber.abandoned || above < kGuard || above + kReach > kStackBytes) return;
  const std::uintptr_t last = bytes > 4 ? address + bytes - 4 : address;
  auto array = looks_red<std::uint8_t>(address) ? array_beside(stack, address) : std::nullopt;
  if (!array) array = array_beside(stack, last);
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
