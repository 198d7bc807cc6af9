#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"
#include "problems/draws.h"
#include "problems/networks/round_trips.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/requirements.h"
#include "problems/selection.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// n x n times in units of their 99 % quantile, and no more than 1.
Vector normalised(Vector times, std::size_t n) {
  // The n zeros of the diagonal are no measurements: sorted, they come first.
  Vector sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const double scale = sorted[n + (sorted.size() - n - 1) * 99 / 100];
  for (double& time : times) time = std::min(time / scale, 1.0);
  return times;
}

double trace_norm(const Vector& matrix, std::size_t n) {
  double sum = 0;
  for (const double value : math::eigenvalues(matrix, n)) sum += std::abs(value);
  return sum;
}

/// f_t(X) = 1/2h sum over the h seen entries of (X - N)_ij^2.
class Latency final : public Problem {
 public:
  Latency(LatencyOptions options, Vector target, ProblemSeed seed)
      : Problem(symmetric_nuclear_ball(options.nodes,
                                       options.share * trace_norm(target, options.nodes))),
        options_(std::move(options)),
        draws_(seed),
        target_(std::move(target)),
        seen_(target_.size()),
        seen_count_(target_.size() / 2),
        inverse_count_(1 / static_cast<double>(seen_count_)) {
    // ||X - N|| <= ||X|| + ||N||, and ||X|| is at most the trace norm of X.
    const double farthest = set().outer_radius() * (1 + membership_tolerance) +
                            math::norm(target_) * (1 + membership_tolerance);
    bounds_ = {farthest * farthest / 2 * inverse_count_, farthest * inverse_count_, true};
  }

  [[nodiscard]] std::string spec() const override {
    LatencyOptions shown = options_;
    shown.file = {};  // which stands first, without its key
    return spec_of("latency", shown, base::quoted(options_.file));
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return inverse_count_ / 2 * math::reduce(x.size(), [&](std::size_t e) {
             return seen_[e] * ((x[e] - target_[e]) * (x[e] - target_[e]));
           });
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t e = 0; e < x.size(); ++e) {
      gradient[e] = inverse_count_ * (seen_[e] * (x[e] - target_[e]));
    }
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// N.
  [[nodiscard]] std::span<const double> target() const { return target_; }
  /// 1 for the entries that are seen, 0 for the others.
  [[nodiscard]] std::span<const double> seen() const { return seen_; }
  /// 1/h.
  [[nodiscard]] double inverse_count() const { return inverse_count_; }

 private:
  void realise(std::uint64_t t) override {
    draws_.uniforms(Purpose::rounds, t, seen_);
    select(seen_count_, seen_);
  }

  LatencyOptions options_;
  Draws draws_;
  Vector target_;
  Vector seen_;
  std::size_t seen_count_;  // h
  double inverse_count_;
  LossBounds bounds_;
};

/// F(X) = 1/2h sum_ij c_ij (X - N)_ij^2 with c the number of times that an entry was seen.
class TotalLatency final : public TotalLoss {
 public:
  explicit TotalLatency(const Latency& problem)
      : problem_(problem), count_(problem.set().dimension()) {}

  void add() override {
    require_drawn(problem_);
    for (std::size_t e = 0; e < count_.size(); ++e) count_[e] += problem_.seen()[e];
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return problem_.inverse_count() / 2 * math::reduce(x.size(), [&](std::size_t e) {
             return count_[e] * (away(x, e) * away(x, e));
           });
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t e = 0; e < x.size(); ++e) {
      gradient[e] = problem_.inverse_count() * (count_[e] * away(x, e));
    }
  }

  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    const double slope =
        math::reduce(x.size(), [&](std::size_t e) { return count_[e] * (away(x, e) * d[e]); });
    const double curvature =
        math::reduce(x.size(), [&](std::size_t e) { return count_[e] * (d[e] * d[e]); });
    return parabola_minimum(slope, curvature, longest);
  }

 private:
  [[nodiscard]] double away(std::span<const double> x, std::size_t e) const {
    return x[e] - problem_.target()[e];
  }

  const Latency& problem_;
  Vector count_;
};

std::unique_ptr<TotalLoss> Latency::total() { return std::make_unique<TotalLatency>(*this); }

}  // namespace

std::unique_ptr<Problem> latency(const LatencyOptions& options, ProblemSeed seed) {
  checked("latency", options);
  const RoundTrips all = read_round_trips(options.file);
  base::require(options.nodes <= all.nodes.size(),
                options.file + " has " + std::to_string(all.nodes.size()) +
                    " nodes, fewer than the " + std::to_string(options.nodes) + " of latency");
  Vector chosen(all.nodes.size());
  Draws(seed).uniforms(Purpose::rounds, 0, chosen);
  select(options.nodes, chosen);
  return std::make_unique<Latency>(options, normalised(submatrix(all, chosen), options.nodes),
                                   seed);
}

}  // namespace keyhole::problems
