#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/norm_balls.h"
#include "keyhole/polytope.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "problems/draws.h"
#include "problems/mapped.h"
#include "problems/option_lists.h"
#include "problems/rotation.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// The losses of the options on a set: a band, or the thick one that a thin one is the image of.
std::unique_ptr<Problem> losses_on(SetPtr set, const ThinOptions& options, ProblemSeed seed) {
  if (options.losses == ThinLosses::linear) {
    return linear(std::move(set), LinearOptions{.noise = options.noise}, seed);
  }
  // A target within the inner ball of a band would be next to its centre.
  if (options.region == ThinRegion::band) {
    return separable(std::move(set), {.power = 2, .inner = 0.8, .noise = options.noise}, seed);
  }
  return tracking(std::move(set), {.distance = 0.8, .jitter = 0, .noise = options.noise}, seed);
}

/// {0 <= x <= 1, s <= sum i x_i <= s + w} with its middle at x = 1/2; or the box that is as thin in
/// its first coordinate.
SetPtr band(const ThinOptions& options) {
  const std::size_t n = options.n;
  Vector weights(n);
  double squares = 0;
  double middle = 0;
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = static_cast<double>(i + 1);
    squares += weights[i] * weights[i];
    middle += weights[i] / 2;
  }
  const double half = options.thinness / 2;
  Vector lower(n, 0.0);
  Vector upper(n, 1.0);
  if (!options.rotated) {
    lower[0] = 0.5 - half / std::sqrt(squares);
    upper[0] = 0.5 + half / std::sqrt(squares);
    return box(lower, upper);
  }
  PolytopeConstraints constraints{.n = n, .lower = std::move(lower), .upper = std::move(upper)};
  constraints.inequalities.dense = weights;
  for (const double weight : weights) constraints.inequalities.dense.push_back(-weight);
  constraints.inequalities.right = {middle + half, half - middle};
  return polytope(constraints);
}

/// A = Q' W and B = W^-1 Q, W with the widths on its diagonal and Q a rotation, or 1.
LinearMap thinning(const Vector& widths, bool rotated, const Draws& draws) {
  const std::size_t n = widths.size();
  LinearMap map{Vector(n * n, 0.0), Vector(n * n, 0.0), 1 / widths.back()};
  Vector q(n * n, 0.0);
  if (rotated) {
    q = draw_rotation(n, draws);
  } else {
    for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      map.a[j * n + i] = q[i * n + j] * widths[i];
      map.b[i * n + j] = q[i * n + j] / widths[i];
    }
  }
  return map;
}

/// {x : ||B x|| <= 1}.
SetPtr image_of_ball(const LinearMap& map, std::size_t n) {
  Vector matrix(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i * n + j] += map.b[k * n + i] * map.b[k * n + j];
      }
    }
  }
  return ellipsoid(matrix, Vector(n, 0.0));
}

}  // namespace

std::unique_ptr<Problem> thin(const ThinOptions& options, ProblemSeed seed) {
  const std::size_t n = checked("thin", options).n;
  const std::string spec = spec_of("thin", options);
  if (options.region == ThinRegion::band) {
    const SetPtr set = band(options);
    return mapped(losses_on(set, options, seed), set, {}, spec);
  }
  Vector widths(n, 1.0);
  for (std::size_t i = n - n / 2; i < n; ++i) widths[i] = options.thinness;
  LinearMap map = thinning(widths, options.rotated, Draws(seed));
  if (options.region == ThinRegion::ellipsoid) {
    const SetPtr image = image_of_ball(map, n);
    return mapped(losses_on(ball(n), options, seed), image, std::move(map), spec);
  }
  const SetPtr thick = box(-0.5, 0.5, n);
  Vector low = widths;
  for (double& side : low) side *= -0.5;
  Vector high = widths;
  for (double& side : high) side *= 0.5;
  const SetPtr image =
      options.rotated ? affine_image(thick, map.a, Vector(n, 0.0)) : box(low, high);
  return mapped(losses_on(thick, options, seed), image, std::move(map), spec);
}

}  // namespace keyhole::problems
