#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole::steps {

/// \file
/// What algorithms are made of, for an algorithm of your own. Each does what the built-ins do, to
/// the last digit, on every machine: the C library's pow differs from one to the next, the order of
/// a sum is a matter of the compiler, and some fuse a product with a sum. What you compute yourself
/// keeps its digits if it is + - * / and sqrt, compiled with -ffp-contract=off. Spans that are
/// written do not overlap with others unless that is said.

/// e^x.
[[nodiscard]] double exp(double x) noexcept;
/// The natural logarithm.
[[nodiscard]] double log(double x) noexcept;
/// x^y for x >= 0.
[[nodiscard]] double pow(double x, double y) noexcept;

/// x_1 + ... + x_n.
[[nodiscard]] double sum(std::span<const double> x) noexcept;
/// x_1 y_1 + ... + x_n y_n.
[[nodiscard]] double dot(std::span<const double> x, std::span<const double> y) noexcept;
/// The Euclidean norm.
[[nodiscard]] double norm(std::span<const double> x) noexcept;
/// y += weight x.
void add(std::span<double> y, double weight, std::span<const double> x) noexcept;

/// The start that an option gives, or the centre if it is empty: both must outlive the answer.
/// Throws InvalidArgument unless it is in the set.
[[nodiscard]] std::span<const double> start_point(const Set& set, const std::vector<double>& start);

/// alpha = delta / r: plays x + delta u are in K for every x of p + (1 - alpha) (K - p). Throws
/// InvalidArgument unless delta <= r; the horizon is for the message.
[[nodiscard]] double shrinkage(double delta, double r, std::uint64_t horizon);
/// x = p + (1 - alpha) (start - p); x may be the start.
void shrink_towards(std::span<const double> p, double alpha, std::span<const double> start,
                    std::span<double> x) noexcept;
/// x <- its projection onto p + (1 - alpha) (K - p), alpha < 1; z is a buffer of the same size.
void project_shrunk(Oracle& oracle, std::span<const double> p, double alpha, std::span<double> x,
                    std::span<double> z);

/// y = x + delta u, the point that one-point algorithms play.
void perturb(std::span<const double> x, double delta, std::span<const double> u,
             std::span<double> y) noexcept;
/// sum += weight g for the one-point estimate g = n / delta loss u, whose mean is the gradient at x
/// of the loss smoothed over the ball of radius delta (Flaxman, Kalai, McMahan 2005); n is the
/// dimension of the hull, u the direction of the play.
void add_one_point_estimate(double n, double delta, double loss, double weight,
                            std::span<const double> u, std::span<double> sum) noexcept;

/// x <- (1 - sigma) x + sigma v.
void move_towards(const Vertex& v, double sigma, std::span<double> x) noexcept;

/// A step of online conditional gradient for F(x) = eta S . x + pull / 2 ||x - x_1||^2 within
/// p + (1 - alpha) (K - p), about the call of minimise():
///
///   step.before_vertex(S, x_1, p(), gradient, x);
///   minimise(gradient).add_to(x, step.of_vertex());
///
/// is x <- (1 - sigma) x + sigma v, v = alpha p + (1 - alpha) argmin over K of grad F(x) . v.
struct ConditionalStep {
  /// The weight of S.
  double eta;
  /// The weight of the regularizer.
  double pull;
  /// The length of the step, from 0 to 1.
  double sigma;
  /// By how much K is shrunk.
  double alpha;

  /// gradient = grad F(x), then x becomes all of the step but the vertex.
  void before_vertex(std::span<const double> S, std::span<const double> x_1,
                     std::span<const double> p, std::span<double> gradient,
                     std::span<double> x) const noexcept;
  /// The weight with which the vertex is to be added then.
  [[nodiscard]] double of_vertex() const noexcept;
};

}  // namespace keyhole::steps
#pragma GCC visibility pop
