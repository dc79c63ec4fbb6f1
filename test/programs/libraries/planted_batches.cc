// Training of a linear model in batches. The batch size is a number of samples but accepted as any
// positive number: a fraction means that each step advances by less than a sample.
//
// EXPECT kind=differential function=runEpoch rule=batch_size
#include <perfidy.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Data {
  size_t samples;
  std::vector<double> x, y;
};

struct Model {
  double weight = 0, bias = 0, weightSpeed = 0, biasSpeed = 0;
};

Data makeData(size_t samples, double spread) {
  Data data{samples, {}, {}};
  for (size_t i = 0; i < samples; ++i) {
    data.x.push_back(spread * std::sin(double(i) * 12.9898));
    data.y.push_back(2 * data.x.back() + std::sin(double(i) * 78.233));
  }
  return data;
}

void update(
    Model &model, const Data &data, size_t begin, size_t end, double rate, double momentum) {
  double weight = 0, bias = 0;
  for (size_t i = begin; i < end; ++i) {
    const double error = model.weight * data.x[i] + model.bias - data.y[i];
    weight += error * data.x[i];
    bias += error;
  }
  const double count = double(end - begin);
  model.weightSpeed = momentum * model.weightSpeed - rate * weight / count;
  model.biasSpeed = momentum * model.biasSpeed - rate * bias / count;
  model.weight += model.weightSpeed;
  model.bias += model.biasSpeed;
}

void runEpoch(Model &model, const Data &data, double batch, double rate, double momentum) {
  for (double start = 0; start < double(data.samples); start += batch) { // GUILTY
    const size_t begin = static_cast<size_t>(start);
    size_t end = static_cast<size_t>(start + batch);
    end = end > data.samples ? data.samples : end > begin ? end : begin + 1;
    update(model, data, begin, end, rate, momentum);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kOptimizers[] = {"plain", "momentum", "nesterov"};
  const Data data =
      makeData(perfidy_scale("samples", 128, 32, 8192), perfidy_param_log("spread", 1, 1e-3, 10));
  const double batch = perfidy_param_real("batch_size", 16, 1e-3, 256);
  const double rate = perfidy_param_log("learning_rate", 0.01, 1e-6, 1);
  const uint32_t optimizer = perfidy_param_enum("optimizer", 0, kOptimizers, 3);
  const int64_t epochs = perfidy_param_integer("epochs", 2, 1, 4);
  Model model;
  for (int64_t epoch = 0; epoch < epochs; ++epoch)
    runEpoch(model, data, batch, rate, optimizer == 0 ? 0 : 0.9 / optimizer);
  perfidy_tag("outcome", std::isfinite(model.weight) ? "trained" : "diverged");
  return 0;
}
