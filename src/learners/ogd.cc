// Zinkevich: "Online convex programming and generalized infinitesimal gradient ascent", ICML 2003.
// Constants and bound: Hazan, "Introduction to Online Convex Optimization", 2nd ed., Theorem 3.1.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/gradient_algorithms.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"

namespace keyhole::algorithms {
namespace {

class Ogd final : public GradientAlgorithm {
 public:
  Ogd(SetPtr set, const OgdOptions& options)
      : GradientAlgorithm(std::move(set)),
        options_(checked("ogd", options)),
        x_(this->set().dimension()) {
    std::ranges::copy(start_point(this->set(), options_.start), x_.begin());
    base::require(this->set().can_project(),
                  "ogd projects, and " + this->set().spec() + " cannot: use ocg");
  }

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override {
    std::copy(x_.begin(), x_.end(), y.begin());
  }

  // x <- projection onto K of x - eta_s g_s, eta_s = D / (G sqrt s).
  bool absorb(PlayId s, std::span<const double> gradient, Randomness& /*random*/) override {
    const double eta = D() / (G() * std::sqrt(static_cast<double>(s)));
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] -= eta * gradient[i];
    oracle().project(x_, x_);
    return true;
  }

  void advance() override {}  // the step is made when its gradient is absorbed

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    const double value = 1.5 * G() * D() * std::sqrt(static_cast<double>(rounds));
    return {value, true, "Hazan 2022, Theorem 3.1"};
  }

  [[nodiscard]] double gradient_bound() const noexcept override { return G(); }

  [[nodiscard]] std::string spec() const override { return spec_of("ogd", options_); }

  void state(Archive& archive) override {
    GradientAlgorithm::state(archive);
    archive.field(x_);
  }

 private:
  [[nodiscard]] double G() const noexcept { return *options_.gradient_bound; }

  OgdOptions options_;
  // State.
  std::vector<double> x_;
};

}  // namespace

std::unique_ptr<GradientAlgorithm> ogd(SetPtr set, const OgdOptions& options) {
  return std::make_unique<Ogd>(std::move(set), options);
}

}  // namespace keyhole::algorithms
