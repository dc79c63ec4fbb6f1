// Columns and verdicts in words.
#include "tools/diagnosis.h"

#include <cmath>
#include <fmt/format.h>

namespace perfidy {
namespace {

const std::map<std::string, std::string> &words() {
  static const std::map<std::string, std::string> known{
      {"base.train_loss", "training loss"},
      {"base.val_loss", "validation loss"},
      {"base.train_score", "training score"},
      {"base.val_score", "validation score"},
      {"base.step_loss_mean", "mean loss of the steps"},
      {"base.step_loss_max", "largest loss of a step"},
      {"base.grad_mean", "mean gradient norm of the layers"},
      {"base.grad_std", "spread of the layers' gradient norms"},
      {"base.grad_max", "largest gradient norm of a layer"},
      {"base.grad_min", "smallest gradient norm of a layer"},
      {"base.grad_zero_share", "share of gradients below 1e-8"},
      {"base.theta_norm", "norm of the parameters"},
      {"base.theta_max", "largest parameter"},
      {"base.theta_big_share", "share of parameters above 10"},
      {"act.mean", "mean activation"},
      {"act.std", "spread of the activations"},
      {"act.dead_share", "share of dead units"},
      {"act.saturated_share", "share of saturated activations"},
      {"act.zero_share", "share of zero activations"},
      {"step.update_norm", "norm of the updates"},
      {"step.effective_rate", "update per gradient"},
      {"step.moment_norm", "norm of the first moment"},
      {"step.root_mean", "mean root of the second moment"},
      {"step.rate", "learning rate"},
      {"free.update_to_theta", "update relative to the parameters"},
      {"free.cos_descent", "cosine between update and steepest descent"},
      {"free.cos_before", "cosine between neighbouring updates"},
      {"free.moment_ratio", "ratio of Adam's moments"},
      {"curv.largest", "largest curvature"},
      {"curv.smallest", "smallest curvature"},
      {"curv.mean", "mean curvature"},
      {"curv.gradient", "curvature along the gradient"},
      {"curv.update", "curvature along the update"},
      {"edge.plain", "sharpness over the limit of gradient descent"},
      {"edge.scaled", "sharpness over the optimizer's stability limit"},
      {"edge.gradient", "learning rate times curvature along the gradient"},
      {"check.step_noise", "noise of the step losses"},
      {"check.steps", "steps in an epoch"},
      {"check.batch_share", "share of the data in a batch"},
      {"check.samples_per_parameter", "samples per parameter"},
      {"check.grad_first_to_last", "gradient of the first layer relative to the last"},
      {"check.distance", "distance from the start"},
      {"check.weight_scale_min", "smallest weight scale of a layer (1: usual)"},
      {"check.weight_scale_max", "largest weight scale of a layer (1: usual)"},
      {"check.weight_likeness", "likeness of a layer's units (1: copies)"},
      {"check.weight_offset", "mean of a layer's weights relative to their spread"},
      {"check.unit_negative_share", "share of negative activations"},
      {"check.unit_max", "largest activation"},
      {"check.unit_min", "smallest activation"},
      {"check.unit_linearity", "linearity of the activation function (1: linear)"},
      {"check.unit_slope", "mean slope of the activation function"},
      {"check.signal_last_to_first", "signal of the last layer relative to the first"},
      {"check.usual_loss", "usual loss of the same outputs"},
      {"check.loss_to_usual", "recorded loss relative to the usual one of the same outputs"},
      {"check.loss_slope_to_usual", "slope of the loss relative to the usual one"},
      {"check.loss_slope_mismatch", "difference between the slopes of the loss and the usual one"},
      {"check.loss_slope_cosine", "cosine between the slopes of the loss and the usual one"},
      {"check.output_std", "spread of the outputs relative to the targets"},
      {"check.output_max", "largest output"},
      {"check.output_min", "smallest output"},
      {"check.output_negative_share", "share of negative outputs"},
      {"check.output_zero_share", "share of outputs that are exactly 0"},
      {"check.confidence", "confidence of the predictions"},
      {"check.class_spread", "preference for one class"},
      {"check.loss_to_chance", "loss relative to guessing"},
      {"check.rate_to_usual", "learning rate relative to the optimizer's usual one"}};
  return known;
}

struct Extreme {
  double value = 0, step = 0;
  bool found = false;
};

/// The point of the raw series that a summary is about.
Extreme pointOf(const Series &series, const std::string &summary) {
  Extreme result;
  for (size_t i = 0; i < series.value.size(); ++i) {
    const double value = series.value[i];
    if (!std::isfinite(value))
      continue;
    const bool better = summary == "max"     ? value > result.value
                        : summary == "min"   ? value < result.value
                        : summary == "first" ? false
                                             : true;
    if (!result.found || better)
      result = {value, series.step[i], true};
  }
  return result;
}

/// Back from the scale of the features.
double unscaled(const std::string &series, double value) {
  const std::string set = series.substr(0, series.find('.'));
  if (set == "curv" || set == "edge")
    return std::copysign((std::pow(10, std::abs(value)) - 1) / 1e4, value);
  // A series that is not taken by its logarithm is its own scale.
  return onScale(series, 0.5) == 0.5 ? value : std::pow(10, value);
}

} // namespace

std::string seriesWords(const std::string &series) {
  const auto found = words().find(series);
  return found == words().end() ? series : found->second;
}

std::string verdictWords(const std::string &verdict) {
  static const std::map<std::string, std::string> known{
      {"hyper", "hyperparameter (learning rate, batch size or number of epochs)"},
      {"loss", "loss function"},
      {"act", "activation function"},
      {"init", "initialisation of the weights"},
      {"other", "another fault (optimizer, data, layers or regularisation)"},
      {"none", "no fault that shows"}};
  const auto found = known.find(verdict);
  return found == known.end() ? verdict : found->second;
}

std::string
observation(const std::string &column, const TrainingRun &run, double cleanLow, double cleanHigh) {
  const size_t comma = column.find(", ");
  const std::string series = column.substr(0, comma);
  const std::string rest = comma == std::string::npos ? "" : column.substr(comma + 2);
  const std::string summary = rest.substr(0, rest.find(' '));
  if (series == "run")
    return summary == "died" ? std::string(run.died ? "training broke off: a value was not finite"
                                                    : "training went on to its end")
                             : std::string("the number of epochs completed");
  const auto found = run.series.find(series);
  const std::string name = seriesWords(series);
  if (found == run.series.end())
    return fmt::format("{} was not recorded", name);
  const Extreme point = pointOf(found->second, summary);
  if (!point.found)
    return fmt::format("{} was never finite", name);
  if (rest.find("against clean") != std::string::npos)
    return fmt::format("{} ({}) was {:.3g} in epoch {:g}, unlike in clean runs of this program",
                       name,
                       summary,
                       point.value,
                       point.step);
  if (summary == "slope" || summary == "std") {
    const Extreme first = pointOf(found->second, "first"), last = pointOf(found->second, "last");
    return fmt::format(
        "{} went from {:.3g} to {:.3g} by epoch {:g}", name, first.value, last.value, last.step);
  }
  const char *verb = summary == "min"    ? "fell to"
                     : summary == "max"  ? "reached"
                     : summary == "mean" ? "ended, after a course unlike that of clean runs, at"
                                         : "was";
  std::string text = fmt::format("{} {} {:.3g} in epoch {:g}", name, verb, point.value, point.step);
  if (summary != "mean" && std::isfinite(cleanLow))
    text += fmt::format("; in clean runs of other programs {:.3g} to {:.3g}",
                        unscaled(series, cleanLow),
                        unscaled(series, cleanHigh));
  return text;
}

} // namespace perfidy
