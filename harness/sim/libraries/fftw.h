// Fourier transforms by FFTW. It is loaded when a program first needs it, so that nobody else has to have it.
#pragma once

namespace workbook::sim {

/// As FFTW's advanced interface has it: `rank` extents, the last one contiguous; element (i, j, k) of number
/// b lies at b * distance + stride * ((i * embed[1] + j) * embed[2] + k).
struct Layout {
  const int* embed;
  int stride, distance;
};
struct Transform {
  int rank;
  const int* n;
  int batch;
  Layout in, out;
};
enum class Direction { forward = -1, inverse = 1 };

/// Whether there is FFTW for float and double. When there is none, the first call says on standard error what
/// to install.
bool fftw_is_there();

// Complex numbers are two reals. Only where fftw_is_there(). False: FFTW can make no such plan.
bool transform_complex(const Transform& t, float* in, float* out, Direction direction);
bool transform_complex(const Transform& t, double* in, double* out, Direction direction);
bool transform_real(const Transform& t, float* real, float* complex, Direction direction);
bool transform_real(const Transform& t, double* real, double* complex, Direction direction);

}  // namespace workbook::sim
