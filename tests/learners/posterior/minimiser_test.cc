// The least point of a model over a set, by a certificate: no vertex lies below the tangent there.

#include "learners/posterior/minimiser.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

using algorithms::Curvatures;

/// theta of a convex quadratic, drawn at random.
Vector convex(const algorithms::Model& model, std::size_t m, Random& random) {
  Vector theta = random.normals(model.size(), 0.3);
  for (std::size_t i = model.first_curvature(); i < theta.size(); ++i) {
    theta[i] = std::abs(theta[i]);
  }
  theta.back() = 2 * std::sqrt(static_cast<double>(m));
  return theta;
}

/// The derivative of <theta, phi(z)> by z_k.
double slope(const algorithms::Model& model, const Vector& theta, Vector z, std::size_t k) {
  const auto value = [&] {
    Vector phi(model.size());
    model.write_features(z, {}, phi);
    return inner(theta, phi);
  };
  const double step = 1e-3;  // exact for a quadratic, but for rounding
  z[k] += step;
  const double above = value();
  z[k] -= 2 * step;
  return (above - value()) / (2 * step);
}

TEST(Minimiser, FindsTheLeastPointOfEveryModel) {
  Random random(1);
  const SetPtr stretched = affine_image(box(-1, 1, 2), {10, 3, 3, 1}, {0, 0});
  for (const SetPtr& set : {box(-1, 1, 3), ball(4, 2), simplex(5), stretched}) {
    for (const Curvatures curvatures : {Curvatures::few, Curvatures::all}) {
      const auto nu = set->exploration();
      const auto oracle = set->oracle();
      const algorithms::Frame frame(set, *nu, set->centre());
      const algorithms::Model model(frame, curvatures);
      algorithms::Minimiser minimiser(frame);
      for (int k = 0; k < 20; ++k) {
        const Vector theta = convex(model, frame.size(), random);
        Vector z(frame.size());
        for (int pass = 0; pass < 100; ++pass) {
          minimiser.find(
              model, theta, 1e-9, 1e-10,
              [&](std::span<const double> d) -> const Vertex& { return oracle->minimise(d); }, z);
        }
        Vector slopes(z.size());
        for (std::size_t i = 0; i < z.size(); ++i) slopes[i] = slope(model, theta, z, i);
        Vector d(set->dimension());
        frame.direction(slopes, d);
        Vector v(set->dimension());
        oracle->minimise(d).write_to(v);
        Vector of_vertex(z.size());
        frame.coordinates(v, of_vertex);
        EXPECT_GE(inner(slopes, of_vertex) - inner(slopes, z), -1e-6) << set->spec();
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
