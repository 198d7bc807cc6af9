#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "math/combinatorial/closure.h"
#include "math/sums.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using Relation = std::pair<std::size_t, std::size_t>;

/// Which numbers may not be above which, and the bounds of all.
struct Ranking {
  std::vector<Relation> relations = {};
  /// By the number of relations of the longest chain that ends in i: rank[i].
  std::vector<std::size_t> rank = {};
  /// Relations by rising rank of the lower end: so each comes after those that lead to it.
  std::vector<Relation> rising = {};
  double low = 0;
  double high = 0;
};

/// Throws if the relations go round.
void find_ranks(Ranking& ranking, std::size_t n) {
  ranking.rank.assign(n, 0);
  std::vector<std::vector<std::size_t>> above(n);
  std::vector<std::size_t> missing(n, 0);  // numbers below that have no rank yet
  for (const auto& [i, j] : ranking.relations) {
    above[i].push_back(j);
    ++missing[j];
  }
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < n; ++i) {
    if (missing[i] == 0) queue.push_back(i);
  }
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const std::size_t j : above[queue[k]]) {
      ranking.rank[j] = std::max(ranking.rank[j], ranking.rank[queue[k]] + 1);
      if (--missing[j] == 0) queue.push_back(j);
    }
  }
  const auto left = std::find_if(missing.begin(), missing.end(), [](auto m) { return m > 0; });
  base::require(left == missing.end(),
                "the relations of a partial order go round: no order has number " +
                    std::to_string(left - missing.begin()) + " above all that must be below it");
  ranking.rising = ranking.relations;
  std::stable_sort(ranking.rising.begin(), ranking.rising.end(),
                   [&](const Relation& a, const Relation& b) {
                     return ranking.rank[a.first] < ranking.rank[b.first];
                   });
}

