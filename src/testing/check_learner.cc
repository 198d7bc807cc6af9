#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "keyhole/error.h"
#include "testing/failure_check.h"
#include "testing/learner_under_test.h"
#include "testing/report.h"
#include "testing/set_under_test.h"

// The checks of a learner, one function each; keyhole/testing.h says what each demands.

namespace keyhole::testing {

Complaint is_outside(Run& run) {
  const Set& set = run.learner().set();
  const std::size_t asked = run.plays().size();
  if (asked > 0 && !set.contains(run.plays().back())) {
    return say("play ", asked, " is not in the set ", set.spec(), ": ", run.plays().back());
  }
  Vector x(set.dimension());
  run.learner().recommend(x);
  if (!set.contains(x)) {
    return say("the point recommended after ", asked, " rounds is not in the set ", set.spec(),
               ": ", x);
  }
  return {};
}

namespace {

using Plays = std::vector<Vector>;

/// The first of `rounds` rounds in which the plays differ; 0 if there is none.
PlayId first_difference(const Plays& a, const Plays& b, std::uint64_t rounds) {
  for (PlayId t = 1; t <= rounds; ++t) {
    if (!same_bits(a.at(t - 1), b.at(t - 1))) return t;
  }
  return 0;
}

/// Whether two runs that should be one and the same differ in a play, or at the end in their state.
Complaint runs_differ(Run& a, Run& b) {
  const std::uint64_t rounds = std::min(a.plays().size(), b.plays().size());
  if (const PlayId t = first_difference(a.plays(), b.plays(), rounds)) {
    return say("play ", t, " is ", a.plays()[t - 1], " in one and ", b.plays()[t - 1],
               " in the other");
  }
  if (a.learner().state() != b.learner().state()) {
    return say("the plays are the same, and the states differ after ", rounds, " rounds");
  }
  return {};
}

Complaint stays_inside(Run run, const Script& script) {
  Complaint complaint = is_outside(run);
  for (const Event event : script) {
    if (!complaint.empty()) break;
    run.follow(event);
    complaint = is_outside(run);
  }
  return complaint;
}

Complaint plays_are_feasible(const LearnerUnderTest& learner) {
  return stays_inside(learner.run(), prompt_script(learner.rounds()));
}

Complaint survives_missing_tells(const LearnerUnderTest& learner) {
  for (const Script& script : {silent_script(learner.rounds()),
                               script_of(random_batches(learner.rounds(), learner.seed()))}) {
    Complaint complaint = stays_inside(learner.run(), script);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

Complaint is_deterministic(const LearnerUnderTest& learner) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  const Script script = prompt_script(learner.rounds());
  for (const std::uint64_t seed : {learner.seed(), std::uint64_t{0}, largest}) {
    Run first = learner.run(seed);
    first.follow(script);
    Run second = learner.run(seed);
    second.follow(script);
    const Complaint complaint = runs_differ(first, second);
    if (!complaint.empty()) return say("of two runs of the seed ", seed, ", ", complaint);
  }
  return {};
}

Complaint shares_nothing(const LearnerUnderTest& learner) {
  const Script script = prompt_script(learner.rounds());
  Run alone = learner.run();
  alone.follow(script);
  Run in_turn = learner.run();
  Run neighbour = learner.run(learner.seed() + 1);
  for (const Event event : script) {
    neighbour.follow(event);
    in_turn.follow(event);
  }
  const Complaint complaint = runs_differ(alone, in_turn);
  return complaint.empty() ? "" : "alone and in turn with another learner, " + complaint;
}

/// Whether a seed gives the same plays as another, or other plays, whichever is not meant.
Complaint seeds_fail(const LearnerUnderTest& learner, bool matter) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  std::set<Plays> seen;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, largest / 2 + 1, largest}) {
    Run run = learner.run(seed);
    run.follow(prompt_script(learner.rounds()));
    const bool is_new = seen.insert(run.plays()).second;
    if (matter && !is_new) return say("the seed ", seed, " gives the same plays as another");
    if (!matter && seen.size() > 1) return say("the seed ", seed, " gives plays of its own");
  }
  return {};
}

