// A catalogue is a value: users' own sets, algorithms and problems stand next to the built-ins.

#include "keyhole/catalogue.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

enum class Mood { calm, wild };

struct WalkOptions {
  std::optional<double> loss_bound = {};
  std::optional<std::uint64_t> horizon = {};
  double rate = 0.5;
  Mood mood = Mood::calm;
  std::vector<double> start = {};
};

void list_options(OptionVisitor& visit, WalkOptions& options) {
  visit.required({"loss_bound", "M", ranges::positive, "the problem's", options::From::loss_bound},
                 options.loss_bound);
  visit.whole({"horizon", "T", ranges::rounds, "the run's", options::From::horizon},
              options.horizon);
  visit.number({"rate", "how far it goes", {0, 1}}, options.rate);
  visit.choice({"mood", "how it goes"}, options.mood, {{"calm", Mood::calm}, {"wild", Mood::wild}});
  visit.coordinates({"start", "where it starts", ranges::moderate, "the centre"}, options.start);
}

/// Plays the centre, whatever its options.
template <class Kind>
class Walk final : public WithHorizon<Kind> {
 public:
  Walk(SetPtr set, const WalkOptions& options)
      : WithHorizon<Kind>(std::move(set)), options_(checked("walk", options)) {}
  void restart(std::uint64_t horizon) override { options_.horizon = horizon; }
  [[nodiscard]] std::uint64_t horizon() const noexcept override {
    return options_.horizon.value_or(0);
  }
  [[nodiscard]] std::string family_spec() const override { return spec_of("walk", options_); }
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t) const override { return {.note = "no"}; }
  void play(PlayId, Randomness&, std::span<double> y) override { recommend(y); }
  bool absorb(PlayId, typename Kind::Told, Randomness&) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(this->p().begin(), this->p().end(), x.begin());
  }

 private:
  WalkOptions options_;
};

/// f_t(x) = slope x_1.
class Slope final : public Problem {
 public:
  Slope(SetPtr set, double slope) : Problem(std::move(set)), slope_(slope) {}
  [[nodiscard]] std::string spec() const override { return "slope()"; }
  [[nodiscard]] LossBounds bounds() const override { return {1, 1, true}; }
  [[nodiscard]] double value(std::span<const double> x) const override { return slope_ * x[0]; }
  void gradient(std::span<const double>, std::span<double> g) const override {
    std::fill(g.begin(), g.end(), 0.0);
    g[0] = slope_;
  }

 private:
  void realise(std::uint64_t) override {}
  double slope_;
};

SpecEntry segment_entry() {
  return {.name = "segment",
          .summary = "[0, length]",
          .parameters = {Parameter{"length", ParameterType::number, "its length"}.or_value("1")},
          .build = [](const Arguments& given) { return box(0, given.number("length"), 1); }};
}

template <class Kind>
SpecEntry walk_entry(const std::string& name) {
  return algorithm_entry<WalkOptions>(
      name, "plays the centre", {}, [](SetPtr set, const WalkOptions& options) {
        return std::make_unique<Walk<Kind>>(std::move(set), options);
      });
}

SpecEntry slope_entry() {
  return {.name = "slope",
          .summary = "slope x_1",
          .parameters = {{"set", ParameterType::set, "the set"},
                         Parameter{"slope", ParameterType::number, "its slope"}.or_value("1")},
          .build = [](const Arguments& given, const ProblemContext&) {
            return std::make_unique<Slope>(given.set("set"), given.number("slope"));
          }};
}

Catalogue own() {
  Catalogue catalogue = Catalogue::standard();
  catalogue.add(segment_entry());
  catalogue.add(walk_entry<Algorithm>("walk"));
  catalogue.add(walk_entry<GradientAlgorithm>("downhill"));
  catalogue.add(slope_entry());
  return catalogue;
}

std::string learner_text(const std::string& text, const AlgorithmContext& context,
                         const Catalogue& catalogue) {
  return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                    make_algorithm(text, context, catalogue));
}

TEST(Catalogue, OwnEntriesStandNextToTheBuiltIns) {
  const Catalogue catalogue = own();
  EXPECT_EQ(make_set("segment(2)", catalogue)->spec(), box(0, 2, 1)->spec());
  EXPECT_EQ(make_set("product(segment, ball(2))", catalogue)->dimension(), 3u);
  const auto problem = make_problem("slope(scaled(segment, 3), 2)", {}, catalogue);
  EXPECT_EQ(problem->value(std::vector<double>{1.5}), 3);
  EXPECT_EQ(make_problem("tracking(segment)", {}, catalogue)->set().dimension(), 1u);
}

