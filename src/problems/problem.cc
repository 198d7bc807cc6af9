#include "keyhole/problem.h"

#include <algorithm>
#include <utility>

#include "base/require.h"
#include "math/sums.h"

namespace keyhole {
namespace {

/// The sum of a problem's losses, drawn again whenever it is needed.
class Redrawn final : public TotalLoss {
 public:
  explicit Redrawn(Problem& problem) : problem_(problem) {}

  void add() override {
    base::require(problem_.drawn() > 0, "no loss has been drawn yet that could be added");
    rounds_.push_back(problem_.drawn());
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    double sum = 0;
    for_each([&] { sum += problem_.value(x); });
    return sum;
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::vector<double> one(x.size());
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for_each([&] {
      problem_.gradient(x, one);
      for (std::size_t i = 0; i < one.size(); ++i) gradient[i] += one[i];
    });
  }

 private:
  template <class Action>
  void for_each(Action action) const {
    const std::uint64_t current = problem_.drawn();
    for (const std::uint64_t t : rounds_) {
      problem_.draw(t);
      action();
    }
    if (current > 0) problem_.draw(current);
  }

  Problem& problem_;
  std::vector<std::uint64_t> rounds_;
};

}  // namespace

double TotalLoss::line_minimum(std::span<const double> x, std::span<const double> d,
                               double longest) const {
  std::vector<double> point(x.size());
  std::vector<double> slope(x.size());
  const auto derivative = [&](double step) {
    for (std::size_t i = 0; i < x.size(); ++i) point[i] = x[i] + step * d[i];
    gradient(point, slope);
    return math::dot(slope, d);
  };
  if (derivative(longest) <= 0) return longest;
  double low = 0;
  double high = longest;
  // F is convex: its derivative changes sign once. Until the doubles between are used up.
  for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    (derivative(middle) <= 0 ? low : high) = middle;
    if (high - low <= 1e-15 * longest) break;
  }
  return low;
}

Problem::Problem(SetPtr set) : set_(std::move(set)) {
  base::require(set_ != nullptr, "a problem needs a set to play on");
}

void Problem::draw(std::uint64_t t) {
  if (t < 1 || t > rounds()) {
    throw InvalidArgument("there is no round " + std::to_string(t) + " of " + spec() +
                          ", which has rounds 1 to " + std::to_string(rounds()));
  }
  realise(t);
  drawn_ = t;
}

std::unique_ptr<TotalLoss> Problem::total() { return std::make_unique<Redrawn>(*this); }

}  // namespace keyhole
