#include "test/programs/training/layers.h"

namespace perfidy {
namespace {

/// Adds the parameters of one layer after the other, as forward::Walker takes them.
class Builder {
public:
  explicit Builder(Model &model) : model_(model), shape_(model.input) {}

  void add(const Layer &layer, Fn after) {
    switch (layer.kind) {
    case Layer::Dense:
      affine(shape_.rows(), layer.units, after);
      shape_ = {layer.units, 1, 1, shape_.steps};
      return;
    case Layer::Conv:
      affine(shape_.channels * layer.height * layer.width, layer.units, after);
      shape_ = {layer.units, shape_.height - layer.height + 1, shape_.width - layer.width + 1, 1};
      return;
    case Layer::MaxPool:
      shape_.height /= layer.height;
      shape_.width /= layer.width;
      return;
    case Layer::Elman:
    case Layer::Gru: recurrent(layer); return;
    case Layer::Attention: attend(layer); return;
    case Layer::Norm:
      put(Parameter::Gain, shape_.channels, 1, 0, Fn::Identity);
      put(Parameter::Bias, shape_.channels, 1, 0, Fn::Identity);
      return;
    case Layer::MeanSteps: shape_.steps = 1; return;
    case Layer::Flatten: shape_ = {shape_.channels * shape_.steps, 1, 1, 1}; return;
    case Layer::Activation: return;
    }
  }

private:
  void put(Parameter::Role role, int rows, int cols, int fanOut, Fn fn) {
    model_.parameters.push_back({role, rows, cols, model_.size, fanOut, fn});
    model_.size += rows * cols;
  }

  void affine(int inputs, int units, Fn fn) {
    put(Parameter::Weight, units, inputs, units, fn);
    put(Parameter::Bias, units, 1, 0, fn);
  }

  void recurrent(const Layer &layer) {
    const int copies = layer.kind == Layer::Gru ? 3 : 1;
    for (int i = 0; i < copies; ++i)
      affine(shape_.rows(), layer.units, Fn::Tanh);
    for (int i = 0; i < copies; ++i)
      put(Parameter::Weight, layer.units, layer.units, layer.units, Fn::Tanh);
    shape_ = {layer.units, 1, 1, 1};
  }

  void attend(const Layer &layer) {
    const int width = shape_.channels / layer.units;
    for (int head = 0; head < layer.units; ++head) {
      for (int i = 0; i < 3; ++i)
        put(Parameter::Weight, width, shape_.channels, width, Fn::Identity);
      put(Parameter::Weight, shape_.channels, width, shape_.channels, Fn::Identity);
    }
  }

  Model &model_;
  Shape shape_;
};

} // namespace

Model::Model(std::vector<Layer> list, Shape shape) : layers(std::move(list)), input(shape) {
  Builder builder(*this);
  for (size_t i = 0; i < layers.size(); ++i) {
    const bool activated = i + 1 < layers.size() && layers[i + 1].kind == Layer::Activation;
    builder.add(layers[i], activated ? layers[i + 1].fn : Fn::Identity);
  }
}

} // namespace perfidy
