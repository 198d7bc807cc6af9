#pragma once

#include <vector>

#include "math/orthonormal_rows.h"
#include "problems/draws.h"

namespace keyhole::problems {

/// n orthonormal rows, uniform among all, of the seed's choice.
inline std::vector<double> draw_rotation(std::size_t n, const Draws& draws) {
  std::vector<double> rows(n * n);
  draws.normals(Purpose::stages, 0, rows);
  math::orthonormalise_rows(rows, n);
  return rows;
}

}  // namespace keyhole::problems
