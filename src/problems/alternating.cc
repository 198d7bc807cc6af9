#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "problems/costs.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"
#include "problems/waves.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// f_t(x) = s_t offset + (mu + s_t h) . x with s_t = 1, -1, 1, ... or of another wave.
class Alternating final : public Costs {
 public:
  Alternating(SetPtr set, const AlternatingOptions& options, ProblemSeed seed)
      : Costs(std::move(set)),
        options_(options),
        draws_(seed),
        wave_(one_period(options, seed)),
        numbers_(2 * this->set().dimension()),
        cost_(this->set().dimension()) {
    draws_.normals(Purpose::rounds, 0, numbers_);
    // Costs are largest where the wave is, since they are linear in it.
    const auto [least, most] = std::minmax_element(wave_.begin(), wave_.end());
    CostBounds bounds(this->set());
    for (const double s : {*most, *least}) {
      swing_to(s);
      bounds.widen(cost_, s * options.offset);
    }
    bounds_ = bounds.bounds();
    std::fill(cost_.begin(), cost_.end(), 0.0);  // no loss has been drawn yet
    set_cost(cost_);
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    AlternatingOptions shown = options_;
    const bool periodic = shown.wave == Wave::cosine || shown.wave == Wave::square;
    if (!periodic) shown.period = AlternatingOptions{}.period;
    return spec_of("alternating", shown, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

 private:
  void realise(std::uint64_t t) override {
    std::size_t k = (t - 1) % wave_.size();
    if (options_.wave == Wave::coins) {
      double u = 0;
      draws_.uniforms(Purpose::rounds, t, {&u, 1});
      k = u < 0.5 ? 0 : 1;
    }
    swing_to(wave_[k]);
    set_cost(cost_, wave_[k] * options_.offset);
  }

  void swing_to(double s) {
    for (std::size_t i = 0; i < cost_.size(); ++i) {
      cost_[i] = options_.spread * numbers_[i] + s * (options_.swing * numbers_[cost_.size() + i]);
    }
  }

  AlternatingOptions options_;
  Draws draws_;
  Vector wave_;     // a period of s_t
  Vector numbers_;  // behind mu and h
  Vector cost_;
  LossBounds bounds_;
};

}  // namespace

std::unique_ptr<Problem> alternating(SetPtr set, const AlternatingOptions& options,
                                     ProblemSeed seed) {
  return std::make_unique<Alternating>(std::move(set), checked("alternating", options), seed);
}

}  // namespace keyhole::problems
