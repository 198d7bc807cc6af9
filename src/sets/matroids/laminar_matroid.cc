#include "sets/matroids/laminar_matroid.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/require.h"
#include "sets/wholes_text.h"

namespace keyhole::sets {
namespace {

using LaminarElements = std::vector<std::size_t>;

constexpr std::size_t no_laminar_set = static_cast<std::size_t>(-1);

/// Counts the elements of each set.
class LaminarTest final : public IndependenceTest {
 public:
  explicit LaminarTest(const LaminarMatroid& matroid)
      : matroid_(matroid), counts_(matroid.sets().size()) {}

  void reset() override { std::fill(counts_.begin(), counts_.end(), 0); }

  bool add(std::size_t element) override {
    const std::vector<LaminarSet>& sets = matroid_.sets();
    const std::size_t smallest = matroid_.smallest_set(element);
    for (std::size_t k = smallest;; k = sets[k].parent) {
      if (counts_[k] == sets[k].limit) return false;
      if (sets[k].parent == k) break;
    }
    for (std::size_t k = smallest;; k = sets[k].parent) {
      ++counts_[k];
      if (sets[k].parent == k) return true;
    }
  }

 private:
  const LaminarMatroid& matroid_;
  LaminarElements counts_;
};

void check_laminar_elements(std::size_t n, const LaminarElements& sorted, std::size_t index) {
  const std::string name = "set " + std::to_string(index) + " of a laminar matroid";
  base::require(!sorted.empty(), name + " is empty: leave it out");
  base::require(sorted.back() < n, name + " has the element " + std::to_string(sorted.back()) +
                                       ", and the elements are 0 to " + std::to_string(n - 1));
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  base::require(
      twice == sorted.end(),
      name + " has the element " + std::to_string(twice == sorted.end() ? 0 : *twice) + " twice");
}

}  // namespace

LaminarMatroid::LaminarMatroid(std::size_t n, const std::vector<LaminarElements>& sets,
                               std::span<const std::size_t> limits, std::string spec)
    : Matroid(n), smallest_(n, no_laminar_set), spec_(std::move(spec)) {
  base::require(sets.size() == limits.size(), "a laminar matroid needs a limit for each of its " +
                                                  std::to_string(sets.size()) + " sets, not " +
                                                  std::to_string(limits.size()));
  LaminarElements order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sets[a].size() != sets[b].size() ? sets[a].size() < sets[b].size() : a < b;
  });
  for (const std::size_t k : order) {
    sets_.push_back({sets[k], limits[k]});
    LaminarElements& elements = sets_.back().elements;
    std::sort(elements.begin(), elements.end());
    check_laminar_elements(n, elements, k);
  }
  if (sets_.empty() || sets_.back().elements.size() < n) {
    sets_.push_back({LaminarElements(n), n});
    std::iota(sets_.back().elements.begin(), sets_.back().elements.end(), std::size_t{0});
  }

  LaminarElements outermost(n, no_laminar_set);  // of the sets so far
  LaminarElements shared(sets_.size(), 0);
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    LaminarSet& set = sets_[k];
    set.parent = k;
    for (const std::size_t e : set.elements) {
      if (outermost[e] != no_laminar_set) ++shared[outermost[e]];
    }
    for (const std::size_t e : set.elements) {
      const std::size_t inner = std::exchange(outermost[e], k);
      if (inner == no_laminar_set) {
        smallest_[e] = k;
        ++set.rank_inside;
      } else if (sets_[inner].parent == inner) {
        // Never with the set of all elements, which is not one of those given.
        if (shared[inner] != sets_[inner].elements.size()) {
          throw InvalidArgument("sets " + std::to_string(order[inner]) + " and " +
                                std::to_string(order[k]) +
                                " of a laminar matroid overlap, at element " + std::to_string(e) +
                                ": they must be nested or disjoint");
        }
        sets_[inner].parent = k;
        set.rank_inside += sets_[inner].rank;
      }
    }
    set.rank = std::min(set.limit, set.rank_inside);
  }
}

std::unique_ptr<IndependenceTest> LaminarMatroid::test() const {
  return std::make_unique<LaminarTest>(*this);
}

