#include "sets/moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

PointSpace space_of(const Set& set) {
  return {set.dimension(), set.hull_dimension(),
          [&set](std::span<double> direction) { set.flatten(direction); }, set.spec()};
}

PointSpace whole_space(std::size_t n) {
  return {n, n, [](std::span<double>) {}, "the space"};
}

Moments::Moments(PointSpace space, const std::vector<std::vector<double>>& list,
                 const std::vector<double>& weights)
    : space_(std::move(space)),
      mean_(space_.dimension, 0.0),
      variance_(space_.dimension, 0.0),
      factor_(space_.dimension * space_.dimension, 0.0),
      deviation_(space_.dimension) {
  const std::size_t n = space_.dimension;
  for (std::size_t k = 0; k < list.size(); ++k) math::add(mean_, weights[k], list[k]);
  std::vector<double> away(n);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    const double root = std::sqrt(weights[k]);
    for (std::size_t i = 0; i < n; ++i) away[i] = root * (list[k][i] - mean_[i]);
    for (std::size_t i = 0; i < n; ++i) {
      math::add(std::span(factor_).subspan(i * n, i + 1), away[i], std::span(away).first(i + 1));
    }
  }
  for (std::size_t i = 0; i < n; ++i) variance_[i] = factor_[i * n + i];
  add_across();
  factorise();
  const double largest = math::largest_magnitude(variance_);
  for (double& variance : variance_) variance = std::max(variance, 1e-12 * largest);
}

void Moments::score(std::span<const double> v, std::span<double> w) const {
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = v[i] - mean_[i];
  space_.flatten(w);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
  math::cholesky_solve(factor_, w.size(), w);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
  space_.flatten(w);
}

double Moments::leverage(std::span<const double> v, std::span<double> w) const {
  score(v, w);
  return math::reduce(w.size(), [&](std::size_t i) { return w[i] * (v[i] - mean_[i]); });
}

/// Sigma + c (1 - P) with P the projection onto the space: invertible if the points span it, and
/// its inverse agrees with that of Sigma there.
void Moments::add_across() {
  const std::size_t n = mean_.size();
  if (space_.hull_dimension == n) return;
  const double c = math::sum(variance_) / static_cast<double>(n);
  std::vector<double> axis(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(axis.begin(), axis.end(), 0.0);
    axis[j] = 1;
    space_.flatten(axis);
    for (std::size_t i = j; i < n; ++i) {
      factor_[i * n + j] += c * ((i == j ? 1.0 : 0.0) - axis[i]);
    }
  }
}

/// In units of the coordinates' own deviations, so that thin sets do not look degenerate.
void Moments::factorise() {
  const std::size_t n = mean_.size();
  for (std::size_t i = 0; i < n; ++i) deviation_[i] = std::sqrt(factor_[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) factor_[i * n + j] /= deviation_[i] * deviation_[j];
  }
  bool spans = math::cholesky(factor_, n);
  for (std::size_t i = 0; i < n; ++i) spans = spans && factor_[i * n + i] > 1e-6;
  base::require(spans, "the points to explore do not span the hull of " + space_.name);
}

std::vector<double> optimal_design(const PointSpace& space,
                                   const std::vector<std::vector<double>>& list,
                                   std::size_t steps) {
  std::vector<double> weights(list.size(), 1 / static_cast<double>(list.size()));
  std::vector<double> w(space.dimension);
  for (std::size_t step = 0; step < steps; ++step) {
    const Moments of(space, list, weights);
    for (std::size_t k = 0; k < list.size(); ++k) {
      weights[k] *= (1 + of.leverage(list[k], w)) / (1 + static_cast<double>(space.hull_dimension));
    }
    const double sum = math::sum(weights);
    for (double& weight : weights) weight /= sum;
  }
  // What is hardly ever drawn only makes the list longer.
  const double least = 1e-3 / static_cast<double>(list.size());
  for (double& weight : weights) weight = weight < least ? 0 : weight;
  const double sum = math::sum(weights);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::size_t bearable_steps(std::size_t dimension, std::size_t points) {
  const auto n = static_cast<double>(dimension);
  return static_cast<std::size_t>(std::min(100.0, 5e8 / (2 * n * n * static_cast<double>(points))));
}

}  // namespace keyhole::sets
