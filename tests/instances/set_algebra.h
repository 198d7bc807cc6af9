#pragma once

#include "catalogue.h"
#include "instances.h"

namespace keyhole::tests {

/// Two or three sets of the same dimension n, flat ones among them, some shifted.
inline std::vector<SetPtr> random_sets(std::size_t n, Random& random) {
  std::vector<SetPtr> sets;
  for (std::size_t count = random.integer(2, 3); count > 0; --count) {
    switch (random.integer(0, 3)) {
      case 0:
        sets.push_back(random_box(n, random));
        break;
      case 1:
        sets.push_back(image(simplex(n), random.uniform(0.5, 2), random.normals(n, 0.5)));
        break;
      case 2:
        sets.push_back(l1_ball(n, random.uniform(0.5, 2)));
        break;
      default:
        sets.push_back(image(path_splits(std::vector<std::size_t>{n}), 1, random.normals(n, 0.5)));
    }
  }
  return sets;
}

/// With one that is curved.
inline std::vector<SetPtr> random_curved_sets(std::size_t n, Random& random) {
  return {random_box(n, random), image(ball(n), random.uniform(0.5, 1), random.normals(n, 0.3))};
}

/// The answers of the sets, each checked elsewhere, put together by the definition.
inline std::function<double(std::span<const double>)> sum_of_minima(std::vector<SetPtr> sets,
                                                                    bool least) {
  return [sets = std::move(sets), least](std::span<const double> d) {
    double result = least ? std::numeric_limits<double>::infinity() : 0;
    for (const SetPtr& set : sets) {
      const double value = set->oracle()->minimise(d).dot(d);
      result = least ? std::min(result, value) : result + value;
    }
    return result;
  };
}

inline std::vector<InstanceFamily> set_algebra_instances() {
  return {
      {"minkowski_sum",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_sets(n, random);
         return {minkowski_sum(sets), sum_of_minima(sets, false)};
       },
       8},
      {"hull_of_union",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_sets(n, random);
         return {hull_of_union(sets), sum_of_minima(sets, true)};
       },
       8},
      {"curved_minkowski_sum",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_curved_sets(std::min<std::size_t>(n, 3), random);
         return {minkowski_sum(sets), sum_of_minima(sets, false)};
       },
       8},
      {"curved_hull_of_union",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_curved_sets(std::min<std::size_t>(n, 3), random);
         return {hull_of_union(sets), sum_of_minima(sets, true)};
       },
       8},
  };
}

}  // namespace keyhole::tests
