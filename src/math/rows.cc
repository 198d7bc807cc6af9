#include "math/rows.h"

#include <algorithm>
#include <array>

#include "math/sums.h"

namespace keyhole::math {
namespace {

// Rows taken at once.
constexpr std::size_t block = 4;

// The eight partial sums of reduce() for each row of a block.
using Partial = std::array<std::array<double, 8>, block>;

double total(const std::array<double, 8>& p) noexcept {
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

// <a_r, x> for four rows, `stride` apart.
std::array<double, block> products(const double* a, std::size_t stride, const double* x,
                                   std::size_t size) noexcept {
  Partial p{};
  const std::size_t whole = size - size % 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    for (std::size_t r = 0; r < block; ++r) {
      for (std::size_t j = 0; j < 8; ++j) p[r][j] += a[r * stride + i + j] * x[i + j];
    }
  }
  for (std::size_t i = whole; i < size; ++i) {
    for (std::size_t r = 0; r < block; ++r) p[r][i - whole] += a[r * stride + i] * x[i];
  }
  return {total(p[0]), total(p[1]), total(p[2]), total(p[3])};
}

// y -= w_0 a_0 + ... + w_3 a_3, one after the other.
void subtract(const double* __restrict a, std::size_t stride, const std::array<double, block>& w,
              double* __restrict y, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    y[i] = (((y[i] - w[0] * a[i]) - w[1] * a[stride + i]) - w[2] * a[2 * stride + i]) -
           w[3] * a[3 * stride + i];
  }
}

}  // namespace

void multiply(std::span<const double> a, std::span<const double> x, std::span<double> y) noexcept {
  const std::size_t n = x.size();
  std::size_t i = 0;
  for (; i + block <= y.size(); i += block) {
    const auto sums = products(a.data() + i * n, n, x.data(), n);
    std::copy(sums.begin(), sums.end(), y.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (; i < y.size(); ++i) y[i] = dot(a.subspan(i * n, n), x);
}

void subtract_rows(std::span<const double> a, std::span<const double> w,
                   std::span<double> y) noexcept {
  const std::size_t n = y.size();
  std::size_t i = 0;
  for (; i + block <= w.size(); i += block) {
    subtract(a.data() + i * n, n, {w[i], w[i + 1], w[i + 2], w[i + 3]}, y.data(), n);
  }
  for (; i < w.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) y[j] -= w[i] * a[i * n + j];
  }
}

}  // namespace keyhole::math
