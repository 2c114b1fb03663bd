// cuSPARSE: the product of two sparse matrices, whose number of entries nobody knows before it is computed.
#include <map>
#include <memory>
#include <vector>

#include "sim/libraries/cusparse_objects.h"

/// What the steps tell each other.
struct cusparseSpGEMMDescr {
  std::int64_t products = -1;  ///< -1: not counted yet
  bool is_computed = false;
  std::vector<int> offsets, indices;  ///< from 0
  std::vector<double> values;         ///< before they are scaled
};

namespace workbook::sim {
namespace {

struct Product {
  cusparseHandle_t handle;
  cusparseOperation_t op_a, op_b;
  const void *alpha, *beta;
  const cusparseSpMatDescr *a, *b;
  cusparseSpMatDescr* c;
  cudaDataType type;
  cusparseSpGEMMDescr* state;
};

cusparseStatus_t check(const Product& p) {
  if (p.handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (p.alpha == nullptr || p.beta == nullptr || p.a == nullptr || p.b == nullptr || p.c == nullptr ||
      p.state == nullptr || p.a->cols != p.b->rows || p.c->rows != p.a->rows || p.c->cols != p.b->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  for (const cusparseSpMatDescr* m : {p.a, p.b, static_cast<const cusparseSpMatDescr*>(p.c)})
    if (m->format != CUSPARSE_FORMAT_CSR || m->type != p.type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return p.op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && p.op_b == CUSPARSE_OPERATION_NON_TRANSPOSE
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// each(row, column, entry of a, entry of b) of all products. Null, or the matrix with an index outside.
template <class Each>
const cusparseSpMatDescr* for_products(const cusparseSpMatDescr& a, const cusparseSpMatDescr& b, Each each) {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> rows(static_cast<std::size_t>(b.rows));
  if (!for_entries(b, [&](std::int64_t row, std::int64_t col, std::int64_t k) {
        rows[static_cast<std::size_t>(row)].emplace_back(col, k);
      }))
    return &b;
  const bool right = for_entries(a, [&](std::int64_t row, std::int64_t inner, std::int64_t k) {
    for (const auto& [col, other] : rows[static_cast<std::size_t>(inner)]) each(row, col, k, other);
  });
  return right ? nullptr : &a;
}

template <class T>
void multiply(const cusparseSpMatDescr& a, const cusparseSpMatDescr& b, cusparseSpGEMMDescr& state) {
  std::vector<std::map<std::int64_t, T>> rows(static_cast<std::size_t>(a.rows));
  for_products(a, b, [&](std::int64_t row, std::int64_t col, std::int64_t k, std::int64_t other) {
    rows[static_cast<std::size_t>(row)][col] +=
        static_cast<const T*>(a.values)[k] * static_cast<const T*>(b.values)[other];
  });
  state.offsets = {0}, state.indices.clear(), state.values.clear();
  for (const auto& row : rows) {
    for (const auto& [col, value] : row) {
      state.indices.push_back(static_cast<int>(col));
      state.values.push_back(static_cast<double>(value));
    }
    state.offsets.push_back(static_cast<int>(state.indices.size()));
  }
}

/// Of a step with a buffer of its own: how large that is, or the step.
template <class Step>
cusparseStatus_t with_buffer(const Call& call, const Product& p, std::size_t needed, std::size_t* bytes,
                             void* buffer, Step step) {
  if (const cusparseStatus_t status = check(p); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer == nullptr) {
    *bytes = needed;
    return CUSPARSE_STATUS_SUCCESS;
  }
  if (*bytes < needed) return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  LibraryLaunch launch;
  launch.call = call;
  add_ranges(*p.a, launch.reads);
  add_ranges(*p.b, launch.reads);
  launch.writes = {{buffer, needed}};
  auto right = std::make_shared<bool>(true);  // a graph replays the work when this frame is gone
  launch.compute = [=] {
    const cusparseSpMatDescr* const wrong = step(p);
    *right = wrong == nullptr;
    if (!*right) report_outside(call, *wrong);
  };
  return finish(*p.handle, launch, p.a->rows, right.get());
}

cusparseStatus_t estimate(const Call& call, const Product& p, std::size_t* bytes, void* buffer) {
  const auto needed = p.a == nullptr ? std::size_t{8} : 8 * static_cast<std::size_t>(p.a->rows + 1);
  return with_buffer(call, p, needed, bytes, buffer, [](const Product& all) {
    all.state->products = 0;
    return for_products(*all.a, *all.b, [&](auto...) { ++all.state->products; });
  });
}

cusparseStatus_t compute(const Call& call, const Product& p, std::size_t* bytes, void* buffer) {
  if (p.state == nullptr || p.state->products < 0) {
    because(CUSPARSE_STATUS_INVALID_VALUE,
            "cusparseSpGEMM_workEstimation() comes first: once to ask for its buffer, and once with it.");
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const std::size_t needed = 8 + 16 * static_cast<std::size_t>(p.state->products);
  const cusparseStatus_t status =
      with_buffer(call, p, needed, bytes, buffer, [](const Product& all) -> const cusparseSpMatDescr* {
        with_elements(all.type, [&]<class T>(T) { multiply<T>(*all.a, *all.b, *all.state); });
        return nullptr;
      });
  if (status != CUSPARSE_STATUS_SUCCESS || buffer == nullptr) return status;
  p.state->is_computed = true;
  p.c->entries = static_cast<std::int64_t>(p.state->indices.size());
  return status;
}

template <class T>
void store(const cusparseSpGEMMDescr& from, T alpha, T beta, const cusparseSpMatDescr& c) {
  auto* const values = static_cast<T*>(c.values);
  for (std::size_t i = 0; i < from.offsets.size(); ++i) c.offsets[i] = from.offsets[i] + c.base;
  for (std::size_t k = 0; k < from.indices.size(); ++k) {
    c.indices[k] = from.indices[k] + c.base;
    values[k] = alpha * static_cast<T>(from.values[k]) + (beta == T{0} ? T{0} : beta * values[k]);
  }
}

cusparseStatus_t copy(const Call& call, const Product& p) {
  if (const cusparseStatus_t status = check(p); status != CUSPARSE_STATUS_SUCCESS) return status;
  if (!p.state->is_computed) {
    because(CUSPARSE_STATUS_INVALID_VALUE, "cusparseSpGEMM_compute() comes first, with its buffer.");
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  const Scalar by = factor_of(call, *p.handle, p.alpha, p.type),
               kept = factor_of(call, *p.handle, p.beta, p.type);
  LibraryLaunch launch;
  launch.call = call;
  launch.scaled = {{by}, {kept, {values_of(*p.c)}}};
  add_ranges(*p.c, launch.writes);
  launch.flops = 2.0 * static_cast<double>(p.state->products);
  launch.compute = [state = std::make_shared<cusparseSpGEMMDescr>(*p.state), c = *p.c, by, kept] {
    with_elements(c.type, [&]<class T>(T) {
      store(*state, static_cast<T>(by.value()), static_cast<T>(kept.value()), c);
    });
  };
  const bool right = true;
  return finish(*p.handle, launch, p.a->rows, &right);
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* description) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *description = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description) {
  delete description;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description,
                                               std::size_t* bytes, void* buffer) {
  return estimate(WORKBOOK_CALL, {handle, op_a, op_b, alpha, beta, a, b, c, type, description}, bytes,
                  buffer);
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t description, std::int64_t* products) {
  if (description == nullptr || products == nullptr || description->products < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *products = description->products;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description,
                                        std::size_t* bytes, void* buffer) {
  return compute(WORKBOOK_CALL, {handle, op_a, op_b, alpha, beta, a, b, c, type, description}, bytes, buffer);
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType type, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t description) {
  return copy(WORKBOOK_CALL, {handle, op_a, op_b, alpha, beta, a, b, c, type, description});
}

}  // extern "C"
