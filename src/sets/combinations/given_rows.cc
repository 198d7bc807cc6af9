#include "sets/combinations/given_rows.h"

#include <utility>

#include "base/require.h"
#include "sets/combinations/append_rows.h"

namespace keyhole::sets {

void GivenRows::prepend(const GivenRows& first) {
  matrix.insert(matrix.begin(), first.matrix.begin(), first.matrix.end());
  right.insert(right.begin(), first.right.begin(), first.right.end());
}

std::string GivenRows::text(const std::string& name, const std::string& of) const {
  return name + "(" + of + ", A=" + base::matrix_text(matrix, matrix.size() / right.size()) +
         ", b=" + base::list_text(right, false) + ")";
}

void require_rows(const std::string& name, const SetPtr& set, std::span<const double> matrix,
                  std::span<const double> right) {
  const std::string a_name = "a " + name;
  base::require(set != nullptr, a_name + " needs a set");
  base::require(!right.empty(), a_name + " needs at least one row");
  const std::size_t n = set->dimension();
  const std::size_t m = right.size();
  base::require(matrix.size() == m * n, "the matrix of " + a_name + " with " + std::to_string(m) +
                                            " rows and " + std::to_string(n) + " columns has " +
                                            std::to_string(m * n) + " numbers, not " +
                                            std::to_string(matrix.size()));
  for (const auto& numbers : {matrix, right}) {
    for (const double number : numbers) {
      base::require(
          base::is_moderate(number),
          a_name + " needs numbers of magnitude up to 1e50, not " + base::number_text(number));
    }
  }
}

SetPtr described_by_rows(const std::string& name, const Set& set, PolytopeConstraints all,
                         const GivenRows& given) {
  PolytopeConstraints result{.n = all.n,
                             .lower = std::move(all.lower),
                             .upper = std::move(all.upper),
                             .source = given.text(name, set.spec())};
  const std::string of = of_set(set);
  append_rows(result.inequalities, all.inequalities, all.n, 0, "inequality", of);
  append_rows(result.equalities, all.equalities, all.n, 0, "equality", of);
  append_rows(name == "slice" ? result.equalities : result.inequalities,
              {.dense = given.matrix, .right = given.right}, all.n, 0, "row", " of the " + name);
  try {
    return polytope(result);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(about_another(error.what(), "the " + name));
  }
}

}  // namespace keyhole::sets
