#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/settle.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The values, ascending, and for each s the least sum of s of them, less s times their mean.
struct OrderedValues {
  Vector ascending;
  double mean = 0;
  Vector least;  // least[s - 1] for s = 1, ..., n - 1: negative

  explicit OrderedValues(Vector values) : ascending(std::move(values)) {
    const std::size_t n = ascending.size();
    std::sort(ascending.begin(), ascending.end());
    // Relative to the first, so that values far from 0 lose no digits.
    const double first = ascending.front();
    mean = first + math::reduce(n, [&](std::size_t i) { return ascending[i] - first; }) /
                       static_cast<double>(n);
    double sum = 0;
    for (std::size_t s = 1; s < n; ++s) {
      sum += ascending[s - 1] - mean;
      least.push_back(sum);
    }
  }

  [[nodiscard]] std::size_t size() const { return ascending.size(); }

  /// The length of 1_S within the hull, |S| = s.
  [[nodiscard]] double normal(std::size_t s) const {
    const auto count = static_cast<double>(size());
    const auto part = static_cast<double>(s);
    return std::sqrt(part * (count - part) / count);
  }

  /// The facets are x(S) - s mean >= least[s - 1]; S is worst for the s smallest coordinates. The
  /// farthest vertex has the opposite order, as have the two vertices that are farthest apart.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    const std::size_t n = size();
    Vector sorted(p.begin(), p.end());
    std::sort(sorted.begin(), sorted.end());
    double r = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t s = 1; s < n; ++s) {
      sum += sorted[s - 1] - mean;
      r = std::min(r, (sum - least[s - 1]) / normal(s));
    }
    const auto across = [&](const Vector& from) {
      return std::sqrt(math::reduce(n, [&](std::size_t i) {
        const double away = from[i] - ascending[n - 1 - i];
        return away * away;
      }));
    };
    return {{p.begin(), p.end()}, r, across(sorted), across(ascending)};
  }
};

class PermutahedronOracle final : public Oracle {
 public:
  PermutahedronOracle(const OrderedValues& values, double slack)
      : values_(values),
        slack_(slack),
        order_(values.size()),
        sort_(values.size()),
        point_(values.size()),
        starts_(values.size() + 1),
        excess_(values.size()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    sort(direction);
    const std::size_t n = order_.size();
    for (std::size_t k = 0; k < n; ++k) point_[order_[k]] = values_.ascending[n - 1 - k];
    return vertex_;
  }

  /// With z and the values ascending, x = z - y for the ascending y nearest to z - values, which
  /// pooling adjacent violators finds: in a pool x is z, moved so that its mean is the values'.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    sort(point);
    take_in_order(point);
    const std::size_t pools = pool();
    for (std::size_t b = 0; b < pools; ++b) {
      const std::size_t from = starts_[b];
      const auto count = static_cast<double>(starts_[b + 1] - from);
      // Relative to the first of the pool, so that points far away lose no digits.
      const double first = point_[from];
      double of_points = 0;
      double of_values = 0;
      for (std::size_t k = from; k < starts_[b + 1]; ++k) {
        of_points += point_[k] - first;
        of_values += values_.ascending[k] - values_.mean;
      }
      const double shift = values_.mean + (of_values - of_points) / count;
      for (std::size_t k = from; k < starts_[b + 1]; ++k) {
        nearest[order_[k]] = std::clamp((point_[k] - first) + shift, values_.ascending.front(),
                                        values_.ascending.back());
      }
    }
    return true;
  }

  /// gamma(w) = max over s of (the least sum of s coordinates of w - p) / least[s - 1].
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    sort(w);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    const std::size_t n = order_.size();
    double gamma = 0;
    double sum = 0;
    std::size_t first = 0;
    for (std::size_t s = 1; s < n; ++s) {
      sum += w[order_[s - 1]] - values_.mean;
      if (!(sum / values_.least[s - 1] > gamma)) continue;
      gamma = sum / values_.least[s - 1];
      first = s;
    }
    if (first == 0) return 0;
    const double slope = 1 / values_.least[first - 1];
    const double share = static_cast<double>(first) / static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k) {
      subgradient[order_[k]] = slope * (k < first ? 1 - share : -share);
    }
    return gamma;
  }

  void settle(std::span<double> point) override {
    settle_between(point, values_.ascending.front(), values_.ascending.back(), slack_);
  }

 private:
  /// The order of the numbers, ascending, of equal ones the first.
  void sort(std::span<const double> numbers) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort_(order_, [&](std::size_t i) { return numbers[i]; });
  }

  /// The point, ascending. What all coordinates have in common moves nothing, and a gap wider than
  /// the values are apart parts two pools whatever its width: in each, x is z moved. So from afar
  /// such gaps are cut, and rounding does not hide the others.
  void take_in_order(std::span<const double> point) {
    for (std::size_t k = 0; k < order_.size(); ++k) point_[k] = point[order_[k]];
    const double low = values_.ascending.front();
    const double high = values_.ascending.back();
    const double size = std::max(std::abs(low), std::abs(high));
    if (std::max(std::abs(point_.front()), std::abs(point_.back())) <= 1024 * size) return;
    double before = point_[0];
    point_[0] = 0;
    for (std::size_t k = 1; k < point_.size(); ++k) {
      const double gap = point_[k] - before;
      before = point_[k];
      point_[k] = point_[k - 1] + std::min(gap, high - low);
    }
  }

  /// Pools the neighbours in point_ - values whose means do not ascend; pool b is from starts_[b]
  /// to starts_[b + 1], excess_[b] its mean. How many there are.
  std::size_t pool() {
    std::size_t pools = 0;
    for (std::size_t k = 0; k < point_.size(); ++k) {
      starts_[pools] = k;
      excess_[pools] = point_[k] - values_.ascending[k];
      starts_[++pools] = k + 1;
      while (pools > 1 && excess_[pools - 2] >= excess_[pools - 1]) {
        const auto left = static_cast<double>(starts_[pools - 1] - starts_[pools - 2]);
        const auto right = static_cast<double>(starts_[pools] - starts_[pools - 1]);
        excess_[pools - 2] += (excess_[pools - 1] - excess_[pools - 2]) * (right / (left + right));
        starts_[pools - 1] = starts_[pools];
        --pools;
      }
    }
    return pools;
  }

  const OrderedValues& values_;
  double slack_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
  Vector point_;
  std::vector<std::size_t> starts_;
  Vector excess_;
  Vertex vertex_;
};

