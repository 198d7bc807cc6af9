// Products of rows with vectors: the digits of dot(), and the same numbers as Eigen's.

#include "math/rows.h"

#include <gtest/gtest.h>

#include "math/sums.h"
#include "matrices.h"

namespace keyhole::tests {
namespace {

TEST(Rows, ProductsMatch) {
  Random random(1);
  for (int k = 0; k < 500; ++k) {
    const std::size_t m = random.integer(1, 40);
    const std::size_t n = random.integer(1, 40);
    const Matrix a = normal_matrix(m, n, random);
    const std::vector<double> x = random.normals(n);
    const std::vector<double> w = random.normals(m);
    const Eigen::Map<const Eigen::VectorXd> w_vector(w.data(), static_cast<long>(m));

    std::vector<double> y(m);
    math::multiply(entries(a), x, y);
    for (std::size_t i = 0; i < m; ++i) {
      const std::vector<double> all = entries(a);
      ASSERT_EQ(y[i], math::dot(std::span(all).subspan(i * n, n), x));
    }

    std::vector<double> z = random.normals(n);
    const Eigen::VectorXd expected =
        Eigen::Map<Eigen::VectorXd>(z.data(), static_cast<long>(n)) - a.transpose() * w_vector;
    math::subtract_rows(entries(a), w, z);
    ASSERT_LE((Eigen::Map<Eigen::VectorXd>(z.data(), static_cast<long>(n)) - expected).norm(),
              1e-13 * (1 + a.norm() * w_vector.norm()));
  }
}

}  // namespace
}  // namespace keyhole::tests