TEST(Catalogue, WrappersFindOwnAlgorithms) {
  const Catalogue catalogue = own();
  const AlgorithmContext context = {.set = box(0, 1, 2), .loss_bound = 3, .horizon = 10};
  const auto text = [&](const std::string& spec) { return learner_text(spec, context, catalogue); };
  EXPECT_EQ(text("walk"), "walk(loss_bound=3, horizon=10)");
  EXPECT_EQ(text("walk(2, mood=wild, rate=0.25, start=1)"),
            "walk(loss_bound=2, rate=0.25, mood=wild, start=[1, 1], horizon=10)");
  EXPECT_EQ(text("anytime(walk)"), "anytime(walk(loss_bound=3))");
  EXPECT_EQ(text("watchful(anytime(walk))"), "watchful(anytime(walk(loss_bound=3)))");
  EXPECT_EQ(text("restarting(walk, every=4)"), "restarting(walk(loss_bound=3), every=4)");
  EXPECT_EQ(text("fed_constant(walk, 2)"), "fed_constant(walk(loss_bound=3, horizon=10), value=2)");
  EXPECT_EQ(text("anytime(downhill)"), "anytime(walk(loss_bound=3))");
  EXPECT_EQ(make_algorithm("downhill", context, catalogue).index(), 1u);
}

/// Plays the centre, and has no options but the horizon.
class Idle final : public HorizonAlgorithm {
 public:
  using HorizonAlgorithm::HorizonAlgorithm;
  void restart(std::uint64_t horizon) override { horizon_ = horizon; }
  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }
  [[nodiscard]] std::string family_spec() const override { return "idle()"; }
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t) const override { return {.note = "no"}; }
  void play(PlayId, Randomness&, std::span<double> y) override { recommend(y); }
  bool absorb(PlayId, double, Randomness&) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(p().begin(), p().end(), x.begin());
  }

 private:
  std::uint64_t horizon_ = 0;
};

TEST(Catalogue, TextsOfAlgorithmsWithoutOptionsNameTheHorizon) {
  Idle idle(box(0, 1, 2));
  EXPECT_EQ(idle.spec(), "idle()");
  idle.restart(5);
  EXPECT_EQ(idle.spec(), "idle(horizon=5)");
}

TEST(Catalogue, ErrorsNameTheNearestAlsoOfOnesOwn) {
  const Catalogue catalogue = own();
  const AlgorithmContext context = {.set = ball(2), .horizon = 10};
  const auto of_set = [&](const std::string& text) {
    return message<SpecError>([&] { (void)make_set(text, catalogue); });
  };
  const auto of_learner = [&](const std::string& text) {
    return message<SpecError>([&] { (void)make_algorithm(text, context, catalogue); });
  };
  EXPECT_EQ(of_set("segmnt(2)"), "segmnt(2): there is no set 'segmnt'; did you mean 'segment'?");
  EXPECT_EQ(of_set("segment(lenght=2)"),
            "segment(lenght=2): unknown key 'lenght' at column 9; did you mean 'length'?");
  EXPECT_EQ(of_set("slope"), "slope: 'slope' is a problem, and a set is expected");
  EXPECT_EQ(of_learner("anytime(wlak)"),
            "anytime(wlak): there is no learner 'wlak' at column 9; did you mean 'walk'?");
  EXPECT_EQ(of_learner("walk"),
            "walk: loss_bound is missing, and the problem does not know it: write loss_bound=1, or "
            "what it is");
  EXPECT_EQ(of_learner("walk(1, mood=mad)"),
            "walk(1, mood=mad): mood at column 14 must be calm or wild, not mad");
  EXPECT_EQ(of_learner("walk(1, rate=2)"),
            "walk(1, rate=2): rate at column 14 must be from 0 to 1, not 2");
  EXPECT_TRUE(of_learner("watchful(walk(1), 2)").ends_with("one too many for watchful(learner)"));
  // The standard catalogue knows nothing of it.
  EXPECT_TRUE(message<SpecError>([] {
                (void)make_set("segment");
              }).starts_with("segment: there is no set 'segment'"));
}