/// Uniform on the orders (Fisher and Yates): with q the variance of the values, Sigma = q n / (n -
/// 1) (1 - 1 1'/n).
class RandomOrders final : public Exploration {
 public:
  RandomOrders(const Set& set, const OrderedValues& values)
      : RandomOrders(set, values, math::reduce(values.size(), [&](std::size_t i) {
                                    const double away = values.ascending[i] - values.mean;
                                    return away * away;
                                  }) / static_cast<double>(values.size())) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::copy(values_.ascending.begin(), values_.ascending.end(), v.begin());
    for (std::size_t i = v.size() - 1; i > 0; --i) std::swap(v[i], v[bits.below(i - 1, i + 1)]);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    draw(bits, w);
    const auto n = static_cast<double>(w.size());
    const double factor = (n - 1) / (n * variance_of_values_);
    for (double& coordinate : w) coordinate = (coordinate - values_.mean) * factor;
  }

 private:
  RandomOrders(const Set& set, const OrderedValues& values, double variance_of_values)
      : Exploration(set, Vector(values.size(), values.mean),
                    Vector(values.size(), variance_of_values),
                    static_cast<double>(values.size()) * (1 + 1e-12),
                    {.words = values.size() - 1, .normals = 0}),
        values_(values),
        variance_of_values_(variance_of_values) {}

  const OrderedValues& values_;
  double variance_of_values_;
};

class Permutahedron final : public Set {
 public:
  explicit Permutahedron(OrderedValues values)
      : Set(values.size(), values.size() - 1,
            values.geometry_about(Vector(values.size(), values.mean))),
        values_(std::move(values)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<PermutahedronOracle>(values_, tolerance());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<RandomOrders>(*this, values_);
  }

  /// The s smallest coordinates sum to no less than the s smallest values, all to the same.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (const double coordinate : x) {
      if (!(values_.ascending.front() <= coordinate && coordinate <= values_.ascending.back())) {
        return false;
      }
    }
    Vector sorted(x.begin(), x.end());
    std::sort(sorted.begin(), sorted.end());
    double sum = 0;
    for (std::size_t s = 1; s < x.size(); ++s) {
      sum += sorted[s - 1] - values_.mean;
      if (sum < values_.least[s - 1] - tolerance() * values_.normal(s)) return false;
    }
    const double missing = sum + (sorted.back() - values_.mean);
    return std::abs(missing) <= tolerance() * std::sqrt(static_cast<double>(x.size()));
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return values_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override {
    return "permutahedron(" + base::list_text(values_.ascending, false) + ")";
  }

 private:
  [[nodiscard]] double tolerance() const {
    const double roundings =
        8 * std::numeric_limits<double>::epsilon() * math::largest_magnitude(values_.ascending);
    return slack() + roundings;
  }

  OrderedValues values_;
};

}  // namespace

SetPtr permutahedron(List<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    base::require(base::is_moderate(values[i]),
                  "value " + std::to_string(i) +
                      " of a permutahedron must be a number of magnitude up to "
                      "1e50, not " +
                      base::number_text(values[i]));
  }
  base::require(values.size() >= 2,
                "a permutahedron of " + std::to_string(values.size()) +
                    " values is a single point or empty: at least 2 are needed");
  base::require(
      std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); }),
      "the values of a permutahedron are all " + base::number_text(values.front()) +
          ": there is nothing to order");
  return std::make_shared<Permutahedron>(OrderedValues(Vector(values.begin(), values.end())));
}

}  // namespace keyhole::sets
