#include "model/touch_table.h"

#include <algorithm>

namespace workbook::viewer {
namespace {

int rank(const TouchRow& row) {
  return row.role == "input" ? 0 : row.role == "intermediate" ? 1 : row.role == "shared" ? 3 : 2;
}

}  // namespace

TouchTable make_touch_table(const AccessIndex& a, const AccessIndex& b) {
  TouchTable table;
  for (const int side : {0, 1}) {
    const AccessIndex& index = side == 0 ? a : b;
    for (int launch = 0; launch < index.launches(); ++launch) {
      table.columns.push_back({side, launch});
      for (const char* space : {"global", "shared"})
        for (const int id : index.tensors_of(launch, space)) {
          const runs::TensorInfo& info = *index.tensor(id);
          auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const TouchRow& each) {
            return each.name == info.name && each.shape == info.shape && each.role == info.role;
          });
          if (row == table.rows.end())
            row = table.rows.insert(row, {info.name, info.role, info.shape, {-1, -1}});
          row->tensor[static_cast<std::size_t>(side)] = id;
        }
    }
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const TouchRow& x, const TouchRow& y) { return rank(x) < rank(y); });
  return table;
}

}  // namespace workbook::viewer
