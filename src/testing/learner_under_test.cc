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

/// f_t(x) = cos(phase + <a, x - p> / R) with a random phase and wave vector a of length about 2.
LossScenarios random_cosines(const Set& set) {
  const double R = set.geometry().outer_radius;
  const double size = 2 * std::sqrt(3 / static_cast<double>(set.dimension()));
  return [p = set.geometry().centre, R, size](unsigned scenario, std::uint64_t fork) {
    return [=](std::uint64_t t, std::span<const double> x) {
      Words words(Words(t).next() + (t < fork ? 0 : scenario));
      double angle = 4 * words.number();
      for (std::size_t i = 0; i < x.size(); ++i) {
        angle += size * words.number() * ((x[i] - p[i]) / R);
      }
      return std::cos(angle);
    };
  };
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

Run::Run(Learner learner, LossSequence losses)
    : learner_(std::move(learner)), losses_(std::move(losses)) {}

double Run::loss(PlayId id) const { return losses_(id, plays_.at(id - 1)); }

void Run::ask() {
  Play play = learner_.ask();
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
  learner_.restore(State::from_bytes(state.bytes()));
  plays_ = plays;
}

LearnerUnderTest::LearnerUnderTest(LearnerFactory make, LearnerCheckOptions options)
    : make_(std::move(make)), options_(std::move(options)) {
  if (!make_) throw std::runtime_error("there is no factory");
  options_.rounds = std::max<std::uint64_t>(options_.rounds, 2);
  const Learner learner = make_(options_.seed);
  if (!options_.losses) options_.losses = random_cosines(learner.set());
}

Run LearnerUnderTest::run(std::uint64_t seed, unsigned scenario, std::uint64_t fork) const {
  LossSequence losses = options_.losses(scenario, fork);
  return {make_(seed), std::move(losses)};
}

Run LearnerUnderTest::scaled_run(double scale) const {
  LossSequence losses = [scale, unscaled = options_.losses(0, 1)](std::uint64_t t,
                                                                  std::span<const double> x) {
    return scale * unscaled(t, x);
  };
  return {options_.scaled(options_.seed, scale), std::move(losses)};
}

}  // namespace keyhole::testing
