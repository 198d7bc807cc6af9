// Products with matrices in panels against Eigen's, and that neither the kind of processor nor the
// number of threads changes a digit.

#include "math/panels/panels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/panels/panel_kernels.h"
#include "matrices.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using math::BasisPanels;
using math::GramPanels;
using math::SymmetricPanels;

double distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

std::vector<double> product(const Matrix& a, std::span<const double> x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows()));
  multiply(a, x, y);
  return y;
}

TEST(SymmetricPanels, MultiplyTheSymmetricPart) {
  Random random(1);
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 63u, 64u, 65u, 130u, 515u}) {
    for (const double size : {1.0, 0x1p-300, 0x1p200}) {
      const Matrix a = size * matrix_of(random.normals(n * n), n, n);
      const Matrix symmetric = (a + a.transpose()) / 2;
      SymmetricPanels panels(n, 1);
      const double scale = panels.load(entries(a));
      ASSERT_GT(scale, 0);
      EXPECT_EQ(scale == 1, size == 1) << "moderate entries are left as they are";
      const std::vector<double> x = random.normals(n);
      const std::vector<double> exact = product(symmetric / scale, x);
      const double norm = symmetric.norm() / scale * length(x);
      std::vector<double> y(n);
      panels.multiply(x, y);
      EXPECT_LE(distance(y, exact), 1e-14 * norm) << n;
      panels.multiply_roughly(x, y);
      EXPECT_LE(distance(y, exact), math::rough_error * norm) << n;
      EXPECT_GT(distance(y, exact), n < 3 ? -1 : 1e-12 * norm) << "it is not rough";
      std::vector<double> copy(n * n);
      panels.copy_to(copy);
      EXPECT_EQ(matrix_of(copy, n, n), symmetric / scale);
    }
  }
}

TEST(GramPanels, MultiplyByTheMatrixAndItsTranspose) {
  Random random(2);
  for (const auto& [rows, columns] :
       {std::pair{1u, 1u}, std::pair{5u, 3u}, std::pair{64u, 64u}, std::pair{131u, 66u},
        std::pair{70u, 9u}, std::pair{600u, 520u}}) {
    for (const bool is_transposed : {false, true}) {
      const Matrix b = matrix_of(random.normals(rows * columns), rows, columns);
      GramPanels panels(rows, columns, 1);
      ASSERT_EQ(panels.load(entries(is_transposed ? Matrix(b.transpose()) : b), is_transposed), 1);
      const std::vector<double> x = random.normals(columns);
      const std::vector<double> of_b = product(b, x);
      const std::vector<double> exact = product(-b.transpose(), of_b);
      const double norm = b.squaredNorm() * length(x);
      std::vector<double> y(columns);
      panels.multiply(x, y);
      EXPECT_LE(distance(y, exact), 1e-14 * norm);
      panels.multiply_roughly(x, y);
      EXPECT_LE(distance(y, exact), math::rough_error * norm);
      std::vector<double> applied(rows);
      panels.apply(x, applied);
      EXPECT_LE(distance(applied, of_b), 1e-14 * b.norm() * length(x));
    }
  }
}

TEST(Panels, NothingToMultiplyIsSaid) {
  SymmetricPanels symmetric(9, 1);
  GramPanels gram(9, 9, 1);
  std::vector<double> a(81, 0.0);
  EXPECT_EQ(symmetric.load(a), 0);
  EXPECT_EQ(gram.load(a, false), 0);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    for (const std::size_t place : {0u, 40u, 75u}) {
      std::fill(a.begin(), a.end(), 1.0);
      a[place] = bad;
      EXPECT_EQ(symmetric.load(a), 0) << place;
      EXPECT_EQ(gram.load(a, true), 0) << place;
    }
  }
}

TEST(Panels, AnyNumberOfThreadsGivesTheSameDigits) {
  Random random(3);
  for (const std::size_t n : {100u, 512u, 777u}) {
    const std::vector<double> a = random.normals(n * n);
    const std::vector<double> x = random.normals(n);
    const auto answers = [&](unsigned threads) {
      std::vector<double> all(5 * n);
      const std::span<double> out(all);
      SymmetricPanels symmetric(n, threads);
      GramPanels gram(n, n, threads);
      EXPECT_EQ(symmetric.load(a), 1);
      EXPECT_EQ(gram.load(a, true), 1);
      symmetric.multiply(x, out.first(n));
      symmetric.multiply_roughly(x, out.subspan(n, n));
      gram.multiply(x, out.subspan(2 * n, n));
      gram.multiply_roughly(x, out.subspan(3 * n, n));
      gram.apply(x, out.subspan(4 * n, n));
      return all;
    };
    const std::vector<double> alone = answers(1);
    for (const unsigned threads : {2u, 3u, 8u, 20u}) EXPECT_EQ(answers(threads), alone) << n;
  }
}

TEST(BasisPanels, RemovesWhatItHolds) {
  Random random(4);
  const std::size_t n = 53;
  const Matrix q = random_frame(n, 10, random).transpose();
  BasisPanels basis(10, n);
  for (std::size_t k = 0; k < 10; ++k) {
    basis.set(k, std::span(q.data() + k * n, n));
    const Matrix held = q.topRows(static_cast<Eigen::Index>(k + 1));
    const std::vector<double> w = random.normals(n);
    const Matrix left = held.transpose() * (held * matrix_of(w, n, 1));
    std::vector<double> cleaned = w;
    basis.remove_from(cleaned);
    const Matrix expected = matrix_of(w, n, 1) - left;
    EXPECT_LE(distance(cleaned, entries(expected)), 1e-14 * length(w));
    const std::vector<double> z = random.normals(k + 1);
    std::vector<double> v(n);
    basis.combine(z, v);
    EXPECT_LE(distance(v, product(held.transpose(), z)), 1e-14 * length(z));
  }
  // Behind a vector that is set again nothing is left.
  basis.set(0, std::span(q.data(), n));
  std::vector<double> w(q.data() + n, q.data() + 2 * n);
  basis.remove_from(w);
  EXPECT_NEAR(length(w), 1, 1e-14);
}

// Where the processor has fused products the loops for it must agree with those that do without.
template <class T>
void expect_equal(const math::PanelKernels<T>& one, const math::PanelKernels<T>& other) {
  Random random(5);
  const std::size_t size = 40;
  const auto draw = [&](std::size_t count) {
    const std::vector<double> normals = random.normals(count);
    return std::vector<T>(normals.begin(), normals.end());
  };
  for (int k = 0; k < 100; ++k) {
    const std::vector<T> a = draw(4 * size);
    const std::vector<T> b = draw(4 * size);
    const std::vector<T> x = draw(size);
    const std::vector<T> w = draw(4);
    const std::vector<T> y = draw(size);
    const auto answers = [&](const math::PanelKernels<T>& kernels) {
      std::vector<T> all = y;
      all.resize(size + 12);
      kernels.dots(a.data(), x.data(), size, &all[size]);
      kernels.subtract(b.data(), w.data(), all.data(), size);
      kernels.dots_and_subtract(a.data(), x.data(), b.data(), w.data(), all.data(), size,
                                &all[size + 4]);
      kernels.dots_and_add(a.data(), x.data(), w.data(), all.data(), size - 4, &all[size + 8]);
      return all;
    };
    EXPECT_EQ(answers(one), answers(other));
  }
}

TEST(PanelKernels, EveryKindGivesTheSameDigits) {
  expect_equal(*math::plain_double_kernels(), math::panel_kernels<double>());
  expect_equal(*math::plain_single_kernels(), math::panel_kernels<float>());
}

}  // namespace
}  // namespace keyhole::tests
