// __constant__, __device__ and __managed__ variables, seen from the host. A program names the variable
// itself, never a string (CUDA dropped that in 5.0).
#pragma once

#include "memory.h"

extern "C" {
cudaError_t workbook_sim_copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from,
                                        std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                        cudaStream_t stream);
cudaError_t workbook_sim_copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes,
                                          std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                          cudaStream_t stream);
cudaError_t workbook_sim_symbol_address(void** address, const void* symbol, std::size_t symbol_bytes);
}

#define WORKBOOK_SIM_SYMBOL \
  template <class T>        \
  inline __attribute__((always_inline)) cudaError_t
/// Copies to byte `offset` of the variable; past its end: cudaErrorInvalidValue and a finding.
WORKBOOK_SIM_SYMBOL cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes,
                                       std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return workbook_sim_copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, nullptr);
}
WORKBOOK_SIM_SYMBOL cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                            std::size_t offset = 0,
                                            cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                            cudaStream_t stream = nullptr) {
  return workbook_sim_copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, stream);
}
WORKBOOK_SIM_SYMBOL cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return workbook_sim_copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, nullptr);
}
WORKBOOK_SIM_SYMBOL cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                              std::size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                              cudaStream_t stream = nullptr) {
  return workbook_sim_copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, stream);
}
WORKBOOK_SIM_SYMBOL cudaGetSymbolAddress(void** address, const T& symbol) {
  return workbook_sim_symbol_address(
      address, const_cast<const void*>(static_cast<const volatile void*>(&symbol)), sizeof(T));
}
WORKBOOK_SIM_SYMBOL cudaGetSymbolSize(std::size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}
#undef WORKBOOK_SIM_SYMBOL
