// How long the projection onto a ball of the nuclear norm takes, next to one through Eigen's
// singular values (Jacobi's method up to a smaller side of 32, divide and conquer above). The
// points are those of FKM: a matrix in the ball less a step along independent normals, short or
// long.

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "keyhole/sets.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t points = 16;
constexpr double radius = 18;

Matrix by_eigen(const Matrix& point, Oracle& simplex) {
  constexpr unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  const auto lowered = [&](const auto& svd) -> Matrix {
    Eigen::VectorXd s = svd.singularValues();
    const std::span<double> values(s.data(), static_cast<std::size_t>(s.size()));
    simplex.project(values, values);
    return svd.matrixU() * s.asDiagonal() * svd.matrixV().transpose();
  };
  if (std::min(point.rows(), point.cols()) <= 32) {
    return lowered(Eigen::JacobiSVD<Eigen::MatrixXd>(point, thin));
  }
  return lowered(Eigen::BDCSVD<Eigen::MatrixXd>(point, thin));
}

void print_shape(std::size_t rows, std::size_t columns, double step) {
  const SetPtr set = nuclear_ball(rows, columns, radius);
  const auto oracle = set->oracle();
  const auto simplex = solid_simplex(std::min(rows, columns), radius)->oracle();
  std::vector<Matrix> given;
  for (std::size_t k = 0; k < points; ++k) {
    Matrix x(rows, columns);
    Matrix noise(rows, columns);
    math::gaussians(math::Ars(1, k), 0, 0, {x.data(), rows * columns});
    math::gaussians(math::Ars(2, k), 0, 0, {noise.data(), rows * columns});
    x = by_eigen(x, *simplex) + step * radius / noise.norm() * noise;
    given.push_back(x);
  }
  Matrix nearest(rows, columns);
  double off = 0;
  for (const Matrix& point : given) {
    oracle->project({point.data(), rows * columns}, {nearest.data(), rows * columns});
    off = std::max(off, (nearest - by_eigen(point, *simplex)).norm() / radius);
  }
  const double ours = median_microseconds([&](std::size_t i) {
    oracle->project({given[i % points].data(), rows * columns}, {nearest.data(), rows * columns});
  });
  const double eigen =
      median_microseconds([&](std::size_t i) { nearest = by_eigen(given[i % points], *simplex); });
  std::printf("%4zu x %-4zu %8g %12.1f %12.1f %8.1f %12.1e\n", rows, columns, step, ours, eigen,
              eigen / ours, off);
  std::fflush(stdout);
}

}  // namespace
}  // namespace keyhole::bench

int main() {
  std::printf("median microseconds of processor time a projection; off: the largest distance\n\n");
  std::printf("%11s %8s %12s %12s %8s %12s\n", "shape", "step / R", "ours", "Eigen", "ratio",
              "off / R");
  for (const double step : {0.01, 1.0, 100.0}) {
    keyhole::bench::print_shape(20, 20, step);
    keyhole::bench::print_shape(20, 30, step);
    keyhole::bench::print_shape(50, 50, step);
    keyhole::bench::print_shape(100, 100, step);
  }
  return 0;
}
