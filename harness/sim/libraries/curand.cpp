// cuRAND's host interface, on the generators of curand_kernel.h.
#include "workbook_sim/libraries/curand.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <set>

#include "sim/check/diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/libraries/library_launch.h"
#include "sim/runtime/pointers.h"
#include "workbook_sim/libraries/curand_kernel.h"
#include "workbook_sim/libraries/curand_mrg32k3a.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kSequences = 4096;  // that the numbers of XORWOW and MRG32k3a are taken from in turn

/// Where 32 random bits come from.
class Source {
 public:
  virtual ~Source() = default;
  virtual unsigned int next() = 0;
  virtual float uniform() { return to_uniform(next()); }
  virtual double uniform_double() {
    const unsigned int x = next(), y = next();
    return to_uniform_double(x, y);
  }
  virtual float2 normals() {
    const unsigned int x = next(), y = next();
    return box_muller(x, y);
  }
  virtual double2 normals_double() {
    const unsigned int x = next(), y = next(), z = next(), w = next();
    return box_muller_double({x, y, z, w});
  }
};

class Philox : public Source {
 public:
  Philox(unsigned long long seed, unsigned long long offset) { curand_init(seed, 0, offset, &state_); }
  unsigned int next() override { return curand(&state_); }

 private:
  curandStatePhilox4_32_10_t state_;
};

template <class State>
class Interleaved : public Source {
 public:
  Interleaved(unsigned long long seed, unsigned long long offset)
      : states_(kSequences), next_(offset % kSequences) {
    for (std::size_t i = 0; i < kSequences; ++i)
      curand_init(seed, i, offset / kSequences + (i < next_ ? 1 : 0), &states_[i]);
  }
  unsigned int next() override { return curand(advance()); }

 protected:
  State* advance() {
    State* const state = &states_[next_];
    next_ = (next_ + 1) % kSequences;
    return state;
  }

 private:
  std::vector<State> states_;
  std::size_t next_;
};
using Xorwow = Interleaved<curandStateXORWOW_t>;

/// Its uniform numbers come of one step each.
class Mrg : public Interleaved<curandStateMRG32k3a_t> {
 public:
  using Interleaved::Interleaved;
  float uniform() override { return curand_uniform(advance()); }
  double uniform_double() override { return curand_uniform_double(advance()); }
  float2 normals() override { return curand_normal2(advance()); }
  double2 normals_double() override { return curand_normal2_double(advance()); }
};

class Mersenne : public Source {
 public:
  Mersenne(unsigned long long seed, unsigned long long offset) : state_(static_cast<unsigned int>(seed)) {
    state_.discard(offset);
  }
  unsigned int next() override { return static_cast<unsigned int>(state_()); }

 private:
  std::mt19937 state_;
};

