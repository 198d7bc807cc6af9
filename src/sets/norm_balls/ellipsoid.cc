#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/dense.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"
#include "sets/norm_balls/ellipsoid_form.h"
#include "sets/norm_balls/lp_projection.h"
#include "sets/norm_balls/symmetric_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class EllipsoidOracle final : public Oracle {
 public:
  explicit EllipsoidOracle(const EllipsoidForm& form)
      : form_(form), projection_(2, 1, form.roots), y_(form.n()), point_(form.n()) {
    vertex_.dense = point_;
  }

  /// c - A^-1 d / sqrt(d' A^-1 d) = c - L'^-1 u for the unit vector u along L^-1 d.
  const Vertex& do_minimise(std::span<const double> direction) override {
    const double largest = math::largest_magnitude(direction);
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = largest > 0 ? direction[i] / largest : 0;
    if (!(largest > 0)) y_[0] = 1;
    form_.factor.solve_lower(y_);
    const double length = math::norm(y_);
    for (double& value : y_) value /= length;
    form_.factor.solve_upper(y_);
    for (std::size_t i = 0; i < y_.size(); ++i) point_[i] = form_.centre[i] - y_[i];
    return vertex_;
  }

  /// In the axes of the ellipsoid it is the ball of p = 2 with the roots of the eigenvalues for
  /// weights.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (form_.gauge(point, y_) <= 1) {
      std::copy(point.begin(), point.end(), nearest.begin());
      return true;
    }
    const std::size_t n = form_.n();
    for (std::size_t i = 0; i < n; ++i) nearest[i] = point[i] - form_.centre[i];
    for (std::size_t k = 0; k < n; ++k) y_[k] = math::dot(form_.axis(k), nearest);
    projection_.project(y_, y_);
    std::fill(nearest.begin(), nearest.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) math::add(nearest, y_[k], form_.axis(k));
    // What the eigenvectors have lost to rounding may not leave the ellipsoid.
    std::copy(nearest.begin(), nearest.end(), y_.begin());
    form_.factor.times_upper(y_);
    const double gamma = std::max(math::norm(y_), 1.0);
    for (std::size_t i = 0; i < n; ++i) nearest[i] = form_.centre[i] + nearest[i] / gamma;
    return true;
  }

  /// gamma(w) = ||L'(w - c)||, of slope L L'(w - c) / gamma(w).
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const double gamma = form_.gauge(w, subgradient);
    if (!(gamma > 0)) return 0;
    for (double& value : subgradient) value /= gamma;
    form_.factor.times_lower(subgradient);
    return gamma;
  }

 private:
  const EllipsoidForm& form_;
  LpProjection projection_;
  Vector y_;
  Vector point_;
  Vertex vertex_;
};

/// v = c + L'^-1 u for u uniform on the unit sphere: Sigma = A^-1 / n, Sigma^-1 (v - c) = n L u.
class EllipsoidBoundary final : public Exploration {
 public:
  EllipsoidBoundary(const Set& set, const EllipsoidForm& form)
      : Exploration(set, form.centre, variances(form), squared_extent_of(form),
                    {.words = 0, .normals = form.n()}),
        form_(form) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    unit(bits, v, 1);
    form_.factor.solve_upper(v);
    math::add(v, 1, form_.centre);
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    unit(bits, w, static_cast<double>(w.size()));
    form_.factor.times_lower(w);
  }

 private:
  static Vector variances(const EllipsoidForm& form) {
    Vector result(form.n());
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = form.inverse[i * form.n() + i] / static_cast<double>(form.n());
    }
    return result;
  }

  /// n times the largest eigenvalue of the matrix of correlations of A^-1.
  static double squared_extent_of(const EllipsoidForm& form) {
    const std::size_t n = form.n();
    Vector correlations(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        correlations[i * n + j] = form.inverse[i * n + j] / (std::sqrt(form.inverse[i * n + i]) *
                                                             std::sqrt(form.inverse[j * n + j]));
      }
    }
    math::ExtremeEigenpair pair(n, math::Method::direct);
    const double roundings = 1 + membership_tolerance;
    return static_cast<double>(n) * pair.largest_in_magnitude(correlations) * roundings;
  }

  static void unit(const RandomBits& bits, std::span<double> u, double length) {
    const double by = math::norm(bits.normals);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = length * (bits.normals[i] / by);
  }

  const EllipsoidForm& form_;
};

