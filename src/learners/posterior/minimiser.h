#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "learners/conditional_gradient.h"
#include "learners/parameter_free/corrective_gradient.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/model.h"

namespace keyhole::algorithms {

/// Minimises models over a set, in the coordinates of a frame, by fully corrective conditional
/// gradients. A workspace; nothing allocates after construction.
class Minimiser {
  using Chosen = PosteriorConstants;

 public:
  explicit Minimiser(const Frame& frame)
      : frame_(frame),
        widths_(frame.size()),
        zero_(frame.size()),
        gradient_(frame.size()),
        origin_(frame.size()),
        vertex_z_(frame.size()),
        direction_(frame.dimension()),
        vertex_y_(frame.dimension()),
        corrective_gradient_(frame.size()) {}

  /// Moves z, of a point of the set, to the least of the model with coefficients theta, up to the
  /// tolerance; curvatures below `least` are raised to it. `minimise` is the set's oracle.
  template <class Minimise>
  Certificate find(const Model& model, std::span<const double> theta, double least,
                   double tolerance, Minimise minimise, std::span<double> z) {
    model.write_curvatures(theta, widths_);
    for (double& width : widths_) width = 1 / std::max(width, least);
    return corrective_gradient_.find(
        {theta.subspan(1, z.size()), 1, zero_, widths_}, tolerance, Chosen::most_calls,
        [&](std::span<const double> slope) -> const Vertex& {
          frame_.direction(slope, direction_);
          minimise(direction_).write_to(vertex_y_);
          frame_.coordinates(vertex_y_, vertex_z_);
          vertex_.dense = vertex_z_;
          return vertex_;
        },
        z, gradient_, origin_);
  }

 private:
  const Frame& frame_;
  std::vector<double> widths_;
  std::vector<double> zero_;
  std::vector<double> gradient_;
  std::vector<double> origin_;
  std::vector<double> vertex_z_;
  std::vector<double> direction_;
  std::vector<double> vertex_y_;
  Vertex vertex_{};
  CorrectiveGradient corrective_gradient_;
};

}  // namespace keyhole::algorithms
