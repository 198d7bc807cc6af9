// Learners from texts and from states, and back.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "catalogue.h"
#include "golden/golden_file.h"
#include "golden/golden_states.h"
#include "keyhole/own_set.h"
#include "keyhole/spec.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

TEST(MakeLearner, ReadsItsOwnSpecs) {
  const SetPtr set = box(-1, 1, 3);
  const std::vector<LearnerOptions> all = {
      {},
      {.seed = std::numeric_limits<std::uint64_t>::max(), .stream = (std::uint64_t{1} << 53) + 1},
      {.seed = 7, .window = 50, .expiry = 20, .max_step = 0.1, .maximize = true},
      {.max_steps = {0.1, 0.25, 3}}};
  for (const LearnerFamily& family : learner_families()) {
    for (const LearnerOptions& options : all) {
      auto algorithm = family.make(set, 100);
      const bool has_steps = options.max_step || !options.max_steps.empty();
      if (has_steps && (algorithm->contexts() > 0 || algorithm->metrics() > 0)) continue;
      Learner learner(std::move(algorithm), options);
      Learner again = make_learner(learner.spec(), set);
      EXPECT_EQ(again.spec(), learner.spec());
      for (int t = 0; t < 40; ++t) {
        const Play play = learner.ask();
        ASSERT_EQ(again.ask().point, play.point) << family.name;
        const double loss = std::sin(t) * play.point[0];
        EXPECT_EQ(again.tell(play.id, loss), learner.tell(play.id, loss));
      }
      EXPECT_EQ(again.state(), learner.state()) << learner.spec();
    }
  }
}

TEST(MakeLearner, DefaultIsTheLearnerOfASet) {
  const SetPtr set = ball(2);
  EXPECT_EQ(make_learner("default", set).spec(), Learner(set).spec());
  EXPECT_EQ(make_learner("watchful(default)", set).spec(),
            "learner(watchful(posterior()), seed=0, stream=0, "
            "window=4096)");
  EXPECT_NE(make_learner("default(caution=0.5)", set).spec().find("caution=0.5"),
            std::string::npos);
  // A catalogue without it has no default.
  EXPECT_THROW((void)make_learner("default", set, {}, Catalogue()), SpecError);
}

TEST(MakeLearner, TakesWhatTheContextOrTheProblemKnows) {
  EXPECT_EQ(make_learner("projection_free", {.set = ball(2), .loss_bound = 2, .horizon = 9}).spec(),
            "learner(projection_free(loss_bound=2, c=0.5, horizon=9), seed=0, stream=0, "
            "window=4096)");
  const auto problem = tracking(ball(2), {}, {1});
  Learner learner = make_learner("anytime(fkm)", *problem, {.seed = 3});
  EXPECT_NE(learner.spec().find("seed=3"), std::string::npos);
  EXPECT_EQ(learner.set().spec(), problem->set().spec());
}

