// kissfft: transforms whose length has a large prime factor take the generic butterfly, which is
// quadratic in it; kiss_fft.h offers kiss_fft_next_fast_size for this reason. The length is the
// largest multiple of `factor` up to the size.
//
// LIBRARY package=kissfft sources=kiss_fft.c,kiss_fftr.c
// EXPECT kind=differential function=kf_work,kf_bfly_generic rule=factor
#include <perfidy.h>

#include "kiss_fft.h"
#include "kiss_fftr.h"

#include <cmath>
#include <cstdlib>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kDirections[] = {"forward", "inverse"};
  static const char *const kKinds[] = {"complex", "real"};
  const int size = static_cast<int>(perfidy_scale("samples", 512, 128, 16384));
  const int factor = static_cast<int>(perfidy_param_integer("factor", 2, 2, 127));
  const bool inverse = perfidy_param_enum("direction", 0, kDirections, 2);
  const bool real = perfidy_param_enum("kind", 0, kKinds, 2);
  const double amplitude = perfidy_param_log("amplitude", 1, 1e-3, 1e3);
  // Powers of two of the factor's multiples, so that no other large factor comes in.
  int length = factor;
  while (length * 2 <= size)
    length *= 2;
  std::vector<kiss_fft_cpx> in(static_cast<size_t>(length)), out(static_cast<size_t>(length));
  for (int i = 0; i < length; ++i)
    in[static_cast<size_t>(i)].r = static_cast<float>(amplitude * std::sin(i));
  if (real && length % 2 == 0) {
    kiss_fftr_cfg plan = kiss_fftr_alloc(length, inverse, nullptr, nullptr);
    std::vector<kiss_fft_scalar> time(static_cast<size_t>(length), 1);
    if (inverse)
      kiss_fftri(plan, in.data(), time.data());
    else
      kiss_fftr(plan, time.data(), out.data());
    free(plan);
    return 0;
  }
  kiss_fft_cfg plan = kiss_fft_alloc(length, inverse, nullptr, nullptr);
  kiss_fft(plan, in.data(), out.data());
  free(plan);
  return 0;
}
