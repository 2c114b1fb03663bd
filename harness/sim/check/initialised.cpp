#include "initialised.h"

#include "diagnosis.h"
#include "memory_findings.h"
#include "sim/engine/host_copies.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"
#include "unset_values.h"
#include "words.h"

namespace workbook::sim {

namespace {

/// Of a block in which threadIdx.x alone counts no warp through.
std::string of_several_rows(const uint3& block) {
  if (block.y * block.z == 1 || block.x % 32 == 0) return "";
  return " The block has " + std::to_string(block.y * block.z) + " rows of " + std::to_string(block.x) +
         " threads: threadIdx.x alone is no number of a thread, of its lane or of its warp.";
}

/// Whether another variable has that name and a value: each source file has its own of what is static.
bool has_namesake(const HostCopy& variable) {
  bool found = false;
  for_each_device_variable([&](const HostCopy& other) {
    found |= other.variable != variable.variable && other.name == variable.name &&
             is_image_partly_written(other.variable, other.bytes);
  });
  return found;
}

/// A constant that has no value: nothing else in static data is without one.
void report_constant(const Scene& scene, std::uint32_t pc, std::uintptr_t address) {
  const HostCopy* const variable = find_device_variable(address);
  if (variable == nullptr) return;
  findings().add(runs::FindingClass::uninit_global, pc_at(pc), 0, [&](runs::Finding& f) {
    const bool partly = is_image_partly_written(variable->variable, variable->bytes);
    if (!partly) f.severity = runs::Severity::warning;  // zero, on a GPU, if nobody meant another value
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = program_variable(address);
    f.message =
        scene.name(*f.who) + " reads " + f.object + ", which nobody has set: " + variable->name +
        " is a __constant__ variable without a value of its own, and " +
        (partly ? "what cudaMemcpyToSymbol() has copied to it ends before." : "nothing was copied to it.");
    if (!partly && has_namesake(*variable)) {
      f.message += " Another " + variable->name + " was set, of another source file.";
      f.advice =
          "A variable that is static, or in a namespace without a name, is another one in each file that "
          "includes it: set it in the file whose kernels read it; or declare it extern in the header, "
          "define it in one file, and compile with -rdc=true.";
      return;
    }
    f.advice = "Copy all of it before the launch: cudaMemcpyToSymbol(" + variable->name + ", from, sizeof(" +
               variable->name + ")) counts bytes, not elements.";
  });
}

/// The kernel that declares the array, where that is another one that has run: its block is gone.
std::string ended_owner(const Scene& scene, const Target& target) {
  const SharedArray* const array = scene.shared_array(scene.shared_low + target.offset);
  if (array == nullptr || array->variable->dynamic) return "";
  const SharedVariable& v = *array->variable;
  const std::string running = scene.kernel();
  if (v.kernel == running || v.instance == running) return "";
  for (const std::string& name : {v.kernel, v.instance})
    if (Diagnosis::get().has_run(name)) return name;
  return "";
}

/// What to say where just the first part of an array is there, as many bytes as it has elements.
std::string counted_in_elements(const Scene& scene, const Target& target) {
  const SharedArray* const array = scene.shared_array(scene.shared_low + target.offset);
  if (array == nullptr || target.owner != &scene) return "";
  const std::size_t bytes = array->end - array->begin;
  std::size_t there = 0;
  for (std::uintptr_t at = array->begin; at < array->end; at += sizeof(std::uint32_t)) {
    const Cell& cell = scene.shared_cells[(at - scene.shared_low) / sizeof(std::uint32_t)];
    if (cell.w_gen != scene.worker.block_serial || cell.init_mask != 0xf) break;
    there += sizeof(std::uint32_t);
  }
  const std::size_t element = counted_element(there, bytes);
  if (element == 0 || element != array->variable->element_bytes) return "";
  return "The first " + std::to_string(there) +
         " bytes of it are there, as many as it has elements: memcpy_async() and "
         "memcpy() count bytes. Give them the number of elements times sizeof, here " +
         std::to_string(there) + " * " + std::to_string(element) + ".";
}

}  // namespace

void Initialised::report(Scene& scene, std::uint32_t pc, const Target& target) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  // Whether that block has written it yet, before anything says that it has begun, is luck.
  if (target.owner != &scene &&
      !scene.ordering.knows_of(static_cast<std::uint32_t>(target.owner->worker.block_linear())))
    return;
  if (target.space == Space::arena && target.offset < kArenaBytes) {
    const Allocation* a = Arena::get().find(target.offset);
    if (a != nullptr && a->on_host()) return;  // the host may have written it where no hook saw it
    const bool is_told = UnsetValues::get().tell(target.offset, [&] {
      const runs::SourceLine at = source_line(pc_at(pc));
      return scene.name(scene.id_of(*scene.worker.running)) + " reads it" +
             (at.line > 0 ? " in " + std::string(scene.kernel()) + ", line " + std::to_string(at.line) : "");
    });
    if (is_told) return;
  }
  const bool shared = is_shared_memory(target.space);
  if (target.space == Space::image) return report_constant(scene, pc, writable_image_begin() + target.offset);
  findings().add(
      shared ? runs::FindingClass::uninit_shared : runs::FindingClass::uninit_global, pc_at(pc), 0,
      [&](runs::Finding& f) {
        f.kernel = scene.kernel();
        f.who = scene.id_of(*scene.worker.running);
        f.object = scene.name_of(target);
        if (const std::string ended = shared ? ended_owner(scene, target) : ""; !ended.empty()) {
          f.message = scene.name(*f.who) + " reads " + f.object + ", shared memory of " + ended +
                      ": it ended with that kernel's block, and its address is worth nothing since.";
          f.advice =
              "Let " + ended + " copy what is to stay to device memory, and give the next kernel that.";
          return;
        }
        const Allocation* const a = target.space == Space::arena && target.offset < kArenaBytes
                                        ? Arena::get().find(target.offset)
                                        : nullptr;
        std::string counted;
        f.message = scene.name(*f.who) + " reads " + f.object + ", which nothing has written" +
                    (shared         ? " in this block"
                     : a != nullptr ? partly_filled(*a, target.offset, counted)
                                    : "") +
                    ".";
        if (shared) counted = counted_in_elements(scene, target);
        f.advice =
            !counted.empty() ? counted
            : shared && loads_fragment(pc_at(pc))
                ? "Is the pitch of this load the distance between two rows as they were stored, in elements and "
                  "with their padding? Did __syncthreads() or __syncwarp() come after the store?"
            : shared ? std::string(
                           "Is the store guarded so that some threads skip it, or does it come after the "
                           "read? A __syncthreads() must lie between the store and the read.") +
                           of_several_rows(scene.worker.launch->block)
            : target.space == Space::arena && target.offset >= kArenaBytes
                ? "What malloc() and new give holds anything: store to it first."
            : updates_element(pc_at(pc))
                ? "What `+=` adds to must be there before. Where this line is the first to store the element, store with "
                  "`=`; else, which launch or copy should have written it?"
                : "Which launch or copy should have written it? Check that one's index, guard and size first.";
      });
}

}  // namespace workbook::sim
