// Reverse-mode differentiation over matrices: a list of operations with their values, and how each
// hands its gradient back. T is one of the number types of values.h.
#pragma once

#include "test/programs/training/values.h"

#include <functional>

namespace perfidy {

/// Operations append a node and return its number. Columns are samples (or steps of samples).
template <typename T> class Tape {
public:
  int leaf(T value) { return node(std::move(value), {}); }

  const T &value(int at) const { return nodes_[static_cast<size_t>(at)].value; }
  /// Gradient of a node after backward(); empty when nothing reached it.
  const T &gradient(int at) const { return nodes_[static_cast<size_t>(at)].gradient; }
  int rows(int at) const { return static_cast<int>(valueOf(value(at)).rows()); }
  int cols(int at) const { return static_cast<int>(valueOf(value(at)).cols()); }

  int times(int w, int x) {
    return node(perfidy::times(value(w), value(x)), [=](Tape &tape, const T &g) {
      tape.give(w, timesTransposed(g, tape.value(x)));
      tape.give(x, transposedTimes(tape.value(w), g));
    });
  }
  int addColumn(int x, int b) {
    return node(perfidy::addColumn(value(x), value(b)), [=](Tape &tape, const T &g) {
      tape.give(x, g);
      tape.give(b, rowSums(g));
    });
  }
  /// x + factor y.
  int plus(int x, double factor, int y) {
    return node(perfidy::plus(value(x), factor, value(y)), [=](Tape &tape, const T &g) {
      tape.give(x, g);
      tape.give(y, perfidy::scaled(g, factor));
    });
  }
  int scaled(int x, double factor) {
    return node(perfidy::scaled(value(x), factor),
                [=](Tape &tape, const T &g) { tape.give(x, perfidy::scaled(g, factor)); });
  }
  int hadamard(int x, int y) {
    return node(perfidy::hadamard(value(x), value(y)), [=](Tape &tape, const T &g) {
      tape.give(x, perfidy::hadamard(g, tape.value(y)));
      tape.give(y, perfidy::hadamard(g, tape.value(x)));
    });
  }
  int map(Fn fn, int x) {
    return node(perfidy::map(fn, 0, value(x)), [=](Tape &tape, const T &g) {
      tape.give(x, perfidy::hadamard(g, perfidy::map(fn, 1, tape.value(x))));
    });
  }
  int gather(int x, Positions from, int rows, int cols) {
    T out = perfidy::gather(value(x), from, rows, cols);
    return node(std::move(out), [=, from = std::move(from)](Tape &tape, const T &g) {
      tape.give(x, scatter(g, from, tape.rows(x), tape.cols(x)));
    });
  }
  int reshape(int x, int rows, int cols) {
    return node(perfidy::reshape(value(x), rows, cols), [=](Tape &tape, const T &g) {
      tape.give(x, perfidy::reshape(g, tape.rows(x), tape.cols(x)));
    });
  }
  int softmax(int x) {
    const int self = static_cast<int>(nodes_.size());
    return node(perfidy::softmax(value(x)), [=](Tape &tape, const T &g) {
      const T &y = tape.value(self);
      const T gy = perfidy::hadamard(g, y);
      tape.give(x, perfidy::plus(gy, -1.0, perfidy::scaleColumns(y, perfidy::columnSums(gy))));
    });
  }
  int centred(int x) {
    return node(perfidy::centred(value(x)),
                [=](Tape &tape, const T &g) { tape.give(x, perfidy::centred(g)); });
  }
  /// 1 x columns.
  int columnSums(int x) {
    return node(perfidy::columnSums(value(x)),
                [=](Tape &tape, const T &g) { tape.give(x, spread(g, tape.rows(x))); });
  }
  int scaleColumns(int x, int row) {
    return node(perfidy::scaleColumns(value(x), value(row)), [=](Tape &tape, const T &g) {
      tape.give(x, perfidy::scaleColumns(g, tape.value(row)));
      tape.give(row, perfidy::columnSums(perfidy::hadamard(g, tape.value(x))));
    });
  }
  int scaleRows(int x, int column) {
    return node(perfidy::scaleRows(value(x), value(column)), [=](Tape &tape, const T &g) {
      tape.give(x, perfidy::scaleRows(g, tape.value(column)));
      tape.give(column, rowSums(perfidy::hadamard(g, tape.value(x))));
    });
  }
  /// Per sample of `steps` columns: keysᵀ queries, steps x steps.
  int scores(int keys, int queries, int steps) {
    using plain::Block;
    return node(blockwise(Block::TransposedTimes, value(keys), value(queries), steps),
                [=](Tape &tape, const T &g) {
                  tape.give(keys, blockwise(Block::TimesTransposed, tape.value(queries), g, steps));
                  tape.give(queries, blockwise(Block::Times, tape.value(keys), g, steps));
                });
  }
  /// Per sample: values weights.
  int mix(int values, int weights, int steps) {
    using plain::Block;
    return node(
        blockwise(Block::Times, value(values), value(weights), steps), [=](Tape &tape, const T &g) {
          tape.give(values, blockwise(Block::TimesTransposed, g, tape.value(weights), steps));
          tape.give(weights, blockwise(Block::TransposedTimes, tape.value(values), g, steps));
        });
  }

  /// Hands the gradient of node `from` back to all it was made of.
  void backward(int from, T gradient) {
    give(from, std::move(gradient));
    for (int at = from; at >= 0; --at) {
      Node &node = nodes_[static_cast<size_t>(at)];
      if (node.reached && node.back)
        node.back(*this, node.gradient);
    }
  }

private:
  using Back = std::function<void(Tape &, const T &)>;
  struct Node {
    T value, gradient;
    Back back;
    bool reached = false;
  };

  int node(T value, Back back) {
    nodes_.push_back({std::move(value), {}, std::move(back), false});
    return static_cast<int>(nodes_.size()) - 1;
  }

  void give(int to, const T &gradient) {
    Node &node = nodes_[static_cast<size_t>(to)];
    node.gradient = node.reached ? perfidy::plus(node.gradient, 1.0, gradient) : gradient;
    node.reached = true;
  }

  std::vector<Node> nodes_;
};

} // namespace perfidy
