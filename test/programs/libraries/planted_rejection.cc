// A generator of data sets with several labels per sample. The number of labels is drawn again
// until it fits the number of classes; without classes and with unlabelled samples forbidden no
// number ever fits.
//
// EXPECT kind=timeout function=drawLabelCount rule=classes,unlabelled
#include <perfidy.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Generator {
  uint64_t state = 11;
  double uniform() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 33) / double(1u << 31);
  }
  // Knuth's method for small means.
  int poisson(double mean) {
    const double limit = std::exp(-mean);
    int count = 0;
    for (double product = uniform(); product > limit; product *= uniform())
      ++count;
    return count;
  }
};

int drawLabelCount(Generator &draw, double mean, int classes, bool unlabelled) {
  int count = 0;
  do // GUILTY
    count = draw.poisson(mean);
  while (count > classes || (count == 0 && !unlabelled));
  return count;
}

// Word counts of one sample: words depend on its labels.
double makeSample(Generator &draw, int labels, int classes, int words, double length) {
  std::vector<double> weight(static_cast<size_t>(words), 1.0 / words);
  for (int label = 0; label < labels; ++label)
    weight[static_cast<size_t>(draw.uniform() * words) % weight.size()] += 1.0 / (classes + 1);
  double sum = 0;
  for (int i = draw.poisson(length); i > 0; --i)
    sum += weight[static_cast<size_t>(draw.uniform() * words) % weight.size()];
  return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kAnswers[] = {"allowed", "forbidden"};
  const uint64_t samples = perfidy_scale("samples", 32, 8, 1024);
  const int classes = static_cast<int>(perfidy_param_integer("classes", 5, 0, 20));
  const double mean = perfidy_param_real("labels", 2, 1, 3);
  const bool unlabelled = perfidy_param_enum("unlabelled", 0, kAnswers, 2) == 0;
  const int words = static_cast<int>(perfidy_param_integer("words", 20, 1, 100));
  const double length = perfidy_param_real("length", 20, 5, 40);
  Generator draw;
  double sum = 0;
  for (uint64_t i = 0; i < samples; ++i)
    sum +=
        makeSample(draw, drawLabelCount(draw, mean, classes, unlabelled), classes, words, length);
  perfidy_tag("outcome", sum >= 0 ? "made" : "impossible");
  return 0;
}
