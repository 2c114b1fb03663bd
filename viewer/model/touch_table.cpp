#include "model/touch_table.h"

#include <algorithm>

namespace workbook::viewer {
namespace {

int rank(const TouchTensor& tensor) {
  return tensor.role == runs::TensorRole::input          ? 0
         : tensor.role == runs::TensorRole::intermediate ? 1
         : tensor.role == runs::TensorRole::shared       ? 3
                                                         : 2;
}

}  // namespace

TouchTable make_touch_table(const AccessIndex& a, const AccessIndex& b) {
  TouchTable table;
  for (const int side : {0, 1}) {
    const AccessIndex& index = side == 0 ? a : b;
    for (int launch = 0; launch < index.launches(); ++launch) {
      table.launches.push_back({side, launch});
      for (const auto space : {runs::TensorSpace::global, runs::TensorSpace::shared})
        for (const int id : index.tensors_of(launch, space)) {
          const runs::TensorInfo& info = *index.tensor(id);
          auto known = std::find_if(table.tensors.begin(), table.tensors.end(), [&](const TouchTensor& each) {
            return each.name == info.name && each.shape == info.shape && each.role == info.role;
          });
          if (known == table.tensors.end())
            known = table.tensors.insert(known, {info.name, info.role, info.shape, {-1, -1}});
          known->id[static_cast<std::size_t>(side)] = id;
        }
    }
  }
  std::stable_sort(table.tensors.begin(), table.tensors.end(),
                   [](const TouchTensor& x, const TouchTensor& y) { return rank(x) < rank(y); });
  return table;
}

}  // namespace workbook::viewer
