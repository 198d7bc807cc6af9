// Distributions near one that is known, by how much of it must move: the cost of moving a unit from
// any place to any other is 1.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "math/sums.h"
#include "sets/distributions/transport_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_varied_places = 100'000'000;

struct AnyMove {
  Vector q;

  [[nodiscard]] double distance(std::span<const double> x) const {
    return math::reduce(x.size(), [&](std::size_t i) { return std::abs(x[i] - q[i]); }) / 2;
  }
  [[nodiscard]] double slope() const { return std::sqrt(static_cast<double>(q.size())) / 2; }
  [[nodiscard]] static double step() { return 1; }

  /// The first of the cheapest places.
  class Places {
   public:
    explicit Places(const AnyMove& /*ground*/) {}

    void look_at(std::span<const double> d) {
      cheapest_ = static_cast<std::size_t>(std::min_element(d.begin(), d.end()) - d.begin());
    }

    template <class Visit>
    void for_each(std::size_t i, const Visit& visit) const {
      if (i != cheapest_) visit(cheapest_, 1);
    }

   private:
    std::size_t cheapest_ = 0;
  };
};

}  // namespace

SetPtr tv_distance_ball(List<double> distribution, double radius) {
  require_probabilities("a ball of total variation", distribution, most_varied_places);
  base::require(radius >= 1e-4 && radius <= 1,
                "the radius of a ball of total variation must be a number from 1e-4 to 1, not " +
                    base::number_text(radius));
  std::string spec = "tv_distance_ball(" + base::list_text(distribution, false) + ", " +
                     base::number_text(radius) + ")";
  return std::make_shared<TransportBall<AnyMove>>(
      AnyMove{{distribution.begin(), distribution.end()}}, radius, std::move(spec));
}

}  // namespace keyhole::sets