Complaint seeds_matter(const LearnerUnderTest& learner) { return seeds_fail(learner, true); }
Complaint seeds_do_not_matter(const LearnerUnderTest& learner) {
  return seeds_fail(learner, false);
}

Complaint looking_changes_nothing(const LearnerUnderTest& learner) {
  const Script script = script_of(random_batches(learner.rounds(), learner.seed()));
  Run unseen = learner.run();
  unseen.follow(script);
  Run seen = learner.run();
  Vector x(seen.learner().set().dimension());
  for (const Event event : script) {
    seen.follow(event);
    seen.learner().recommend(x);
    const State state = seen.learner().state();
    const Summary summary = seen.learner().summary();
    const RegretBound bound = seen.learner().regret_bound();
    if (seen.learner().spec().empty()) return "spec() is empty";
    if (seen.learner().state() != state) return "looking at a learner changes its state";
    static_cast<void>(summary);
    static_cast<void>(bound);
  }
  const Complaint complaint = runs_differ(unseen, seen);
  return complaint.empty() ? "" : "looked at and not looked at, " + complaint;
}

/// Two scenarios of losses up to the moment before the loss of round `fork` is told.
Complaint looks_ahead(const LearnerUnderTest& learner, std::uint64_t fork) {
  Script script = prompt_script(fork);
  script.pop_back();
  const auto run_of = [&](unsigned scenario) {
    Run run = learner.run(learner.seed(), scenario, fork);
    run.follow(script);
    return run;
  };
  Run one = run_of(0);
  Run other = run_of(1);
  for (PlayId t = 1; t < fork && same_bits(one.plays()[t - 1], other.plays()[t - 1]); ++t) {
    if (one.told(t) != other.told(t)) {
      return say("options.", learner.what_is_told(), " is at fault: its scenarios differ in round ",
                 t, ", before the fork at ", fork);
    }
  }
  const Complaint complaint = runs_differ(one, other);
  return complaint.empty()
             ? ""
             : say("of two runs whose losses agree before round ", fork, ", ", complaint);
}

