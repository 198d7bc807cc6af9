// Turns a direction until the support of a convex set along a ray is found.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::sets {

/// Minimises the support function h(g) = max over v in K of <g, v - p> among the directions g with
/// <g, s> = ||s||, s = z - p. The minimum is the length of the ray from p through z within K, so
/// its minimiser separates z from K if anything does (the polar form of the gauge); and where K is
/// curved the vertices of the directions tend to the end of that ray.
///
/// By the method of Broyden, Fletcher, Goldfarb and Shanno, whose line search asks for slopes more
/// than for values: near the minimum values are all alike. It also serves functions with kinks
/// (Lewis, Overton: Nonsmooth optimization via quasi-Newton methods, 2013).
///
/// The caller asks for the vertex of direction() and hands it to learn(), in turns.
class PolarDescent {
 public:
  /// Where the inverse Hessian that no step has shown takes its scale from. The last step suits
  /// sets that are curved everywhere. At a kink the steps become short while the gradients change
  /// as before, so there the first one does.
  enum class ScaleOf { first_step, last_step };

  /// For up to n coordinates.
  PolarDescent(std::size_t n, ScaleOf scale_of);

  /// Allocates now what it needs later.
  void reserve();

  /// Starts with g = s / ||s||, of as many coordinates as s.
  void start(std::span<const double> s);

  /// The best direction so far.
  [[nodiscard]] std::span<const double> best() const { return base_; }
  /// h there.
  [[nodiscard]] double value() const { return value_; }

  /// Where to ask next.
  [[nodiscard]] std::span<const double> direction() const { return trial_; }

  /// `reach` = v - p, v the vertex farthest along direction(). Whether there is a next direction:
  /// not where rounding hides the way down.
  bool learn(std::span<const double> reach);

 private:
  [[nodiscard]] bool fell(double value, double slope) const;
  /// The next step if the slope changes evenly, well within what is possible.
  [[nodiscard]] double where_slope_vanishes(double slope) const;
  /// The middle of what is possible.
  [[nodiscard]] double between() const;
  /// Goes on from the direction that was tried.
  void accept(std::span<const double> reach, double value);
  void remember(double curvature);
  /// Makes the inverse Hessian of the pairs a matrix.
  void fold();
  void update(std::span<const double> step, std::span<const double> change, double curvature);
  /// Minus the inverse Hessian that the steps have shown, times the gradient.
  void turn();
  void look(double step);
  /// Of the inverse Hessian that no step has shown: a multiple of the identity.
  [[nodiscard]] double initial_scale() const;
  [[nodiscard]] std::span<const double> step(std::size_t k) const {
    return std::span(steps_).subspan(k * n_, n_);
  }
  [[nodiscard]] std::span<const double> change(std::size_t k) const {
    return std::span(changes_).subspan(k * n_, n_);
  }
  [[nodiscard]] std::span<double> row(std::size_t i) {
    return std::span(inverse_).subspan(i * n_, n_);
  }

  std::size_t n_;
  ScaleOf scale_of_;
  std::vector<double> along_;  // s / ||s||
  std::vector<double> base_;   // the best direction
  std::vector<double> trial_;
  std::vector<double> gradient_;  // of h at base_, orthogonal to s
  std::vector<double> tried_;     // of h at trial_
  std::vector<double> way_;       // base_ to trial_ at step 1
  double value_ = 0;              // h at base_
  double slope_ = 0;              // along way_ there
  double step_ = 0;
  double low_ = 0;   // a step that is too short
  double high_ = 0;  // one that is too long; 0 if none is known
  std::size_t looks_ = 0;
  bool started_ = false;
  bool folded_ = false;

  // Pairs of a step of directions and the change of gradient, row by row, and their products, while
  // they are few; then the inverse Hessian.
  std::vector<double> steps_;
  std::vector<double> changes_;
  std::vector<double> products_;
  std::vector<double> shares_;
  std::vector<double> inverse_;  // row by row
  std::vector<double> image_;    // of a change
};

}  // namespace keyhole::sets
