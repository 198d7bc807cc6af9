#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/sampled_vertices.h"
#include "sets/separation.h"
#include "sets/set_list.h"
#include "sets/wholes_text.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using Groups = std::vector<std::vector<std::size_t>>;

double length_within(const std::vector<std::size_t>& group, std::span<const double> x) {
  return std::sqrt(
      math::reduce(group.size(), [&](std::size_t j) { return x[group[j]] * x[group[j]]; }));
}

class LatentGroupOracle final : public Oracle {
 public:
  LatentGroupOracle(const Groups& groups, double radius) : groups_(groups), radius_(radius) {
    std::size_t most = 0;
    for (const auto& group : groups) most = std::max(most, group.size());
    values_.resize(most);
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t first = 0;
    double longest = -1;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const double length = length_within(groups_[g], direction);
      if (!(length > longest)) continue;
      longest = length;
      first = g;
    }
    const std::vector<std::size_t>& group = groups_[first];
    for (std::size_t j = 0; j < group.size(); ++j) {
      values_[j] = longest > 0 ? -radius_ * (direction[group[j]] / longest) : 0;
    }
    if (!(longest > 0)) values_[0] = -radius_;
    vertex_ = {{}, group, std::span<const double>(values_).first(group.size())};
    return vertex_;
  }

 private:
  const Groups& groups_;
  double radius_;
  Vector values_;
  Vertex vertex_;
};

/// max over g of ||d_g||^2 is at least the mean of them, sum_i c_i d_i^2 / m with c_i the number of
/// groups that i is in.
Geometry latent_geometry(std::size_t n, const Groups& groups, double radius) {
  Vector counts(n, 0.0);
  for (const auto& group : groups) {
    for (const std::size_t i : group) ++counts[i];
  }
  const double least = *std::min_element(counts.begin(), counts.end());
  return {Vector(n, 0.0), radius * std::sqrt(least / static_cast<double>(groups.size())), radius,
          2 * radius};
}

class LatentGroupBall final : public Set {
 public:
  LatentGroupBall(std::size_t n, Groups groups, double radius)
      : Set(n, n, latent_geometry(n, groups, radius)),
        groups_(std::move(groups)),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<LatentGroupOracle>(groups_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  /// The length is no more than the norm, which minimising linear functions tells.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!is_point(x, dimension())) return false;
    const double length = math::norm(x);
    if (length <= inner_radius()) return true;
    if (length > radius_ + slack()) return false;
    return Separation(*this).is_within(x, slack());
  }

  [[nodiscard]] std::string spec() const override {
    std::string text;
    for (const auto& group : groups_) text += (text.empty() ? "" : ", ") + wholes_text(group);
    return "latent_group_ball([" + text + "]" +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  Groups groups_;
  double radius_;
};

}  // namespace

SetPtr latent_group_ball(const std::vector<std::vector<std::size_t>>& groups, double radius) {
  base::require(!groups.empty(), "a latent group ball needs at least one group");
  std::size_t n = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string group = "group " + std::to_string(g) + " of a latent group ball";
    base::require(!groups[g].empty(), group + " is empty: leave it out");
    for (const std::size_t i : groups[g]) {
      base::require(i < most_sampled_coordinates,
                    group + " has coordinate " + std::to_string(i) + ", and " +
                        std::to_string(most_sampled_coordinates - 1) + " is the largest");
      n = std::max(n, i + 1);
    }
  }
  Groups sorted = groups;
  std::vector<bool> is_there(n, false);
  for (std::size_t g = 0; g < sorted.size(); ++g) {
    std::sort(sorted[g].begin(), sorted[g].end());
    base::require(std::adjacent_find(sorted[g].begin(), sorted[g].end()) == sorted[g].end(),
                  "group " + std::to_string(g) +
                      " of a latent group ball has a coordinate twice: name it once");
    for (const std::size_t i : sorted[g]) is_there[i] = true;
  }
  for (std::size_t i = 0; i < n; ++i) {
    base::require(is_there[i], "coordinate " + std::to_string(i) +
                                   " is in no group of a latent group ball: add a group, or count "
                                   "the coordinates without it");
  }
  base::require_positive("the radius of a latent group ball", radius);
  return std::make_shared<LatentGroupBall>(n, std::move(sorted), radius);
}

}  // namespace keyhole::sets
