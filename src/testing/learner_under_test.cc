#include "testing/learner_under_test.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "testing/report.h"

namespace keyhole::testing {
namespace {

/// Random words for scripts and losses: splitmix64 (Steele, Lea, Flood 2014).
class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// Uniform on [-1, 1).
  double number() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1; }

 private:
  std::uint64_t state_;
};

/// f_t(x) = cos(angle), angle = phase + <a, x - p> / R with a random phase and wave vector a of
/// length about 2: writes a and returns the angle.
class Cosines {
 public:
  explicit Cosines(const Set& set)
      : p_(set.centre()),
        R_(set.outer_radius()),
        size_(2 * std::sqrt(3 / static_cast<double>(set.dimension()))) {}

  double angle(std::uint64_t t, std::uint64_t scenario, std::span<const double> x,
               std::span<double> wave) const {
    Words words(Words(t).next() + scenario);
    double angle = 4 * words.number();
    for (std::size_t i = 0; i < x.size(); ++i) {
      wave[i] = size_ * words.number();
      angle += wave[i] * ((x[i] - p_[i]) / R_);
    }
    return angle;
  }

 private:
  std::vector<double> p_;
  double R_;
  double size_;
};

LossScenarios random_cosines(const Set& set) {
  return [cosines = Cosines(set)](unsigned scenario, std::uint64_t fork) {
    return [=](std::uint64_t t, std::span<const double> x) {
      std::vector<double> wave(x.size());
      return std::cos(cosines.angle(t, t < fork ? 0 : scenario, x, wave));
    };
  };
}

/// The gradients -sin(angle) a / 2 of R / 2 f_t: of length about 1 on every set.
GradientScenarios random_cosine_gradients(const Set& set) {
  return [cosines = Cosines(set)](unsigned scenario, std::uint64_t fork) {
    return [=](std::uint64_t t, std::span<const double> x) {
      std::vector<double> gradient(x.size());
      const double angle = cosines.angle(t, t < fork ? 0 : scenario, x, gradient);
      for (double& value : gradient) value *= -std::sin(angle) / 2;
      return gradient;
    };
  };
}

Subject as_subject(Learner learner) {
  return {std::make_unique<Learner>(std::move(learner)),
          [](LearnerBase& any, PlayId id, const Told& told) {
            static_cast<Learner&>(any).tell(id, told.front());
          }};
}

Subject as_subject(GradientLearner learner) {
  return {std::make_unique<GradientLearner>(std::move(learner)),
          [](LearnerBase& any, PlayId id, const Told& told) {
            static_cast<GradientLearner&>(any).tell(id, told);
          }};
}

/// The factory of subjects; throws without a factory of learners.
template <class Factory>
std::function<Subject(std::uint64_t)> subjects(const Factory& make) {
  if (!make) throw std::runtime_error("there is no factory");
  return [make](std::uint64_t seed) { return as_subject(make(seed)); };
}

/// The same for a factory that takes a second argument, if there is one.
template <class Made, class Second>
std::function<Subject(std::uint64_t, Second)> subjects(
    const std::function<Made(std::uint64_t, Second)>& make) {
  if (!make) return {};
  return [make](std::uint64_t seed, Second second) { return as_subject(make(seed, second)); };
}

}  // namespace

Script script_of(const std::vector<Batch>& batches) {
  Script script;
  for (const Batch& batch : batches) {
    script.insert(script.end(), batch.asks, Event{});
    for (const PlayId id : batch.tells) script.push_back({id});
  }
  return script;
}

Script prompt_script(std::uint64_t rounds) {
  std::vector<Batch> batches;
  for (PlayId t = 1; t <= rounds; ++t) batches.push_back({1, {t}});
  return script_of(batches);
}

Script silent_script(std::uint64_t rounds) { return Script(rounds); }

std::vector<Batch> random_batches(std::uint64_t rounds, std::uint64_t seed) {
  Words words(seed);
  std::vector<Batch> batches;
  std::vector<PlayId> pending;
  for (PlayId asked = 0; asked < rounds;) {
    Batch batch{std::min(1 + words.below(5), rounds - asked), {}};
    for (std::uint64_t k = 0; k < batch.asks; ++k) pending.push_back(++asked);
    for (auto tells = words.below(pending.size() + 1); tells > 0; --tells) {
      const auto which = pending.begin() + static_cast<std::ptrdiff_t>(words.below(pending.size()));
      if (words.below(8) > 0) batch.tells.push_back(*which);  // else it is lost
      pending.erase(which);
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

Run::Run(Subject subject, ToldSequence sequence)
    : subject_(std::move(subject)), sequence_(std::move(sequence)) {}

Told Run::told(PlayId id) const { return sequence_(id, plays_.at(id - 1)); }

void Run::ask() {
  Play play = learner().ask();
  if (play.id != plays_.size() + 1) {
    throw std::runtime_error(say("play ", plays_.size() + 1, " has the number ", play.id));
  }
  plays_.push_back(std::move(play.point));
}

Run& Run::follow(const Script& script) {
  for (const Event event : script) follow(event);
  return *this;
}

void Run::resume(const State& state, const std::vector<std::vector<double>>& plays) {
  // Through the bytes, as from a file.
  learner().restore(State::from_bytes(state.bytes()));
  plays_ = plays;
}

LearnerUnderTest::LearnerUnderTest(const LearnerFactory& make, const LearnerCheckOptions& options)
    : what_is_told_("losses"),
      rounds_(std::max<std::uint64_t>(options.rounds, 2)),
      seed_(options.seed),
      random_(options.random),
      learns_(options.learns),
      make_(subjects(make)),
      make_scaled_(subjects(options.scaled)),
      make_on_(subjects(options.on)) {
  const Subject learner = make_(seed_);
  sequences_ = [losses = options.losses ? options.losses : random_cosines(learner.learner->set())](
                   unsigned scenario, std::uint64_t fork) -> ToldSequence {
    return [f = losses(scenario, fork)](std::uint64_t t, std::span<const double> x) {
      return Told{f(t, x)};
    };
  };
}

LearnerUnderTest::LearnerUnderTest(const GradientLearnerFactory& make,
                                   const GradientLearnerCheckOptions& options)
    : what_is_told_("gradients"),
      rounds_(std::max<std::uint64_t>(options.rounds, 2)),
      seed_(options.seed),
      random_(options.random),
      learns_(true),
      make_(subjects(make)),
      make_scaled_(subjects(options.scaled)),
      make_on_(subjects(options.on)) {
  const Subject learner = make_(seed_);
  sequences_ =
      options.gradients ? options.gradients : random_cosine_gradients(learner.learner->set());
}

Run LearnerUnderTest::run(std::uint64_t seed, unsigned scenario, std::uint64_t fork) const {
  ToldSequence sequence = sequences_(scenario, fork);  // in place before the learner is made
  return {make_(seed), std::move(sequence)};
}

Run LearnerUnderTest::scaled_run(double scale) const {
  ToldSequence sequence = [scale, unscaled = sequences_(0, 1)](std::uint64_t t,
                                                               std::span<const double> x) {
    Told told = unscaled(t, x);
    for (double& value : told) value *= scale;
    return told;
  };
  return {make_scaled_(seed_, scale), std::move(sequence)};
}

Run LearnerUnderTest::run_on(const SetPtr& set) const {
  ToldSequence sequence = sequences_(0, 1);
  return {make_on_(seed_, set), std::move(sequence)};
}

}  // namespace keyhole::testing
