#include "keyhole/gradient_learner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/require.h"
#include "learners/learner/plays.h"
#include "math/sums.h"

namespace keyhole {

GradientLearner::GradientLearner(std::unique_ptr<GradientAlgorithm> algorithm,
                                 const GradientLearnerOptions& options)
    : LearnerBase(std::move(algorithm),
                  {options.seed, options.stream, options.window, options.expiry, options.max_step,
                   options.max_steps, options.maximize},
                  Tells::gradients),
      random_(this->algorithm().shared_set(), options.seed, options.stream),
      gradient_(set().dimension()) {
  this->algorithm().prepare(random_);
}

Receipt GradientLearner::check(PlayId id, std::span<const double> gradient) const {
  std::vector<double> flat(set().dimension());
  return check(id, gradient, flat);
}

Receipt GradientLearner::tell(PlayId id, std::span<const double> gradient) {
  const Receipt receipt = check(id, gradient, gradient_);
  const bool above_bound = math::norm(gradient_) > algorithm().gradient_bound();
  plays().ledger.take(id, gradient_, receipt, above_bound);
  return receipt;
}

Receipt GradientLearner::check(PlayId id, std::span<const double> gradient,
                               std::span<double> flat) const {
  require_whole();
  plays().ledger.require_asked(id);
  if (gradient.size() != flat.size()) {
    throw InvalidArgument("a gradient on " + set().spec() + " has " + std::to_string(flat.size()) +
                          " coordinates, not " + std::to_string(gradient.size()));
  }
  const auto bad = std::find_if_not(gradient.begin(), gradient.end(), base::is_moderate);
  if (bad != gradient.end()) {
    throw FeedbackError("the gradient of play " + std::to_string(id) +
                            " must have coordinates of magnitude up to 1e50, not " +
                            base::number_text(*bad) +
                            "; leave a play untold if its gradient is unknown",
                        ErrorCode::unusable_feedback);
  }
  const double sign = options().maximize ? -1 : 1;
  std::transform(gradient.begin(), gradient.end(), flat.begin(),
                 [sign](double value) { return sign * value; });
  set().flatten(flat);
  for (double& value : flat) value += 0.0;  // no negative zero
  const std::optional<Receipt> receipt = judge(id, flat);
  if (!receipt) {
    throw FeedbackError(
        "play " + std::to_string(id) + " was told another gradient before: the first stands",
        ErrorCode::contradiction);
  }
  return *receipt;
}

void GradientLearner::play(PlayId t, std::span<const double> /*context*/, std::span<double> y) {
  algorithm().play(t, random_, y);
}

bool GradientLearner::absorb(PlayId s, std::span<const double> told, double /*count*/) {
  return algorithm().absorb(s, told, random_);
}

}  // namespace keyhole
