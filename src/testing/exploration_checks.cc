#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "keyhole/exploration.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

/// The exploration of a set, and the random numbers of its draws.
class Explorer {
 public:
  explicit Explorer(const SetUnderTest& k)
      : exploration_(k.set().exploration()),
        words_of_(k.options().seed, 0xe1),
        normals_of_(k.options().seed, 0xe2),
        v_(k.n()),
        w_(k.n()) {
    if (exploration_ == nullptr) throw std::runtime_error("exploration() gave none");
    words_.resize(exploration_->needs().words + 2);
    normals_.resize(exploration_->needs().normals);
  }

  [[nodiscard]] Exploration& exploration() { return *exploration_; }
  [[nodiscard]] Vector mean() const {
    return {exploration_->mean().begin(), exploration_->mean().end()};
  }

  const Vector& draw(std::uint64_t id) {
    std::fill(v_.begin(), v_.end(), -7.0);  // what is not written shows
    exploration_->draw(bits(id), v_);
    return v_;
  }
  const Vector& score(std::uint64_t id) {
    std::fill(w_.begin(), w_.end(), -7.0);
    exploration_->score(bits(id), w_);
    return w_;
  }

 private:
  RandomBits bits(std::uint64_t id) {
    const std::size_t even = words_.size() - words_.size() % 2;
    words_of_.words(id, 0, std::span(words_).first(even));
    math::gaussians(normals_of_, id, 0, normals_);
    return {std::span(words_).first(exploration_->needs().words), normals_};
  }

  std::unique_ptr<Exploration> exploration_;
  math::Ars words_of_;
  math::Ars normals_of_;
  std::vector<std::uint64_t> words_;
  Vector normals_;
  Vector v_;
  Vector w_;
};

/// How many draws to take: enough to meet each of a few times n points, and for means to be nearly
/// normal, as long as n is moderate.
std::size_t many(const SetUnderTest& k) {
  const std::size_t for_rare_ones = std::max(20 * k.n(), std::size_t{2000});
  return std::max(20 * k.options().directions,
                  std::min(for_rare_ones, std::size_t{10'000'000} / k.n()));
}

