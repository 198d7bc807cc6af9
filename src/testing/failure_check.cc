#include "testing/failure_check.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "testing/set_under_test.h"

namespace keyhole::testing {
namespace {

using Action = std::function<void()>;

/// Whether a learner that has failed answers this call.
bool answers(const Action& call) {
  try {
    call();
  } catch (const StateError&) {
    return false;
  }
  return true;
}

/// Whether a learner that failed is neither as it was before nor refuses everything.
Complaint is_half_done(Run& run, const State& before) {
  LearnerBase& learner = run.learner();
  if (answers([&] { static_cast<void>(learner.state()); })) {
    return learner.state() == before ? "" : "the state is neither as before nor refused";
  }
  if (answers([&] { static_cast<void>(learner.ask()); })) return "state() is refused, ask() is not";
  if (answers([&] { static_cast<void>(learner.recommend()); })) {
    return "state() is refused, recommend() is not";
  }
  if (!run.plays().empty() && answers([&] { run.tell(1); })) {
    return "state() is refused, tell() is not";
  }
  return {};
}

/// Whether a learner that went on by itself leaves the set now, or in one of the next plays.
Complaint goes_outside(Run& run, std::uint64_t rounds) {
  Complaint complaint = is_outside(run);
  const std::uint64_t last = std::min<std::uint64_t>(rounds, run.plays().size() + 3);
  while (complaint.empty() && run.plays().size() < last) {
    run.ask();
    complaint = is_outside(run);
  }
  return complaint;
}

/// A learner on a set that fails on purpose, next to one on the sound set.
class Weakling {
 public:
  explicit Weakling(const LearnerUnderTest& learner)
      : rounds_(learner.rounds()),
        sound_(learner.run()),
        first_(sound_.learner().state()),
        faults_(std::make_shared<Faults>()),
        run_(learner.run_on(faulty(sound_.learner().set().shared_from_this(), faults_))) {}

  [[nodiscard]] Run& sound() { return sound_; }
  [[nodiscard]] Run& run() { return run_; }
  /// The state before the first ask.
  [[nodiscard]] const State& first() const { return first_; }

  /// Fails `action`, of a learner that goes on from the sound one's, at each of its calls in turn.
  Complaint fail_each_call(const char* name, const Action& action) {
    const State before = sound_.learner().state();
    for (std::uint64_t answered = 0;; ++answered) {
      run_.resume(before, sound_.plays());
      const bool threw = fails(action, answered);
      if (faults_->thrown == 0) return {};
      Complaint complaint = threw ? is_half_done(run_, before) : goes_outside(run_, rounds_);
      if (!complaint.empty()) {
        return say("after ", sound_.plays().size(), " asks ", name, " failed in call ",
                   answered + 1, " on its set: ", complaint);
      }
    }
  }

 private:
  /// Whether the action throws when so many calls are answered before one fails.
  bool fails(const Action& action, std::uint64_t answered) {
    faults_->thrown = 0;
    faults_->answered_first = answered;
    bool threw = false;
    try {
      action();
    } catch (const Fault&) {
      threw = true;
    }
    faults_->answered_first = std::numeric_limits<std::uint64_t>::max();
    return threw;
  }

  std::uint64_t rounds_;
  Run sound_;
  State first_;
  std::shared_ptr<Faults> faults_;
  Run run_;
};

/// Fails each call of an event in turn; then it happens, on both sides.
Complaint fails_badly(Weakling& weakling, Event event) {
  Run& run = weakling.run();
  Complaint complaint =
      weakling.fail_each_call(event.told == 0 ? "ask()" : "tell()", [&] { run.follow(event); });
  if (!complaint.empty()) return complaint;
  weakling.sound().follow(event);
  if (!same_bits(run.plays().back(), weakling.sound().plays().back()) ||
      run.learner().state() != weakling.sound().learner().state()) {
    return say("a learner that has failed and was restored goes on differently after ",
               run.plays().size(), " asks");
  }
  complaint =
      weakling.fail_each_call("recommend()", [&] { static_cast<void>(run.learner().recommend()); });
  if (!complaint.empty()) return complaint;
  return weakling.fail_each_call("restore()", [&] { run.learner().restore(weakling.first()); });
}

}  // namespace

Complaint survives_a_failing_oracle(const LearnerUnderTest& learner) {
  constexpr std::uint64_t enough = 20;
  const std::uint64_t rounds = std::min(learner.rounds(), enough);
  Weakling weakling(learner);
  for (const Event event : script_of(random_batches(rounds, learner.seed()))) {
    Complaint complaint = fails_badly(weakling, event);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

}  // namespace keyhole::testing
