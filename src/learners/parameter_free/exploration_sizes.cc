#include "learners/parameter_free/exploration_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learners/parameter_free/constants.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

using Chosen = ParameterFreeConstants;

constexpr double most = std::numeric_limits<double>::max();

/// Moves a size towards a target, by no more than a factor.
double towards(double size, double target, double factor) {
  return std::clamp(target, size / factor, size * factor);
}

/// k^(-1/4)
double root_rate(std::uint64_t k) {
  return 1 / std::sqrt(std::sqrt(static_cast<double>(std::max<std::uint64_t>(k, 1))));
}

/// The largest s: exploring far is for later.
double most_reach(std::uint64_t k) {
  return k < Chosen::early ? Chosen::first_reach : Chosen::most_reach;
}

/// The standard error of the difference of two means.
double error_of_difference(const Level& a, const Level& b) {
  return std::sqrt(a.squared_error() + b.squared_error());
}

}  // namespace

double Costs::take(PlayKind kind, double cost, double clip) {
  const double own = of(kind).deviation();
  const double deviation = std::isinf(own) ? of(PlayKind::exploring).deviation() : own;
  return levels_[static_cast<std::size_t>(kind)].take(cost, clip * deviation);
}

bool Costs::known(std::uint64_t k) const {
  return k >= Chosen::known_losses && of(PlayKind::exploring).count() >= Chosen::known_exploring &&
         of(PlayKind::at_iterate).count() >= Chosen::known_others &&
         of(PlayKind::shrunk).count() >= Chosen::known_others;
}

double Costs::of_shrinking() const {
  return of(PlayKind::shrunk).mean() - of(PlayKind::at_iterate).mean();
}

double Costs::of_exploring() const {
  return of(PlayKind::exploring).mean() - of(PlayKind::shrunk).mean();
}

double Costs::certain_price() const {
  const double A =
      of_shrinking() - error_of_difference(of(PlayKind::shrunk), of(PlayKind::at_iterate));
  const double C =
      of_exploring() - error_of_difference(of(PlayKind::exploring), of(PlayKind::shrunk));
  return std::max(A, 0.0) + std::max(C, 0.0);
}

double Costs::curvature(double squared_reach, double n) const {
  const double error = error_of_difference(of(PlayKind::exploring), of(PlayKind::shrunk));
  return std::max(0.0, of_exploring() - error) / (squared_reach * n);
}

PlayLog::Sizes first_sizes(std::uint64_t k) {
  return {std::min(Chosen::first_reach, root_rate(k)), Chosen::most_exploring, Chosen::undecided};
}

PlayLog::Sizes fixed_sizes(std::uint64_t k) {
  return {std::min(most_reach(k), root_rate(k)), Chosen::fixed_exploring, 1};
}

PlayLog::Sizes sizes_by_cost(const PlayLog::Sizes& before, const Costs& costs, std::uint64_t k,
                             double n, const std::optional<Limits>& limits) {
  double s = before.reach;
  double u = before.exploring * s * s;
  const double A = costs.of_shrinking();
  const double C = costs.of_exploring();
  const double squared = limits ? limits->squared_reach : s * s;
  const double P = (std::max(A, 0.0) + std::max(C, 0.0)) / squared;
  const double root_k = std::sqrt(static_cast<double>(k));
  const double noise =
      Chosen::information * n * std::sqrt(costs.of(PlayKind::exploring).variance()) / root_k;
  const double best_u = P > 0 ? math::pow(noise / P, 2.0 / 3) : most;
  double least_u = Chosen::least_information / root_k;
  if (limits) least_u = std::min(least_u, u * Chosen::cautious_growth);
  u = std::clamp(towards(u, best_u, Chosen::information_change), least_u,
                 Chosen::most_information / root_k);
  if (limits) {
    const double price = costs.certain_price() / squared;
    if (u * price > limits->price) u = limits->price / price;
    u = std::max(u, Chosen::cautious_reach * Chosen::cautious_reach / root_k);
  }
  const double at = limits ? std::sqrt(squared) : s;
  const double best_s = !(A > 0) ? 0
                        : C > 0  ? math::pow(u * A * at / (Chosen::curved_price * C), 1.0 / 3)
                                 : most;
  s = std::max(towards(s, best_s, Chosen::reach_change), std::sqrt(u / Chosen::most_exploring));
  s = std::min({s, most_reach(k), Chosen::reach_decay * root_rate(k)});
  const double rho = std::min(Chosen::most_exploring, u / (s * s));
  // Of the other plays nearly all go where the losses are less, if that is clear.
  const double error =
      error_of_difference(costs.of(PlayKind::at_iterate), costs.of(PlayKind::shrunk));
  const double rare = Chosen::rare * rho;
  return {s, rho, A > error ? 1 - rare : A < -error ? rare : Chosen::undecided};
}

}  // namespace keyhole::algorithms
