#include "math/spectral/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

// The eigenpairs of the tridiagonal matrix with the diagonal d and e next to it. The rotations turn
// the rows of z, if there are any.
class ImplicitQl {
 public:
  ImplicitQl(std::span<double> d, std::span<double> e, std::span<double> z)
      : n_(d.size()), d_(d), e_(e), z_(z) {
    double size = 0;
    for (std::size_t i = 0; i < n_; ++i) size = std::max(size, std::abs(d[i]) + std::abs(e[i]));
    negligible_ = std::numeric_limits<double>::epsilon() * size;
  }

  [[nodiscard]] bool solve() {
    constexpr int most_sweeps = 60;
    for (std::size_t l = 0; l < n_; ++l) {
      int sweeps = 0;
      for (std::size_t end = block_end(l); end > l; end = block_end(l)) {
        if (++sweeps > most_sweeps) return false;
        sweep(l, end);
      }
    }
    return true;
  }

 private:
  // The last row of the block from l on: next to it there is nothing.
  [[nodiscard]] std::size_t block_end(std::size_t l) const {
    std::size_t m = l;
    while (m + 1 < n_ && std::abs(e_[m]) > negligible_) ++m;
    return m;
  }

  // One step with Wilkinson's shift, from row m up to row l.
  void sweep(std::size_t l, std::size_t m) {
    const double half = (d_[l + 1] - d_[l]) / (2 * e_[l]);
    const double root = std::sqrt(half * half + 1);
    double g = d_[m] - d_[l] + e_[l] / (half + (half < 0 ? -root : root));
    double s = 1;
    double c = 1;
    double shift = 0;
    for (std::size_t i = m; i-- > l;) {
      const double f = s * e_[i];
      const double b = c * e_[i];
      const double length = std::sqrt(f * f + g * g);
      e_[i + 1] = length;
      if (length == 0) {  // the matrix splits
        d_[i + 1] -= shift;
        e_[m] = 0;
        return;
      }
      s = f / length;
      c = g / length;
      g = d_[i + 1] - shift;
      const double r = (d_[i] - g) * s + 2 * c * b;
      shift = s * r;
      d_[i + 1] = g + shift;
      g = c * r - b;
      if (!z_.empty()) turn(i, s, c);
    }
    d_[l] -= shift;
    e_[l] = g;
    e_[m] = 0;
  }

  // Rows i and i + 1: (c z_i - s z_{i+1}, s z_i + c z_{i+1}).
  void turn(std::size_t i, double s, double c) {
    double* __restrict const upper = z_.data() + i * n_;
    double* __restrict const lower = upper + n_;
    for (std::size_t j = 0; j < n_; ++j) {
      const double x = upper[j];
      const double y = lower[j];
      upper[j] = c * x - s * y;
      lower[j] = s * x + c * y;
    }
  }

  std::size_t n_;
  std::span<double> d_;
  std::span<double> e_;
  std::span<double> z_;
  double negligible_;
};

}  // namespace

std::vector<double> eigenvalues(std::span<const double> a, std::size_t n) {
  SymmetricDecomposition decomposition(n);
  const std::span<const double> values = decomposition.values_of(a);
  if (!decomposition.is_proved()) return std::vector(n, std::numeric_limits<double>::quiet_NaN());
  return {values.begin(), values.end()};
}

SymmetricDecomposition::SymmetricDecomposition(std::size_t n)
    : n_(n), form_(n), values_(n), beside_(n), vectors_(n * n) {}

int SymmetricDecomposition::reduce(std::span<const double> a) {
  int exponent = 0;
  (void)std::frexp(largest_magnitude(a), &exponent);
  exponent = std::max(exponent, -1000);  // lest 2^-exponent overflow
  const double to_one = std::ldexp(1.0, -exponent);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      form_.matrix()[i * form_.stride() + j] =
          (a[i * n_ + j] * to_one + a[j * n_ + i] * to_one) / 2;
    }
  }
  form_.reduce();
  std::ranges::copy(form_.diagonal(), values_.begin());
  std::ranges::copy(form_.off_diagonal(), beside_.begin());
  beside_.back() = 0;
  return exponent;
}

void SymmetricDecomposition::finish(int exponent, bool is_solved) {
  for (double& value : values_) value = std::ldexp(value, exponent);
  is_proved_ = is_solved && std::isfinite(sum(values_));
}

std::span<double> SymmetricDecomposition::decompose_unsorted(std::span<const double> a) {
  const int exponent = reduce(a);
  std::fill(vectors_.begin(), vectors_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) vectors_[i * n_ + i] = 1;
  const bool is_solved = ImplicitQl(values_, beside_, vectors_).solve();
  for (std::size_t k = 0; k < n_; ++k) {
    form_.back_transform(std::span(vectors_).subspan(k * n_, n_));
  }
  finish(exponent, is_solved);
  return values_;
}

std::span<double> SymmetricDecomposition::decompose(std::span<const double> a) {
  decompose_unsorted(a);
  const auto row = [&](std::size_t k) { return std::span(vectors_).subspan(k * n_, n_); };
  for (std::size_t k = 0; k < n_; ++k) {
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(k);
    const auto least = std::min_element(from, values_.end());
    if (least == from) continue;
    std::swap(*least, *from);
    std::ranges::swap_ranges(row(k), row(static_cast<std::size_t>(least - values_.begin())));
  }
  return values_;
}

std::span<double> SymmetricDecomposition::values_of(std::span<const double> a) {
  const int exponent = reduce(a);
  finish(exponent, ImplicitQl(values_, beside_, {}).solve());
  std::ranges::sort(values_);
  return values_;
}

void SymmetricDecomposition::compose(std::span<double> a) const {
  std::fill(a.begin(), a.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    const std::span<double> row = a.subspan(i * n_, i + 1);
    for (std::size_t k = 0; k < n_; ++k) {
      if (values_[k] == 0) continue;
      const double* const q = vectors_.data() + k * n_;
      add(row, values_[k] * q[i], {q, i + 1});
    }
    for (std::size_t j = 0; j < i; ++j) a[j * n_ + i] = row[j];
  }
}

}  // namespace keyhole::math
