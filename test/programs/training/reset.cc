// A training program that the pass has instrumented: counts and series are in one trace. Its fault,
// chosen by --no-reset, is the gradient that is never cleared.
#include <perfidy.h>

#include <cstdlib>
#include <cstring>

namespace {

double gradient[2];

__attribute__((noinline)) void clearGradient() {
  gradient[0] = 0;
  gradient[1] = 0;
}

double sampleAt(int i) { return (i * 37 % 100) / 50.0 - 1; }

} // namespace

int main(int argc, char **argv) {
  const bool reset = argc < 2 || std::strcmp(argv[1], "--no-reset") != 0;
  const double rate = argc > 2 ? std::atof(argv[2]) : 0.1;
  double weight = 0, bias = 0;
  perfidy_tag("program", "reset");
  for (int epoch = 0; epoch <= 12; ++epoch) {
    double loss = 0;
    for (int i = 0; i < 20; ++i) {
      const double x = sampleAt(i + epoch), error = weight * x + bias - (2 * x + 0.5);
      loss += error * error / 20;
      if (reset)
        clearGradient();
      gradient[0] += 2 * error * x;
      gradient[1] += 2 * error;
      weight -= rate * gradient[0];
      bias -= rate * gradient[1];
    }
    perfidy_series("base.train_loss", epoch, loss);
    perfidy_series("base.grad_max", epoch, gradient[0] * gradient[0] + gradient[1] * gradient[1]);
  }
  return 0;
}