/// The mean of a number that is drawn, and its standard error.
class Sample {
 public:
  void add(double value) {
    ++count_;
    const double step = value - mean_;
    mean_ += step / count_;
    squares_ += step * (value - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double error() const { return std::sqrt(squares_ / (count_ * (count_ - 1))); }
  /// Whether the mean is within five standard errors (and a rounding) of what it should be.
  [[nodiscard]] bool agrees(double expected, double rounding) const {
    return std::abs(mean_ - expected) <= 5 * error() + rounding;
  }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// Vectors of length 1 to test means with: random ones, and axes as long as each is drawn often
/// enough for its standard error to be known.
std::vector<Vector> test_vectors(const SetUnderTest& k) {
  std::vector<Vector> all;
  for (std::size_t i = 0; i < 20; ++i) all.push_back(times(1 / norm(k.gaussian(i)), k.gaussian(i)));
  if (40 * k.n() > many(k)) return all;
  const std::size_t axes = std::min<std::size_t>(k.n(), 20);
  for (std::size_t i = 0; i < axes; ++i) {
    Vector e(k.n(), 0.0);
    e[i * k.n() / axes] = 1;
    all.push_back(std::move(e));
  }
  return all;
}

/// The means of products of scores and draws.
class ScoreFit {
 public:
  explicit ScoreFit(const SetUnderTest& k)
      : k_(k),
        explorer_(k),
        probes_(test_vectors(k)),
        of_squares_(probes_.size()),
        of_pairs_(probes_.size()) {}

  void draw(std::size_t count) {
    const Vector p = explorer_.mean();
    Vector with_score(probes_.size());
    Vector with_draw(probes_.size());
    for (const std::size_t end = drawn_ + count; drawn_ < end; ++drawn_) {
      const Vector away = minus(explorer_.draw(drawn_), p);
      const Vector& w = explorer_.score(drawn_);
      of_trace_.add(dot(w, away));
      for (std::size_t i = 0; i < probes_.size(); ++i) {
        with_score[i] = dot(probes_[i], w);
        with_draw[i] = dot(probes_[i], away);
      }
      for (std::size_t i = 0; i < probes_.size(); ++i) {
        of_squares_[i].add(with_score[i] * with_draw[i]);
        of_pairs_[i].add(with_score[i] * with_draw[next(i)]);
      }
    }
  }

  /// What is off by more than five standard errors and `unmet`, in the trace for each dimension.
  [[nodiscard]] Complaint complaint(double unmet) const {
    const auto rank = static_cast<double>(k_.set().hull_dimension());
    if (!of_trace_.agrees(rank, unmet * rank)) {
      return say("<score, v - p> has the mean ", of_trace_.mean(), " +- ", of_trace_.error(),
                 ", not the hull's dimension ", rank);
    }
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      const Vector flat = k_.flattened(probes_[i]);
      const double square = dot(probes_[i], flat);
      const double pair = dot(probes_[next(i)], flat);
      if (!of_squares_[i].agrees(square, unmet)) {
        return say("<a, score> <a, v - p> has the mean ", of_squares_[i].mean(), " +- ",
                   of_squares_[i].error(), " for a = ", probes_[i], ", not ", square);
      }
      if (!of_pairs_[i].agrees(pair, unmet)) {
        return say("<a, score> <b, v - p> has the mean ", of_pairs_[i].mean(), " +- ",
                   of_pairs_[i].error(), " for a = ", probes_[i], " and b = ", probes_[next(i)],
                   ", not ", pair);
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) % probes_.size(); }

  const SetUnderTest& k_;
  Explorer explorer_;
  std::vector<Vector> probes_;
  std::size_t drawn_ = 0;
  Sample of_trace_;
  std::vector<Sample> of_squares_;
  std::vector<Sample> of_pairs_;
};

}  // namespace

Complaint exploration_is_sound(const SetUnderTest& k) {
  Explorer explorer(k);
  const Exploration& nu = explorer.exploration();
  if (nu.mean().size() != k.n() || nu.variance().size() != k.n()) {
    return say("mean() has ", nu.mean().size(), " and variance() ", nu.variance().size(),
               " coordinates, in dimension ", k.n());
  }
  for (const double variance : nu.variance()) {
    if (!(variance > 0 && std::isfinite(variance))) {
      return say("variance() has the entry ", variance, ", which must be positive");
    }
  }
  if (!(nu.squared_radius() > 0 && std::isfinite(nu.squared_radius()))) {
    return say("squared_radius() is ", nu.squared_radius(), ", which must be positive");
  }
  const Vector p = k.settled(explorer.mean());
  if (!k.contains(p)) return say("the mean ", p, " is not in the set");
  return {};
}

Complaint exploration_stays_inside(const SetUnderTest& k) {
  Explorer explorer(k);
  for (std::size_t t = 0; t < k.options().directions; ++t) {
    const Vector v = explorer.draw(t);
    if (!k.contains(k.settled(v))) {
      return say("draw ", t, " is ", v, ", which is not in the set");
    }
  }
  return {};
}

Complaint exploration_is_pure(const SetUnderTest& k) {
  Explorer explorer(k);
  Explorer another(k);
  std::vector<Vector> draws;
  std::vector<Vector> scores;
  for (std::size_t t = 0; t < k.options().directions; ++t) draws.push_back(explorer.draw(t));
  for (std::size_t t = 0; t < k.options().directions; ++t) scores.push_back(explorer.score(t));
  for (std::size_t t = draws.size(); t-- > 0;) {
    for (Explorer* of : {&explorer, &another}) {
      if (!same_bits(of->score(t), scores[t])) {
        return say("score ", t, " is ", scores[t], " and then ", of->score(t));
      }
      if (!same_bits(of->draw(t), draws[t])) {
        return say("draw ", t, " is ", draws[t], " and then ", of->draw(t));
      }
    }
  }
  return {};
}

Complaint exploration_keeps_its_radius(const SetUnderTest& k) {
  Explorer explorer(k);
  const Exploration& nu = explorer.exploration();
  for (std::size_t t = 0; t < many(k); ++t) {
    const Vector& v = explorer.draw(t);
    double square = 0;
    for (std::size_t i = 0; i < k.n(); ++i) {
      const double away = v[i] - nu.mean()[i];
      square += away * away / nu.variance()[i];
    }
    if (!(square <= nu.squared_radius() * (1 + 1e-9))) {
      return say("draw ", t, ", ", v, ", is at ", square, " in units of the variance, and ",
                 "squared_radius() is said to be ", nu.squared_radius());
    }
  }
  return {};
}

Complaint scores_stay_in_the_hull(const SetUnderTest& k) {
  Explorer explorer(k);
  for (std::size_t t = 0; t < k.options().directions; ++t) {
    const Vector w = explorer.score(t);
    const double off = distance(k.flattened(w), w);
    if (!(off <= 1e-9 * norm(w))) {
      return say("score ", t, ", ", w, ", leaves the hull by ", off, ", its length is ", norm(w));
    }
  }
  return {};
}

Complaint exploration_has_its_mean(const SetUnderTest& k) {
  Explorer explorer(k);
  const Vector p = explorer.mean();
  const std::vector<Vector> probes = test_vectors(k);
  std::vector<Sample> of_draws(probes.size());
  std::vector<Sample> of_scores(probes.size());
  double longest = 0;
  for (std::size_t t = 0; t < many(k); ++t) {
    const Vector away = minus(explorer.draw(t), p);
    const Vector& w = explorer.score(t);
    longest = std::max(longest, norm(w));
    for (std::size_t i = 0; i < probes.size(); ++i) {
      of_draws[i].add(dot(probes[i], away));
      of_scores[i].add(dot(probes[i], w));
    }
  }
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (!of_draws[i].agrees(0, k.tolerance())) {
      return say("<a, v - p> has the mean ", of_draws[i].mean(), " +- ", of_draws[i].error(),
                 " for a = ", probes[i], ", not 0");
    }
    if (!of_scores[i].agrees(0, 1e-9 * longest)) {
      return say("<a, score> has the mean ", of_scores[i].mean(), " +- ", of_scores[i].error(),
                 " for a = ", probes[i], ", not 0");
    }
  }
  return {};
}

Complaint scores_fit_the_draws(const SetUnderTest& k) {
  // In a good design nearly all draws have the same product, and what is hardly ever drawn another:
  // the sample's own error then says nothing of those that it has not met. So a small disagreement
  // counts only if it stays where many more are drawn.
  constexpr double small = 0.05;
  constexpr double least = 1e-3;
  constexpr std::size_t many_more = 50;
  ScoreFit fit(k);
  fit.draw(many(k));
  if (Complaint large = fit.complaint(small); !large.empty()) return large;
  if (fit.complaint(least).empty()) return {};
  fit.draw(many_more * many(k));
  return fit.complaint(least);
}

}  // namespace keyhole::testing