TEST(MakeLearner, RefusesWithASentence) {
  const auto why = [](const char* text) {
    return message<SpecError>([&] { (void)make_learner(text, ball(2)); });
  };
  EXPECT_EQ(why("ogd(gradient_bound=1)"),
            "ogd(gradient_bound=1): it learns from gradients, and a learner that is made from a "
            "text is told losses: give the algorithm to a GradientLearner");
  EXPECT_NE(why("learner(ogd(gradient_bound=1))").find("learns from gradients"), std::string::npos);
  EXPECT_NE(why("learner(parameter_free(), sede=1)").find("seed"), std::string::npos);
  EXPECT_NE(why("learner(parameter_free(), seed=-1)").find("2^64 - 1"), std::string::npos);
  EXPECT_NE(why("learner(parameter_free(), seed=18446744073709551616)").find("2^64 - 1"),
            std::string::npos);
  EXPECT_NE(why("learner(parameter_free(), max_steps=[1])"), "");
  EXPECT_NE(why("learner(parameter_free(), window=5, expiry=6)").find("the expiry must be"),
            std::string::npos);
  EXPECT_NE(why("projection_free(loss_bound=1)").find("horizon is missing"), std::string::npos);
  EXPECT_THROW((void)make_learner("parameter_free", SetPtr()), InvalidArgument);
  const std::string many =
      message<SpecError>([] { (void)make_learner("anchored(stay, 1024)", ball(100'000)); });
  EXPECT_NE(many.find("points of more than 1e8 coordinates"), std::string::npos) << many;
}

TEST(Open, GoesOnFromAStateAlone) {
  for (const GoldenState<Learner>& golden : golden_states()) {
    SCOPED_TRACE(golden.name);
    const State state = golden_file(golden.file());
    Learner opened = open_learner(state);
    EXPECT_EQ(opened.state(), state);
    Learner known = golden.make();
    known.restore(state);
    for (int t = 0; t < 20; ++t) {
      const Play play = known.ask();
      ASSERT_EQ(opened.ask().point, play.point);
      for (Learner* learner : {&opened, &known}) learner->tell(play.id, play.point[0]);
    }
    if (golden.first_revision > 4) continue;
    const State old = golden_file("state_4_" + golden.name + ".bin");
    EXPECT_EQ(open_learner(old, Digits::may_differ).asked(), golden.rounds);
    EXPECT_THROW((void)open_learner(old), StateError);
  }
}

/// The golden state of `anytime` as revision 4 would have written it for a learner of that spec.
State of_revision_4(const std::string& spec) {
  const State golden = golden_file("state_4_anytime.bin");
  Archive old(golden.bytes());
  std::array<std::uint64_t, 6> numbers{};  // the third is the size, the last the fingerprint
  for (std::uint64_t& number : numbers) old.field(number);
  std::string set_spec;
  std::string learner_spec;
  for (std::string* text : {&set_spec, &learner_spec}) old.field(*text);
  std::string cut = spec.substr(0, 200);
  numbers[2] += cut.size() - learner_spec.size();
  numbers[5] = base::fnv1a(std::as_bytes(std::span(spec)));
  Archive made;
  for (std::uint64_t& number : numbers) made.field(number);
  for (std::string* text : {&set_spec, &cut}) made.field(*text);
  std::vector<std::byte> bytes = std::move(made).take();
  const auto fields = golden.bytes().last(old.left());
  bytes.insert(bytes.end(), fields.begin(), fields.end() - 8);
  Archive tail;
  std::uint64_t checksum = base::fnv1a(bytes);
  tail.field(checksum);
  for (const std::byte byte : std::move(tail).take()) bytes.push_back(byte);
  return State::from_bytes(bytes);
}

TEST(Open, ReadsHowRevision4WroteMaximize) {
  const auto make = [](const std::vector<double>& start, bool maximize) {
    return Learner(anytime(projection_free(simplex(5), {.loss_bound = 1, .start = start})),
                   {.seed = std::numeric_limits<std::uint64_t>::max(),
                    .window = golden_window,
                    .maximize = maximize});
  };
  const auto written = [](const Learner& learner) {
    const std::string spec = learner.spec();
    return spec.substr(0, spec.rfind("=true)")) + ")";
  };
  Learner learner = make({}, true);
  const State state = of_revision_4(written(learner));
  EXPECT_EQ(state.learner_spec(), learner.spec());
  EXPECT_THROW(make({}, false).restore(state, Digits::may_differ), StateError);
  learner.restore(state, Digits::may_differ);
  EXPECT_EQ(learner.asked(), 300u);
  EXPECT_EQ(open_learner(state, Digits::may_differ).state(), learner.state());

  // A spec that was cut is enough to go on, but not to make the learner.
  Learner wordy =
      make({0.1234567890123456, 0.1234567890123457, 0.25, 0.25, 0.2530864219753087}, true);
  ASSERT_GT(written(wordy).size(), 200u);
  const State cut = of_revision_4(written(wordy));
  EXPECT_EQ(cut.learner_spec(), wordy.spec().substr(0, 200) + "...");
  wordy.restore(cut, Digits::may_differ);
  EXPECT_EQ(wordy.asked(), 300u);
  EXPECT_NE(message<StateError>([&] {
              (void)open_learner(cut, Digits::may_differ);
            }).find("only the first 200 characters"),
            std::string::npos);
}

TEST(Open, SaysWhatIsMissing) {
  // Texts name neither sets of one's own nor, by their digest, the rows of large polytopes.
  const SetPtr set = own_set({.dimension = 2,
                              .minimise =
                                  [](std::span<const double> d, std::span<double> v) {
                                    for (std::size_t i = 0; i < 2; ++i) v[i] = d[i] > 0 ? 0 : 1;
                                  },
                              .name = "my_square"});
  Learner learner(set);
  const Play play = learner.ask();
  learner.tell(play.id, 1);
  const State state = learner.state();
  const std::string why = message<StateError>([&] { (void)open_learner(state); });
  EXPECT_NE(why.find("hand it over with the state"), std::string::npos) << why;
  EXPECT_EQ(open_learner(state, set).ask().point, learner.ask().point);

  GradientLearner descending(ogd(ball(2), {.gradient_bound = 1}));
  EXPECT_THROW((void)open_learner(descending.state()), SpecError);
}

}  // namespace
}  // namespace keyhole::tests
