// Expected numbers: cuRAND's own curand_kernel.h (CUDA 13.0), compiled for the host.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <string>

#include "device.h"
#include "tests/catch.h"

namespace {

template <class State>
State state_of(unsigned long long seed, unsigned long long sequence, unsigned long long offset) {
  State s;
  curand_init(seed, sequence, offset, &s);
  return s;
}

template <class State>
std::vector<unsigned int> first_six(State& s) {
  std::vector<unsigned int> out;
  for (int i = 0; i < 6; ++i) out.push_back(curand(&s));
  return out;
}

using Bits = std::vector<unsigned int>;
using Philox = curandStatePhilox4_32_10_t;
constexpr unsigned long long kSeed = 0x123456789abcdefull, kOffset = 0x3ffffffffffull;

}  // namespace

TEST_CASE("an error of cuRAND says what it means") {
  CHECK(std::string(workbook_sim_curand_name(CURAND_STATUS_LENGTH_NOT_MULTIPLE)).find("must be even") !=
        std::string::npos);
  CHECK(std::string(workbook_sim_curand_name(CURAND_STATUS_TYPE_ERROR)).find("not simulated") !=
        std::string::npos);
}

TEST_CASE("Philox gives cuRAND's numbers") {
  auto s = state_of<Philox>(0, 0, 0);
  CHECK(first_six(s) == Bits{1713891541u, 3781805453u, 3159862348u, 2600524760u, 4175744164u, 1555169499u});
  CHECK(curand_uniform(&s) == 0.693930924f);
  CHECK(curand_uniform_double(&s) == 0.037094080820679665);
  CHECK(curand_normal(&s) == Approx(2.54409719).epsilon(1e-6));
  CHECK(curand_normal(&s) == Approx(-1.18635809).epsilon(1e-6));
  CHECK(curand_normal_double(&s) == Approx(0.82078075640742854).epsilon(1e-14));
  CHECK(curand_normal_double(&s) == Approx(-1.3899953692428417).epsilon(1e-14));
  CHECK(curand(&s) == 2596868943u);
  s = state_of<Philox>(1234, 5, 7);
  CHECK(first_six(s) == Bits{1925342002u, 648658203u, 3633236749u, 143597841u, 3521664514u, 3248267170u});
  s = state_of<Philox>(kSeed, 0xfffffffffull, kOffset);
  CHECK(first_six(s) == Bits{3318211399u, 754911767u, 1480771240u, 957707222u, 1583614668u, 119519251u});
}

TEST_CASE("XORWOW gives cuRAND's numbers, however far it jumps") {
  auto s = state_of<curandState>(0, 0, 0);
  CHECK(first_six(s) == Bits{3179217846u, 1883133293u, 2220552389u, 674260989u, 306521119u, 1986458431u});
  CHECK(curand_uniform(&s) == 0.227643266f);
  CHECK(curand_uniform_double(&s) == 0.14406516578192247);
  CHECK(curand_normal(&s) == Approx(-0.927174926).epsilon(1e-6));
  CHECK(curand_normal(&s) == Approx(1.57642365).epsilon(1e-6));
  CHECK(curand_normal_double(&s) == Approx(-0.18590160600548308).epsilon(1e-14));
  CHECK(curand_normal_double(&s) == Approx(-0.12950456466915442).epsilon(1e-14));
  CHECK(curand(&s) == 988863877u);
  s = state_of<curandState>(1234, 5, 7);
  CHECK(first_six(s) == Bits{3351265907u, 3629609298u, 415430802u, 1173093345u, 689711927u, 2227153417u});
  s = state_of<curandState>(kSeed, 1000003, kOffset);
  CHECK(first_six(s) == Bits{3766792583u, 3438934657u, 1985495650u, 2671745305u, 3692379452u, 1645449907u});
}

