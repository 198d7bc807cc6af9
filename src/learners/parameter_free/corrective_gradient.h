#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "keyhole/set.h"
#include "learners/conditional_gradient.h"
#include "learners/parameter_free/atoms.h"
#include "learners/parameter_free/constants.h"
#include "math/sums.h"

namespace keyhole::algorithms {

/// Fully corrective conditional gradients (Holloway: An extension of the Frank and Wolfe method of
/// feasible directions, 1974) with a short memory. After each linear minimisation F is minimised
/// over the hull of the point that it began with and the vertices found since: over the affine hull
/// of those with weight, leaving out what would get less than none (Wolfe: Finding the nearest
/// point in a polytope, 1976). That needs their inner products alone, so it costs next to nothing,
/// and saves linear minimisations: a line search between z and the latest vertex, as in
/// conditional_gradient(), spoils what those before it achieved. When the memory is full it begins
/// again from the point it has come to.
///
/// A workspace; nothing allocates after construction.
class CorrectiveGradient {
 public:
  explicit CorrectiveGradient(std::size_t n) : atoms_(n) {}

  /// Moves z, a point of the set, until F(z) is within the tolerance of the least, or `most_calls`
  /// linear functions have been minimised. The certificate is that of z before the last
  /// correction, which does not raise F. `minimise` is the set's oracle; `gradient` and `origin`
  /// are buffers of the same size.
  template <class Minimise>
  Certificate find(const DiagonalQuadratic& F, double tolerance, int most_calls, Minimise minimise,
                   std::span<double> z, std::span<double> gradient, std::span<double> origin) {
    begin(z, origin);
    double gap = 0;
    for (int call = 0; call < most_calls; ++call) {
      F.write_gradient(z, gradient);
      const Vertex& v = minimise(gradient);
      const double of_vertex = v.dot(gradient);
      gap = math::dot(gradient, z) - of_vertex;
      if (!(gap > 0)) break;  // nor where it is not a number
      if (!atoms_.add(v)) {
        begin(z, origin);
        atoms_.add(v);
      }
      join(F, of_vertex, gradient, origin);
      correct(2 * F.weight, ParameterFreeConstants::slope_tolerance * gap);
      combine(origin, z);
      if (!(gap > tolerance)) break;
    }
    return {gap, tolerance};
  }

 private:
  // Points by number: 0 is the origin, k + 1 is atom k.
  static constexpr std::size_t most = Atoms::most + 1;

  /// From z alone.
  void begin(std::span<const double> z, std::span<double> origin);
  /// The slope and the inner products of the latest atom, whose product with the gradient is told;
  /// overwrites the gradient.
  void join(const DiagonalQuadratic& F, double of_vertex, std::span<double> gradient,
            std::span<const double> origin);
  /// Minimises F over the hull of all points, but for the tolerance.
  void correct(double curvature, double tolerance);
  /// Writes the step from the weights to those of the least point of the affine hull of the active
  /// points: 0 if rounding hides it.
  void find_step(double curvature);
  /// Moves the weights of the active points along the step, until one of them has none or to its
  /// end; whether it came to the end.
  bool move(double curvature);
  /// z from the weights.
  void combine(std::span<const double> origin, std::span<double> z) const;

  Atoms atoms_;
  std::array<double, most> weights_{};
  std::array<double, most> slopes_{};                      // <grad F(z), point - origin>
  std::array<std::array<double, most>, most> products_{};  // of points less the origin
  std::array<std::size_t, most> active_{};                 // the points that may have weight
  std::size_t active_count_ = 0;
  std::array<double, most> step_{};  // of the weights of the active points
  std::array<double, most * most> factor_{};
};

}  // namespace keyhole::algorithms
