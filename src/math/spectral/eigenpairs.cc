#include "math/spectral/eigenpairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "math/spectral/tridiagonalisation.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

// The eigenpairs of the tridiagonal matrix with the diagonal d and e next to it; the rotations turn
// the rows of z.
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
      turn(i, s, c);
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

bool eigenpairs(std::span<const double> a, std::span<double> values, std::span<double> vectors) {
  const std::size_t n = values.size();
  Tridiagonalisation reduced(n);
  int exponent = 0;
  (void)std::frexp(largest_magnitude(a), &exponent);
  const double to_one = std::ldexp(1.0, -exponent);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      reduced.matrix()[i * reduced.stride() + j] = a[i * n + j] * to_one;
    }
  }
  reduced.reduce();
  std::vector<double> beside(reduced.off_diagonal().begin(), reduced.off_diagonal().end());
  beside.push_back(0);
  std::ranges::copy(reduced.diagonal(), values.begin());
  std::fill(vectors.begin(), vectors.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
  if (!ImplicitQl(values, beside, vectors).solve()) return false;
  for (std::size_t k = 0; k < n; ++k) {
    reduced.back_transform(vectors.subspan(k * n, n));
    values[k] = std::ldexp(values[k], exponent);
  }
  return true;
}

}  // namespace keyhole::math
