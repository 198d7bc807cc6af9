#include "sets/matroids/random_subsets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/sums.h"

namespace keyhole::sets {
namespace {

/// The law of one group, and what follows from it.
struct SubsetGroup {
  std::vector<std::size_t> elements;
  std::array<std::size_t, 3> sizes{};
  std::array<double, 3> probabilities{};
  std::size_t first_word = 0;
  double mean = 0;
  double variance = 0;
  /// The covariance across the ones and along them; 0 if the group is constant.
  double across = 0;
  double along = 0;

  SubsetGroup(std::vector<std::size_t> group, std::size_t k, bool bases)
      : elements(std::move(group)) {
    const std::size_t m = elements.size();
    const auto count = static_cast<double>(m);
    sizes = {0, std::min(k, m / 2), k};
    probabilities = {1 / (count + 1), 0, 2 * k > m ? 1 / (count + 1) : 0};
    if (bases) probabilities = {0, 0, 1};
    probabilities[1] = std::max(0.0, 1 - probabilities[0] - probabilities[2]);
    if (m == 1 && !bases) probabilities = {0.5, 0, 0.5};
    double pairs = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      const auto size = static_cast<double>(sizes[s]);
      mean += probabilities[s] * size / count;
      if (m > 1) pairs += probabilities[s] * size * (size - 1) / (count * (count - 1));
    }
    variance = mean * (1 - mean);
    if (!(variance > 0)) {
      variance = 1;  // constant: any number
      return;
    }
    across = mean - pairs;
    along = bases ? 0 : across + count * (pairs - mean * mean);
  }

  [[nodiscard]] std::size_t words() const { return 1 + elements.size() / 2; }

  [[nodiscard]] double squared_radius(std::size_t size) const {
    const auto s = static_cast<double>(size);
    const auto rest = static_cast<double>(elements.size()) - s;
    return (s * (1 - mean) * (1 - mean) + rest * mean * mean) / variance;
  }
};

struct SubsetGroups {
  std::vector<SubsetGroup> groups;
  std::vector<double> mean;
  std::vector<double> variance;
  double squared_radius = 0;
  double squared_extent = 0;
  std::size_t words = 0;

  SubsetGroups(const LaminarMatroid& matroid, bool bases)
      : mean(matroid.size(), 1.0), variance(matroid.size(), 1.0) {
    // Free elements are groups of their own, as are those of the last set where it is not one.
    const std::vector<LaminarSet>& sets = matroid.sets();
    for (std::size_t k = 0; k < sets.size(); ++k) {
      if (k + 1 < sets.size() || sets.size() == 1) {
        groups.emplace_back(sets[k].elements, sets[k].rank, bases);
      }
    }
    for (std::size_t e = 0; e < matroid.size() && sets.size() > 1; ++e) {
      if (matroid.smallest_set(e) + 1 == sets.size()) {
        groups.emplace_back(std::vector<std::size_t>{e}, 1, bases);
      }
    }
    for (SubsetGroup& group : groups) {
      group.first_word = words;
      words += group.words();
      for (const std::size_t e : group.elements) {
        mean[e] = group.mean;
        variance[e] = group.variance;
      }
      double radius = 0;
      for (std::size_t s = 0; s < group.sizes.size(); ++s) {
        if (group.probabilities[s] > 0) {
          radius = std::max(radius, group.squared_radius(group.sizes[s]));
        }
      }
      squared_radius += radius;
      squared_extent +=
          bases ? radius
                : std::max(group.squared_radius(0), group.squared_radius(group.sizes.back()));
    }
  }
};

class RandomSubsets final : public Exploration {
 public:
  explicit RandomSubsets(SubsetGroups all)
      : Exploration(std::move(all.mean), std::move(all.variance), all.squared_radius * (1 + 1e-12),
                    {.words = all.words, .normals = 0}, all.squared_extent * (1 + 1e-12)),
        groups_(std::move(all.groups)),
        places_(mean().size()) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    for (const SubsetGroup& group : groups_) draw_group(group, bits, v);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    for (const SubsetGroup& group : groups_) {
      draw_group(group, bits, w);
      const std::size_t m = group.elements.size();
      const double away =
          math::reduce(m, [&](std::size_t k) { return w[group.elements[k]] - group.mean; }) /
          static_cast<double>(m);
      const double along = group.along > 0 ? away / group.along : 0;
      for (const std::size_t e : group.elements) {
        const double across = w[e] - group.mean - away;
        w[e] = (group.across > 0 ? across / group.across : 0) + along;
      }
    }
  }

 private:
  /// The first word draws the size, the others the elements: of more than half of them those that
  /// are left out.
  void draw_group(const SubsetGroup& group, const RandomBits& bits, std::span<double> v) {
    const std::size_t m = group.elements.size();
    const double u = bits.uniform(group.first_word);
    std::size_t size = group.sizes[0];
    if (u >= group.probabilities[0]) {
      size = group.sizes[u < group.probabilities[0] + group.probabilities[1] ? 1 : 2];
    }
    const bool complement = 2 * size > m;
    for (const std::size_t e : group.elements) v[e] = complement ? 1 : 0;
    std::copy(group.elements.begin(), group.elements.end(), places_.begin());
    for (std::size_t k = 0; k < (complement ? m - size : size); ++k) {
      std::swap(places_[k], places_[k + bits.below(group.first_word + 1 + k, m - k)]);
      v[places_[k]] = complement ? 0 : 1;
    }
  }

  std::vector<SubsetGroup> groups_;
  std::vector<std::size_t> places_;
};

}  // namespace

std::unique_ptr<Exploration> random_subsets(const LaminarMatroid& matroid, bool bases) {
  return std::make_unique<RandomSubsets>(SubsetGroups(matroid, bases));
}

}  // namespace keyhole::sets
