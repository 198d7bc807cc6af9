#include "learners/posterior/frame.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "keyhole/randomness.h"
#include "learners/posterior/constants.h"
#include "math/dense.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/jacobi.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// Row k of a matrix with rows of n numbers.
std::span<double> row(std::vector<double>& matrix, std::size_t k, std::size_t n) {
  return std::span(matrix).subspan(k * n, n);
}
std::span<const double> row(const std::vector<double>& matrix, std::size_t k, std::size_t n) {
  return std::span(matrix).subspan(k * n, n);
}

/// Whether Gershgorin's circles (1931) alone say that no eigenvalue is more than `times` another.
bool is_round(const std::vector<double>& matrix, std::size_t m, double times) {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t k = 0; k < m; ++k) {
    const double diagonal = matrix[k * m + k];
    double beside = -std::abs(diagonal);
    for (std::size_t j = 0; j < m; ++j) beside += std::abs(matrix[k * m + j]);
    least = std::min(least, diagonal - beside);
    largest = std::max(largest, diagonal + beside);
  }
  return largest <= times * least;
}

}  // namespace

Frame::Frame(const SetPtr& set, Exploration& nu, std::span<const double> origin)
    : origin_(origin),
      m_(set->hull_dimension()),
      to_z_(m_ * origin.size()),
      from_z_(m_ * origin.size()) {
  whiten(set, nu);
  align(nu.variance());
}

/// Gram and Schmidt's method on draws v - e of nu, with their scores s = Sigma^-1 (v - e), in the
/// inner product <v, s> of Sigma^-1: what it leaves are columns b of B and rows w = Sigma^-1 b of
/// W.
void Frame::whiten(const SetPtr& set, Exploration& nu) {
  constexpr std::uint64_t seed = 20261116;
  // The share of a draw, squared, that must be new: on the average it is at least 1 / m. A draw
  // that has much less would bring its rounding errors.
  constexpr double independent = 1e-4;
  const std::size_t n = origin_.size();
  Randomness random(set, seed, 0);
  std::vector<std::uint64_t> words((nu.needs().words + 1) / 2 * 2);
  std::vector<double> normals(nu.needs().normals);
  const std::uint64_t most_draws = 2000 + 400 * std::uint64_t{m_};
  std::size_t found = 0;
  for (std::uint64_t t = 1; found < m_; ++t) {
    if (t > most_draws) {
      throw InvalidArgument("the exploration of " + set->spec() + " spans " +
                            std::to_string(found) + " dimensions of " + std::to_string(m_));
    }
    random.words(t, words);
    random.normals(t, normals);
    const std::span<double> b = row(from_z_, found, n);
    const std::span<double> w = row(to_z_, found, n);
    nu.draw({words, normals}, b);
    nu.score({words, normals}, w);
    for (std::size_t i = 0; i < n; ++i) b[i] -= nu.mean()[i];
    const double whole = math::dot(b, w);
    if (!(whole - squared_in_span(b, found) > independent * whole)) continue;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < found; ++k) {
        const double share = math::dot(row(to_z_, k, n), b);
        math::add(b, -share, row(from_z_, k, n));
        math::add(w, -share, row(to_z_, k, n));
      }
    }
    const double length = std::sqrt(math::dot(b, w));
    for (double& coordinate : b) coordinate /= length;
    for (double& coordinate : w) coordinate /= length;
    ++found;
  }
}

/// The squared length, in the inner product of Sigma^-1, of the part of b that lies in the span of
/// the first columns of B.
double Frame::squared_in_span(std::span<const double> b, std::size_t columns) const {
  double sum = 0;
  for (std::size_t k = 0; k < columns; ++k) {
    const double share = math::dot(row(to_z_, k, b.size()), b);
    sum += share * share;
  }
  return sum;
}

/// Turns z so that sum_i (y_i - origin_i)^2 / variance_i is a sum of squares too.
void Frame::align(std::span<const double> variance) {
  const std::size_t n = origin_.size();
  std::vector<double> metric(m_ * m_);
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      const std::span<const double> a = row(from_z_, j, n);
      const std::span<const double> b = row(from_z_, k, n);
      metric[j * m_ + k] = metric[k * m_ + j] =
          math::reduce(n, [&](std::size_t i) { return a[i] * b[i] / variance[i]; });
    }
  }
  if (is_round(metric, m_, PosteriorConstants::stretch)) return;  // saves the eigenvalues
  std::vector<double> vectors(m_ * m_);
  std::vector<double> values(m_);
  constexpr std::size_t many_dimensions = 100;  // up to it Jacobi's method takes no time
  if (m_ <= many_dimensions) {
    math::jacobi(metric, values, vectors);
  } else {
    math::SymmetricDecomposition decomposition(m_);
    std::ranges::copy(decomposition.decompose_unsorted(metric), values.begin());
    if (!decomposition.is_proved()) return;
    std::ranges::copy(decomposition.vectors(), vectors.begin());
  }
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  if (!(*largest > PosteriorConstants::stretch * *least)) return;
  for (std::vector<double>* rows : {&to_z_, &from_z_}) {
    const std::vector<double> before = *rows;
    std::fill(rows->begin(), rows->end(), 0.0);
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t k = 0; k < m_; ++k) {
        math::add(row(*rows, j, n), vectors[j * m_ + k], row(before, k, n));
      }
    }
  }
  stretches_ = values;
}

void Frame::coordinates(std::span<const double> y, std::span<double> z) const {
  const std::size_t n = origin_.size();
  for (std::size_t k = 0; k < m_; ++k) {
    const std::span<const double> w = row(to_z_, k, n);
    z[k] = math::reduce(n, [&](std::size_t i) { return w[i] * (y[i] - origin_[i]); });
  }
}

void Frame::point(std::span<const double> z, std::span<double> y) const {
  std::copy(origin_.begin(), origin_.end(), y.begin());
  for (std::size_t k = 0; k < m_; ++k) math::add(y, z[k], row(from_z_, k, origin_.size()));
}

void Frame::direction(std::span<const double> slope, std::span<double> d) const {
  std::fill(d.begin(), d.end(), 0.0);
  for (std::size_t k = 0; k < m_; ++k) math::add(d, slope[k], row(to_z_, k, origin_.size()));
}

}  // namespace keyhole::algorithms
