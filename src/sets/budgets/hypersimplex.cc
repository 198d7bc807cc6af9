#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/budgets/budget_set.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Which of the numbers are the k smallest, the first of equal ones. One a thread.
class HypersimplexSelection {
 public:
  explicit HypersimplexSelection(std::size_t n) : numbers_(n) {}

  /// Calls visit(i) for them, i ascending.
  template <class Visit>
  void for_each(std::span<const double> numbers, std::size_t k, const Visit& visit) {
    std::copy(numbers.begin(), numbers.end(), numbers_.begin());
    const auto last = numbers_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(numbers_.begin(), last, numbers_.end());
    const double largest = *last;
    auto of_largest = static_cast<std::size_t>(
        std::count_if(numbers_.begin(), last + 1, [&](double x) { return x == largest; }));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < largest) {
        visit(i);
      } else if (of_largest > 0 && numbers[i] == largest) {
        --of_largest;
        visit(i);
      }
    }
  }

 private:
  Vector numbers_;
};

class HypersimplexOracle final : public BudgetOracle {
 public:
  HypersimplexOracle(const BudgetSet& set, std::size_t k, double size)
      : BudgetOracle(set),
        solid_(!set.budget().flat),
        k_(k),
        smallest_(set.dimension()),
        indices_(k),
        values_(k, size) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t count = 0;
    smallest_.for_each(direction, k_, [&](std::size_t i) {
      if (!solid_ || direction[i] < 0) indices_[count++] = i;
    });
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

 private:
  bool solid_;
  std::size_t k_;
  HypersimplexSelection smallest_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// How many coordinates a random vertex has, and how likely that is.
struct HypersimplexSize {
  std::size_t count;
  double probability;
};

/// Of k at most. With M and V the mean and the variance of the count, the covariance is a across
/// the ones and b along them, in units of size^2,
///
///   a = (M (n - M) - V) / (n (n - 1)),  b = V / n,
///
/// and log det is largest for a = b and M = n / 2 (as for the corners of the cube) if k allows it:
/// counts k and n - k on both sides of n / 2, symmetric. For small k it is the counts 0 and k, with
/// the probabilities 1 / (n + 1) and n / (n + 1) of the solid simplex.
std::vector<HypersimplexSize> solid_sizes(std::size_t n, std::size_t k) {
  const auto count = static_cast<double>(n);
  if (2 * k <= n) return {{0, 1 / (count + 1)}, {k, count / (count + 1)}};
  const double away = static_cast<double>(k) - count / 2;
  const double of_middle = n % 2 == 0 ? 0.0 : 0.25;  // the variance of (n - 1) / 2, (n + 1) / 2
  const double gain = away * away - of_middle;
  const double w = gain > count / 4 - of_middle ? (count / 4 - of_middle) / gain : 1.0;
  return {{n - k, w / 2}, {n / 2, (1 - w) / 2}, {n - n / 2, (1 - w) / 2}, {k, w / 2}};
}

/// A random number of coordinates, any as likely as the others, are `size`, the others 0.
class HypersimplexVertices final : public Exploration {
 public:
  HypersimplexVertices(std::size_t n, double size, const std::vector<HypersimplexSize>& sizes)
      : HypersimplexVertices(n, size, sizes, Moments(n, sizes)) {}

  void draw(const RandomBits& bits, std::span<double> v) override { (void)choose(bits, v, size_); }

  void score(const RandomBits& bits, std::span<double> w) override {
    // v - p = (1_S - |S|/n 1) + (|S|/n - p) 1, the first across the ones, the second along them.
    const auto n = static_cast<double>(w.size());
    const auto count = static_cast<double>(choose(bits, w, 1));
    const double along = of_.along > 0 ? (count - of_.mean) / (n * of_.along) : 0.0;
    for (double& coordinate : w) {
      const double across = of_.across > 0 ? (coordinate - count / n) / of_.across : 0.0;
      coordinate = (across + along) / size_;
    }
  }

 private:
  struct Moments {
    double mean = 0;    // M
    double across = 0;  // a
    double along = 0;   // b
    std::size_t largest = 0;

    Moments(std::size_t n, const std::vector<HypersimplexSize>& sizes) {
      double squares = 0;
      for (const auto& [count, probability] : sizes) {
        mean += probability * static_cast<double>(count);
        largest = std::max(largest, count);
      }
      for (const auto& [count, probability] : sizes) {
        const double away = static_cast<double>(count) - mean;
        squares += probability * away * away;
      }
      const auto size = static_cast<double>(n);
      along = squares / size;
      if (n > 1) across = (mean * (size - mean) - squares) / (size * (size - 1));
    }
  };

  HypersimplexVertices(std::size_t n, double size, std::vector<HypersimplexSize> sizes,
                       const Moments& of)
      : Exploration(Vector(n, size * of.mean / static_cast<double>(n)),
                    Vector(n, size * size * share(n, of) * (1 - share(n, of))),
                    squared_radius(n, sizes, share(n, of)),
                    {.words = 1 + of.largest, .normals = 0}),
        size_(size),
        sizes_(std::move(sizes)),
        of_(of) {}

