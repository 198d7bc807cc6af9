#include "sets/matroids/matroid_structure.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/require.h"

namespace keyhole::sets {

MatroidElements matroid_circuit(IndependenceTest& test, const MatroidElements& independent,
                                std::size_t e) {
  // Of e, then the elements of the circuit that are known, then the others, the first that does not
  // join is the last one of the circuit in this order: the others that are in it come before.
  MatroidElements known;
  std::size_t others = independent.size();
  for (;;) {
    test.reset();
    test.add(e);
    for (const std::size_t f : known) {
      if (!test.add(f)) return known;
    }
    std::size_t k = 0;
    while (k < others && test.add(independent[k])) ++k;
    if (k == others) return known;  // e joins
    known.push_back(independent[k]);
    others = k;
  }
}

std::vector<MatroidElements> matroid_components(const Matroid& matroid) {
  const std::size_t n = matroid.size();
  const auto test = matroid.test();
  MatroidElements base;
  MatroidElements outside;
  for (std::size_t e = 0; e < n; ++e) (test->add(e) ? base : outside).push_back(e);
  MatroidElements label(n);  // the smallest element known to be in the same component, or on a way
  std::iota(label.begin(), label.end(), std::size_t{0});
  const auto find = [&](std::size_t e) {
    while (label[e] != e) e = label[e] = label[label[e]];
    return e;
  };
  for (const std::size_t e : outside) {
    for (const std::size_t f : matroid_circuit(*test, base, e)) {
      const std::size_t a = find(e);
      const std::size_t b = find(f);
      label[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<MatroidElements> all(n);
  for (std::size_t e = 0; e < n; ++e) all[find(e)].push_back(e);
  std::vector<MatroidElements> result;
  for (MatroidElements& component : all) {
    if (component.size() > 1) result.push_back(std::move(component));
  }
  return result;
}

MatroidTable::MatroidTable(const Matroid& matroid, MatroidElements elements)
    : elements_(std::move(elements)), ranks_(sets(), 0) {
  const auto test = matroid.test();
  std::vector<bool> independent(sets(), true);
  for (std::size_t set = 1; set < sets(); ++set) {
    const std::size_t last = std::bit_floor(set);
    independent[set] = independent[set ^ last];
    if (independent[set]) {
      test->reset();
      for (std::size_t k = 0; k < elements_.size(); ++k) {
        if ((set >> k & 1U) != 0) independent[set] = test->add(elements_[k]);
      }
    }
    if (independent[set]) {
      ranks_[set] = static_cast<unsigned char>(std::popcount(set));
      continue;
    }
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      if ((set >> k & 1U) == 0) continue;
      ranks_[set] = std::max(ranks_[set], ranks_[set ^ (std::size_t{1} << k)]);
    }
  }
  require_ranks(matroid);
}

void MatroidTable::require_ranks(const Matroid& matroid) const {
  // rank(S + i) + rank(S + j) >= rank(S) + rank(S + i + j) is enough for all pairs of sets.
  for (std::size_t set = 0; set < sets(); ++set) {
    for (std::size_t i = 1; i < sets(); i *= 2) {
      for (std::size_t j = 1; j < i; j *= 2) {
        if ((set & (i | j)) != 0) continue;
        const bool holds = ranks_[set | i] + ranks_[set | j] >= ranks_[set] + ranks_[set | i | j];
        base::require(holds,
                      matroid.spec() + " is not a matroid: elements " +
                          std::to_string(elements_[static_cast<std::size_t>(std::countr_zero(j))]) +
                          " and " +
                          std::to_string(elements_[static_cast<std::size_t>(std::countr_zero(i))]) +
                          " together raise a rank by more than they do one by one");
      }
    }
  }
}

std::vector<MatroidFlat> MatroidTable::flats() const {
  std::vector<MatroidFlat> result;
  for (std::size_t set = 1; set < sets(); ++set) {
    bool flat = std::popcount(set) > 1;
    for (std::size_t i = 1; i < sets() && flat; i *= 2) {
      flat = (set & i) != 0 || ranks_[set | i] > ranks_[set];
    }
    if (!flat) continue;
    result.push_back({{}, static_cast<double>(ranks_[set])});
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      if ((set >> k & 1U) != 0) result.back().elements.push_back(elements_[k]);
    }
  }
  return result;
}

std::vector<double> MatroidTable::mean_of_bases() const {
  const unsigned rank = ranks_.back();
  std::vector<double> counts(elements_.size(), 0.0);
  double bases = 0;
  for (std::size_t set = 0; set < sets(); ++set) {
    if (static_cast<unsigned>(std::popcount(set)) != rank || ranks_[set] != rank) continue;
    ++bases;
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += (set >> k & 1U) != 0 ? 1 : 0;
  }
  for (double& count : counts) count /= bases;
  return counts;
}

double MatroidTable::least_density() const {
  double least = 1;
  for (std::size_t set = 1; set < sets(); ++set) {
    least = std::min(least, ranks_[set] / static_cast<double>(std::popcount(set)));
  }
  return least;
}

}  // namespace keyhole::sets