Complaint does_not_look_ahead(const LearnerUnderTest& learner) {
  for (std::uint64_t fork = 1; fork <= learner.rounds(); ++fork) {
    Complaint complaint = looks_ahead(learner, fork);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

/// A run restored from `original` when `done` events of the script were over, and continued,
/// against the same run in one go.
Complaint continues_differently(Run restored, Run& original, Run& in_one_go, const Script& script,
                                std::size_t done) {
  const State state = original.learner().state();
  restored.resume(state, original.plays());
  if (restored.learner().state() != state) {
    return say("restored after ", original.plays().size(), " asks, the state is another one");
  }
  restored.follow(Script(script.begin() + static_cast<std::ptrdiff_t>(done), script.end()));
  const Complaint complaint = runs_differ(in_one_go, restored);
  return complaint.empty()
             ? ""
             : say("in one go and restored after ", original.plays().size(), " asks, ", complaint);
}

Complaint continues_from_its_state(const LearnerUnderTest& learner, const Script& script) {
  Run in_one_go = learner.run();
  in_one_go.follow(script);
  Run original = learner.run();
  for (std::size_t done = 0; done <= script.size(); ++done) {
    Complaint complaint = continues_differently(learner.run(), original, in_one_go, script, done);
    if (complaint.empty() && done % 16 == 0) {
      Run used = learner.run();
      used.follow(script_of(random_batches(learner.rounds() / 2, learner.seed() + 1)));
      complaint = continues_differently(std::move(used), original, in_one_go, script, done);
      if (!complaint.empty()) complaint.insert(0, "into a used learner: ");
    }
    if (!complaint.empty()) return complaint;
    if (done < script.size()) original.follow(script[done]);
  }
  return {};
}

Complaint continues_from_its_state(const LearnerUnderTest& learner) {
  Complaint complaint = continues_from_its_state(
      learner, script_of(random_batches(learner.rounds(), learner.seed())));
  if (!complaint.empty()) return complaint;
  return continues_from_its_state(learner, prompt_script(learner.rounds()));
}

Complaint order_of_tells_is_immaterial(const LearnerUnderTest& learner) {
  Run as_they_come = learner.run();
  Run ascending = learner.run();
  Run descending = learner.run();
  for (const Batch& batch : random_batches(learner.rounds(), learner.seed())) {
    Batch sorted = batch;
    std::sort(sorted.tells.begin(), sorted.tells.end());
    Batch reversed = sorted;
    std::reverse(reversed.tells.begin(), reversed.tells.end());
    as_they_come.follow(script_of({batch}));
    ascending.follow(script_of({sorted}));
    descending.follow(script_of({reversed}));
    Complaint complaint = runs_differ(ascending, descending);
    if (complaint.empty()) complaint = runs_differ(ascending, as_they_come);
    if (!complaint.empty()) return "told the same in another order, " + complaint;
  }
  return {};
}

/// Whether more than the counts of repeated and expired tells is different.
bool counts_differ(const Summary& a, const Summary& b) {
  const auto rest = [](const Summary& s) {
    // The average of losses not told yet, or never, is NaN: 0 stands for it.
    return std::tuple(s.asked, s.told, s.pending, s.late, s.above_bound, s.oracle_calls,
                      std::isnan(s.average) ? 0 : s.average);
  };
  return rest(a) != rest(b);
}

Complaint ignores_repeated_tells(const LearnerUnderTest& learner) {
  Run once = learner.run();
  Run again = learner.run();
  std::uint64_t repeated = 0;
  for (PlayId t = 1; t <= learner.rounds(); ++t) {
    once.follow(Script{{}, {t}});
    again.ask();
    if (t > 1) again.tell(t - 1);  // it has been learned from
    again.tell(t);
    again.tell(t);  // it has not
    repeated += t > 1 ? 2 : 1;
    const Summary summary = again.learner().summary();
    if (summary.duplicates + summary.expired != repeated) {
      return say("of ", repeated, " repeated tells ", summary.duplicates,
                 " were counted as duplicates and ", summary.expired, " as expired");
    }
    if (counts_differ(once.learner().summary(), summary)) {
      return say("repeated tells change the summary of round ", t);
    }
  }
  const PlayId t = first_difference(once.plays(), again.plays(), learner.rounds());
  return t == 0 ? "" : say("repeated tells change play ", t);
}

/// Whether a tell is accepted, or changes the state.
Complaint takes(Run& run, PlayId id, const Told& told) {
  const State before = run.learner().state();
  try {
    run.tell(id, told);
  } catch (const FeedbackError&) {
    return run.learner().state() == before
               ? ""
               : say("for play ", id, " ", told, " is refused, and changes the state");
  }
  return say("for play ", id, " ", told, " is accepted after ", run.learner().asked(), " asks");
}

/// Something else than was told: another loss, or a gradient that differs within the hull.
Told contradiction(Run& run, PlayId id) {
  Told told = run.told(id);
  const auto set = SetPtr(SetPtr(), &run.learner().set());  // not owned
  Randomness directions(set, 0, 0);
  const auto u = directions.direction(id);
  for (std::size_t i = 0; i < told.size(); ++i) told[i] += told.size() == 1 ? 0.5 : 0.5 * u[i];
  return told;
}

Complaint refuses_bad_tells(const LearnerUnderTest& learner) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr PlayId largest = std::numeric_limits<PlayId>::max();
  Run run = learner.run();
  const auto takes_bad_tells = [&](PlayId t) {
    for (const PlayId unknown : {PlayId{0}, t + 1, largest}) {
      Complaint complaint = takes(run, unknown, run.told(t));
      if (!complaint.empty()) return complaint;
    }
    for (const double bad : {std::nan(""), infinity, -infinity, 2 * largest_number}) {
      Told told = run.told(t);
      told.back() = bad;
      Complaint complaint = takes(run, t, told);
      if (!complaint.empty()) return complaint;
    }
    return Complaint{};
  };
  for (PlayId t = 1; t <= learner.rounds(); ++t) {
    run.ask();
    Complaint complaint = takes_bad_tells(t);  // before the tell, and after it
    run.tell(t);
    if (complaint.empty()) complaint = takes_bad_tells(t);
    if (complaint.empty()) complaint = takes(run, t, contradiction(run, t));
    if (!complaint.empty()) return complaint;
  }
  return {};
}

/// The first of some scenarios whose plays differ from those of scenario 0; 0 if there is none.
unsigned first_heard(const LearnerUnderTest& learner, unsigned scenarios) {
  const Script script = prompt_script(learner.rounds());
  Run one = learner.run(learner.seed(), 0, 1);
  one.follow(script);
  for (unsigned scenario = 1; scenario <= scenarios; ++scenario) {
    Run other = learner.run(learner.seed(), scenario, 1);
    other.follow(script);
    if (first_difference(one.plays(), other.plays(), learner.rounds()) != 0) return scenario;
  }
  return 0;
}

// A slow learner may play the same on two sequences, by chance.
constexpr unsigned scenarios_to_hear = 10;

Complaint is_not_deaf(const LearnerUnderTest& learner) {
  if (first_heard(learner, scenarios_to_hear) != 0) return {};
  return say("deaf: ", std::size_t{scenarios_to_hear + 1}, " sequences lead to the same ",
             learner.rounds(), " plays");
}

Complaint is_deaf(const LearnerUnderTest& learner) {
  if (first_heard(learner, scenarios_to_hear) == 0) return {};
  return "not deaf: what it is told changes its plays, and options.learns says it does not";
}

Complaint scales_with_the_losses(const LearnerUnderTest& learner) {
  const Script script = prompt_script(learner.rounds());
  Run unscaled = learner.scaled_run(1);
  unscaled.follow(script);
  for (const double scale : {0x1p10, 0x1p-20}) {
    Run scaled = learner.scaled_run(scale);
    scaled.follow(script);
    if (const PlayId t = first_difference(unscaled.plays(), scaled.plays(), learner.rounds())) {
      return say("with what is told times ", scale, ", play ", t, " is ", scaled.plays()[t - 1],
                 ", not ", unscaled.plays()[t - 1]);
    }
  }
  return {};
}

template <class Factory, class Options>
Report check(const Factory& make, const Options& options) {
  Report report;
  std::unique_ptr<LearnerUnderTest> learner;
  const auto run = [&](const char* name, Complaint (*check)(const LearnerUnderTest&)) {
    run_check(report, name, [&] { return check(*learner); });
  };

  run_check(report, "learner_is_there", [&]() -> Complaint {
    learner = std::make_unique<LearnerUnderTest>(make, options);
    return {};
  });
  if (!report.ok()) return report;

  run("plays_are_feasible", plays_are_feasible);
  run("survives_missing_tells", survives_missing_tells);
  run("is_deterministic", is_deterministic);
  run("shares_nothing", shares_nothing);
  if (learner->random()) {
    run("seeds_matter", seeds_matter);
  } else {
    run("seeds_do_not_matter", seeds_do_not_matter);
  }
  run("looking_changes_nothing", looking_changes_nothing);
  run("does_not_look_ahead", does_not_look_ahead);
  run("continues_from_its_state", continues_from_its_state);
  run("order_of_tells_is_immaterial", order_of_tells_is_immaterial);
  run("ignores_repeated_tells", ignores_repeated_tells);
  run("refuses_bad_tells", refuses_bad_tells);
  if (learner->learns()) {
    run("is_not_deaf", is_not_deaf);
  } else {
    run("is_deaf", is_deaf);
  }
  if (learner->has_scaled()) run("scales_with_the_losses", scales_with_the_losses);
  if (learner->has_other_sets()) run("survives_a_failing_oracle", survives_a_failing_oracle);
  return report;
}

}  // namespace

Report check_learner(const LearnerFactory& make, const LearnerCheckOptions& options) {
  return check(make, options);
}

Report check_gradient_learner(const GradientLearnerFactory& make,
                              const GradientLearnerCheckOptions& options) {
  return check(make, options);
}

}  // namespace keyhole::testing
