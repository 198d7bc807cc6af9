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
#include "math/dense.h"
#include "math/spectral/jacobi.h"
#include "math/sums.h"

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
        turned_(frame.size()),
        matrix_(frame.size() <= Chosen::pairs_dimensions ? frame.size() * frame.size() : 0),
        Q_(matrix_),
        corrective_gradient_(frame.size()) {}

  /// Moves z, of a point of the set, to the least of the model with coefficients theta, up to the
  /// tolerance; curvatures below `least` are raised to it. `minimise` is the set's oracle.
  template <class Minimise>
  Certificate find(const Model& model, std::span<const double> theta, double least,
                   double tolerance, Minimise minimise, std::span<double> z) {
    if (model.has_pairs()) return find_turned(model, theta, least, tolerance, minimise, z);
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
  /// The same in the coordinates Q z in which the matrix of curvatures, Q' diag(c) Q, is diagonal.
  template <class Minimise>
  Certificate find_turned(const Model& model, std::span<const double> theta, double least,
                          double tolerance, Minimise minimise, std::span<double> z) {
    const std::size_t m = z.size();
    model.write_matrix(theta, matrix_);
    math::jacobi(matrix_, widths_, Q_);
    for (double& width : widths_) width = 1 / std::max(width, least);
    turn(theta.subspan(1, m), slopes_);
    turn(z, turned_);
    const Certificate certificate = corrective_gradient_.find(
        {slopes_, 1, zero_, widths_}, tolerance, Chosen::most_calls,
        [&](std::span<const double> slope) -> const Vertex& {
          turn_back(slope, vertex_z_);
          frame_.direction(vertex_z_, direction_);
          minimise(direction_).write_to(vertex_y_);
          frame_.coordinates(vertex_y_, vertex_z_);
          turn(vertex_z_, vertex_turned_);
          vertex_.dense = vertex_turned_;
          return vertex_;
        },
        turned_, gradient_, origin_);
    turn_back(turned_, z);
    return certificate;
  }
  /// Q z
  void turn(std::span<const double> z, std::span<double> turned) const {
    for (std::size_t k = 0; k < z.size(); ++k) {
      turned[k] = math::dot(std::span(Q_).subspan(k * z.size(), z.size()), z);
    }
  }
  /// Q' turned
  void turn_back(std::span<const double> turned, std::span<double> z) const {
    std::fill(z.begin(), z.end(), 0.0);
    for (std::size_t k = 0; k < z.size(); ++k) {
      math::add(z, turned[k], std::span(Q_).subspan(k * z.size(), z.size()));
    }
  }

  const Frame& frame_;
  std::vector<double> widths_;
  std::vector<double> zero_;
  std::vector<double> gradient_;
  std::vector<double> origin_;
  std::vector<double> vertex_z_;
  std::vector<double> direction_;
  std::vector<double> vertex_y_;
  std::vector<double> turned_;
  std::vector<double> slopes_ = turned_;
  std::vector<double> vertex_turned_ = turned_;
  std::vector<double> matrix_;
  std::vector<double> Q_;
  Vertex vertex_{};
  CorrectiveGradient corrective_gradient_;
};

}  // namespace keyhole::algorithms
