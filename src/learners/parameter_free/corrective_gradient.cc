#include "learners/parameter_free/corrective_gradient.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"

namespace keyhole::algorithms {

void CorrectiveGradient::begin(std::span<const double> z, std::span<double> origin) {
  std::copy(z.begin(), z.end(), origin.begin());
  atoms_.clear();
  weights_ = {1};
  slopes_ = {};
  products_ = {};
  active_[0] = 0;
  active_count_ = 1;
}

void CorrectiveGradient::join(const DiagonalQuadratic& F, double of_vertex,
                              std::span<double> gradient, std::span<const double> origin) {
  const std::size_t latest = atoms_.size();
  const Vertex& v = atoms_[latest - 1];
  weights_[latest] = 0;
  slopes_[latest] = of_vertex - math::dot(gradient, origin);
  const std::span<double> from_origin = gradient;  // in the dual of the norm
  v.write_to(from_origin);
  for (std::size_t i = 0; i < origin.size(); ++i) {
    from_origin[i] = (from_origin[i] - origin[i]) / F.variance[i];
  }
  const double of_origin = math::dot(origin, from_origin);
  for (std::size_t k = 1; k <= latest; ++k) {
    products_[k][latest] = products_[latest][k] = atoms_[k - 1].dot(from_origin) - of_origin;
  }
}

void CorrectiveGradient::correct(double curvature, double tolerance) {
  std::size_t joins = atoms_.size();  // the latest
  for (std::size_t k = 0; k < most; ++k) {
    active_[active_count_++] = joins;
    do {
      find_step(curvature);
    } while (!move(curvature));
    // All active points have the same slope now; has another a lower one?
    for (std::size_t point = 0; point <= atoms_.size(); ++point) {
      if (slopes_[point] < slopes_[joins]) joins = point;
    }
    const auto end = active_.begin() + active_count_;
    if (!(slopes_[joins] < slopes_[active_[0]] - tolerance)) return;
    if (std::find(active_.begin(), end, joins) != end) return;
  }
}

void CorrectiveGradient::find_step(double curvature) {
  // With the products G of the active points: curvature G step + slopes = -mu 1, sum step = 0. Then
  // step solves (curvature G + s 1 1') step = -slopes - mu 1 for every s, whose matrix is positive
  // definite for points that are affinely independent.
  const std::size_t count = active_count_;
  double s = 0;
  for (std::size_t i = 0; i < count; ++i) {
    s = std::max(s, curvature * products_[active_[i]][active_[i]]);
  }
  std::array<double, most> ones;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      factor_[i * count + j] = curvature * products_[active_[i]][active_[j]] + s;
    }
    factor_[i * count + i] += ParameterFreeConstants::ridge * s;
    step_[i] = -slopes_[active_[i]];
    ones[i] = 1;
  }
  if (!math::cholesky(factor_, count)) {
    step_ = {};
    return;
  }
  math::cholesky_solve(factor_, count, step_);
  math::cholesky_solve(factor_, count, ones);
  const double mu =
      math::sum(std::span(step_).first(count)) / math::sum(std::span(ones).first(count));
  double sum = 0;
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    step_[i] -= mu * ones[i];
    sum += step_[i];
    largest = std::max(largest, std::abs(step_[i]));
  }
  if (!(std::abs(sum) <= ParameterFreeConstants::rounded_step * largest)) step_ = {};
}

bool CorrectiveGradient::move(double curvature) {
  double share = 1;
  std::size_t leaves = active_count_;
  for (std::size_t i = 0; i < active_count_; ++i) {
    const double weight = weights_[active_[i]];
    if (weight + share * step_[i] >= 0) continue;
    share = weight / -step_[i];
    leaves = i;
  }
  for (std::size_t i = 0; i < active_count_; ++i) {
    weights_[active_[i]] += share * step_[i];
    for (std::size_t point = 1; point <= atoms_.size(); ++point) {
      slopes_[point] += curvature * share * step_[i] * products_[point][active_[i]];
    }
  }
  if (leaves == active_count_) return true;
  weights_[active_[leaves]] = 0;
  active_[leaves] = active_[--active_count_];
  return false;
}

void CorrectiveGradient::combine(std::span<const double> origin, std::span<double> z) const {
  const std::size_t count = atoms_.size() + 1;
  const double sum = math::sum(std::span(weights_).first(count));
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = weights_[0] / sum * origin[i];
  for (std::size_t k = 1; k < count; ++k) {
    if (weights_[k] > 0) atoms_[k - 1].add_to(z, weights_[k] / sum);
  }
}

}  // namespace keyhole::algorithms
