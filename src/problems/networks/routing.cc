#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/hindsight.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "math/elementary.h"
#include "problems/networks/flows.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// f_t(x) = max over links of u_l(x).
class Routing final : public Problem {
 public:
  Routing(RoutingOptions options, Flows flows)
      : Problem(path_splits(flows.sizes())),
        options_(std::move(options)),
        flows_(std::move(flows)),
        bounds_(flows_.bounds()),
        u_(flows_.links()),
        weights_(flows_.links()) {}

  [[nodiscard]] std::string spec() const override { return spec_of("routing", options_); }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return flows_.steps(); }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return drawn() > 0 ? worst(drawn(), x) : 0;
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (drawn() > 0) add_slope(drawn(), x, gradient);
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  [[nodiscard]] const Flows& flows() const { return flows_; }

  /// f_t(x).
  [[nodiscard]] double worst(std::uint64_t t, std::span<const double> x) const {
    flows_.utilisation(t, x, u_);
    return *std::max_element(u_.begin(), u_.end());
  }

  /// gradient += a subgradient of f_t at x: that of the first of the fullest links.
  void add_slope(std::uint64_t t, std::span<const double> x, std::span<double> gradient) const {
    flows_.utilisation(t, x, u_);
    std::fill(weights_.begin(), weights_.end(), 0.0);
    weights_[static_cast<std::size_t>(std::max_element(u_.begin(), u_.end()) - u_.begin())] = 1;
    flows_.add_gradient(t, weights_, gradient);
  }

 private:
  void realise(std::uint64_t /*t*/) override {}

  RoutingOptions options_;
  Flows flows_;
  LossBounds bounds_;
  mutable Vector u_;
  mutable Vector weights_;
};

/// sum over rounds of s log(sum over links of exp(u_l / s)), which is above F, by no more than s
/// log (links) a round, and has a gradient everywhere.
class Smoothed final : public TotalLoss {
 public:
  Smoothed(const Flows& flows, const std::vector<std::uint64_t>& rounds, double s)
      : flows_(flows), rounds_(rounds), s_(s), u_(flows.links()), weights_(flows.links()) {}

  void add() override {}
  [[nodiscard]] double value(std::span<const double> x) const override {
    double sum = 0;
    for (const std::uint64_t t : rounds_) sum += weigh(t, x);
    return sum;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const std::uint64_t t : rounds_) {
      (void)weigh(t, x);
      flows_.add_gradient(t, weights_, gradient);
    }
  }

 private:
  /// The round's value; weights = its derivatives by the u_l.
  double weigh(std::uint64_t t, std::span<const double> x) const {
    flows_.utilisation(t, x, u_);
    const double most = *std::max_element(u_.begin(), u_.end());
    double sum = 0;
    for (std::size_t l = 0; l < u_.size(); ++l) {
      const double below = (u_[l] - most) / s_;
      weights_[l] = below < -40 ? 0 : math::exp(below);
      sum += weights_[l];
    }
    for (double& weight : weights_) weight /= sum;
    return most + s_ * math::log(sum);
  }

  const Flows& flows_;
  const std::vector<std::uint64_t>& rounds_;
  double s_;
  mutable Vector u_;
  mutable Vector weights_;
};

/// F(x), round by round: maxima have no sufficient statistics.
class TotalRouting final : public TotalLoss {
 public:
  explicit TotalRouting(const Routing& problem) : problem_(problem) {}

  void add() override {
    require_drawn(problem_);
    rounds_.push_back(problem_.drawn());
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    double sum = 0;
    for (const std::uint64_t t : rounds_) sum += problem_.worst(t, x);
    return sum;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (const std::uint64_t t : rounds_) problem_.add_slope(t, x, gradient);
  }

  /// Descends smoothed sums, each sharper than the one before and begun where that one was least.
  bool guess(std::span<double> x) const override {
    if (rounds_.empty()) return false;
    const Set& set = problem_.set();
    Vector point = set.centre();
    const double mean = value(point) / static_cast<double>(rounds_.size());
    if (!(mean > 0)) return false;
    for (const double sharpness : {20.0, 200.0, 1000.0}) {
      const Smoothed smoothed(problem_.flows(), rounds_, mean / sharpness);
      const double tolerance = value(point) / (10 * sharpness);
      point = best_fixed_point(set, smoothed,
                               {.tolerance = tolerance, .most_steps = 200, .start = point})
                  .point;
    }
    std::copy(point.begin(), point.end(), x.begin());
    return true;
  }

 private:
  const Routing& problem_;
  std::vector<std::uint64_t> rounds_;
};

std::unique_ptr<TotalLoss> Routing::total() { return std::make_unique<TotalRouting>(*this); }

}  // namespace

std::unique_ptr<Problem> routing(const RoutingOptions& options) {
  checked("routing", options);
  return std::make_unique<Routing>(options, Flows(options));
}

}  // namespace keyhole::problems
