#include "sets/graphs/cheapest_matching.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/sums.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(std::span<const Edge> edges) {
  base::require(math::GeneralMatching::is_available(),
                "matchings of any graph need LEMON, which this library was built without "
                "(KEYHOLE_WITH_LEMON); bipartite_matchings does not need it");
  Pairs result;
  for (const auto& [from, to] : edges) result.emplace_back(from, to);
  return result;
}

/// The power of two that takes the largest magnitude to at most 2^bits.
int shift_to_grid(std::span<const double> costs, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(math::largest_magnitude(costs), &exponent);  // [1/2, 1) or 0
  return bits - exponent + (fraction == 0.5 ? 1 : 0);
}

std::int64_t on_grid(double cost, int shift) { return std::llround(std::ldexp(cost, shift)); }

class MatchingOracle final : public Oracle {
 public:
  MatchingOracle(std::size_t nodes, std::span<const Edge> edges, bool perfect, double slack)
      : cheapest_(nodes, edges), perfect_(perfect), slack_(slack), ones_(nodes / 2, 1.0) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> edges =
        perfect_ ? cheapest_.find_perfect(direction) : cheapest_.find(direction);
    vertex_ = {{}, edges, std::span(ones_).first(edges.size())};
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  CheapestMatching cheapest_;
  bool perfect_;
  double slack_;
  std::vector<double> ones_;
  Vertex vertex_;
};

}  // namespace

CheapestMatching::CheapestMatching(std::size_t nodes, std::span<const Edge> edges)
    : method_(nodes, pairs_of(edges)), weights_(edges.size()) {}

std::span<const std::size_t> CheapestMatching::find(std::span<const double> costs) {
  const int shift = shift_to_grid(costs, 50);
  for (std::size_t e = 0; e < costs.size(); ++e) {
    weights_[e] = costs[e] < 0 ? on_grid(-costs[e], shift) : 0;
  }
  return method_.heaviest(weights_);
}

/// All have as many edges, so that a constant may be added to the weights.
std::span<const std::size_t> CheapestMatching::find_perfect(std::span<const double> costs) {
  const int shift = shift_to_grid(costs, 50);
  const std::int64_t most = on_grid(*std::max_element(costs.begin(), costs.end()), shift);
  for (std::size_t e = 0; e < costs.size(); ++e) weights_[e] = most - on_grid(costs[e], shift);
  return method_.heaviest_perfect(weights_);
}

std::unique_ptr<Oracle> matching_oracle(std::size_t nodes, std::span<const Edge> edges,
                                        bool perfect, double slack) {
  return std::make_unique<MatchingOracle>(nodes, edges, perfect, slack);
}

}  // namespace keyhole::sets
