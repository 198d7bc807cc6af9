#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/total_of_rounds.h"
#include "problems/waves.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t day = 1440;  // rounds, where a round is a minute

/// A loss whose best point is another one in each context: f_t(x) = f(x; c_t) + noise_t.
class Contextual : public Problem {
 public:
  Contextual(SetPtr set, const ContextualOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        draws_(seed),
        noise_(options.noise, Tails::normal, seed) {}

  [[nodiscard]] std::string spec() const final { return spec_of("contextual", options_); }
  [[nodiscard]] std::uint64_t segment() const noexcept final { return 1; }
  [[nodiscard]] std::span<const double> context() const noexcept final { return context_; }
  [[nodiscard]] LossBounds bounds() const final { return noise_.widened(bounds_); }
  [[nodiscard]] double value(std::span<const double> x) const final { return mean(x) + added_; }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() final {
    return std::make_unique<TotalOfRounds>(Problem::total(), set().dimension(),
                                           [this](std::span<double> x) {
                                             write_least(x);
                                             return true;
                                           });
  }

 protected:
  [[nodiscard]] const ContextualOptions& options() const noexcept { return options_; }
  /// Independent numbers that are drawn once.
  [[nodiscard]] Vector uniforms(std::size_t count) const {
    Vector numbers(count);
    draws_.uniforms(Purpose::rounds, 0, numbers);
    return numbers;
  }
  [[nodiscard]] Vector normals(std::size_t count, double deviation) const {
    Vector numbers(count);
    draws_.normals(Purpose::stages, 0, numbers);
    for (double& number : numbers) number *= deviation;
    return numbers;
  }
  /// A number of round t from 0 to 1.
  [[nodiscard]] double uniform(std::uint64_t t) const {
    double number = 0;
    draws_.uniforms(Purpose::rounds, t, {&number, 1});
    return number;
  }
  /// Standard normal numbers of round t, between -3 and 3.
  void draw_normals(std::uint64_t t, std::span<double> numbers) const {
    draws_.normals(Purpose::rounds, t, numbers);
    for (double& number : numbers) number = std::clamp(number, -3.0, 3.0);
  }

  Vector context_;
  LossBounds bounds_;  // without the noise

 private:
  void realise(std::uint64_t t) final {
    added_ = noise_(t);
    draw_context(t);
  }
  virtual void draw_context(std::uint64_t t) = 0;
  [[nodiscard]] virtual double mean(std::span<const double> x) const = 0;
  /// Where the loss of the round is least.
  virtual void write_least(std::span<double> x) const = 0;

  ContextualOptions options_;
  Draws draws_;
  AdditiveNoise noise_;
  double added_ = 0;
};

/// Five prices for customers of four segments, of whom 40, 30, 20 and 10 in 100 come: a price x
/// sells a - b x. From round `change` on a and b are others.
class Prices final : public Contextual {
 public:
  Prices(const ContextualOptions& options, ProblemSeed seed)
      : Contextual(box(0, 1, n), options, seed), sold_(uniforms(16 * n)) {
    context_.resize(1);
    bounds_ = {1.5 * n, 2.9 * std::sqrt(double{n})};
  }
  [[nodiscard]] std::vector<std::string> contexts() const override { return {"choice(4)"}; }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < n; ++i) gradient[i] = 2 * b(i) * x[i] - a(i);
  }

 private:
  static constexpr std::size_t n = 5;

  void draw_context(std::uint64_t t) override {
    const double u = uniform(t);
    segment_ = u < 0.4 ? 0 : u < 0.7 ? 1 : u < 0.9 ? 2 : 3;
    context_[0] = static_cast<double>(segment_);
    if (options().change > 0 && t > options().change) segment_ += 4;
  }
  [[nodiscard]] double mean(std::span<const double> x) const override {
    return math::reduce(n, [&](std::size_t i) { return -x[i] * (a(i) - b(i) * x[i]); });
  }
  void write_least(std::span<double> x) const override {
    for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(a(i) / (2 * b(i)), 0.0, 1.0);
  }
  [[nodiscard]] double a(std::size_t i) const { return 0.5 + sold_[2 * n * segment_ + i]; }
  [[nodiscard]] double b(std::size_t i) const { return 0.7 + sold_[2 * n * segment_ + n + i]; }

  Vector sold_;
  std::size_t segment_ = 0;
};

