// An algorithm of your own with a name, in a program of your own. Without arguments it is checked
// by the conformance kit; with arguments the program does what `keyhole` does, and knows it:
//
//   own_algorithm run own_algorithm.toml
//   own_algorithm list momentum

#include <keyhole/experiment.h>
#include <keyhole/keyhole.h>
#include <keyhole/testing.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

namespace {

struct MomentumOptions {
  std::optional<double> loss_bound = {};
  std::optional<std::uint64_t> horizon = {};
  double memory = 0.9;
};

// What texts can say, what is accepted and what the lists show: all from here.
void list_options(keyhole::OptionVisitor& visit, MomentumOptions& options) {
  visit.required({"loss_bound", "M, the largest magnitude of a loss", keyhole::ranges::positive,
                  "the problem's", keyhole::options::From::loss_bound},
                 options.loss_bound);
  visit.whole({"horizon", "T, the number of rounds", keyhole::ranges::rounds, "the run's",
               keyhole::options::From::horizon},
              options.horizon);
  visit.number({"memory", "the weight of the gradients before", {0, 0.999}}, options.memory);
}

/// One-point estimates, averaged; a step towards the best vertex for their average:
///
///   y_t = x_t + delta u_t;  d <- memory d + (1 - memory) n / delta f_t(y_t) u_t
///   x_{t+1} = (1 - sigma) x_t + sigma argmin over p + (1 - alpha) (K - p) of d . v
class Momentum final : public keyhole::HorizonAlgorithm {
 public:
  Momentum(keyhole::SetPtr set, const MomentumOptions& options)
      : WithHorizon(std::move(set)), options_(keyhole::checked("momentum", options)) {
    restart(options_.horizon.value_or(1));
    horizon_ = options_.horizon.value_or(0);
  }

  void restart(std::uint64_t horizon) override {
    const double T = static_cast<double>(horizon);
    delta_ = r() / 2 * keyhole::steps::pow(T, -0.25);
    alpha_ = keyhole::steps::shrinkage(delta_, r(), horizon);
    sigma_ = keyhole::steps::pow(T, -0.5);
    horizon_ = horizon;
    x_ = p();
    d_.assign(x_.size(), 0.0);
    gradient_ = d_;
  }

  void play(keyhole::PlayId t, keyhole::Randomness& random, std::span<double> y) override {
    keyhole::steps::perturb(x_, delta_, random.direction(t), y);
  }

  bool absorb(keyhole::PlayId s, double loss, keyhole::Randomness& random) override {
    for (double& coordinate : d_) coordinate *= options_.memory;
    keyhole::steps::add_one_point_estimate(n(), delta_, loss, 1 - options_.memory,
                                           random.direction(s), d_);
    return true;
  }

  void advance() override {
    const keyhole::steps::ConditionalStep step{1, 0, sigma_, alpha_};
    step.before_vertex(d_, p(), p(), gradient_, x_);
    minimise(gradient_).add_to(x_, step.of_vertex());
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }
  [[nodiscard]] double loss_bound() const noexcept override { return *options_.loss_bound; }
  [[nodiscard]] keyhole::RegretBound horizon_bound(std::uint64_t /*horizon*/) const override {
    return {.note = "no bound: nobody has proven one"};
  }
  [[nodiscard]] std::string family_spec() const override {
    return keyhole::spec_of("momentum", options_);
  }

  void state(keyhole::Archive& archive) override {
    WithHorizon::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);
    archive.field(x_);
    archive.field(d_);
  }

 private:
  MomentumOptions options_;
  std::uint64_t horizon_ = 0;
  double delta_ = 0;
  double alpha_ = 0;
  double sigma_ = 0;
  std::vector<double> x_;
  std::vector<double> d_;
  std::vector<double> gradient_;  // workspace
};

}  // namespace

int main(int argc, char** argv) {
  keyhole::Catalogue catalogue = keyhole::Catalogue::standard();
  catalogue.add(keyhole::algorithm_entry<MomentumOptions>(
      "momentum", "an average of one-point estimates", {"told losses", "takes a horizon"},
      [](keyhole::SetPtr set, const MomentumOptions& options) {
        return std::make_unique<Momentum>(std::move(set), options);
      }));
  if (argc > 1) return keyhole::run_main(argc, argv, catalogue);

  const keyhole::testing::Report report = keyhole::testing::check_learner([&](std::uint64_t seed) {
    return keyhole::make_learner("anytime(momentum)", {.set = keyhole::simplex(4), .loss_bound = 1},
                                 {.seed = seed}, catalogue);
  });
  std::cout << report.text();
  return report.ok() ? 0 : 1;
}
