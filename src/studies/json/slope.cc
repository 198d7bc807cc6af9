#include "studies/json/slope.h"

#include <algorithm>
#include <cmath>

namespace keyhole::studies {
namespace {

using Vector = std::vector<double>;

/// A symmetric matrix that becomes its inverse (Gauss and Jordan). It has a positive diagonal.
class Normal {
 public:
  explicit Normal(std::size_t n) : n_(n), entries_(n * n) {}

  double& at(std::size_t i, std::size_t j) { return entries_[i * n_ + j]; }

  /// A small share of the diagonal is added: coordinates such as shares depend on each other.
  void invert() {
    constexpr double ridge = 1e-9;
    for (std::size_t k = 0; k < n_; ++k) at(k, k) *= 1 + ridge;
    for (std::size_t k = 0; k < n_; ++k) {
      const double pivot = at(k, k) > 0 ? at(k, k) : 1;
      at(k, k) = 1;
      for (std::size_t j = 0; j < n_; ++j) at(k, j) /= pivot;
      for (std::size_t i = 0; i < n_; ++i) {
        if (i == k) continue;
        const double factor = at(i, k);
        at(i, k) = 0;
        for (std::size_t j = 0; j < n_; ++j) at(i, j) -= factor * at(k, j);
      }
    }
  }

 private:
  std::size_t n_;
  Vector entries_;
};

/// 1, the coordinates, and perhaps the square of one of them.
Vector row_of(const Vector& point, std::size_t i, bool square) {
  Vector row = {1};
  row.insert(row.end(), point.begin(), point.end());
  if (square) row.push_back(point[i] * point[i]);
  return row;
}

}  // namespace

Slope slope_along(const std::vector<Seen>& seen, std::size_t i, std::optional<double> at) {
  const std::size_t n = row_of(seen.front().point, i, at.has_value()).size();
  Normal normal(n);
  Vector right(n);
  for (const Seen& one : seen) {
    const Vector row = row_of(one.point, i, at.has_value());
    for (std::size_t j = 0; j < n; ++j) {
      right[j] += one.count * row[j] * one.loss;
      for (std::size_t k = 0; k < n; ++k) normal.at(j, k) += one.count * row[j] * row[k];
    }
  }
  normal.invert();
  Vector fit(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) fit[j] += normal.at(j, k) * right[k];
  }
  double squares = 0;
  for (const Seen& one : seen) {
    const Vector row = row_of(one.point, i, at.has_value());
    double rest = one.loss;
    for (std::size_t j = 0; j < n; ++j) rest -= fit[j] * row[j];
    squares += one.count * rest * rest;
  }
  Vector along(n);  // the slope is the product of this and the fit
  along[1 + i] = 1;
  if (at) along[n - 1] = 2 * *at;
  Slope slope;
  double variance = 0;
  for (std::size_t j = 0; j < n; ++j) {
    slope.rise += along[j] * fit[j];
    for (std::size_t k = 0; k < n; ++k) variance += along[j] * normal.at(j, k) * along[k];
  }
  const double noise = squares / static_cast<double>(seen.size() - n);
  slope.error = std::sqrt(noise * std::max(variance, 0.0));
  return slope;
}

}  // namespace keyhole::studies
