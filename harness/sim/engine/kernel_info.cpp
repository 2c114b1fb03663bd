#include "kernel_info.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "clock/occupancy.h"
#include "engine.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// "void ns::scale<float>(float*, int)" for the address of a function; empty: there is none.
std::string function_signature(std::uintptr_t address) { return demangled(function_at(address)); }

/// "scale" from "ns::scale<float>": launches and declarations qualify names as they like.
std::string base_name(const std::string& name) {
  const std::string plain = name.substr(0, name.find('<'));
  const auto colons = plain.rfind("::");
  return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

struct Bounds {
  int max_threads, min_blocks;
};

std::map<std::string, Bounds>& declared_bounds() {
  static auto& bounds = *new std::map<std::string, Bounds>;
  return bounds;
}

void apply_bounds(KernelInfo& info) {
  const auto found = declared_bounds().find(base_name(info.name));
  if (found == declared_bounds().end()) return;
  info.max_threads = std::clamp(found->second.max_threads, 1, kMaxThreads);
  const int resident = info.max_threads * std::max(1, found->second.min_blocks);
  info.registers = std::min(BlockNeeds::kAssumedRegisters, kRegistersPerSm / resident);
}

std::mutex table_mutex;

std::map<const void*, std::unique_ptr<KernelInfo>>& known_kernels() {
  static auto& known = *new std::map<const void*, std::unique_ptr<KernelInfo>>;
  return known;
}

}  // namespace

KernelInfo& kernel_info(const void* function) {
  std::lock_guard lock(table_mutex);
  auto& entry = known_kernels()[function];
  if (entry == nullptr) {
    entry = std::make_unique<KernelInfo>();
    entry->name = without_signature(function_signature(reinterpret_cast<std::uintptr_t>(function)));
    entry->static_shared = static_shared_of(entry->name);
    apply_bounds(*entry);
  }
  return *entry;
}

KernelInfo kernel_info(const BoundKernel& kernel) {
  if (kernel.function != kernel.name) return kernel_info(kernel.function);
  KernelInfo info;
  info.name = kernel.name;
  info.static_shared = static_shared_of(info.name);
  apply_bounds(info);
  std::lock_guard lock(table_mutex);
  for (const auto& [function, other] : known_kernels()) {
    if (base_name(other->name) != base_name(info.name)) continue;
    if (other->dynamic_asked)
      info.dynamic_asked = std::max(info.dynamic_asked.value_or(0), *other->dynamic_asked);
    info.large_clusters |= other->large_clusters;
  }
  return info;
}

LaunchBounds::LaunchBounds(const char* kernel, int max_threads, int min_blocks) {
  declared_bounds()[base_name(kernel)] = {max_threads, min_blocks};
}

std::size_t static_shared_of(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find('<'));
  std::map<std::string, std::size_t> bytes;  // each instance of a template has arrays of its own
  for (const auto& v : shared_variables())
    if (!v.dynamic && v.kernel == name) bytes[v.instance] += v.bytes;
  if (const auto own = bytes.find(kernel); own != bytes.end()) return own->second;
  std::size_t most = 0;  // launched by its name alone: which instance is not known
  for (const auto& [instance, sum] : bytes) most = std::max(most, sum);
  return most;
}

}  // namespace workbook::sim
