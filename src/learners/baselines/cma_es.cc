// Ros, Hansen: "A simple modification in CMA-ES achieving linear time and space complexity", PPSN
// 2008. Constants: Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772, Table 1.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "keyhole/algorithms.h"
#include "learners/baselines/widths.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// How many points a generation has in N dimensions.
std::size_t population(double N) { return 4 + static_cast<std::size_t>(3 * math::log(N)); }

/// What follows from the number of points told, at least 4, and the dimension N. Writes the
/// weights.
struct Strategy {
  Strategy(std::size_t told, double N, std::span<double> weights) : mu(told / 2) {
    const std::span<double> w = weights.first(mu);
    for (std::size_t k = 0; k < mu; ++k) {
      w[k] = math::log(static_cast<double>(mu) + 0.5) - math::log(static_cast<double>(k + 1));
    }
    const double sum = math::sum(w);
    for (double& weight : w) weight /= sum;
    mu_eff = 1 / math::squared_norm(w);
    c_sigma = (mu_eff + 2) / (N + mu_eff + 5);
    d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (N + 1)) - 1) + c_sigma;
    c_c = (4 + mu_eff / N) / (N + 4 + 2 * mu_eff / N);
    const double faster = (N + 2) / 3;  // of a diagonal covariance
    c_1 = faster * 2 / ((N + 1.3) * (N + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, faster * 2 * (mu_eff - 2 + 1 / mu_eff) / ((N + 2) * (N + 2) + mu_eff));
    chi = std::sqrt(N) * (1 - 1 / (4 * N) + 1 / (21 * N * N));
  }

  std::size_t mu;  // how many make the next mean
  double mu_eff;   // how many that is worth
  double c_sigma;  // the rate of the path of the step size
  double d_sigma;  // its damping
  double c_c;      // the rate of the path of the covariance
  double c_1;      // the rate of the covariance, from its path
  double c_mu;     // the same, from the points
  double chi;      // the mean length of a standard normal vector
};

class CmaEs final : public Algorithm {
 public:
  CmaEs(SetPtr set, const CmaEsOptions& options)
      : Algorithm(std::move(set)),
        options_(checked("cma_es", options)),
        widths_(widths_of(this->set())),
        told_(population(n())),
        mean_(widths_.size()),
        C_(widths_.size(), 1.0),
        p_sigma_(widths_.size()),
        p_c_(widths_.size()),
        weights_(told_.size() / 2),
        d_(widths_.size()),
        y_(widths_.size()),
        step_(widths_.size()),
        squares_(widths_.size()) {
    require_projection("cma_es", this->set());
    const std::span<const double> start = start_point(this->set(), options_.start);
    std::copy(start.begin(), start.end(), mean_.begin());
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (played_ >= 2 * told_.size() && count_ >= least) next_generation(random);
    ++played_;
    latest_ = t;
    draw(t, random, y);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    if (is_late(s)) return false;
    told_[count_++] = {s, loss};
    if (count_ == told_.size()) next_generation(random);
    return true;
  }

  [[nodiscard]] bool is_late(PlayId s) const override { return s <= ended_; }

  void advance() override {}