std::unique_ptr<Source> make_source(curandRngType_t type, unsigned long long seed,
                                    unsigned long long offset) {
  switch (type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return std::make_unique<Philox>(seed, offset);
    case CURAND_RNG_PSEUDO_MT19937:
      return std::make_unique<Mersenne>(seed, offset);
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      return std::make_unique<Xorwow>(seed, offset);
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return std::make_unique<Mrg>(seed, offset);
    default:
      return nullptr;
  }
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

struct curandGenerator_st {
  curandRngType_t type;
  bool on_host;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  std::unique_ptr<Source> source = nullptr;  ///< null until the next number is asked for

  Source& numbers() {
    if (source == nullptr) source = make_source(type, seed, offset);
    return *source;
  }
};

namespace workbook::sim {
namespace {

std::set<curandGenerator_t>& generators() {
  static auto* const all = new std::set<curandGenerator_t>;  // outlives the program's own objects
  return *all;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      break;
    default:
      std::fputs(
          "curandCreateGenerator(): MTGP32 and the quasirandom generators are not simulated. XORWOW, MRG32k3a, "
          "MT19937 and Philox are.\n",
          stderr);
      return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{type, on_host};
  generators().insert(*generator);
  return CURAND_STATUS_SUCCESS;
}

/// A generator of the host is given memory that is the device's alone, which it cannot fill. True if so.
bool tell_of_device_memory(const Call& call, const void* numbers) {
  const Pointed p = point_to(numbers);
  if (p.side != Side::device) return false;
  Diagnosis::get().findings.add(runs::FindingClass::host_deref, call.pc, 0, [&](runs::Finding& f) {
    f.object = allocation_name(*p.allocation);
    f.message =
        std::string(call.api) + " is given " + f.object +
        ", which is device memory, with a generator from curandCreateGeneratorHost(): that one computes on the "
        "host, and on a GPU the program ends here with a segmentation fault.";
    f.advice =
        "Make the generator with curandCreateGenerator(), for numbers in device memory; or give this one an array of "
        "the host and copy that.";
  });
  return true;
}

/// Fills the array on the device as one launch, or on the host. `fill(source)` writes all of it.
template <class T, class FillAll>
curandStatus_t generate(const Call& call, curandGenerator_t generator, T* numbers, std::size_t count,
                        FillAll fill) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  if (generator->on_host) {
    if (tell_of_device_memory(call, numbers)) return CURAND_STATUS_ALLOCATION_FAILED;
    fill(generator->numbers());
    return CURAND_STATUS_SUCCESS;
  }
  LibraryLaunch launch;
  launch.call = call;
  launch.writes = {{numbers, count * sizeof(T)}};
  launch.grid.x = static_cast<std::uint32_t>(std::min<std::size_t>((count + 255) / 256, 4096));
  launch.compute = [generator, fill] { fill(generator->numbers()); };
  switch (run_library(generator->stream, launch)) {
    case cudaSuccess:
      return CURAND_STATUS_SUCCESS;
    case cudaErrorInvalidResourceHandle:
      return CURAND_STATUS_NOT_INITIALIZED;
    default:
      return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

template <class T, class One>
curandStatus_t generate_each(const Call& call, curandGenerator_t generator, T* numbers, std::size_t count,
                             One one) {
  return generate(call, generator, numbers, count, [=](Source& source) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = one(source);
  });
}

/// `finish` turns a number of mean 0 and deviation 1 into what was asked for.
template <class T, class Finish>
curandStatus_t generate_normals(const Call& call, curandGenerator_t generator, T* numbers, std::size_t count,
                                Finish finish) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(call, generator, numbers, count, [=](Source& source) {
    for (std::size_t i = 0; i < count; i += 2) {
      if constexpr (std::is_same_v<T, float>) {
        const float2 pair = source.normals();
        numbers[i] = finish(pair.x);
        numbers[i + 1] = finish(pair.y);
      } else {
        const double2 pair = source.normals_double();
        numbers[i] = finish(pair.x);
        numbers[i + 1] = finish(pair.y);
      }
    }
  });
}

/// The number of uniform factors until their product falls below exp(-lambda), by its logarithm.
unsigned int poisson(Source& source, double lambda) {
  double sum = 0;
  for (unsigned int events = 0;; ++events) {
    sum -= std::log(source.uniform_double());
    if (sum > lambda) return events;
  }
}

}  // namespace
}  // namespace workbook::sim

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generators().erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = 100400;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int) {
  return generators().count(generator) == 0 ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->source = nullptr;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->source = nullptr;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  const bool known = ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_LEGACY;
  return known ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  generator->numbers();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t count) {
  return generate_each(WORKBOOK_CALL, generator, numbers, count, [](Source& s) { return s.next(); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t count) {
  return generate_each(WORKBOOK_CALL, generator, numbers, count, [](Source& s) { return s.uniform(); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t count) {
  return generate_each(WORKBOOK_CALL, generator, numbers, count,
                       [](Source& s) { return s.uniform_double(); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                    float mean, float stddev) {
  return generate_normals(WORKBOOK_CALL, generator, numbers, count,
                          [=](float x) { return mean + stddev * x; });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                          double mean, double stddev) {
  return generate_normals(WORKBOOK_CALL, generator, numbers, count,
                          [=](double x) { return mean + stddev * x; });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                       float mean, float stddev) {
  return generate_normals(WORKBOOK_CALL, generator, numbers, count,
                          [=](float x) { return std::exp(mean + stddev * x); });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                             double mean, double stddev) {
  return generate_normals(WORKBOOK_CALL, generator, numbers, count,
                          [=](double x) { return std::exp(mean + stddev * x); });
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, std::size_t count,
                                     double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate_each(WORKBOOK_CALL, generator, numbers, count,
                       [lambda](Source& s) { return poisson(s, lambda); });
}

const char* workbook_sim_curand_name(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_NOT_INITIALIZED:
      return "CURAND_STATUS_NOT_INITIALIZED (there is no such generator)";
    case CURAND_STATUS_ALLOCATION_FAILED:
      return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_TYPE_ERROR:
      return "CURAND_STATUS_TYPE_ERROR (the generator cannot do this, or is not simulated: MTGP32 and the quasirandom "
             "ones are there on a GPU alone)";
    case CURAND_STATUS_OUT_OF_RANGE:
      return "CURAND_STATUS_OUT_OF_RANGE (an argument is outside of what it may be)";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE:
      return "CURAND_STATUS_LENGTH_NOT_MULTIPLE (normal numbers come in pairs: their count must be even)";
    default:
      return "an error of cuRAND";
  }
}

}  // extern "C"
