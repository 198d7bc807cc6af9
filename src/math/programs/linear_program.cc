#include "math/programs/linear_program.h"

#include "math/sums.h"

namespace keyhole::math {

double SparseRow::dot(std::span<const double> x) const noexcept {
  return reduce(columns.size(), [&](std::size_t k) { return values[k] * x[columns[k]]; });
}

void SparseRow::add_to(std::span<double> y, double weight) const noexcept {
  for (std::size_t k = 0; k < columns.size(); ++k) y[columns[k]] += weight * values[k];
}

}  // namespace keyhole::math
