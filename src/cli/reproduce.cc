#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iomanip>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "keyhole/keyhole.h"

namespace keyhole::cli {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t horizon = 1 << 15;
constexpr double noise = 0.3;

double squared_distance(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/// Follow a target that jitters: f_t(x) = 1/2 ||x - theta_t||^2, theta_t = theta + 0.3 w_t with w_t
/// a uniform unit vector of the hull.
class Tracking {
 public:
  Tracking(SetPtr set, Vector theta, double farthest)
      : set_(std::move(set)),
        theta_(std::move(theta)),
        farthest_(farthest + noise),
        w_(set_, 0, 1),
        gradient_(theta_.size()) {}

  [[nodiscard]] const SetPtr& set() const { return set_; }
  /// No point of the set is farther from a target than this, so |f_t| is at most half its square...
  [[nodiscard]] double loss_bound() const { return farthest_ * farthest_ / 2; }
  /// ...and the gradients x - theta_t are no longer than this.
  [[nodiscard]] double gradient_bound() const { return farthest_; }

  [[nodiscard]] double loss(std::uint64_t t, std::span<const double> x) {
    double sum = 0;
    for (const double away : gradient(t, x)) sum += away * away;
    return sum / 2;
  }
  /// x - theta_t. Valid until the next call.
  [[nodiscard]] std::span<const double> gradient(std::uint64_t t, std::span<const double> x) {
    const auto w = w_(t);
    for (std::size_t i = 0; i < x.size(); ++i) gradient_[i] = x[i] - (theta_[i] + noise * w[i]);
    return gradient_;
  }

  /// The total loss of the best fixed point of the first T rounds, which is the projection of the
  /// mean of the targets.
  [[nodiscard]] double best_total(std::uint64_t T) {
    Vector best(theta_.size(), 0.0);
    for (std::uint64_t t = 1; t <= T; ++t) {
      const auto w = w_(t);
      for (std::size_t i = 0; i < best.size(); ++i) {
        best[i] += (theta_[i] + noise * w[i]) / static_cast<double>(T);
      }
    }
    set_->oracle()->project(best, best);
    double total = 0;
    for (std::uint64_t t = 1; t <= T; ++t) total += loss(t, best);
    return total;
  }

 private:
  SetPtr set_;
  Vector theta_;
  double farthest_;
  Directions w_;
  Vector gradient_;
};

Tracking on_ball() {
  Vector theta(10, 0.0);
  theta[0] = 0.6;
  return {ball(10), theta, 1.6};
}

Tracking on_simplex() {
  Vector theta(10, 0.04);
  theta[0] = 0.64;
  Vector far_vertex(10, 0.0);
  far_vertex[1] = 1;
  return {simplex(10), theta, std::sqrt(squared_distance(theta, far_vertex))};
}

struct Contender {
  std::string name;
  std::unique_ptr<LearnerBase> learner;
  /// Tells the learner what it is meant to see of a play.
  std::function<void(PlayId id, double loss, std::span<const double> gradient)> tell;
  double total = 0;      // of the losses
  Vector averages = {};  // at powers of two
  double seconds = 0;    // in ask and tell
};

std::vector<Contender> contenders(const Tracking& problem) {
  const SetPtr& set = problem.set();
  const ProjectionFreeOptions options{.loss_bound = problem.loss_bound(),
                                      .gradient_bound = problem.gradient_bound(),
                                      .horizon = horizon};
  const FkmOptions fkm_options{.loss_bound = problem.loss_bound(),
                               .gradient_bound = problem.gradient_bound(),
                               .horizon = horizon};
  std::vector<Contender> all;
  const auto add = [&](const std::string& name, std::unique_ptr<Algorithm> algorithm) {
    auto learner = std::make_unique<Learner>(std::move(algorithm), LearnerOptions{.seed = 1});
    auto tell = [to = learner.get()](PlayId id, double loss, auto&&) { to->tell(id, loss); };
    all.push_back({name, std::move(learner), tell});
  };
  const auto add_told_gradients = [&](const std::string& name,
                                      std::unique_ptr<GradientAlgorithm> algorithm) {
    auto learner =
        std::make_unique<GradientLearner>(std::move(algorithm), GradientLearnerOptions{.seed = 1});
    auto tell = [to = learner.get()](PlayId id, double, std::span<const double> gradient) {
      to->tell(id, gradient);
    };
    all.push_back({name, std::move(learner), tell});
  };
  add("projection_free", projection_free(set, options));
  add("anytime(projection_free)", anytime(projection_free(set, options)));
  add("anytime(unregularized)", anytime(unregularized(set, options)));
  add("fkm", fkm(set, fkm_options));
  add("anytime(fkm)", anytime(fkm(set, fkm_options)));
  const double G = problem.gradient_bound();
  add_told_gradients("ogd", ogd(set, {.gradient_bound = G}));
  add_told_gradients("ocg", ocg(set, {.gradient_bound = G, .horizon = horizon}));
  add_told_gradients("stochastic_ocg",
                     stochastic_ocg(set, {.gradient_bound = G, .horizon = horizon}));
  return all;
}

void play(Contender& contender, Tracking& problem) {
  using Clock = std::chrono::steady_clock;
  Vector x(problem.set()->dimension());
  for (std::uint64_t t = 1; t <= horizon; ++t) {
    const auto begin = Clock::now();
    const PlayId id = contender.learner->ask(x);
    const auto asked = Clock::now();
    const double loss = problem.loss(t, x);
    const auto gradient = problem.gradient(t, x);
    const auto telling = Clock::now();
    contender.tell(id, loss, gradient);
    contender.seconds +=
        std::chrono::duration<double>((asked - begin) + (Clock::now() - telling)).count();
    contender.total += loss;
    if ((t & (t - 1)) == 0) {
      contender.averages.push_back(contender.total / static_cast<double>(t));
    }
  }
}

/// Wide enough for the name and for a loss.
int column_width(const Contender& contender) {
  return static_cast<int>(std::max<std::size_t>(contender.name.size(), 6)) + 2;
}

void print_progress(std::ostream& out, const std::vector<Contender>& all) {
  out << "  average loss\n" << std::setw(10) << "round";
  for (const Contender& contender : all)
    out << std::setw(column_width(contender)) << contender.name;
  out << "\n" << std::fixed << std::setprecision(4);
  for (std::size_t m = 0; m < all.front().averages.size(); ++m) {
    out << std::setw(10) << (std::uint64_t{1} << m);
    for (const Contender& contender : all) {
      out << std::setw(column_width(contender)) << contender.averages[m];
    }
    out << "\n";
  }
}

void print_result(std::ostream& out, const std::vector<Contender>& all, double best_average) {
  out << "\n  after " << horizon << " rounds (best fixed point: average loss " << best_average
      << ")\n  " << std::left << std::setw(26) << "learner" << std::right << std::setw(14)
      << "regret/round" << std::setw(14) << "bound/round" << std::setw(14) << "oracle calls"
      << std::setw(12) << "us/round"
      << "\n";
  for (const Contender& contender : all) {
    const Summary summary = contender.learner->summary();
    const RegretBound bound = contender.learner->regret_bound();
    const double rounds = static_cast<double>(horizon);
    out << "  " << std::left << std::setw(26) << contender.name << std::right << std::setw(14)
        << contender.averages.back() - best_average << std::setw(14);
    if (bound.holds) {
      out << bound.value / rounds;
    } else {
      out << "none";
    }
    out << std::setw(14) << summary.oracle_calls << std::setw(12)
        << contender.seconds / rounds * 1e6 << "\n";
  }
  out << "\n";
}

}  // namespace

void reproduce(std::ostream& out) {
  out << "An embedded problem: follow a target that jitters, f_t(x) = 1/2 ||x - theta_t||^2,\n"
         "seeing nothing but the loss of each play; ogd, ocg and stochastic_ocg see its gradient "
         "(the\n"
         "last with noise of standard deviation n). Constants are the theorems' own.\n\n";
  for (Tracking problem : {on_ball(), on_simplex()}) {
    out << problem.set()->spec() << "\n";
    std::vector<Contender> all = contenders(problem);
    for (Contender& contender : all) play(contender, problem);
    print_progress(out, all);
    print_result(out, all, problem.best_total(horizon) / static_cast<double>(horizon));
    out.flush();
  }
}

}  // namespace keyhole::cli
