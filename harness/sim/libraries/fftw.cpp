#include "sim/libraries/fftw.h"

#include <dlfcn.h>

#include <cstdio>
#include <mutex>
#include <string>

namespace workbook::sim {
namespace {

constexpr unsigned int kEstimate = 1u << 6;  // FFTW_ESTIMATE: planning does not touch the arrays

/// FFTW's functions for one precision. A plan is a pointer to what only FFTW knows.
template <class T>
struct Fftw {
  void* (*many)(int, const int*, int, T*, const int*, int, int, T*, const int*, int, int, int,
                unsigned int) = nullptr;
  void* (*to_complex)(int, const int*, int, T*, const int*, int, int, T*, const int*, int, int,
                      unsigned int) = nullptr;
  void* (*to_real)(int, const int*, int, T*, const int*, int, int, T*, const int*, int, int,
                   unsigned int) = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  bool is_there() const { return many && to_complex && to_real && execute && destroy; }
};

template <class T>
Fftw<T> load(const char* file, const std::string& prefix) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  Fftw<T> fftw;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, (prefix + name).c_str()));
  };
  find(fftw.many, "plan_many_dft");
  find(fftw.to_complex, "plan_many_dft_r2c");
  find(fftw.to_real, "plan_many_dft_c2r");
  find(fftw.execute, "execute");
  find(fftw.destroy, "destroy_plan");
  return fftw;
}

template <class T>
const Fftw<T>& fftw();
template <>
const Fftw<float>& fftw() {
  static const auto loaded = load<float>("libfftw3f.so.3", "fftwf_");
  return loaded;
}
template <>
const Fftw<double>& fftw() {
  static const auto loaded = load<double>("libfftw3.so.3", "fftw_");
  return loaded;
}

/// FFTW plans on one thread at a time.
std::mutex& planning() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

template <class T>
bool run(void* plan) {
  if (plan == nullptr) return false;
  fftw<T>().execute(plan);
  fftw<T>().destroy(plan);
  return true;
}

template <class T>
bool complex(const Transform& t, T* in, T* out, Direction direction) {
  const std::lock_guard lock(planning());
  return run<T>(fftw<T>().many(t.rank, t.n, t.batch, in, t.in.embed, t.in.stride, t.in.distance, out,
                               t.out.embed, t.out.stride, t.out.distance, static_cast<int>(direction),
                               kEstimate));
}

template <class T>
bool real(const Transform& t, T* real, T* complex, Direction direction) {
  const std::lock_guard lock(planning());
  const bool forward = direction == Direction::forward;
  return run<T>((forward ? fftw<T>().to_complex : fftw<T>().to_real)(
      t.rank, t.n, t.batch, forward ? real : complex, t.in.embed, t.in.stride, t.in.distance,
      forward ? complex : real, t.out.embed, t.out.stride, t.out.distance, kEstimate));
}

}  // namespace

bool fftw_is_there() {
  static const bool there = fftw<float>().is_there() && fftw<double>().is_there();
  static bool said = false;
  if (!there && !said) {
    said = true;
    std::fputs(
        "This program calls cuFFT, which the simulator computes with FFTW, and there is none.\n"
        "Install it and run again: sudo apt install libfftw3-double3 libfftw3-single3\n",
        stderr);
  }
  return there;
}

bool transform_complex(const Transform& t, float* in, float* out, Direction direction) {
  return complex(t, in, out, direction);
}
bool transform_complex(const Transform& t, double* in, double* out, Direction direction) {
  return complex(t, in, out, direction);
}
bool transform_real(const Transform& t, float* r, float* c, Direction direction) {
  return real(t, r, c, direction);
}
bool transform_real(const Transform& t, double* r, double* c, Direction direction) {
  return real(t, r, c, direction);
}

}  // namespace workbook::sim
