// The fields of a listing, as fields.h has those of a run.
#pragma once

#include "runs/fields.h"
#include "runs/listing.h"

namespace workbook::runs {

template <class V>
void fields(V& f, Is<ListedInstruction> auto& x) {
  f("address", x.address);
  f("text", x.text);
  f("label", x.label);
  f("file", x.file);
  f("line", x.line);
  f("note", x.note);
  f("meaning", x.meaning);
}

template <class V>
void fields(V& f, Is<ListedKernel> auto& x) {
  f("name", x.name);
  f("resources", x.resources);
  f("instructions", x.instructions);
}

template <class V>
void fields(V& f, Is<ListingRecord> auto& x) {
  f("puzzle", x.puzzle);
  f("form", x.form);
  f("architecture", x.architecture);
  f("origin", x.origin);
  f("source_hash", x.source_hash);
  f("kernels", x.kernels);
}

}  // namespace workbook::runs
