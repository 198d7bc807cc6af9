#include <algorithm>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

class BallOracle final : public Oracle {
 public:
  BallOracle(std::size_t n, double radius) : radius_(radius), point_(n) { vertex_.dense = point_; }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const double length = math::norm(direction);
    if (length > 0) {
      for (std::size_t i = 0; i < point_.size(); ++i) {
        point_[i] = -radius_ * (direction[i] / length);
      }
    } else {
      std::fill(point_.begin(), point_.end(), 0.0);
      point_[0] = -radius_;
    }
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const double length = math::norm(point);
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = length <= radius_ ? point[i] : radius_ * (point[i] / length);
    }
    return true;
  }

  /// gamma(w) = ||w|| / radius.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const double length = math::norm(w);
    for (std::size_t i = 0; i < w.size(); ++i) {
      subgradient[i] = length > 0 ? w[i] / length / radius_ : 0;
    }
    return length / radius_;
  }

 private:
  double radius_;
  std::vector<double> point_;
  Vertex vertex_;
};

class Ball final : public Set {
 public:
  Ball(std::size_t n, double radius)
      : Set(n, n, {std::vector<double>(n, 0.0), radius, radius, 2 * radius}), radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<BallOracle>(dimension(), radius_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && math::norm(x) <= radius_ * (1 + membership_tolerance);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const double off = math::norm(centre);
    return {{centre.begin(), centre.end()}, radius_ - off, radius_ + off, 2 * radius_};
  }

  [[nodiscard]] std::string spec() const override {
    return "ball(" + std::to_string(dimension()) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  double radius_;
};

}  // namespace

SetPtr ball(std::size_t n, double radius) {
  base::require(n >= 1, "a ball needs at least one dimension");
  base::require_positive("the radius of a ball", radius);
  return std::make_shared<Ball>(n, radius);
}

}  // namespace keyhole::sets
