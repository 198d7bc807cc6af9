// Policies that mix the points of anchors. Our own method.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/require.h"
#include "keyhole/algorithms.h"
#include "keyhole/sets.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

class Anchored final : public OnAnotherSet<Algorithm, Algorithm> {
 public:
  Anchored(const SetPtr& set, std::unique_ptr<Algorithm> inner, std::size_t anchors)
      : OnAnotherSet(set, std::move(inner), "anchors"),
        anchors_(anchors),
        points_(this->inner().set().dimension()) {}

  [[nodiscard]] std::size_t contexts() const noexcept override { return 1; }

  void play_in(PlayId t, std::span<const double> context, Randomness& /*random*/,
               std::span<double> y) override {
    inner().play(t, inside(), points_);
    mix(context, y);
  }

  void recommend(std::span<double> x) const override { recommend_in({}, x); }
  void recommend_in(std::span<const double> context, std::span<double> x) const override {
    inner().recommend(points_);
    mix(context, x);
  }

  [[nodiscard]] std::uint64_t rounds() const noexcept override { return inner().rounds(); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound bound = inner().regret_bound(rounds);
    if (bound.holds) bound.note += ", against the best points of the anchors";
    return bound;
  }
  [[nodiscard]] std::string spec() const override {
    return "anchored(" + inner().spec() + ", anchors=" + std::to_string(anchors_) + ")";
  }

 private:
  /// Between the points of the two knots about the number.
  void mix(std::span<const double> context, std::span<double> y) const {
    const double u = context.empty() || std::isnan(context[0]) ? 0 : context[0];
    const double last = static_cast<double>(anchors_ - 1);
    const double at = std::clamp((u / std::sqrt(3.0) + 1) / 2, 0.0, 1.0) * last;
    const double knot = std::min(std::floor(at), last - 1);
    const double* const before = points_.data() + static_cast<std::size_t>(knot) * y.size();
    const double* const behind = before + y.size();
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = before[i] + (at - knot) * (behind[i] - before[i]);
  }

  std::size_t anchors_;
  mutable std::vector<double> points_;  // workspace: of the anchors
};

}  // namespace

std::unique_ptr<Algorithm> anchored(const SetPtr& set, std::unique_ptr<Algorithm> on_power) {
  base::require(set != nullptr, "anchored needs a set");
  base::require(on_power != nullptr, "anchored needs an algorithm");
  const std::size_t anchors = on_power->set().dimension() / set->dimension();
  base::require(anchors >= 2 && on_power->set().fingerprint() ==
                                    product(std::vector<SetPtr>(anchors, set))->fingerprint(),
                "anchored on " + set->spec() +
                    " needs an algorithm on a product of two such sets or more, not on " +
                    on_power->set().spec());
  require_plain("anchored", *on_power);
  return std::make_unique<Anchored>(set, std::move(on_power), anchors);
}

}  // namespace keyhole::algorithms
