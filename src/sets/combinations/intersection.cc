#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/polytope.h"
#include "sets/combinations/append_rows.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The bounds that both keep; none count as infinite ones.
void narrow_bounds(PolytopeConstraints& all, const PolytopeConstraints& one) {
  for (std::size_t j = 0; j < all.n; ++j) {
    if (!one.lower.empty()) all.lower[j] = std::max(all.lower[j], one.lower[j]);
    if (!one.upper.empty()) all.upper[j] = std::min(all.upper[j], one.upper[j]);
  }
}

}  // namespace

SetPtr intersection(const std::vector<SetPtr>& sets) {
  base::require(sets.size() >= 2,
                "an intersection needs at least two sets, not " + std::to_string(sets.size()));
  for (const SetPtr& set : sets) {
    base::require(set != nullptr, "an intersection needs sets, and one of them is missing");
    base::require(set->dimension() == sets.front()->dimension(),
                  "the sets of an intersection must have as many coordinates: " +
                      sets.front()->spec() + " has " + std::to_string(sets.front()->dimension()) +
                      " and " + set->spec() + " has " + std::to_string(set->dimension()));
  }
  const std::size_t n = sets.front()->dimension();
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  PolytopeConstraints all{.n = n, .lower = Vector(n, -unbounded), .upper = Vector(n, unbounded)};
  for (const SetPtr& set : sets) {
    const auto one = set->linear_description();
    base::require(
        one.has_value(),
        set->spec() +
            " gives no description by linear inequalities, and an intersection of sets that "
            "only have oracles has no oracle in general: describe it by inequalities as a "
            "polytope, or play on the set with the oracle and put the other constraint into "
            "the loss as a penalty, or give the oracle of what they have in common to own_set()");
    narrow_bounds(all, *one);
    append_rows(all.inequalities, one->inequalities, n, 0, "inequality", of_set(*set));
    append_rows(all.equalities, one->equalities, n, 0, "equality", of_set(*set));
    all.source += (all.source.empty() ? "intersection(" : ", ") + set->spec();
  }
  all.source += ")";
  try {
    return polytope(all);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(about_another(error.what(), "the intersection"));
  }
}

}  // namespace keyhole::sets