bool LaminarMatroid::is_partition() const {
  const std::size_t last = sets_.size() - 1;
  const bool nested = std::any_of(sets_.begin(), sets_.end() - 1,
                                  [&](const LaminarSet& set) { return set.parent != last; });
  return !nested && (last == 0 || sets_[last].rank == sets_[last].rank_inside);
}

bool LaminarMatroid::is_loop(std::size_t element) const {
  for (std::size_t k = smallest_[element];; k = sets_[k].parent) {
    if (sets_[k].rank == 0) return true;
    if (sets_[k].parent == k) return false;
  }
}

std::size_t LaminarMatroid::covered_by_two() const {
  LaminarElements covered(sets_.size(), 0);
  for (const std::size_t k : smallest_) ++covered[k];
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    covered[k] = std::min(covered[k], 2 * std::min(sets_[k].limit, smallest_.size()));
    if (sets_[k].parent != k) covered[sets_[k].parent] += covered[k];
  }
  return covered.back();
}

std::vector<LaminarElements> LaminarMatroid::components() const {
  // The matroid of a set whose limit forbids nothing is the direct sum of those inside it; one
  // whose limit forbids something, but not all, is connected but for its loops: any two elements
  // that are independent lie in an independent set of the sets inside with one element more than
  // the limit, which is a circuit.
  std::vector<LaminarElements> result;
  std::vector<bool> is_summand(sets_.size(), false);
  is_summand.back() = true;
  for (std::size_t k = sets_.size(); k-- > 0;) {
    if (sets_[k].parent != k) {
      const LaminarSet& around = sets_[sets_[k].parent];
      is_summand[k] = is_summand[sets_[k].parent] && around.rank == around.rank_inside;
    }
    if (!is_summand[k] || sets_[k].rank == sets_[k].rank_inside || sets_[k].rank == 0) continue;
    LaminarElements elements;
    for (const std::size_t e : sets_[k].elements) {
      if (!is_loop(e)) elements.push_back(e);
    }
    result.push_back(std::move(elements));
  }
  return result;
}

namespace {

LaminarElements laminar_ground_set(std::size_t n) {
  LaminarElements all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

MatroidPtr uniform_matroid(std::size_t n, std::size_t k) {
  base::require(n >= 1, "a matroid needs at least one element");
  base::require(k <= n, "a uniform matroid of " + std::to_string(n) +
                            " elements cannot have the rank " + std::to_string(k) + ": give 0 to " +
                            std::to_string(n));
  return std::make_shared<LaminarMatroid>(
      n, std::vector<LaminarElements>{laminar_ground_set(n)}, LaminarElements{k},
      "uniform_matroid(" + std::to_string(n) + ", " + std::to_string(k) + ")");
}

MatroidPtr partition_matroid(List<std::size_t> groups, List<std::size_t> limits) {
  std::vector<LaminarElements> sets(limits.size());
  for (std::size_t e = 0; e < groups.size(); ++e) {
    base::require(groups[e] < limits.size(),
                  "element " + std::to_string(e) + " of a partition matroid is in group " +
                      std::to_string(groups[e]) + ", and there are limits for " +
                      std::to_string(limits.size()) + " groups, counted from 0");
    sets[groups[e]].push_back(e);
  }
  for (std::size_t g = 0; g < limits.size(); ++g) {
    base::require(!sets[g].empty(),
                  "group " + std::to_string(g) +
                      " of a partition matroid has a limit and no element: leave it "
                      "out");
  }
  return std::make_shared<LaminarMatroid>(
      groups.size(), sets, limits,
      "partition_matroid(" + wholes_text(groups) + ", " + wholes_text(limits) + ")");
}

MatroidPtr laminar_matroid(std::size_t n, const std::vector<LaminarElements>& sets,
                           List<std::size_t> limits) {
  std::string text = "laminar_matroid(" + std::to_string(n) + ", [";
  for (std::size_t k = 0; k < sets.size(); ++k) {
    text += (k == 0 ? "" : ", ") + wholes_text(sets[k]);
  }
  return std::make_shared<LaminarMatroid>(n, sets, limits,
                                          text + "], " + wholes_text(limits) + ")");
}

}  // namespace keyhole::sets
