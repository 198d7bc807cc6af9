#include "math/spectral/hestenes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/sums.h"

namespace keyhole::math {
namespace {

// Then the matrix is made up of the triples to about this times its norm. A few roundings of length
// n are below it.
constexpr double orthogonal = 1e-14;

// (x, y) <- (c x - s y, s x + c y)
void rotate(double* __restrict x, double* __restrict y, double c, double s,
            std::size_t size) noexcept {
  for (std::size_t k = 0; k < size; ++k) {
    const double x_k = x[k];
    x[k] = c * x_k - s * y[k];
    y[k] = s * x_k + c * y[k];
  }
}

}  // namespace

bool orthogonalise_by_rotations(std::span<double> y, std::span<double> w, std::span<double> squares,
                                double norm) {
  constexpr int most_sweeps = 30;
  const std::size_t rows = squares.size();
  const std::size_t of_y = y.size() / rows;
  const std::size_t of_w = w.size() / rows;
  for (std::size_t i = 0; i < rows; ++i) squares[i] = squared_norm(y.subspan(i * of_y, of_y));
  const double most = orthogonal * norm;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        double* const y_i = y.data() + i * of_y;
        double* const y_j = y.data() + j * of_y;
        const double product = dot({y_i, of_y}, {y_j, of_y});
        if (product * product <= most * most * std::max(squares[i], squares[j])) continue;
        // The angle of tangent t, the smaller root of t^2 + 2 zeta t = 1.
        const double zeta = (squares[j] - squares[i]) / (2 * product);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t);
        rotate(y_i, y_j, c, c * t, of_y);
        rotate(w.data() + i * of_w, w.data() + j * of_w, c, c * t, of_w);
        squares[i] = squared_norm({y_i, of_y});
        squares[j] = squared_norm({y_j, of_y});
        rotated = true;
      }
    }
  }
  return !rotated;
}

}  // namespace keyhole::math
