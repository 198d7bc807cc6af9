#include "problems/completion.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/requirements.h"
#include "problems/sampled_bounds.h"
#include "problems/selection.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

SetPtr region_of(const CompletionOptions& options) {
  const auto [n, k, region] = options;
  const auto size = static_cast<double>(k);
  switch (region) {
    case MatrixRegion::nuclear:
      return nuclear_ball(n, n, size);
    case MatrixRegion::symmetric:
      return symmetric_nuclear_ball(n, size);
    case MatrixRegion::psd:
      return psd_trace_ball(n, size);
  }
  throw InvalidArgument("completion has no such region");
}

/// f_t(X) = 1/2 sum over the seen entries of (X - M_t)_ij^2 with M_t = N_t' N_t.
class Completion final : public Problem {
 public:
  Completion(SetPtr set, const CompletionOptions& options, std::string spec, const Draws& draws)
      : Problem(std::move(set)),
        options_(options),
        spec_(std::move(spec)),
        draws_(draws),
        factor_(options.k * options.n),
        target_(options.n * options.n),
        seen_(options.n * options.n) {
    bounds_ = sampled_bounds(*this, [this](std::uint64_t k) { draw_from(Purpose::samples, k); });
    std::fill(seen_.begin(), seen_.end(), 0.0);  // no loss has been drawn yet
  }

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return math::reduce(x.size(),
                        [&](std::size_t e) {
                          return seen_[e] * ((x[e] - target_[e]) * (x[e] - target_[e]));
                        }) /
           2;
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t e = 0; e < x.size(); ++e) gradient[e] = seen_[e] * (x[e] - target_[e]);
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// The entries of M_t.
  [[nodiscard]] std::span<const double> target() const { return target_; }
  /// 1 for the entries that are seen, 0 for the others.
  [[nodiscard]] std::span<const double> seen() const { return seen_; }

 private:
  void realise(std::uint64_t t) override { draw_from(Purpose::rounds, t); }

  void draw_from(Purpose purpose, std::uint64_t t) {
    const std::size_t n = options_.n;
    draws_.normals(purpose, t, factor_);
    std::fill(target_.begin(), target_.end(), 0.0);
    for (std::size_t k = 0; k < options_.k; ++k) {
      const std::span<const double> row = std::span(factor_).subspan(k * n, n);
      for (std::size_t i = 0; i < n; ++i) {
        math::add(std::span(target_).subspan(i * n, n), row[i], row);
      }
    }
    draws_.uniforms(purpose, t, seen_);
    select(seen_.size() / 2, seen_);
  }

  CompletionOptions options_;
  std::string spec_;
  Draws draws_;
  Vector factor_;  // N_t
  Vector target_;  // M_t
  Vector seen_;
  LossBounds bounds_;
};

/// F(X) = 1/2 sum_ij (c_ij X_ij^2 - 2 s_ij X_ij) + q/2 with c the number of times that an entry was
/// seen, s the sum of what was seen, and q the sum of all squares.
class TotalCompletion final : public TotalLoss {
 public:
  explicit TotalCompletion(const Completion& problem)
      : problem_(problem), count_(problem.set().dimension()), sum_(problem.set().dimension()) {}

  void add() override {
    require_drawn(problem_);
    const std::span<const double> m = problem_.target();
    const std::span<const double> seen = problem_.seen();
    for (std::size_t e = 0; e < m.size(); ++e) {
      count_[e] += seen[e];
      sum_[e] += seen[e] * m[e];
    }
    squares_ += math::reduce(m.size(), [&](std::size_t e) { return seen[e] * (m[e] * m[e]); });
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const double of_x = math::reduce(
        x.size(), [&](std::size_t e) { return (count_[e] * x[e] - 2 * sum_[e]) * x[e]; });
    return (of_x + squares_) / 2;
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t e = 0; e < x.size(); ++e) gradient[e] = count_[e] * x[e] - sum_[e];
  }

  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    const double slope =
        math::reduce(x.size(), [&](std::size_t e) { return (count_[e] * x[e] - sum_[e]) * d[e]; });
    const double curvature =
        math::reduce(x.size(), [&](std::size_t e) { return count_[e] * (d[e] * d[e]); });
    return parabola_minimum(slope, curvature, longest);
  }

 private:
  const Completion& problem_;
  Vector count_;
  Vector sum_;
  double squares_ = 0;
};

std::unique_ptr<TotalLoss> Completion::total() { return std::make_unique<TotalCompletion>(*this); }

}  // namespace

std::unique_ptr<Problem> completion(const CompletionOptions& options, ProblemSeed seed) {
  const CompletionOptions sound = checked("completion", options);
  return completion_on(region_of(sound), sound, spec_of("completion", sound), seed);
}

std::unique_ptr<Problem> completion_on(SetPtr set, const CompletionOptions& options,
                                       std::string spec, ProblemSeed seed) {
  return std::make_unique<Completion>(std::move(set), options, std::move(spec), Draws(seed));
}

}  // namespace keyhole::problems