/// r^-2 is the largest eigenvalue of A, R^2 that of A^-1: so both keep their digits.
Geometry ellipsoid_geometry(const EllipsoidForm& form) {
  math::ExtremeEigenpair pair(form.n(), math::Method::direct);
  const double outer = std::sqrt(pair.largest_in_magnitude(form.inverse));
  const double inner = std::min(1 / std::sqrt(pair.largest_in_magnitude(form.matrix)), outer);
  base::require(outer <= 1e4 * inner, "an ellipsoid of semi-axes from " + base::number_text(inner) +
                                          " to " + base::number_text(outer) +
                                          " is nearly flat: scale the coordinates so that they are "
                                          "within a factor of 1e4");
  return {form.centre, inner, outer, 2 * outer};
}

class Ellipsoid final : public Set {
 public:
  explicit Ellipsoid(EllipsoidForm form)
      : Set(form.n(), form.n(), ellipsoid_geometry(form)), form_(std::move(form)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<EllipsoidOracle>(form_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<EllipsoidBoundary>(*this, form_);
  }

  /// To first order, gamma - 1 over the length of its gradient is the distance from K.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension() || !(math::largest_magnitude(x) <= largest_number)) return false;
    Vector y(x.size());
    const double gamma = form_.gauge(x, y);
    if (gamma <= 1) return true;
    form_.factor.times_lower(y);
    const double off = slack() + 8 * std::numeric_limits<double>::epsilon() *
                                     math::largest_magnitude(form_.centre);
    return gamma - 1 <= off * math::norm(y) / gamma;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Vector y(centre.size());
    const double gamma = form_.gauge(centre, y);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = centre[i] - form_.centre[i];
    return geometry_by_gauge(geometry(), centre, gamma, math::norm(y));
  }

  [[nodiscard]] std::string spec() const override {
    const bool centred = math::largest_magnitude(form_.centre) == 0;
    return "ellipsoid(" + base::matrix_text(form_.matrix, dimension()) +
           (centred ? "" : ", centre=" + base::list_text(form_.centre, true)) + ")";
  }

 private:
  EllipsoidForm form_;
};

/// (A + A') / 2, unless they differ by more than rounding.
Vector symmetric(std::span<const double> matrix, std::size_t n) {
  Vector result(matrix.begin(), matrix.end());
  const double allowed = 1e-12 * math::largest_magnitude(matrix);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double below = matrix[i * n + j];
      const double above = matrix[j * n + i];
      base::require(std::abs(below - above) <= allowed,
                    "the matrix of an ellipsoid has " + base::number_text(below) + " in row " +
                        std::to_string(i) + ", column " + std::to_string(j) + ", and " +
                        base::number_text(above) + " in row " + std::to_string(j) + ", column " +
                        std::to_string(i) + ": it must be symmetric");
      result[i * n + j] = result[j * n + i] = below == above ? below : (below + above) / 2;
    }
  }
  return result;
}

}  // namespace

SetPtr ellipsoid(List<double> matrix, List<double> centre) {
  const std::size_t n = centre.size();
  base::require(n >= 1, "an ellipsoid needs at least one dimension");
  base::require(matrix.size() == n * n, "the matrix of an ellipsoid about a centre of " +
                                            std::to_string(n) + " coordinates needs " +
                                            std::to_string(n * n) + " numbers, not " +
                                            std::to_string(matrix.size()));
  for (const double value : matrix) {
    base::require(base::is_moderate(value),
                  "the matrix of an ellipsoid has the entry " + base::number_text(value) +
                      ": entries must be numbers of magnitude up to 1e50");
  }
  for (const double value : centre) {
    base::require(base::is_moderate(value),
                  "the centre of an ellipsoid has the coordinate " + base::number_text(value) +
                      ": coordinates must be numbers of magnitude up to 1e50");
  }
  return std::make_shared<Ellipsoid>(
      EllipsoidForm(symmetric(matrix, n), Vector(centre.begin(), centre.end())));
}

}  // namespace keyhole::sets