TEST(Catalogue, IsAValue) {
  Catalogue one = Catalogue::standard();
  const Catalogue copy = one;
  const std::size_t count = copy.entries().size();
  one.add(segment_entry());
  EXPECT_EQ(one.entries().size(), count + 1);
  EXPECT_EQ(copy.entries().size(), count);
  EXPECT_EQ(copy.find(SpecKind::set, "segment"), nullptr);
  EXPECT_NE(one.find(SpecKind::set, "segment"), nullptr);
  EXPECT_EQ(one.find(SpecKind::learner, "segment"), nullptr);
  EXPECT_TRUE(Catalogue().entries().empty());
  EXPECT_EQ(message<SpecError>([] { (void)make_set("ball(2)", Catalogue()); }),
            "ball(2): there is no set 'ball'; the catalogue has none");
}

TEST(Catalogue, StaysSortedByKind) {
  const Catalogue catalogue = own();
  EXPECT_TRUE(
      std::is_sorted(catalogue.entries().begin(), catalogue.entries().end(),
                     [](const SpecEntry& a, const SpecEntry& b) { return a.kind() < b.kind(); }));
}

TEST(Catalogue, RefusesEntriesThatMakeNoSense) {
  Catalogue catalogue = own();
  const std::size_t count = catalogue.entries().size();
  const auto refusal = [&](const SpecEntry& entry) {
    return message<InvalidArgument>([&] { catalogue.add(entry); });
  };
  EXPECT_EQ(refusal(segment_entry()),
            "the catalogue has segment(length=1) already: give the new entry another name");
  SpecEntry ball_again = slope_entry();
  ball_again.name = "ball";
  EXPECT_EQ(refusal(ball_again),
            "the catalogue has ball(n, radius=1) already: give the new entry another name");
  SpecEntry entry = segment_entry();
  for (const std::string name : {"", "my segment", "2d", "a-b"}) {
    entry.name = name;
    EXPECT_EQ(refusal(entry),
              "the name '" + name + "' must be letters, digits and _, and not begin with a digit");
  }
  entry = segment_entry();
  entry.name = "other";
  entry.parameters.push_back(entry.parameters[0]);
  EXPECT_EQ(refusal(entry), "the parameter 'length' of other is there twice");
  entry.parameters = {Parameter{"length", ParameterType::number, "its length"}.or_value("long")};
  EXPECT_EQ(refusal(entry), "a default of other is wrong: length must be a number, not long");
  entry.parameters[0] = entry.parameters[0].or_value("[");
  EXPECT_TRUE(refusal(entry).starts_with("a default of other is wrong: [: "));
  entry.parameters[0].range = {0, 1};
  entry.parameters[0] = entry.parameters[0].or_value("2");
  EXPECT_EQ(refusal(entry), "a default of other is wrong: length must be from 0 to 1, not 2");
  entry.parameters = {{"sets", ParameterType::sets, "sets"}, {"n", ParameterType::whole, "n"}};
  EXPECT_EQ(refusal(entry), "the parameter 'sets' of other takes sets: put it last");
  entry = segment_entry();
  entry.name = "other";
  entry.build = SetBuilder();
  EXPECT_EQ(refusal(entry), "the entry other has nothing that builds it");
  EXPECT_EQ(catalogue.entries().size(), count);
}

TEST(Catalogue, BuildersThatFailAreRefusedWithTheText) {
  Catalogue catalogue;
  catalogue.add(
      {.name = "nothing", .summary = "null", .build = [](const Arguments&) { return SetPtr(); }});
  catalogue.add({.name = "wrong", .summary = "throws", .build = [](const Arguments&) {
                   return box(1, 0, 2);
                 }});
  EXPECT_EQ(message<SpecError>([&] { (void)make_set("nothing", catalogue); }),
            "nothing: its builder has built nothing");
  EXPECT_EQ(message<SpecError>([&] { (void)make_set("wrong", catalogue); }),
            "wrong: coordinate 0 of a box is empty: its bounds are [1, 0]");
}

TEST(Catalogue, ServesSeveralThreads) {
  const Catalogue catalogue = own();
  std::vector<std::jthread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) (void)make_set("product(segment, ball(2))", catalogue);
    });
  }
}

/// Whether a builder can be that of an entry.
template <class Builder>
concept Builds = requires(SpecEntry& entry, Builder builder) {
  entry.build = builder;
};
using BuildsSet = SetPtr (*)(const Arguments&);
using BuildsText = std::string (*)(const Arguments&);
static_assert(Builds<BuildsSet>);
static_assert(!Builds<BuildsText>, "what builds neither set, algorithm nor problem");

}  // namespace
}  // namespace keyhole::tests