TEST_CASE("MRG32k3a gives cuRAND's numbers, however far it jumps") {
  using Mrg = curandStateMRG32k3a_t;
  auto s = state_of<Mrg>(0, 0, 0);
  CHECK(first_six(s) == Bits{545508615u, 1368065476u, 1327943825u, 3546985268u, 951893240u, 2290915747u});
  CHECK(curand_uniform_double(&s) == 0.48077420342755706);
  CHECK(curand_uniform(&s) == 0.355559886f);
  CHECK(curand_normal(&s) == Approx(-1.99624109).epsilon(1e-6));
  CHECK(curand_normal(&s) == Approx(0.0734365433).epsilon(1e-6));
  CHECK(curand_normal_double(&s) == Approx(0.56285740085741398).epsilon(1e-14));
  CHECK(curand_normal_double(&s) == Approx(-0.887711332764473).epsilon(1e-14));
  s = state_of<Mrg>(1234, 5, 7);
  CHECK(first_six(s) == Bits{2068833513u, 469510173u, 681930214u, 929420860u, 3667764238u, 2341050593u});
  s = state_of<Mrg>(kSeed, 1000003, kOffset);
  CHECK(first_six(s) == Bits{106357484u, 2994812062u, 1884497718u, 367614389u, 3892517138u, 1429554632u});
}

TEST_CASE("generators of the host fill device memory with the distribution asked for") {
  Device device;
  const std::size_t n = 20000;
  float* data = nullptr;
  cudaMalloc(&data, n * sizeof(float));
  for (const curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A,
                                     CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MT19937}) {
    INFO(type);
    curandGenerator_t generator = nullptr;
    REQUIRE(curandCreateGenerator(&generator, type) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetPseudoRandomGeneratorSeed(generator, 42) == CURAND_STATUS_SUCCESS);
    const auto moments = [&] {
      std::vector<float> host(n);
      cudaMemcpy(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
      double sum = 0, squares = 0;
      for (const float number : host) {
        const auto x = static_cast<double>(number);
        sum += x;
        squares += x * x;
      }
      const double mean = sum / static_cast<double>(n);
      return std::pair(mean, squares / static_cast<double>(n) - mean * mean);
    };
    REQUIRE(curandGenerateUniform(generator, data, n) == CURAND_STATUS_SUCCESS);
    CHECK(moments().first == Approx(0.5).margin(0.01));
    CHECK(moments().second == Approx(1.0 / 12).margin(0.005));
    REQUIRE(curandGenerateNormal(generator, data, n, 3, 2) == CURAND_STATUS_SUCCESS);
    CHECK(moments().first == Approx(3).margin(0.06));
    CHECK(moments().second == Approx(4).margin(0.15));
    CHECK(curandGenerateNormal(generator, data, n - 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  }
  CHECK(device.findings().empty());
}

TEST_CASE("a host generator counts on where it stopped, and from its offset") {
  Device device;
  curandGenerator_t generator = nullptr;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 7);
  std::vector<unsigned int> whole(9000), parts(9000);
  REQUIRE(curandGenerate(generator, whole.data(), whole.size()) == CURAND_STATUS_SUCCESS);
  auto sequence = state_of<curandState>(7, 5, 1);
  CHECK(whole[4096 + 5] == curand(&sequence));
  curandSetPseudoRandomGeneratorSeed(generator, 7);
  curandGenerate(generator, parts.data(), 5000);
  curandGenerate(generator, parts.data() + 5000, 4000);
  CHECK(parts == whole);
  curandSetGeneratorOffset(generator, 4500);
  curandGenerate(generator, parts.data(), 10);
  CHECK(parts[3] == whole[4503]);
  curandDestroyGenerator(generator);
}

TEST_CASE("arrays that are too short or the host's are findings") {
  Device device;
  curandGenerator_t generator = nullptr;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  float* data = nullptr;
  cudaMalloc(&data, 10 * sizeof(float));
  CHECK(curandGenerateUniform(generator, data, 11) == CURAND_STATUS_LAUNCH_FAILURE);
  std::vector<float> host(10);
  CHECK(curandGenerateUniform(generator, host.data(), 10) == CURAND_STATUS_LAUNCH_FAILURE);
  CHECK(device.findings().size() == 2);
  CHECK(curandCreateGenerator(&generator, static_cast<curandRngType_t>(201)) == CURAND_STATUS_TYPE_ERROR);
}

TEST_CASE("a generator that is not simulated is refused") {
  Device device;
  curandGenerator_t generator = nullptr;
  for (const curandRngType_t type : {CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_QUASI_SOBOL32})
    CHECK(curandCreateGenerator(&generator, type) == CURAND_STATUS_TYPE_ERROR);
}