/// Three settings of a service over the load of a day, a round a minute: the load is the context,
/// or the hour, and the load is hidden.
class Service final : public Contextual {
 public:
  Service(const ContextualOptions& options, ProblemSeed seed)
      : Contextual(box(0, 1, 3), options, seed) {
    context_.resize(1);
    bounds_ = {5.1, 11.4};
  }
  [[nodiscard]] std::vector<std::string> contexts() const override {
    return {by_hour() ? "cyclic" : "number"};
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const double room = 0.3 + x[0];
    gradient[0] = 0.5 - load_ * load_ / (room * room);
    gradient[1] = 2 * (x[1] - (0.1 + 0.8 * load_));
    const double off = x[2] - 0.9 * load_;
    gradient[2] = off > 0 ? 0.4 : off < 0 ? -0.4 : 0;
  }

 private:
  [[nodiscard]] bool by_hour() const { return options().scene == Scene::hours; }

  void draw_context(std::uint64_t t) override {
    double noise = 0;
    draw_normals(t, {&noise, 1});
    load_ = std::clamp(0.5 + 0.35 * sine(t % day, day) + 0.08 * noise, 0.0, 1.0);
    context_[0] = by_hour() ? static_cast<double>(t % day) / static_cast<double>(day)
                            : (load_ - 0.5) * std::sqrt(12.0);
  }
  [[nodiscard]] double mean(std::span<const double> x) const override {
    const double off = x[1] - (0.1 + 0.8 * load_);
    return load_ * load_ / (0.3 + x[0]) + 0.5 * x[0] + off * off +
           0.4 * std::abs(x[2] - 0.9 * load_);
  }
  void write_least(std::span<double> x) const override {
    x[0] = std::clamp(std::sqrt(2.0) * load_ - 0.3, 0.0, 1.0);
    x[1] = 0.1 + 0.8 * load_;
    x[2] = 0.9 * load_;
  }

  double load_ = 0;
};

/// A budget over six channels that pay otherwise on each day of the week, a round an hour.
class Weekdays final : public Contextual {
 public:
  Weekdays(const ContextualOptions& options, ProblemSeed seed)
      : Contextual(simplex(n), options, seed) {
    context_.resize(1);
    bounds_ = {0, 0};
    const Vector numbers = normals(n + 7 * n + 7, 1);
    for (std::size_t i = 0; i < 7 * n; ++i) {
      worth_[i] = std::max(0.02, 0.5 + 0.3 * (numbers[i % n] + numbers[n + i]));
    }
    for (std::size_t d = 0; d < 7; ++d) {
      today_ = d;
      level_[d] = 0.5 * numbers[8 * n + d];
      find_least();
      const std::span<const double> worth = std::span(worth_).subspan(d * n, n);
      bounds_.loss = std::max(bounds_.loss, std::abs(level_[d]) + math::sum(worth) * math::log(9));
      bounds_.gradient = std::max(bounds_.gradient, 8 * math::norm(worth));
    }
  }
  [[nodiscard]] std::vector<std::string> contexts() const override { return {"choice(7)"}; }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < n; ++i) gradient[i] = -8 * worth(i) / (1 + 8 * std::max(0.0, x[i]));
  }

 private:
  static constexpr std::size_t n = 6;

  void draw_context(std::uint64_t t) override {
    today_ = t / 24 % 7;
    context_[0] = static_cast<double>(today_);
  }
  [[nodiscard]] double mean(std::span<const double> x) const override {
    return level_[today_] - math::reduce(n, [&](std::size_t i) {
             return worth(i) * math::log(1 + 8 * std::max(0.0, x[i]));
           });
  }
  void write_least(std::span<double> x) const override {
    std::copy_n(least_.begin() + static_cast<std::ptrdiff_t>(n * today_), n, x.begin());
  }
  /// x_i = max(0, w_i / l - 1/8), whose sum is 1 for one l.
  void find_least() {
    const std::span<double> x = std::span(least_).subspan(n * today_, n);
    double low = 1e-9;
    double high = 100;
    for (int k = 0; k < 100; ++k) {
      const double l = (low + high) / 2;
      for (std::size_t i = 0; i < n; ++i) x[i] = std::max(0.0, worth(i) / l - 0.125);
      (math::sum(x) > 1 ? low : high) = l;
    }
    const double sum = math::sum(x);
    for (double& share : x) share /= sum;
  }
  [[nodiscard]] double worth(std::size_t i) const { return worth_[n * today_ + i]; }

  std::array<double, 7 * n> worth_{};
  std::array<double, 7 * n> least_{};
  std::array<double, 7> level_{};
  std::size_t today_ = 0;
};

