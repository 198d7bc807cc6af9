#include "math/spectral/tridiagonalisation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/dense.h"
#include "math/lanes.h"

namespace keyhole::math {
namespace {

// Rows are taken by pairs of columns from an even one to the end, where there is padding. What
// stands left of the first column that counts takes part, and is not looked at again.
constexpr std::size_t pair = 2;

[[gnu::always_inline]] inline Numbers numbers(const double* from) noexcept {
  return load_lanes<Numbers>(from);
}
[[gnu::always_inline]] inline Numbers broadcast(double x) noexcept { return Numbers{x, x}; }
[[gnu::always_inline]] inline void put(Numbers from, double* to) noexcept {
  std::memcpy(to, &from, sizeof from);
}

// The digits of dot(), for short vectors: the partial sums stay in registers to the end.
double short_dot(const double* x, const double* y, std::size_t size) noexcept {
  Numbers p_0 = {}, p_2 = {}, p_4 = {}, p_6 = {};
  for (; size >= 8; size -= 8, x += 8, y += 8) {
    p_0 += numbers(x) * numbers(y);
    p_2 += numbers(x + 2) * numbers(y + 2);
    p_4 += numbers(x + 4) * numbers(y + 4);
    p_6 += numbers(x + 6) * numbers(y + 6);
  }
  const auto last = [&] { return Numbers{x[size - 1] * y[size - 1], 0}; };
  if (size >= 2) p_0 += numbers(x) * numbers(y);
  if (size >= 4) p_2 += numbers(x + 2) * numbers(y + 2);
  if (size >= 6) p_4 += numbers(x + 4) * numbers(y + 4);
  if (size == 1) p_0 += last();
  if (size == 3) p_2 += last();
  if (size == 5) p_4 += last();
  if (size == 7) p_6 += last();
  const Numbers h = (p_0 + p_4) + (p_2 + p_6);
  return h[0] + h[1];
}

// row -= v_j q + q_j v
void update(double* __restrict row, const double* __restrict v, const double* __restrict q,
            double v_j, double q_j, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; i += pair) {
    put(numbers(row + i) - (v_j * numbers(q + i) + q_j * numbers(v + i)), row + i);
  }
}

// The update that is due, and what it is multiplied by.
struct Update {
  const double* v;
  const double* q;
  const double* w;
};

// The same for two rows from row j on, and the share w_0 row_0 + w_1 row_1 of p, at two columns.
class TwoRows {
 public:
  [[gnu::always_inline]] TwoRows(const Update& due, std::size_t j) noexcept
      : v_0_(broadcast(due.v[j])),
        v_1_(broadcast(due.v[j + 1])),
        q_0_(broadcast(due.q[j])),
        q_1_(broadcast(due.q[j + 1])),
        w_0_(broadcast(due.w[j])),
        w_1_(broadcast(due.w[j + 1])) {}

  [[gnu::always_inline]] Numbers meet(double* row_0, double* row_1, Numbers v,
                                      Numbers q) const noexcept {
    const Numbers a_0 = numbers(row_0) - (v_0_ * q + q_0_ * v);
    const Numbers a_1 = numbers(row_1) - (v_1_ * q + q_1_ * v);
    put(a_0, row_0);
    put(a_1, row_1);
    return w_0_ * a_0 + w_1_ * a_1;
  }

