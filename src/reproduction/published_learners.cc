#include "reproduction/published_learners.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "keyhole/steps.h"
#include "reproduction/published_completion.h"

namespace keyhole::reproduction {
namespace {

enum class Family { projection_free, unregularized, fkm };

const char* name_of(Family family) {
  switch (family) {
    case Family::projection_free:
      return "published_projection_free";
    case Family::unregularized:
      return "published_unregularized";
    case Family::fkm:
      return "published_fkm";
  }
  return "";  // not reached
}

/// The one-point learners of the paper's evaluation, line by line as the built-ins.
class Published final : public HorizonAlgorithm {
 public:
  Published(Family family, SetPtr set, const PublishedOptions& options)
      : WithHorizon(std::move(set)),
        family_(family),
        options_(checked(name_of(family), options)),
        start_(steps::start_point(this->set(), options_.start)) {
    restart(options_.horizon.value_or(1));
    horizon_ = options_.horizon.value_or(0);
  }

  void restart(std::uint64_t horizon) override {
    const double T = static_cast<double>(horizon);
    const double M = *options_.loss_bound;
    delta_ = options_.c * steps::pow(T, descends() ? -0.25 : -0.2);
    alpha_ = options_.unsafe_no_shrink ? 0 : steps::shrinkage(delta_, r(), horizon);
    eta_ = descends() ? D() * delta_ / (counted() * M * std::sqrt(T))
                      : options_.c * D() / (std::sqrt(2.0) * counted() * M) * steps::pow(T, -0.8);
    horizon_ = horizon;
    t_ = 1;
    x_1_.resize(start_.size());
    steps::shrink_towards(p(), alpha_, start_, x_1_);
    x_ = x_1_;
    S_.assign(x_.size(), 0.0);
    z_ = S_;
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    steps::perturb(x_, delta_, random.direction(t), y);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    if (!descends()) {
      steps::add_one_point_estimate(counted(), delta_, loss, 1, random.direction(s), S_);
    } else if (alpha_ < 1) {
      steps::add_one_point_estimate(counted(), delta_, loss, -eta_, random.direction(s), x_);
      steps::project_shrunk(oracle(), p(), alpha_, x_, z_);
    }
    return true;
  }

  void advance() override {
    if (descends()) return;  // the step is made when its loss is absorbed
    const double pull = family_ == Family::projection_free ? 2 : 0;
    const double sigma = steps::pow(static_cast<double>(t_), -0.4);
    const steps::ConditionalStep step{eta_, pull, sigma, alpha_};
    step.before_vertex(S_, x_1_, p(), z_, x_);
    minimise(z_).add_to(x_, step.of_vertex());
    ++t_;
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }
  [[nodiscard]] double loss_bound() const noexcept override { return *options_.loss_bound; }
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t /*horizon*/) const override {
    return {.note = "no bound: the published runs depart from the published algorithm"};
  }
  [[nodiscard]] std::string family_spec() const override {
    return spec_of(name_of(family_), options_);
  }

  void state(Archive& archive) override {
    WithHorizon::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);
    archive.field(t_);
    archive.field(S_);
    archive.field(x_);
  }

 private:
  [[nodiscard]] bool descends() const { return family_ == Family::fkm; }
  /// The n in use.
  [[nodiscard]] double counted() const {
    const auto& given = options_.estimator_dimension;
    return given ? static_cast<double>(*given) : n();
  }

  Family family_;
  PublishedOptions options_;
  std::span<const double> start_;
  // Constants of the horizon.
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  std::vector<double> x_1_;
  // State.
  std::uint64_t horizon_ = 0;
  std::uint64_t t_ = 1;
  std::vector<double> S_;
  std::vector<double> x_;
  // Workspace.
  std::vector<double> z_;
};

}  // namespace

void list_options(OptionVisitor& visit, PublishedOptions& options) {
  visit.required({"loss_bound", "M, the largest magnitude of a loss", ranges::positive,
                  "the problem's", options::From::loss_bound},
                 options.loss_bound);
  visit.whole({"horizon", "T, the number of rounds; anytime chooses its own", ranges::rounds,
               "the run's", options::From::horizon},
              options.horizon);
  visit.number({"c", "a length, that of delta", ranges::positive}, options.c);
  visit.coordinates({"start", "x_1, a point of the set", ranges::moderate, "the centre"},
                    options.start);
  visit.flag({"unsafe_no_shrink", "plays may leave the set"}, options.unsafe_no_shrink);
  visit.whole({"estimator_dimension", "the n of the estimator", {1, 1e8}, "that of the hull"},
              options.estimator_dimension);
}

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue result = Catalogue::standard();
    for (const Family family : {Family::projection_free, Family::unregularized, Family::fkm}) {
      result.add(algorithm_entry<PublishedOptions>(
          name_of(family), "as the paper's published curves have it",
          {"told losses", "takes a horizon"},
          [family](SetPtr set, const PublishedOptions& options) {
            return std::make_unique<Published>(family, std::move(set), options);
          }));
    }
    result.add(published_completion());
    return result;
  }();
  return all;
}

}  // namespace keyhole::reproduction
