// Mean and covariance of a list of weighted points, and the weights that tell most.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// The directions in which points of n coordinates can differ.
struct PointSpace {
  std::size_t dimension;
  /// Of the directions.
  std::size_t hull_dimension;
  /// Projects onto them.
  std::function<void(std::span<double> direction)> flatten;
  /// For messages; the spec of a set can be long.
  std::function<std::string()> name;
  /// Orthonormal rows, one after the other, to which they are orthogonal: all such, or none where
  /// these are not known.
  std::span<const double> across = {};
};

/// Those of a set, which must outlive it.
[[nodiscard]] PointSpace space_of(const Set& set);
/// All of n coordinates.
[[nodiscard]] PointSpace whole_space(std::size_t n);

/// The mean p and the covariance Sigma of weighted points, as numbers.
struct MeanAndCovariance {
  std::vector<double> mean;
  /// Its lower triangle; the rest is 0.
  std::vector<double> covariance;

  MeanAndCovariance(const std::vector<std::vector<double>>& list,
                    const std::vector<double>& weights);

 private:
  void add_products(const std::vector<std::vector<double>>& list,
                    const std::vector<double>& weights);
  [[nodiscard]] bool add_sparse_products(const std::vector<std::vector<double>>& list,
                                         const std::vector<double>& weights);
};

/// The mean p and the covariance Sigma of weighted points.
class Moments {
 public:
  /// Throws InvalidArgument unless the points span the space.
  Moments(PointSpace space, const std::vector<std::vector<double>>& list,
          const std::vector<double>& weights)
      : Moments(std::move(space), MeanAndCovariance(list, weights)) {}
  Moments(PointSpace space, MeanAndCovariance of);

  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }
  /// Of each coordinate; at least 1e-12 of the largest.
  [[nodiscard]] const std::vector<double>& variance() const { return variance_; }
  /// w = Sigma^-1 (v - p), within the space.
  void score(std::span<const double> v, std::span<double> w) const;
  /// (v - p) . Sigma^-1 (v - p), with w as scratch for the score.
  [[nodiscard]] double leverage(std::span<const double> v, std::span<double> w) const;

 private:
  void add_across();
  void factorise();

  PointSpace space_;
  std::vector<double> mean_;
  std::vector<double> variance_;
  std::vector<double> factor_;
  std::vector<double> deviation_;
};

/// The lower triangle of a matrix of order n += weight rows' rows.
void add_gram(std::span<const double> rows, std::size_t n, double weight, std::span<double> matrix);

/// design_weights() of keyhole/exploration.h, for points of any space.
[[nodiscard]] std::vector<double> optimal_design(const PointSpace& space,
                                                 const std::vector<std::vector<double>>& list,
                                                 std::size_t steps);
/// As many steps towards it as take about half a second, at most 100.
[[nodiscard]] std::size_t bearable_steps(std::size_t dimension, std::size_t points);

}  // namespace keyhole::sets
