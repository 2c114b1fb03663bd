#include "sim/calls/user_objects.h"

#include <utility>

#include "sim/calls/graph_work.h"
#include "workbook_sim/runtime/graph_nodes.h"

struct CUuserObject_st {
  void* pointer;
  cudaHostFn_t destroy;
  unsigned references;
};

namespace workbook::sim {
namespace {

void release(CUuserObject_st* object, unsigned count) {
  object->references -= count;
  if (object->references > 0) return;
  object->destroy(object->pointer);
  delete object;
}

}  // namespace

KeptObjects::KeptObjects(const KeptObjects& other) : counts_(other.counts_) {
  for (const auto& [object, count] : counts_) object->references += count;
}

KeptObjects& KeptObjects::operator=(const KeptObjects& other) {
  KeptObjects copy(other);
  counts_.swap(copy.counts_);
  return *this;
}

KeptObjects::~KeptObjects() {
  for (const auto& [object, count] : counts_) sim::release(object, count);
}

bool KeptObjects::release(CUuserObject_st* object, unsigned count) {
  const auto kept = counts_.find(object);
  if (kept == counts_.end() || kept->second < count) return false;
  kept->second -= count;
  if (kept->second == 0) counts_.erase(kept);
  sim::release(object, count);
  return true;
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  if (object == nullptr || destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync)
    return finish(cudaErrorInvalidValue);
  *object = new CUuserObject_st{pointer, destroy, references};
  return finish(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  if (object == nullptr || count == 0) return finish(cudaErrorInvalidValue);
  object->references += count;
  return finish(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  if (object == nullptr || count == 0 || count > object->references) return finish(cudaErrorInvalidValue);
  release(object, count);
  return finish(cudaSuccess);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
  if (!exists(graph) || object == nullptr || count == 0 || flags > cudaGraphUserObjectMove)
    return finish(cudaErrorInvalidValue);
  graph->objects.take(object, count);
  if (flags != cudaGraphUserObjectMove) object->references += count;
  return finish(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  const bool released = exists(graph) && count != 0 && graph->objects.release(object, count);
  return finish(released ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"
