// The JSON of what is kept in documents of its own: nothing that a run needs.
#include "runs/fusion_fields.h"
#include "runs/json.h"
#include "runs/json_walk.h"
#include "runs/listing_fields.h"

namespace workbook::runs {

Json to_json(const FusionRecord& record) { return walk::write(record); }
Json to_json(const ListingRecord& record) { return walk::write(record); }
FusionRecord fusion_from_json(const Json& json) { return walk::read_as<FusionRecord>(json); }
ListingRecord listing_from_json(const Json& json) { return walk::read_as<ListingRecord>(json); }

}  // namespace workbook::runs