/// Shares of traffic over ten routes, whose costs are linear in three numbers.
class Routes final : public Contextual {
 public:
  Routes(const ContextualOptions& options, ProblemSeed seed)
      : Contextual(simplex(n), options, seed), costs_(normals(4 * n, 0.3)), now_(n) {
    context_.resize(3);
    bounds_ = {0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      const double most =
          std::abs(costs_[i]) +
          3 * (std::abs(costs_[n + i]) + std::abs(costs_[2 * n + i]) + std::abs(costs_[3 * n + i]));
      bounds_.loss = std::max(bounds_.loss, most);
    }
    bounds_.gradient = bounds_.loss * std::sqrt(double{n});
  }
  [[nodiscard]] std::vector<std::string> contexts() const override {
    return {"number", "number", "number"};
  }
  void gradient(std::span<const double> /*x*/, std::span<double> gradient) const override {
    std::copy(now_.begin(), now_.end(), gradient.begin());
  }

 private:
  static constexpr std::size_t n = 10;

  void draw_context(std::uint64_t t) override {
    draw_normals(t, context_);
    for (std::size_t i = 0; i < n; ++i) {
      now_[i] = costs_[i] + costs_[n + i] * context_[0] + costs_[2 * n + i] * context_[1] +
                costs_[3 * n + i] * context_[2];
    }
  }
  [[nodiscard]] double mean(std::span<const double> x) const override { return math::dot(now_, x); }
  void write_least(std::span<double> x) const override {
    std::fill(x.begin(), x.end(), 0.0);
    x[static_cast<std::size_t>(std::min_element(now_.begin(), now_.end()) - now_.begin())] = 1;
  }

  Vector costs_;
  Vector now_;
};

/// The squared distance from a point of a box in five dimensions, in a context of some numbers: the
/// first adds `shift` times itself, the first `moving` move the point.
class Targets final : public Contextual {
 public:
  Targets(const ContextualOptions& options, ProblemSeed seed)
      : Contextual(box(0, 1, n), options, seed),
        base_(uniforms(n)),
        moves_(normals(n * options.moving, 0.12)),
        target_(n) {
    if (options.moving > 0) std::fill(base_.begin(), base_.end(), 0.5);
    context_.resize(options.numbers);
    bounds_ = {n + 3 * std::abs(options.shift), 2 * std::sqrt(double{n})};
  }
  [[nodiscard]] std::vector<std::string> contexts() const override {
    return std::vector<std::string>(context_.size(), "number");
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < n; ++i) gradient[i] = 2 * (x[i] - target_[i]);
  }

 private:
  static constexpr std::size_t n = 5;

  void draw_context(std::uint64_t t) override {
    draw_normals(t, context_);
    for (std::size_t i = 0; i < n; ++i) {
      double best = base_[i];
      for (std::size_t j = 0; j < options().moving; ++j) best += moves_[n * j + i] * context_[j];
      target_[i] = std::clamp(best, 0.0, 1.0);
    }
  }
  [[nodiscard]] double mean(std::span<const double> x) const override {
    return options().shift * context_[0] + math::reduce(n, [&](std::size_t i) {
             return (x[i] - target_[i]) * (x[i] - target_[i]);
           });
  }
  void write_least(std::span<double> x) const override {
    std::copy(target_.begin(), target_.end(), x.begin());
  }

  Vector base_;
  Vector moves_;
  Vector target_;
};

}  // namespace

std::unique_ptr<Problem> contextual(const ContextualOptions& options, ProblemSeed seed) {
  const ContextualOptions sound = checked("contextual", options);
  const ContextualOptions usual;
  base::require(sound.scene == Scene::prices || sound.change == 0,
                "the change of contextual is for prices alone");
  base::require(sound.scene == Scene::targets ||
                    (sound.numbers == usual.numbers && sound.moving == 0 && sound.shift == 0),
                "numbers, moving and shift of contextual are for targets alone");
  base::require(sound.moving <= sound.numbers,
                "contextual cannot have " + std::to_string(sound.moving) + " of " +
                    std::to_string(sound.numbers) + " numbers move its best point");
  switch (sound.scene) {
    case Scene::prices:
      return std::make_unique<Prices>(sound, seed);
    case Scene::loads:
    case Scene::hours:
      return std::make_unique<Service>(sound, seed);
    case Scene::weekdays:
      return std::make_unique<Weekdays>(sound, seed);
    case Scene::routes:
      return std::make_unique<Routes>(sound, seed);
    default:
      return std::make_unique<Targets>(sound, seed);
  }
}

}  // namespace keyhole::problems
