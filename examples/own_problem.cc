// A problem of your own: the prices of two products, whose customers change from day to day. Each
// day one pair of prices is tried and one number seen, the day's takings; afterwards they are
// compared with those of the best fixed prices, which only hindsight knows.

#include <keyhole/keyhole.h>

#include <array>
#include <cmath>
#include <iostream>
#include <vector>

namespace {

// On day t the prices p sell q_i = a_i(t) - 2 p_i + 0.5 p_j of product i, j the other one. The loss
// is minus the takings, -(p_1 q_1 + p_2 q_2), convex in p.
class Pricing final : public keyhole::Problem {
 public:
  Pricing() : Problem(keyhole::box(0, 1, 2)) {}

  [[nodiscard]] std::string spec() const override { return "pricing()"; }

  // M and G, proven: q_i is between -1.3 and 2.4, an entry of the gradient between -2.9 and 3.3.
  [[nodiscard]] keyhole::LossBounds bounds() const override { return {5, 5, true}; }

  [[nodiscard]] double value(std::span<const double> p) const override {
    return -(p[0] * (a_[0] - 2 * p[0] + 0.5 * p[1]) + p[1] * (a_[1] - 2 * p[1] + 0.5 * p[0]));
  }

  void gradient(std::span<const double> p, std::span<double> gradient) const override {
    gradient[0] = -a_[0] + 4 * p[0] - p[1];
    gradient[1] = -a_[1] + 4 * p[1] - p[0];
  }

 private:
  // A pure function of t: weeks, and a season for the second product.
  void realise(std::uint64_t t) override {
    const auto day = static_cast<double>(t);
    a_ = {1.5 + 0.4 * (t % 7 >= 5 ? 1.0 : 0.0), 1.0 + 0.3 * std::sin(day / 58)};
  }

  std::array<double, 2> a_{};
};

}  // namespace

int main() {
  Pricing problem;
  const auto total = problem.total();
  keyhole::Learner learner(problem.shared_set());

  std::vector<double> best;
  double loss = 0;
  std::cout << "  days   takings a day   of the best fixed prices\n";
  for (std::uint64_t t = 1; t <= 4096; ++t) {
    problem.draw(t);
    total->add();
    const keyhole::Play play = learner.ask();
    const double today = problem.value(play.point);
    loss += today;
    learner.tell(play.id, today);
    if (t < 256 || (t & (t - 1)) != 0) continue;

    // Certified: the best fixed prices cannot take more than this and the gap.
    const auto days = static_cast<double>(t);
    const auto hindsight =
        keyhole::best_fixed_point(problem.set(), *total, {.tolerance = 1e-6, .start = best});
    if (hindsight.gap > 1e-6) return 1;
    best = hindsight.point;
    std::cout << "  " << t << "   " << -loss / days << "   " << -hindsight.value / days
              << " at prices " << best[0] << ", " << best[1] << "\n";
    if (loss < hindsight.value - hindsight.gap) std::cout << "  better than any fixed prices\n";
  }
}
