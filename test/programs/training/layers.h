// Layers as data, and their forward pass over any of the number types of values.h.
//
// A network is a list of Layer; a Model adds the parameters they need, as one flat vector.
// Activations are matrices whose columns are samples, or steps of samples (sample by sample), and
// whose rows are features; an image is a column of height x width x channels, channels fastest.
#pragma once

#include "test/programs/training/tape.h"

namespace perfidy {

struct Layer {
  enum Kind {
    Dense,
    Activation,
    Conv,
    MaxPool,
    Elman,
    Gru,
    Attention,
    Norm,
    MeanSteps,
    Flatten
  } kind = Dense;
  int units = 0;             ///< Dense, Elman, Gru: outputs; Conv: filters; Attention: heads
  int height = 1, width = 1; ///< Conv: kernel; MaxPool: window
  Fn fn = Fn::Identity;      ///< Activation, Elman
};

inline Layer dense(int units) { return {Layer::Dense, units}; }
inline Layer activation(Fn fn) { return {Layer::Activation, 0, 1, 1, fn}; }
/// Convolution without padding, stride 1.
inline Layer conv(int filters, int height, int width) {
  return {Layer::Conv, filters, height, width};
}
/// Largest of each window; the windows tile the image, what is left over is dropped.
inline Layer maxPool(int height, int width) { return {Layer::MaxPool, 0, height, width}; }
/// Recurrent; both give their state after the last step.
inline Layer elman(int units, Fn fn) { return {Layer::Elman, units, 1, 1, fn}; }
inline Layer gru(int units) { return {Layer::Gru, units, 1, 1, Fn::Tanh}; }
/// Softmax self-attention over the steps, added to its input.
inline Layer attention(int heads) { return {Layer::Attention, heads}; }
/// Each column to mean 0 and variance 1, then gain and bias.
inline Layer norm() { return {Layer::Norm}; }
/// Mean over the steps of a sample.
inline Layer meanSteps() { return {Layer::MeanSteps}; }
/// All steps of a sample in one column.
inline Layer flatten() { return {Layer::Flatten}; }

/// What a layer sees of one sample.
struct Shape {
  int channels = 1, height = 1, width = 1, steps = 1;
  int rows() const { return channels * height * width; }
};

/// One matrix of parameters.
struct Parameter {
  enum Role { Weight, Bias, Gain } role = Weight;
  int rows = 0, cols = 0, offset = 0;
  int fanOut = 0;       ///< units that read the same input (Weight); fan-in is `cols`
  Fn fn = Fn::Identity; ///< what its output goes through: decides the scale of the start value
};

/// A network for inputs of one shape.
struct Model {
  std::vector<Layer> layers;
  Shape input;
  std::vector<Parameter> parameters;
  int size = 0; ///< all parameters together

