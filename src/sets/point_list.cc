#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/require.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

void require_list(const Set& set, const std::vector<Vector>& list, const Vector& weights) {
  require(list.size() > set.hull_dimension(),
          "a list of " + std::to_string(list.size()) + " points cannot span the hull of " +
              set.spec() + ", of dimension " + std::to_string(set.hull_dimension()));
  for (const Vector& point : list) {
    require(point.size() == set.dimension() && set.contains(point),
            "a point to explore is not in the set " + set.spec());
  }
  require(weights.size() == list.size(), "a list of " + std::to_string(list.size()) +
                                             " points needs as many weights, not " +
                                             std::to_string(weights.size()));
  for (const double weight : weights) {
    require(weight >= 0 && weight <= 1,
            "the weight of a point must be from 0 to 1, not " + math::number_text(weight));
  }
  require(std::abs(math::sum(weights) - 1) <= 1e-9,
          "the weights of a list must sum to 1, not " + math::number_text(math::sum(weights)));
}

Vector equal_weights(std::size_t count) { return Vector(count, 1 / static_cast<double>(count)); }

/// The mean and the covariance Sigma of weighted points.
class Moments {
 public:
  /// Throws InvalidArgument unless the points span the hull of the set.
  Moments(const Set& set, const std::vector<Vector>& list, const Vector& weights)
      : set_(set),
        mean_(set.dimension(), 0.0),
        variance_(set.dimension(), 0.0),
        factor_(set.dimension() * set.dimension(), 0.0),
        deviation_(set.dimension()) {
    const std::size_t n = set.dimension();
    for (std::size_t k = 0; k < list.size(); ++k) math::add(mean_, weights[k], list[k]);
    Vector away(n);
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

  [[nodiscard]] const Vector& mean() const { return mean_; }
  [[nodiscard]] const Vector& variance() const { return variance_; }

  /// w = Sigma^-1 (v - p), within the hull.
  void score(std::span<const double> v, std::span<double> w) const {
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = v[i] - mean_[i];
    set_.flatten(w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
    math::cholesky_solve(factor_, w.size(), w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
    set_.flatten(w);
  }

 private:
  /// Sigma + c (1 - P) with P the projection onto the hull's directions: invertible if the points
  /// span the hull, and its inverse agrees with that of Sigma there.
  void add_across() {
    const std::size_t n = mean_.size();
    if (set_.hull_dimension() == n) return;
    const double c = math::sum(variance_) / static_cast<double>(n);
    Vector axis(n);
    for (std::size_t j = 0; j < n; ++j) {
      std::fill(axis.begin(), axis.end(), 0.0);
      axis[j] = 1;
      set_.flatten(axis);
      for (std::size_t i = j; i < n; ++i) {
        factor_[i * n + j] += c * ((i == j ? 1.0 : 0.0) - axis[i]);
      }
    }
  }

  /// In units of the coordinates' own deviations, so that thin sets do not look degenerate.
  void factorise() {
    const std::size_t n = mean_.size();
    for (std::size_t i = 0; i < n; ++i) deviation_[i] = std::sqrt(factor_[i * n + i]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) factor_[i * n + j] /= deviation_[i] * deviation_[j];
    }
    bool spans = math::cholesky(factor_, n);
    for (std::size_t i = 0; i < n; ++i) spans = spans && factor_[i * n + i] > 1e-6;
    require(spans, "the points to explore do not span the hull of " + set_.spec());
  }

  const Set& set_;
  Vector mean_;
  Vector variance_;
  Vector factor_;
  Vector deviation_;
};

class PointList final : public Exploration {
 public:
  PointList(const Moments& of, const std::vector<Vector>& list, const Vector& weights)
      : Exploration(of.mean(), of.variance(), squared_radius(of, list),
                    {.words = 1, .normals = 0}) {
    const std::size_t n = mean().size();
    double sum = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!(weights[k] > 0)) continue;
      sum += weights[k];
      sums_.push_back(sum);
      points_.insert(points_.end(), list[k].begin(), list[k].end());
      scores_.resize(points_.size());
      of.score(list[k], std::span(scores_).last(n));
    }
  }

  void draw(const RandomBits& bits, std::span<double> v) override { copy_row(points_, bits, v); }
  void score(const RandomBits& bits, std::span<double> w) override { copy_row(scores_, bits, w); }

 private:
  static double squared_radius(const Moments& of, const std::vector<Vector>& list) {
    double largest = 0;
    for (const Vector& point : list) {
      largest = std::max(largest, math::reduce(point.size(), [&](std::size_t i) {
                           const double away = point[i] - of.mean()[i];
                           return away * away / of.variance()[i];
                         }));
    }
    return largest;
  }

  void copy_row(const Vector& rows, const RandomBits& bits, std::span<double> to) const {
    const auto above = std::upper_bound(sums_.begin(), sums_.end() - 1, bits.uniform(0));
    const auto first = (above - sums_.begin()) * static_cast<std::ptrdiff_t>(to.size());
    std::copy_n(rows.begin() + first, to.size(), to.begin());
  }

  Vector sums_;    // of the weights up to each point
  Vector points_;  // row by row
  Vector scores_;  // row by row
};

}  // namespace

std::unique_ptr<Exploration> point_list(const Set& set, const std::vector<Vector>& list,
                                        const Vector& weights) {
  const Vector given = weights.empty() ? equal_weights(list.size()) : weights;
  require_list(set, list, given);
  return std::make_unique<PointList>(Moments(set, list, given), list, given);
}

std::vector<double> design_weights(const Set& set, const std::vector<Vector>& list,
                                   std::size_t steps) {
  Vector weights = equal_weights(list.size());
  require_list(set, list, weights);
  Vector w(set.dimension());
  for (std::size_t step = 0; step < steps; ++step) {
    const Moments of(set, list, weights);
    for (std::size_t k = 0; k < list.size(); ++k) {
      of.score(list[k], w);
      const double leverage =
          math::reduce(w.size(), [&](std::size_t i) { return w[i] * (list[k][i] - of.mean()[i]); });
      weights[k] *= (1 + leverage) / (1 + static_cast<double>(set.hull_dimension()));
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

}  // namespace keyhole