class PartialOrderOracle final : public Oracle {
 public:
  PartialOrderOracle(const Set& set, const Ranking& ranking, double slack)
      : p_(set.centre()),
        ranking_(ranking),
        slack_(slack),
        closure_(set.dimension(), ranking.relations),
        in_(set.dimension()),
        block_(set.dimension()),
        next_(set.dimension()),
        sums_(set.dimension()),
        spreads_(set.dimension()),
        counts_(set.dimension()),
        point_(set.dimension()),
        weights_(set.dimension()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    closure_.find(direction, in_);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      point_[i] = in_[i] != 0 ? ranking_.high : ranking_.low;
    }
    return vertex_;
  }

  /// All blocks are split at once. In each the part that has most above the mean, and nothing of
  /// the rest below it, is at least at the mean in the end, and the rest at most: so the relations
  /// between them may be left out.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const std::size_t n = point.size();
    std::copy(point.begin(), point.end(), point_.begin());
    std::fill(block_.begin(), block_.end(), std::size_t{0});
    std::size_t blocks = 1;
    for (std::size_t before = 0; before < blocks;) {
      before = blocks;
      find_means(blocks);
      for (std::size_t i = 0; i < n; ++i) weights_[i] = sums_[block_[i]] - point_[i];
      closure_.find(weights_, block_, in_);
      split(blocks);
    }
    find_means(blocks);
    for (std::size_t i = 0; i < n; ++i) {
      nearest[i] = std::clamp(sums_[block_[i]], ranking_.low, ranking_.high);
    }
    raise(nearest);
    return true;
  }

  /// The largest of <c, w - p> / (b - <c, p>) over the inequalities <c, x> <= b, the first: lower
  /// and upper bounds of each coordinate, then the relations.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    double gamma = 0;
    double width = 0;
    std::size_t up = w.size();  // the coordinates that rise and fall
    std::size_t down = w.size();
    const auto look = [&](double missing, double room, std::size_t rises, std::size_t falls) {
      if (!(missing > gamma * room)) return;
      gamma = missing / room;
      width = room;
      up = rises;
      down = falls;
    };
    const std::size_t none = w.size();
    for (std::size_t i = 0; i < w.size(); ++i) {
      look(p_[i] - w[i], p_[i] - ranking_.low, none, i);
      look(w[i] - p_[i], ranking_.high - p_[i], i, none);
    }
    for (const auto& [i, j] : ranking_.relations) {
      look((w[i] - p_[i]) - (w[j] - p_[j]), p_[j] - p_[i], i, j);
    }
    if (up < none) subgradient[up] = 1 / width;
    if (down < none) subgradient[down] = -1 / width;
    return gamma;
  }

  /// To the bounds; then a coordinate that is below one that it may not be below goes up to it.
  void settle(std::span<double> point) override {
    const auto settle_at_least = [&](double& x, double least) {
      const double settled = std::clamp(x, least, std::max(least, ranking_.high));
      if (std::abs(settled - x) <= slack_) x = settled;
    };
    for (double& x : point) settle_at_least(x, ranking_.low);
    for (const auto& [i, j] : ranking_.rising)
      settle_at_least(point[j], std::max(point[i], point[j]));
  }

 private:
  /// sums_ = the mean of each block, spreads_ = how far its numbers are from 0 together.
  void find_means(std::size_t blocks) {
    std::fill_n(sums_.begin(), blocks, 0.0);
    std::fill_n(spreads_.begin(), blocks, 0.0);
    std::fill_n(counts_.begin(), blocks, 0.0);
    for (std::size_t i = 0; i < block_.size(); ++i) {
      sums_[block_[i]] += point_[i];
      spreads_[block_[i]] += std::abs(point_[i]);
      counts_[block_[i]] += 1;
    }
    for (std::size_t b = 0; b < blocks; ++b) sums_[b] /= counts_[b];
  }

  /// Gives what closure_ has found a block of its own, if it is above the mean by more than the
  /// roundings of the sums.
  void split(std::size_t& blocks) {
    const std::size_t before = blocks;
    constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
    std::fill_n(counts_.begin(), before, 0.0);  // what is above the mean
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (in_[i] != 0) counts_[block_[i]] -= weights_[i];
    }
    for (std::size_t b = 0; b < before; ++b) {
      next_[b] = counts_[b] > roundings * spreads_[b] ? blocks++ : b;
    }
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (in_[i] != 0) block_[i] = next_[block_[i]];
    }
  }

  void raise(std::span<double> x) const {
    for (const auto& [i, j] : ranking_.rising) x[j] = std::max(x[j], x[i]);
  }

  const Vector& p_;
  const Ranking& ranking_;
  double slack_;
  math::Closure closure_;
  std::vector<unsigned char> in_;
  std::vector<std::size_t> block_;
  std::vector<std::size_t> next_;
  Vector sums_;
  Vector spreads_;
  Vector counts_;
  Vector point_;
  Vector weights_;
  Vertex vertex_;
};

/// r from the facets. ||v - p||^2 of a vertex is a sum over the coordinates, so the farthest is the
/// one that a linear function finds.
Geometry geometry_of_order(const Ranking& ranking, std::span<const double> p) {
  const std::size_t n = p.size();
  const auto square = [](double x) { return x * x; };
  double r = std::numeric_limits<double>::infinity();
  Vector gains(n);
  for (std::size_t i = 0; i < n; ++i) {
    r = std::min({r, p[i] - ranking.low, ranking.high - p[i]});
    gains[i] = square(p[i] - ranking.low) - square(ranking.high - p[i]);
  }
  for (const auto& [i, j] : ranking.relations) r = std::min(r, (p[j] - p[i]) / std::sqrt(2.0));
  std::vector<unsigned char> in(n);
  math::Closure(n, ranking.relations).find(gains, in);
  const double farthest = math::reduce(
      n, [&](std::size_t i) { return square(p[i] - (in[i] != 0 ? ranking.high : ranking.low)); });
  const double roundings = 1 + 1e-15 * static_cast<double>(n);
  return {{p.begin(), p.end()},
          r,
          std::sqrt(farthest) * roundings,
          (ranking.high - ranking.low) * std::sqrt(static_cast<double>(n))};
}

