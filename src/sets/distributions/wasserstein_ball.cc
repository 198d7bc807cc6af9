// Distributions on a line that are near one that is known, by the cost of moving it there.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/distributions/transport_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_places = 2000;

/// A distribution q at rising places s.
struct Line {
  Vector q;
  Vector places;

  [[nodiscard]] std::size_t size() const { return q.size(); }
  [[nodiscard]] double length() const { return places.back() - places.front(); }

  /// The cost of moving q to x: what passes from each place to the next, either way, times the
  /// distance between them.
  [[nodiscard]] double distance(std::span<const double> x) const {
    double passed = 0;
    double cost = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      passed += q[i] - x[i];
      cost += std::abs(passed) * (places[i + 1] - places[i]);
    }
    return cost;
  }

  /// max <g, v> over functions g that grow by at most 1 a unit is at most ||v|| times the length of
  /// the places about their mean.
  [[nodiscard]] double slope() const {
    Vector about_mean = places;
    math::subtract_mean(about_mean);
    return math::norm(about_mean);
  }

  [[nodiscard]] double step() const {
    double least = length();
    for (std::size_t i = 1; i < size(); ++i) least = std::min(least, places[i] - places[i - 1]);
    return least;
  }

  /// The places from one of them by rising distance, of two equally near the lower first; but only
  /// those that are cheaper than itself and than all nearer ones on the same side: moving to any
  /// other saves nothing.
  class Places {
   public:
    explicit Places(const Line& line) : s_(line.places), below_(line.size()), above_(line.size()) {}

    void look_at(std::span<const double> d) {
      const std::size_t none = d.size();
      for (std::size_t i = 0; i < d.size(); ++i) {
        std::size_t j = i == 0 ? none : i - 1;
        while (j != none && !(d[j] < d[i])) j = below_[j];
        below_[i] = j;
      }
      for (std::size_t i = d.size(); i-- > 0;) {
        std::size_t j = i + 1;
        while (j != none && !(d[j] < d[i])) j = above_[j];
        above_[i] = j;
      }
    }

    template <class Visit>
    void for_each(std::size_t i, const Visit& visit) const {
      const std::size_t none = s_.size();
      std::size_t low = below_[i];
      std::size_t high = above_[i];
      while (low != none || high != none) {
        const bool is_low_next =
            low != none && (high == none || s_[i] - s_[low] <= s_[high] - s_[i]);
        if (is_low_next) {
          visit(low, s_[i] - s_[low]);
          low = below_[low];
        } else {
          visit(high, s_[high] - s_[i]);
          high = above_[high];
        }
      }
    }

   private:
    const Vector& s_;
    std::vector<std::size_t> below_;  // the next cheaper place on that side, or none
    std::vector<std::size_t> above_;
  };
};

void require_line(const Line& line) {
  require_probabilities("a Wasserstein ball", line.q, most_places);
  base::require(line.places.size() == line.size(),
                "a Wasserstein ball needs a place for each of its " + std::to_string(line.size()) +
                    " probabilities, not " + std::to_string(line.places.size()));
  for (std::size_t i = 0; i < line.size(); ++i) {
    base::require(
        base::is_moderate(line.places[i]) && (i == 0 || line.places[i] > line.places[i - 1]),
        "the places of a Wasserstein ball must rise, but place " + std::to_string(i) + " is " +
            base::number_text(line.places[i]));
  }
}

SetPtr make_wasserstein_ball(Line line, double radius, bool tell_places) {
  require_line(line);
  const double least = 1e-4 * line.length();
  base::require(
      radius >= least && base::is_moderate(radius),
      "the radius of a Wasserstein ball must be at least 1e-4 of the length of its line, " +
          base::number_text(least) + ", and at most 1e50, not " + base::number_text(radius));
  std::string spec =
      "wasserstein_ball(" + base::list_text(line.q, false) + ", " + base::number_text(radius);
  if (tell_places) spec += ", places=" + base::list_text(line.places, false);
  return std::make_shared<TransportBall<Line>>(std::move(line), radius, spec + ")");
}

Vector whole_places(std::size_t n) {
  Vector places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<double>(i);
  return places;
}

}  // namespace

void require_probabilities(const std::string& ball, std::span<const double> q, std::size_t most) {
  base::require(q.size() >= 2 && q.size() <= most,
                ball + " needs a distribution of 2 to " + std::to_string(most) +
                    " probabilities, not " + std::to_string(q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) {
    base::require(q[i] >= 0 && q[i] <= 1, "probability " + std::to_string(i) + " of " + ball +
                                              " must be a number from 0 to 1, not " +
                                              base::number_text(q[i]));
  }
  const double sum = math::sum(q);
  base::require(std::abs(sum - 1) <= 1e-12, "the probabilities of " + ball + " sum to " +
                                                base::number_text(sum) + ", not to 1");
}

SetPtr wasserstein_ball(List<double> distribution, double radius, List<double> places) {
  Line line{{distribution.begin(), distribution.end()}, {places.begin(), places.end()}};
  const bool are_whole = line.places == whole_places(line.size());
  return make_wasserstein_ball(std::move(line), radius, !are_whole);
}

SetPtr wasserstein_ball(List<double> distribution, double radius) {
  return make_wasserstein_ball(
      {{distribution.begin(), distribution.end()}, whole_places(distribution.size())}, radius,
      false);
}

}  // namespace keyhole::sets
