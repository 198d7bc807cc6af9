#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/norm_balls/symmetric_ball.h"
#include "sets/wholes_text.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_ball_coordinates = 100'000'000;

/// Consecutive coordinates.
struct BallGroups {
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> starts;

  explicit BallGroups(std::span<const std::size_t> of)
      : sizes(of.begin(), of.end()), starts(of.size()) {
    std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), std::size_t{0});
  }
  [[nodiscard]] std::size_t count() const { return sizes.size(); }
  [[nodiscard]] std::size_t dimension() const { return starts.back() + sizes.back(); }
  template <class T>
  [[nodiscard]] std::span<T> part(std::span<T> x, std::size_t g) const {
    return x.subspan(starts[g], sizes[g]);
  }
  /// sum_g ||x_g||.
  [[nodiscard]] double norm(std::span<const double> x) const {
    return math::reduce(count(), [&](std::size_t g) { return math::norm(part(x, g)); });
  }
};

class GroupOracle final : public Oracle {
 public:
  GroupOracle(const BallGroups& groups, double radius)
      : groups_(groups),
        radius_(radius),
        indices_(groups.dimension()),
        values_(*std::max_element(groups.sizes.begin(), groups.sizes.end())),
        lengths_(groups.count()),
        of_lengths_(solid_simplex(groups.count(), radius)->oracle()) {
    std::iota(indices_.begin(), indices_.end(), std::size_t{0});
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t first = 0;
    double longest = -1;
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      const double length = math::norm(groups_.part(direction, g));
      if (!(length > longest)) continue;
      longest = length;
      first = g;
    }
    const auto d = groups_.part(direction, first);
    for (std::size_t i = 0; i < d.size(); ++i) {
      values_[i] = longest > 0 ? -radius_ * (d[i] / longest) : 0;
    }
    if (!(longest > 0)) values_[0] = -radius_;
    vertex_ = {{},
               groups_.part(std::span<const std::size_t>(indices_), first),
               std::span<const double>(values_).first(d.size())};
    return vertex_;
  }

  /// The lengths are projected onto {l >= 0, sum l <= radius}, the directions stay.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    for (std::size_t g = 0; g < lengths_.size(); ++g) {
      lengths_[g] = math::norm(groups_.part(point, g));
    }
    if (math::sum(lengths_) <= radius_) {
      std::copy(point.begin(), point.end(), nearest.begin());
      return true;
    }
    of_lengths_->project(lengths_, lengths_);
    for (std::size_t g = 0; g < lengths_.size(); ++g) {
      const auto from = groups_.part(point, g);
      const auto to = groups_.part(nearest, g);
      const double length = math::norm(from);
      for (std::size_t i = 0; i < from.size(); ++i) {
        to[i] = length > 0 ? lengths_[g] * (from[i] / length) : 0;
      }
    }
    return true;
  }

  /// gamma(w) = sum_g ||w_g|| / radius, of slope w_g / ||w_g|| / radius in group g.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      const auto from = groups_.part(w, g);
      const auto to = groups_.part(subgradient, g);
      const double length = math::norm(from);
      for (std::size_t i = 0; i < from.size(); ++i) {
        to[i] = length > 0 ? from[i] / length / radius_ : 0;
      }
    }
    return groups_.norm(w) / radius_;
  }

 private:
  const BallGroups& groups_;
  double radius_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vector lengths_;
  std::unique_ptr<Oracle> of_lengths_;
  Vertex vertex_;
};

/// Uniform on the sphere of one group, which is chosen with a probability in proportion to its
/// size: of s coordinates with probability s/n, each of variance radius^2 / s, so
/// Sigma = radius^2 / n I. That is the largest determinant that such a choice can have.
class GroupSpheres final : public Exploration {
 public:
  GroupSpheres(const Set& ball, const BallGroups& groups, double radius)
      : GroupSpheres(ball, groups, radius, static_cast<double>(ball.dimension())) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, radius_); }
  void score(const RandomBits& bits, std::span<double> w) override {
    write(bits, w, static_cast<double>(w.size()) / radius_);
  }

 private:
  GroupSpheres(const Set& ball, const BallGroups& groups, double radius, double n)
      : Exploration(
            ball, ball.centre(), Vector(ball.dimension(), radius * radius / n), n,
            {.words = 1, .normals = *std::max_element(groups.sizes.begin(), groups.sizes.end())}),
        groups_(groups),
        radius_(radius) {}

  void write(const RandomBits& bits, std::span<double> x, double length) const {
    std::fill(x.begin(), x.end(), 0.0);
    const std::size_t i = bits.below(0, x.size());
    const auto after = std::upper_bound(groups_.starts.begin(), groups_.starts.end(), i);
    const auto part = groups_.part(x, static_cast<std::size_t>(after - groups_.starts.begin()) - 1);
    const auto normals = bits.normals.first(part.size());
    const double by = math::norm(normals);
    for (std::size_t j = 0; j < part.size(); ++j) part[j] = length * (normals[j] / by);
  }

  const BallGroups& groups_;
  double radius_;
};

class GroupBall final : public SymmetricBall {
 public:
  GroupBall(BallGroups groups, double radius)
      : SymmetricBall(
            groups.dimension(), groups.dimension(),
            {Vector(groups.dimension(), 0.0),
             radius / std::sqrt(static_cast<double>(groups.count())), radius, 2 * radius}),
        groups_(std::move(groups)),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<GroupOracle>(groups_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<GroupSpheres>(*this, groups_, radius_);
  }

  [[nodiscard]] std::string spec() const override {
    return "group_ball(" + wholes_text(groups_.sizes) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  [[nodiscard]] double gauge(std::span<const double> x) const override {
    return groups_.norm(x) / radius_;
  }

  BallGroups groups_;
  double radius_;
};

}  // namespace

SetPtr group_ball(List<std::size_t> sizes, double radius) {
  base::require(!sizes.empty(), "a group ball needs at least one group");
  std::size_t n = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    base::require(sizes[g] >= 1,
                  "group " + std::to_string(g) + " of a group ball is empty: leave it out");
    base::require(sizes[g] <= most_ball_coordinates - n,
                  "a group ball can have up to " + std::to_string(most_ball_coordinates) +
                      " coordinates, and group " + std::to_string(g) + " of " +
                      std::to_string(sizes[g]) + " has more");
    n += sizes[g];
  }
  base::require_positive("the radius of a group ball", radius);
  return std::make_shared<GroupBall>(BallGroups(sizes), radius);
}

}  // namespace keyhole::sets
