#include "learners/regression.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// Where row i of a packed lower triangle begins.
std::size_t first_in(std::size_t i) { return i * (i + 1) / 2; }

}  // namespace

Regression::Regression(std::size_t d) : mean_(d), factor_(d * (d + 1) / 2), reduced_(d), gain_(d) {}

void Regression::reserve(std::size_t d) {
  factor_.reserve(d * (d + 1) / 2);
  for (std::vector<double>* vector : {&mean_, &reduced_, &gain_}) vector->reserve(d);
}

void Regression::append(double ridge) {
  const std::size_t d = size();
  resize(d + 1);
  mean_[d] = 0;
  // Column k moves by k places, and has a 0 more.
  for (std::size_t k = d; k-- > 0;) {
    double* const to = column(k);
    std::copy_backward(to - k, to - k + (d - k), to + (d - k));
    to[d - k] = 0;
  }
  *column(d) = std::sqrt(ridge);
}

void Regression::resize(std::size_t d) {
  factor_.resize(d * (d + 1) / 2);
  for (std::vector<double>* vector : {&mean_, &reduced_, &gain_}) vector->resize(d);
}

void Regression::begin(std::span<const double> ridge) {
  std::fill(mean_.begin(), mean_.end(), 0.0);
  std::fill(factor_.begin(), factor_.end(), 0.0);
  for (std::size_t k = 0; k < size(); ++k) *column(k) = std::sqrt(ridge[k]);
}

double Regression::variance(std::span<const double> phi) { return variance_from(0, phi); }

double Regression::variance_from(std::size_t from, std::span<const double> phi) {
  std::copy(phi.begin(), phi.end(), reduced_.begin());
  forward(from, reduced_);
  return math::squared_norm(std::span(reduced_).subspan(from));
}

void Regression::learn(std::span<const double> phi, double precision, double error) {
  static_cast<void>(variance(phi));
  learn_latest(phi, precision, error);
}

void Regression::learn_latest(std::span<const double> phi, double precision, double error) {
  // mean += A^-1 phi w error / (1 + w phi' A^-1 phi), A as it was
  const double h = math::squared_norm(reduced_);
  std::copy(reduced_.begin(), reduced_.end(), gain_.begin());
  backward(gain_);
  math::add(mean_, precision * error / (1 + precision * h), gain_);
  // L L' += x x', by a rotation a column
  const double root = std::sqrt(precision);
  for (std::size_t i = 0; i < size(); ++i) gain_[i] = root * phi[i];
  for (std::size_t k = 0; k < size(); ++k) {
    double* __restrict const c = column(k);
    double* __restrict const x = gain_.data() + k;
    if (x[0] == 0) continue;
    const double diagonal = std::sqrt(c[0] * c[0] + x[0] * x[0]);
    const double cosine = c[0] / diagonal;
    const double sine = x[0] / diagonal;
    c[0] = diagonal;
    const std::size_t rest = size() - k;
    for (std::size_t i = 1; i < rest; ++i) {
      const double of_factor = c[i];
      c[i] = cosine * of_factor + sine * x[i];
      x[i] = cosine * x[i] - sine * of_factor;
    }
  }
}

void Regression::wander(double q, double drift) {
  double* const c = column(0);
  const double share = 1 / std::sqrt(1 + q * c[0] * c[0]);
  for (std::size_t i = 0; i < size(); ++i) c[i] *= share;
  mean_[0] += drift;
}

void Regression::forget(std::size_t coefficients, double share) {
  const double root = std::sqrt(share);
  for (std::size_t k = 0; k < first(coefficients); ++k) factor_[k] *= root;
}

void Regression::sample(std::span<const double> xi, std::span<double> theta) const {
  std::copy(xi.begin(), xi.end(), theta.begin());
  backward(theta);
  for (std::size_t i = 0; i < size(); ++i) theta[i] += mean_[i];
}

void Regression::open(std::span<const double> ridge, std::span<double> G,
                      std::span<double> b) const {
  const std::size_t d = size();
  std::fill(G.begin(), G.end(), 0.0);
  for (std::size_t k = 0; k < d; ++k) {
    const double* const c = column(k);
    for (std::size_t i = k; i < d; ++i) {
      double* const row = G.data() + first_in(i);
      for (std::size_t j = k; j <= i; ++j) row[j] += c[i - k] * c[j - k];
    }
  }
  // b = A mean, A = G as it is now
  for (std::size_t i = 0; i < d; ++i) {
    b[i] = math::reduce(
        d, [&](std::size_t j) { return G[j <= i ? first_in(i) + j : first_in(j) + i] * mean_[j]; });
  }
  for (std::size_t i = 0; i < d; ++i) G[first_in(i) + i] -= ridge[i];
}

void Regression::close(std::span<const double> ridge, std::span<const double> G,
                       std::span<const double> b) {
  const std::size_t d = size();
  for (std::size_t k = 0; k < d; ++k) {
    double* const c = column(k);
    for (std::size_t i = k; i < d; ++i) c[i - k] = G[first_in(i) + k];
    c[0] += ridge[k];
    for (std::size_t j = 0; j < k; ++j) {
      const double* __restrict const q = column(j) + (k - j);
      const double share = q[0];
      if (share == 0) continue;
      for (std::size_t i = 0; i < d - k; ++i) c[i] -= share * q[i];
    }
    // Rounding must not make a coefficient more certain than it can be.
    const double pivot = std::sqrt(std::max(c[0], ridge[k]));
    for (std::size_t i = 0; i < d - k; ++i) c[i] /= pivot;
    c[0] = pivot;
  }
  std::copy(b.begin(), b.end(), mean_.begin());
  forward(0, mean_);
  backward(mean_);
}

void Regression::state(Archive& archive) {
  archive.field(mean_);
  archive.field(factor_);
}

void Regression::forward(std::size_t from, std::span<double> x) const {
  for (std::size_t k = from; k < size(); ++k) {
    const double* __restrict const c = column(k);
    const double share = x[k] /= c[0];
    double* __restrict const rest = x.data() + k;
    for (std::size_t i = 1; i < size() - k; ++i) rest[i] -= share * c[i];
  }
}

void Regression::backward(std::span<double> x) const {
  for (std::size_t k = size(); k-- > 0;) {
    const double* const c = column(k);
    const double* const rest = x.data() + k;
    const double sum =
        math::reduce(size() - k - 1, [&](std::size_t i) { return c[i + 1] * rest[i + 1]; });
    x[k] = (x[k] - sum) / c[0];
  }
}

}  // namespace keyhole::algorithms