/// l + r (1 + k_i sqrt 2), r = (u - l) / (2 + k sqrt 2), k the longest chain.
Vector incentre_of_order(const Ranking& ranking) {
  const double root = std::sqrt(2.0);
  const auto longest =
      static_cast<double>(*std::max_element(ranking.rank.begin(), ranking.rank.end()));
  const double r = (ranking.high - ranking.low) / (2 + longest * root);
  Vector p;
  for (const std::size_t rank : ranking.rank) {
    p.push_back(ranking.low + r * (1 + static_cast<double>(rank) * root));
  }
  return p;
}

class PartialOrder final : public Set {
 public:
  explicit PartialOrder(Ranking ranking)
      : Set(ranking.rank.size(), ranking.rank.size(),
            geometry_of_order(ranking, incentre_of_order(ranking))),
        ranking_(std::move(ranking)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    // Far from the origin the roundings of a coordinate can exceed the tolerance.
    const double roundings = 8 * std::numeric_limits<double>::epsilon() *
                             std::max(std::abs(ranking_.low), std::abs(ranking_.high));
    return std::make_unique<PartialOrderOracle>(*this, ranking_, slack() + roundings);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (const double coordinate : x) {
      if (!(coordinate >= ranking_.low && coordinate <= ranking_.high)) return false;
    }
    return std::all_of(ranking_.relations.begin(), ranking_.relations.end(),
                       [&](const Relation& of) { return x[of.first] <= x[of.second]; });
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return geometry_of_order(ranking_, centre);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    PolytopeConstraints result{.n = dimension(),
                               .lower = Vector(dimension(), ranking_.low),
                               .upper = Vector(dimension(), ranking_.high)};
    result.inequalities.right.assign(ranking_.relations.size(), 0.0);
    for (std::size_t k = 0; k < ranking_.relations.size(); ++k) {
      result.inequalities.sparse.push_back({k, ranking_.relations[k].first, 1});
      result.inequalities.sparse.push_back({k, ranking_.relations[k].second, -1});
    }
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    std::string relations;
    for (const auto& [i, j] : ranking_.relations) {
      relations +=
          (relations.empty() ? "[" : ", [") + std::to_string(i) + ", " + std::to_string(j) + "]";
    }
    return "partial_order(" + std::to_string(dimension()) + ", [" + relations + "]" +
           (ranking_.low == 0 ? "" : ", lower=" + base::number_text(ranking_.low)) +
           (ranking_.high == 1 ? "" : ", upper=" + base::number_text(ranking_.high)) + ")";
  }

 private:
  Ranking ranking_;
};

}  // namespace

SetPtr partial_order(std::size_t n, List<Edge> relations, double lower, double upper) {
  base::require(n >= 1, "a partial order needs at least one coordinate");
  const std::string bounds =
      "the bounds [" + base::number_text(lower) + ", " + base::number_text(upper) + "]";
  base::require(base::is_moderate(lower) && base::is_moderate(upper),
                bounds + " of a partial order must be numbers of magnitude up to 1e50");
  base::require(lower < upper, bounds +
                                   " of a partial order leave nothing to choose: the lower must "
                                   "be below the upper");
  Ranking ranking{.low = lower, .high = upper};
  for (std::size_t k = 0; k < relations.size(); ++k) {
    const auto [i, j] = relations[k];
    const std::string what = "relation " + std::to_string(k) + " of a partial order";
    base::require(i < n && j < n, what + " has a number that is not there: there are " +
                                      std::to_string(n) + ", counted from 0");
    base::require(i != j, what + " leads from " + std::to_string(i) + " to itself: leave it out");
    ranking.relations.emplace_back(i, j);
  }
  find_ranks(ranking, n);
  return std::make_shared<PartialOrder>(std::move(ranking));
}

}  // namespace keyhole::sets
