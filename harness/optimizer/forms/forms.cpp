#include "optimizer/forms/forms.h"

#include "optimizer/forms/attention/shape.h"
#include "optimizer/forms/gemv/shape.h"
#include "optimizer/forms/nests/shape.h"
#include "optimizer/forms/row/shape.h"
#include "optimizer/forms/strip/shape.h"
#include "optimizer/forms/tensor/shape.h"
#include "optimizer/forms/turned/shape.h"
#include "optimizer/forms/window/shape.h"

namespace workbook::opt {

const std::vector<const Form*>& forms() {
  static const std::vector<const Form*> table = {
      &row_form(),    &tensor_form(), &gemv_form(),      &strip_form(),
      &turned_form(), &window_form(), &attention_form(), &nest_form(),
  };
  return table;
}

const Form& form_of(Path path) {
  for (const Form* form : forms())
    if (std::find(form->paths.begin(), form->paths.end(), path) != form->paths.end()) return *form;
  return *forms().back();
}

std::uint64_t halved_nodes(const Program& program, const Plan& plan) {
  std::uint64_t halved = plan.halves();
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k)
    if (const auto rounded = form_of(plan.kernels[k].path).rounded)
      halved |= rounded(program, plan, launches[k], plan.kernels[k]);
  return halved;
}

}  // namespace workbook::opt