 private:
  Numbers v_0_, v_1_, q_0_, q_1_, w_0_, w_1_;
};

// For the columns from `left` to `right` of the two or four rows from j on, `row` being the first:
// the update, and p += w_0 row_0 + w_1 row_1 + ..., or p = that for the first four.
void update_two(double* __restrict row, std::size_t stride, const Update& due, std::size_t j,
                double* __restrict p, std::size_t left, std::size_t right) noexcept {
  const TwoRows two(due, j);
  for (std::size_t i = left; i < right; i += pair) {
    const Numbers share =
        two.meet(row + i, row + stride + i, numbers(due.v + i), numbers(due.q + i));
    put(numbers(p + i) + share, p + i);
  }
}
template <bool is_first>
void update_four(double* __restrict row, std::size_t stride, const Update& due, std::size_t j,
                 double* __restrict p, std::size_t left, std::size_t right) noexcept {
  const TwoRows upper(due, j);
  const TwoRows lower(due, j + 2);
  const double* __restrict const v = due.v;
  const double* __restrict const q = due.q;
  for (std::size_t i = left; i < right; i += pair) {
    const Numbers v_i = numbers(v + i);
    const Numbers q_i = numbers(q + i);
    double* const at = row + i;
    const Numbers first = upper.meet(at, at + stride, v_i, q_i);
    const Numbers second = lower.meet(at + 2 * stride, at + 3 * stride, v_i, q_i);
    put((is_first ? first : numbers(p + i) + first) + second, p + i);
  }
}

}  // namespace

Tridiagonalisation::Tridiagonalisation(std::size_t n)
    : n_(n),
      stride_(n + n % pair),
      a_(n * stride_),
      d_(n),
      e_(n),
      beta_(n),
      q_(stride_),
      p_(stride_),
      zero_(stride_) {}

void Tridiagonalisation::reduce() noexcept {
  std::fill(q_.begin(), q_.end(), 0.0);
  const double* v = zero_.data();
  double* const q = q_.data();
  double* const p = p_.data();
  for (std::size_t k = 0; k < n_; ++k) {
    double* const row = a_.data() + k * stride_;
    const std::size_t even = k - k % pair;
    update(row + even, v + even, q + even, v[k], q[k], stride_ - even);
    d_[k] = row[k];
    if (k + 1 == n_) break;
    const std::size_t first = k + 1;
    const std::size_t size = n_ - first;

    // The reflection 1 - beta w w' that maps x, the row right of the diagonal, to -+||x|| e_1.
    double* const w = row;
    const std::span<double> x(row + first, size);
    const double square = short_dot(x.data(), x.data(), size);
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
    const std::size_t left = first - first % pair;
    const std::size_t width = stride_ - left;
    const Update due{v, q, w};
    std::size_t j = first;
    if (j + 3 < n_) {
      update_four<true>(a_.data() + j * stride_, stride_, due, j, p, left, stride_);
      j += 4;
    } else {
      std::fill_n(p + left, width, 0.0);
    }
    for (; j + 3 < n_; j += 4) {
      update_four<false>(a_.data() + j * stride_, stride_, due, j, p, left, stride_);
    }
    if (j + 1 < n_) {
      update_two(a_.data() + j * stride_, stride_, due, j, p, left, stride_);
      j += 2;
    }
    if (j < n_) {
      double* const last = a_.data() + j * stride_ + left;
      update(last, v + left, q + left, v[j], q[j], width);
      for (std::size_t i = 0; i < width; i += pair) {
        put(numbers(p + left + i) + w[j] * numbers(last + i), p + left + i);
      }
    }

    // (1 - beta w w') A (1 - beta w w') = A - w q' - q w', q = beta (p - beta/2 <w, p> w).
    const double beta = beta_[k];
    const double pull = beta / 2 * short_dot(x.data(), p + first, size);
    for (std::size_t i = 0; i < width; i += pair) {
      put(beta * (numbers(p + left + i) - pull * numbers(w + left + i)), q + left + i);
    }
    v = w;
  }
}

void Tridiagonalisation::back_transform(std::span<double> z) const noexcept {
  for (std::size_t k = n_ - 1; k-- > 0;) {
    if (beta_[k] == 0) continue;
    const std::span<const double> v = std::span(a_).subspan(k * stride_ + k + 1, n_ - k - 1);
    const std::span<double> tail = z.subspan(k + 1);
    const double s = beta_[k] * short_dot(v.data(), tail.data(), tail.size());
    add(tail, -s, v);
  }
}

}  // namespace keyhole::math
