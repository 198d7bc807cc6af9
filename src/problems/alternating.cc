#include <array>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "problems/costs.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// f_t(x) = s_t offset + (mu + s_t h) . x with s_t = 1, -1, 1, ...
class Alternating final : public Costs {
 public:
  Alternating(SetPtr set, const AlternatingOptions& options, ProblemSeed seed)
      : Costs(std::move(set)), options_(options) {
    const std::size_t n = this->set().dimension();
    Vector z(2 * n);
    Draws(seed).normals(Purpose::rounds, 0, z);
    CostBounds bounds(this->set());
    for (const std::size_t k : {0u, 1u}) {
      costs_[k].resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        costs_[k][i] = options.spread * z[i] + sign(k) * (options.swing * z[n + i]);
      }
      bounds.widen(costs_[k], sign(k) * options.offset);
    }
    bounds_ = bounds.bounds();
    set_cost(zero_);
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    return spec_of("alternating", options_, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

 private:
  static double sign(std::size_t k) { return k == 0 ? 1 : -1; }

  void realise(std::uint64_t t) override {
    const std::size_t k = (t - 1) % 2;
    set_cost(costs_[k], sign(k) * options_.offset);
  }

  AlternatingOptions options_;
  std::array<Vector, 2> costs_;  // of odd rounds, of even rounds
  Vector zero_ = Vector(set().dimension(), 0.0);
  LossBounds bounds_;
};

}  // namespace

std::unique_ptr<Problem> alternating(SetPtr set, const AlternatingOptions& options,
                                     ProblemSeed seed) {
  return std::make_unique<Alternating>(std::move(set), checked("alternating", options), seed);
}

}  // namespace keyhole::problems
