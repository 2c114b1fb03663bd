// Plain reads of the program's own variables, as kernels make them of __constant__ tables: of words of which
// no check has anything to say, in few instructions. The records are those that the checks keep.
#include "checker.h"
#include "host_names.h"
#include "sim/engine/host_copies.h"

namespace workbook::sim {

namespace {

/// A word that nobody writes in this launch. False: it is another, and nothing is noted.
bool note_image_read(Cell& cell, const Worker& worker, std::uint32_t mask, std::uint32_t pc, bool constant) {
  const SimThread& t = *worker.current;
  const Launch& launch = *worker.launch;
  // Kernels do not write constants: of their readers two are enough to know, and where the latest one stood.
  // So that workers which read one table do not wait for each other.
  if (constant && cell.w_gen != launch.generation && cell.r_gen == launch.generation && cell.others &&
      cell.r_pc == pc && (cell.r_mask & mask) == mask && (cell.init_mask & mask) == mask)
    return true;
  const CellLock lock(cell, launch.parallel);
  if (cell.w_gen == launch.generation || (cell.init_mask & mask) != mask) return false;
  note_reader(cell, {launch.generation, worker.gid(t), worker.epoch, t.clock, pc, mask, false});
  return true;
}

}  // namespace

Checker::ImageSite& Checker::image_site(std::uint32_t at, std::uintptr_t address, runs::Access kind) {
  ImageSite& site = image_sites_[(at * 0x9e3779b1u) >> 24];
  if (site.at == at && address - site.begin < site.end - site.begin) return site;
  const EngineScope scope;
  const auto [begin, end] = program_variable_around(address);
  const HostCopy* const variable = find_device_variable(address);
  if (variable == nullptr && has_host_variables())
    see_host_variable(scene, address, kind, program_base() + at);
  site = {at, variable != nullptr && variable->is_constant(), begin, end};
  return site;
}

template <std::uint32_t kBytes>
void Checker::quick_image(std::uintptr_t address, Pc pc) {
  using Kind = How<runs::Access::read, false, Space::image>;
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  const ImageSite& site = image_site(at, address, runs::Access::read);
  if (site.begin == 0 || address + kBytes > site.end)
    return access<runs::Access::read, false>(address, kBytes, pc);
  begin_access(*scene.worker.current, kBytes, pc);
  const std::uint64_t offset = address - writable_image_begin();
  const std::uint32_t mask = kBytes < 4 ? ((1u << kBytes) - 1) << offset % 4 : 0xf;
  for (std::uint32_t k = 0; k < kBytes; k += 4) {
    if (note_image_read(image_cells()[(offset + k) / 4], scene.worker, mask, at, site.constant)) continue;
    const Access rest{
        .address = address + k, .offset = offset + k, .bytes = kBytes - k, .pc = pc, .owner = &scene};
    return words_.touch<Kind>(checks, scene, rest);
  }
}

template void Checker::quick_image<1>(std::uintptr_t, Pc);
template void Checker::quick_image<2>(std::uintptr_t, Pc);
template void Checker::quick_image<4>(std::uintptr_t, Pc);
template void Checker::quick_image<8>(std::uintptr_t, Pc);
template void Checker::quick_image<16>(std::uintptr_t, Pc);

}  // namespace workbook::sim