  static double share(std::size_t n, const Moments& of) { return of.mean / static_cast<double>(n); }

  /// count (1 - q)^2 + (n - count) q^2 over q (1 - q), the largest.
  static double squared_radius(std::size_t n, const std::vector<HypersimplexSize>& sizes,
                               double q) {
    double largest = 0;
    for (const HypersimplexSize& size : sizes) {
      const auto inside = static_cast<double>(size.count);
      const auto outside = static_cast<double>(n - size.count);
      largest = std::max(largest, inside * (1 - q) / q + outside * q / (1 - q));
    }
    return largest * (1 + 1e-12);
  }

  /// Floyd's method (Bentley, Floyd, "Programming pearls: a sample of brilliance", 1987).
  std::size_t choose(const RandomBits& bits, std::span<double> v, double value) const {
    double left = bits.uniform(0);
    std::size_t which = 0;
    while (which + 1 < sizes_.size() && left >= sizes_[which].probability) {
      left -= sizes_[which++].probability;
    }
    const std::size_t count = sizes_[which].count;
    std::fill(v.begin(), v.end(), 0.0);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t last = v.size() - count + k;
      const std::size_t i = bits.below(1 + k, last + 1);
      v[v[i] == 0 ? i : last] = value;
    }
    return count;
  }

  double size_;
  std::vector<HypersimplexSize> sizes_;
  Moments of_;
};

Budget hypersimplex_budget(std::size_t n, std::size_t k, double size, bool flat) {
  return {Vector(n, 0.0), Vector(n, size), Vector(n, 1.0), static_cast<double>(k) * size, flat};
}

/// The diagonal's point that is farthest from the constraints.
Vector hypersimplex_centre(std::size_t n, std::size_t k, double size, bool flat) {
  const auto count = static_cast<double>(n);
  const double total = static_cast<double>(k) * size;
  return Vector(n, flat ? total / count : std::min(size / 2, total / (count + std::sqrt(count))));
}

/// Of 1_S size for |S| = k, or |S| <= k, ||v - p||^2 = ||p||^2 + sum over S of size (size - 2 p_i)
/// is largest for the smallest p_i.
Geometry hypersimplex_geometry(const Budget& budget, std::size_t k, std::span<const double> p) {
  const std::size_t n = p.size();
  const double size = budget.upper.front();
  double gain = 0;
  HypersimplexSelection(n).for_each(p, k, [&](std::size_t i) {
    const double of_coordinate = size - 2 * p[i];
    if (budget.flat || of_coordinate > 0) gain += size * of_coordinate;
  });
  const std::size_t apart = std::min(2 * k, budget.flat ? 2 * (n - k) : n);
  return {{p.begin(), p.end()},
          budget.inner_radius(p),
          std::sqrt(math::squared_norm(p) + gain),
          size * std::sqrt(static_cast<double>(apart))};
}

/// {0 <= x <= size, sum x <= k size} and its face of equality.
class Hypersimplex final : public BudgetSet {
 public:
  Hypersimplex(std::size_t n, std::size_t k, double size, bool flat)
      : BudgetSet(hypersimplex_budget(n, k, size, flat),
                  hypersimplex_geometry(hypersimplex_budget(n, k, size, flat), k,
                                        hypersimplex_centre(n, k, size, flat))),
        k_(k),
        size_(size) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<HypersimplexOracle>(*this, k_, size_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<HypersimplexVertices>(
        dimension(), size_,
        budget().flat ? std::vector<HypersimplexSize>{{k_, 1.0}} : solid_sizes(dimension(), k_));
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return hypersimplex_geometry(budget(), k_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    return (budget().flat ? "hypersimplex(" : "solid_hypersimplex(") + std::to_string(dimension()) +
           ", " + std::to_string(k_) + (size_ == 1 ? "" : ", size=" + base::number_text(size_)) +
           ")";
  }

 private:
  std::size_t k_;
  double size_;
};

}  // namespace

SetPtr hypercube(std::size_t n) { return box(0, 1, n); }

SetPtr hypersimplex(std::size_t n, std::size_t k, double size) {
  base::require(n >= 2, "a hypersimplex of " + std::to_string(n) +
                            " coordinates is a single point or empty: at least 2 are needed");
  base::require(k >= 1 && k < n, "a hypersimplex chooses k = 1 to n - 1 of its " +
                                     std::to_string(n) + " coordinates, not " + std::to_string(k) +
                                     ": with none or all of them there is nothing to choose");
  base::require_positive("the size of a hypersimplex", size);
  return std::make_shared<Hypersimplex>(n, k, size, true);
}

SetPtr solid_hypersimplex(std::size_t n, std::size_t k, double size) {
  base::require(n >= 1, "a solid hypersimplex needs at least one coordinate");
  base::require(k >= 1 && k <= n, "a solid hypersimplex chooses at most k = 1 to n of its " +
                                      std::to_string(n) + " coordinates, not " + std::to_string(k));
  base::require_positive("the size of a solid hypersimplex", size);
  return std::make_shared<Hypersimplex>(n, k, size, false);
}

}  // namespace keyhole::sets
