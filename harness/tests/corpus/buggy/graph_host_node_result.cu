// Wrong: a graph's node calls a function of the host, and its result is read before the graph has ended.
#include <cuda_runtime.h>
#include <cstdio>

static int launches = 0;

static void CUDART_CB count(void* user) {
  ++launches;                        // expect-other: stream_race
  *static_cast<double*>(user) *= 2;  // expect-other: stream_race
}

int main() {
  double factor = 1;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaHostNodeParams parameters = {count, &factor};
  cudaGraphNode_t node;
  cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphLaunch(exec, s);
  cudaGraphLaunch(exec, s);
  const double early = factor;   // expect: stream_race
  const int counted = launches;  // expect: stream_race
  cudaStreamSynchronize(s);
  std::printf("%g of %g after %d of %d launches\n", early, factor, counted, launches);
  cudaStreamDestroy(s);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}
