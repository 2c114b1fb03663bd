#include "unread_copies.h"

#include <string>

#include "diagnosis.h"
#include "sim/source/symbols.h"

namespace workbook::sim {

void note_overwriting(Allocation& to, const char* call, Pc at, std::size_t bytes) {
  if (!Diagnosis::get().modes.check || to.kind != MemoryKind::device || bytes < to.bytes / 2) return;
  const Shadow& shadow = Arena::get().shadow();
  const Shadow::LatestUse use = shadow.latest_use(to.offset, to.bytes);
  // What one launch reads of it, it has read before it wrote, as a kernel that works in place does.
  if (use.written == 0 || use.read > use.written) return;
  to.overwriting = {call, at, shadow.generation()};
}

void report_unread_copy(const Allocation& a, FindingLog& findings) {
  const Allocation::Overwriting& copy = a.overwriting;
  if (copy.call == nullptr || a.taken_out || a.freed_by_graph ||
      Arena::get().shadow().latest_use(a.offset, a.bytes).read > copy.generation)
    return;
  const auto writer = Diagnosis::get().last_writer(a.offset, 1);
  const runs::SourceLine at = writer && writer->pc != 0 ? source_line(writer->pc) : runs::SourceLine{};
  findings.add(runs::FindingClass::bad_api_call, copy.at, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.object = allocation_name(a);
    f.message = std::string(copy.call) + " copies over what a kernel has stored in " + f.object +
                (at.line > 0 ? " (line " + std::to_string(at.line) + ")" : "") +
                " before anybody has read that, and nobody reads what it copies there.";
    f.advice =
        "Are source and destination exchanged? The destination comes first: cudaMemcpy(to, from, bytes, direction). "
        "What a kernel has computed comes to the host by cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost).";
  });
}

void report_unread_copies(FindingLog& findings) {
  for (const auto& a : Arena::get().allocations())
    if (a->live) report_unread_copy(*a, findings);
}

}  // namespace workbook::sim