  Model() = default;
  Model(std::vector<Layer> layers, Shape input);
};

/// Before and after one activation function.
struct ActivationNodes {
  int before = 0, after = 0;
  Fn fn = Fn::Identity;
};

/// One forward pass.
template <typename T> struct Pass {
  Tape<T> tape;
  std::vector<int> parameters; ///< leaf of each Model::parameters
  std::vector<ActivationNodes> activations;
  int output = 0;
};

namespace forward {

/// Walks the layers; `next` is the parameter that the next layer takes.
template <typename T> class Walker {
public:
  Walker(const Model &model, Pass<T> &pass, int samples)
      : pass_(pass), tape_(pass.tape), shape_(model.input), samples_(samples) {}

  int step(const Layer &layer, int x) {
    switch (layer.kind) {
    case Layer::Dense: return dense(layer, x);
    case Layer::Activation: return activate(layer.fn, x);
    case Layer::Conv: return conv(layer, x);
    case Layer::MaxPool: return pool(layer, x);
    case Layer::Elman: return elman(layer, x);
    case Layer::Gru: return gru(layer, x);
    case Layer::Attention: return attention(layer, x);
    case Layer::Norm: return norm(x);
    case Layer::MeanSteps: return meanSteps(x);
    case Layer::Flatten: break;
    }
    shape_ = {shape_.channels * shape_.steps, 1, 1, 1};
    return tape_.reshape(x, shape_.channels, samples_);
  }

private:
  int next() { return pass_.parameters[next_++]; }

  int affine(int x) {
    const int w = next();
    return tape_.addColumn(tape_.times(w, x), next());
  }

  int activate(Fn fn, int x) {
    const int y = tape_.map(fn, x);
    pass_.activations.push_back({x, y, fn});
    return y;
  }

  int dense(const Layer &layer, int x) {
    shape_ = {layer.units, 1, 1, shape_.steps};
    return affine(x);
  }

  int conv(const Layer &layer, int x) {
    const int high = shape_.height - layer.height + 1, wide = shape_.width - layer.width + 1;
    Positions from;
    for (int n = 0; n < samples_; ++n)
      for (int y = 0; y < high; ++y)
        for (int z = 0; z < wide; ++z)
          for (int i = 0; i < layer.height; ++i)
            for (int j = 0; j < layer.width; ++j)
              for (int c = 0; c < shape_.channels; ++c)
                from.push_back(at(n, y + i, z + j, c));
    const int rows = shape_.channels * layer.height * layer.width;
    const int windows = tape_.gather(x, std::move(from), rows, high * wide * samples_);
    const int y = affine(windows);
    shape_ = {layer.units, high, wide, 1};
    return tape_.reshape(y, shape_.rows(), samples_);
  }

  int pool(const Layer &layer, int x) {
    const int high = shape_.height / layer.height, wide = shape_.width / layer.width;
    const Real values = valueOf(tape_.value(x));
    Positions from;
    for (int n = 0; n < samples_; ++n)
      for (int y = 0; y < high; ++y)
        for (int z = 0; z < wide; ++z)
          for (int c = 0; c < shape_.channels; ++c) {
            int best = at(n, y * layer.height, z * layer.width, c);
            for (int i = 0; i < layer.height * layer.width; ++i) {
              const int other =
                  at(n, y * layer.height + i / layer.width, z * layer.width + i % layer.width, c);
              best = values.data()[other] > values.data()[best] ? other : best;
            }
            from.push_back(best);
          }
    shape_ = {shape_.channels, high, wide, 1};
    return tape_.gather(x, std::move(from), shape_.rows(), samples_);
  }

  int at(int sample, int y, int z, int channel) const {
    return sample * shape_.rows() + (y * shape_.width + z) * shape_.channels + channel;
  }

  /// The columns of step t.
  int columnsOf(int x, int t) {
    const int rows = tape_.rows(x);
    Positions from;
    for (int n = 0; n < samples_; ++n)
      for (int i = 0; i < rows; ++i)
        from.push_back((n * shape_.steps + t) * rows + i);
    return tape_.gather(x, std::move(from), rows, samples_);
  }

  int elman(const Layer &layer, int x) {
    const int in = affine(x), recurrent = next();
    int state = 0, before = 0;
    for (int t = 0; t < shape_.steps; ++t) {
      before = columnsOf(in, t);
      if (t > 0)
        before = tape_.plus(before, 1, tape_.times(recurrent, state));
      state = tape_.map(layer.fn, before);
    }
    pass_.activations.push_back({before, state, layer.fn});
    shape_ = {layer.units, 1, 1, 1};
    return state;
  }

  int gru(const Layer &layer, int x) {
    const int in[3] = {affine(x), affine(x), affine(x)};
    const int recurrent[3] = {next(), next(), next()};
    int state = tape_.leaf(constant<T>(Real::Zero(layer.units, samples_)));
    int before = 0, candidate = 0;
    for (int t = 0; t < shape_.steps; ++t) {
      const auto gate = [&](int i, int from) {
        return tape_.plus(columnsOf(in[i], t), 1, tape_.times(recurrent[i], from));
      };
      const int update = tape_.map(Fn::Sigmoid, gate(0, state));
      const int reset = tape_.map(Fn::Sigmoid, gate(1, state));
      before = gate(2, tape_.hadamard(reset, state));
      candidate = tape_.map(layer.fn, before);
      state = tape_.plus(state, 1, tape_.hadamard(update, tape_.plus(candidate, -1, state)));
    }
    pass_.activations.push_back({before, candidate, layer.fn});
    shape_ = {layer.units, 1, 1, 1};
    return state;
  }

  int attention(const Layer &layer, int x) {
    const double scale = 1 / std::sqrt(static_cast<double>(shape_.channels) / layer.units);
    int sum = x;
    for (int head = 0; head < layer.units; ++head) {
      const int queries = tape_.times(next(), x), keys = tape_.times(next(), x);
      const int values = tape_.times(next(), x);
      const int weights =
          tape_.softmax(tape_.scaled(tape_.scores(keys, queries, shape_.steps), scale));
      const int mixed = tape_.mix(values, weights, shape_.steps);
      sum = tape_.plus(sum, 1, tape_.times(next(), mixed));
    }
    return sum;
  }

  int norm(int x) {
    const int centred = tape_.centred(x);
    const int variance =
        tape_.scaled(tape_.columnSums(tape_.hadamard(centred, centred)), 1.0 / tape_.rows(x));
    const int unit = tape_.scaleColumns(centred, tape_.map(Fn::InverseRoot, variance));
    const int gain = next();
    return tape_.addColumn(tape_.scaleRows(unit, gain), next());
  }

  int meanSteps(int x) {
    int sum = columnsOf(x, 0);
    for (int t = 1; t < shape_.steps; ++t)
      sum = tape_.plus(sum, 1, columnsOf(x, t));
    const int steps = shape_.steps;
    shape_.steps = 1;
    return tape_.scaled(sum, 1.0 / steps);
  }

  Pass<T> &pass_;
  Tape<T> &tape_;
  Shape shape_;
  int samples_;
  size_t next_ = 0;
};

} // namespace forward

/// Runs the model on inputs (features of all steps x samples). `parameters[i]` belongs to
/// model.parameters[i].
template <typename T>
Pass<T> run(const Model &model, const std::vector<T> &parameters, const Real &inputs) {
  Pass<T> pass;
  const int samples = static_cast<int>(inputs.cols());
  for (const T &value : parameters)
    pass.parameters.push_back(pass.tape.leaf(value));
  pass.output = pass.tape.leaf(
      constant<T>(reshape<Real>(inputs, model.input.rows(), model.input.steps * samples)));
  forward::Walker<T> walker(model, pass, samples);
  for (const Layer &layer : model.layers)
    pass.output = walker.step(layer, pass.output);
  return pass;
}

} // namespace perfidy
