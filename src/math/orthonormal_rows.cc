#include "math/orthonormal_rows.h"

#include <algorithm>

#include "math/sums.h"

namespace keyhole::math {
namespace {

// x = x / ||x||; false, and x as it was, if ||x|| is not above `least`.
bool make_unit(std::span<double> x, double least) noexcept {
  const double length = norm(x);
  if (!(length > least)) return false;
  for (double& entry : x) entry /= length;
  return true;
}

// Takes from the unit vector x what it has of the rows before it. The second time corrects what
// cancellation left in the first ("twice is enough", Kahan in Parlett 1980), so more is safe.
bool subtract_rows(std::span<double> x, std::span<const double> before, double least) noexcept {
  constexpr int passes = 3;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t k = 0; k < before.size(); k += x.size()) {
      const std::span<const double> row = before.subspan(k, x.size());
      const double along = dot(x, row);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= along * row[j];
    }
    if (!make_unit(x, pass == 0 ? least : 0)) return false;
  }
  return true;
}

}  // namespace

void orthonormalise_row(std::span<double> rows, std::size_t size, std::size_t i) noexcept {
  constexpr double rounding = 1e-12;
  const std::span<double> x = rows.subspan(i * size, size);
  const std::span<const double> before = rows.first(i * size);
  if (make_unit(x, 0) && subtract_rows(x, before, rounding)) return;
  // The squares of what the unit vectors have left sum to size - i >= 1: one has 1 / size at least.
  const double enough = std::sqrt(0.5 / static_cast<double>(size));
  for (std::size_t unit = 0; unit < size; ++unit) {
    std::fill(x.begin(), x.end(), 0.0);
    x[unit] = 1;
    if (subtract_rows(x, before, enough)) return;
  }
}

void orthonormalise_rows(std::span<double> rows, std::size_t size) noexcept {
  for (std::size_t i = 0; i * size < rows.size(); ++i) orthonormalise_row(rows, size, i);
}

}  // namespace keyhole::math