  void recommend(std::span<double> x) const override {
    std::copy(mean_.begin(), mean_.end(), x.begin());
  }
  [[nodiscard]] Activity activity() const override {
    const double squared =
        math::reduce(C_.size(), [this](std::size_t i) { return C_[i] * widths_[i] * widths_[i]; });
    return {1, std::min(1.0, sigma_ * std::sqrt(squared) / R())};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: an evolution strategy"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("cma_es", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* number : {&generations_, &ended_, &latest_, &played_, &count_}) {
      archive.field(*number);
    }
    if (count_ >= told_.size()) {
      count_ = 0;
      throw StateError("the state has more losses than a generation of cma_es");
    }
    for (Told& told : told_) {
      archive.field(told.play);
      archive.field(told.loss);
    }
    archive.field(sigma_);
    for (std::vector<double>* vector : {&mean_, &C_, &p_sigma_, &p_c_}) archive.field(*vector);
  }

 private:
  static constexpr std::size_t least = 4;  // losses of a generation

  struct Told {
    PlayId play = 0;
    double loss = 0;
  };

  /// The point of play t of this generation: N(mean, sigma^2 C), projected.
  void draw(PlayId t, const Randomness& random, std::span<double> y) {
    random.normals(t, d_);
    for (std::size_t i = 0; i < d_.size(); ++i) d_[i] *= std::sqrt(C_[i]) * widths_[i];
    set().flatten(d_);
    move_within(oracle(), mean_, sigma_, d_, y);
  }

  /// Goes on with the losses that are there. Points are drawn again: they follow from their play.
  void next_generation(const Randomness& random) {
    const std::span<Told> told = std::span(told_).first(count_);
    std::sort(told.begin(), told.end(), [](const Told& a, const Told& b) {
      return a.loss < b.loss || (a.loss == b.loss && a.play < b.play);
    });
    const Strategy chosen(told.size(), n(), weights_);
    std::fill(step_.begin(), step_.end(), 0.0);
    std::fill(squares_.begin(), squares_.end(), 0.0);
    for (std::size_t k = 0; k < chosen.mu; ++k) {
      draw(told[k].play, random, y_);
      for (std::size_t i = 0; i < y_.size(); ++i) {
        const double away = (y_[i] - mean_[i]) / (sigma_ * widths_[i]);
        step_[i] += weights_[k] * away;
        squares_[i] += weights_[k] * (away * away);
      }
    }
    move(chosen);
    ended_ = latest_;
    played_ = count_ = 0;
  }

  /// The step, in units of sigma and widths, changes everything.
  void move(const Strategy& chosen) {
    ++generations_;
    const auto& [mu, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi] = chosen;
    const double of_step = std::sqrt(c_sigma * (2 - c_sigma) * mu_eff);
    for (std::size_t i = 0; i < step_.size(); ++i) {
      p_sigma_[i] = (1 - c_sigma) * p_sigma_[i] + of_step * (step_[i] / std::sqrt(C_[i]));
    }
    const double length = math::norm(p_sigma_);
    const double seen = 1 - math::pow(1 - c_sigma, 2 * static_cast<double>(generations_));
    const bool steady = length < (1.4 + 2 / (n() + 1)) * chi * std::sqrt(seen);
    const double of_path = steady ? std::sqrt(c_c * (2 - c_c) * mu_eff) : 0;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      p_c_[i] = (1 - c_c) * p_c_[i] + of_path * step_[i];
      const double C = (1 - c_1 - c_mu) * C_[i] + c_1 * (p_c_[i] * p_c_[i]) + c_mu * squares_[i];
      C_[i] = std::max(1e-12, C);
      mean_[i] += sigma_ * widths_[i] * step_[i];
    }
    oracle().settle(mean_);
    const double grown = sigma_ * math::exp(c_sigma / d_sigma * (length / chi - 1));
    sigma_ = std::clamp(grown, 1e-6, 1.0);
  }

  CmaEsOptions options_;
  std::vector<double> widths_;
  // State.
  std::uint64_t generations_ = 0;
  PlayId ended_ = 0;          // the latest play of the generations before
  PlayId latest_ = 0;         // the latest play
  std::uint64_t played_ = 0;  // plays of this generation
  std::uint64_t count_ = 0;   // its losses
  std::vector<Told> told_;
  double sigma_ = 0.3;
  std::vector<double> mean_;
  std::vector<double> C_;
  std::vector<double> p_sigma_;
  std::vector<double> p_c_;
  // Workspace.
  std::vector<double> weights_;
  std::vector<double> d_;
  std::vector<double> y_;
  std::vector<double> step_;
  std::vector<double> squares_;
};

}  // namespace

std::unique_ptr<Algorithm> cma_es(SetPtr set, const CmaEsOptions& options) {
  return std::make_unique<CmaEs>(std::move(set), options);
}

}  // namespace keyhole::algorithms
