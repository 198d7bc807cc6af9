#include "math/tridiagonalisation.h"

#include <algorithm>
#include <cmath>

#include "math/sums.h"

namespace keyhole::math {
namespace {

// row -= v_j q + q_j v
void update(double* __restrict row, const double* __restrict v, const double* __restrict q,
            double v_j, double q_j, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) row[i] -= v_j * q[i] + q_j * v[i];
}

// The same for two rows, and then p += w_0 row_0 + w_1 row_1.
void update_and_add(double* __restrict row_0, double* __restrict row_1, const double* __restrict v,
                    const double* __restrict q, const double* v_j, const double* q_j,
                    const double* w_j, double* __restrict p, std::size_t size) noexcept {
  const double v_0 = v_j[0];
  const double v_1 = v_j[1];
  const double q_0 = q_j[0];
  const double q_1 = q_j[1];
  const double w_0 = w_j[0];
  const double w_1 = w_j[1];
  for (std::size_t i = 0; i < size; ++i) {
    const double a_0 = row_0[i] - (v_0 * q[i] + q_0 * v[i]);
    const double a_1 = row_1[i] - (v_1 * q[i] + q_1 * v[i]);
    row_0[i] = a_0;
    row_1[i] = a_1;
    p[i] += w_0 * a_0 + w_1 * a_1;
  }
}

}  // namespace

Tridiagonalisation::Tridiagonalisation(std::size_t n)
    : n_(n), a_(n * n), d_(n), e_(n), beta_(n), q_(n), p_(n), zero_(n) {}

void Tridiagonalisation::reduce() noexcept {
  std::fill(q_.begin(), q_.end(), 0.0);
  const double* v = zero_.data();
  for (std::size_t k = 0; k < n_; ++k) {
    double* const row = a_.data() + k * n_;
    update(row + k, v + k, q_.data() + k, v[k], q_[k], n_ - k);
    d_[k] = row[k];
    if (k + 1 == n_) break;
    const std::size_t first = k + 1;
    const std::size_t size = n_ - first;

    // The reflection 1 - beta w w' that maps x, the row right of the diagonal, to -+||x|| e_1.
    double* const w = row;
    const std::span<double> x(row + first, size);
    const double square = squared_norm(x);
    if (size == 1 || square < 0x1p-960) {
      e_[k] = size == 1 ? x[0] : 0;
      beta_[k] = 0;
      std::fill(x.begin(), x.end(), 0.0);
    } else {
      const double length = std::sqrt(square);
      e_[k] = x[0] > 0 ? -length : length;
      beta_[k] = 1 / (square + length * std::abs(x[0]));
      x[0] -= e_[k];
    }

    // p = A w, with A updated on the way.
    std::fill(p_.begin() + static_cast<std::ptrdiff_t>(first), p_.end(), 0.0);
    std::size_t j = first;
    for (; j + 1 < n_; j += 2) {
      update_and_add(a_.data() + j * n_ + first, a_.data() + (j + 1) * n_ + first, v + first,
                     q_.data() + first, v + j, q_.data() + j, w + j, p_.data() + first, size);
    }
    if (j < n_) {
      double* const last = a_.data() + j * n_ + first;
      update(last, v + first, q_.data() + first, v[j], q_[j], size);
      for (std::size_t i = 0; i < size; ++i) p_[first + i] += w[j] * last[i];
    }

    // (1 - beta w w') A (1 - beta w w') = A - w q' - q w', q = beta (p - beta/2 <w, p> w).
    const double beta = beta_[k];
    const double pull = beta / 2 * dot(x, std::span<const double>(p_).subspan(first));
    for (std::size_t i = first; i < n_; ++i) q_[i] = beta * (p_[i] - pull * w[i]);
    v = w;
  }
}

void Tridiagonalisation::back_transform(std::span<double> z) const noexcept {
  for (std::size_t k = n_ - 1; k-- > 0;) {
    if (beta_[k] == 0) continue;
    const std::span<const double> v = std::span(a_).subspan(k * n_ + k + 1, n_ - k - 1);
    const std::span<double> tail = z.subspan(k + 1);
    const double s = beta_[k] * dot(v, tail);
    for (std::size_t i = 0; i < tail.size(); ++i) tail[i] -= s * v[i];
  }
}

}  // namespace keyhole::math
