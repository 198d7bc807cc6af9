// Studies that are asked in contexts: what the log keeps of them, and that replay, resuming,
// renewal, changes and losses of the past go by it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "folder.h"
#include "keyhole/algorithms.h"
#include "keyhole/store.h"
#include "keyhole/version.h"
#include "random.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"
#include "studies/format/snapshot.h"
#include "studies/image/description_text.h"
#include "studies/made_study.h"
#include "studies/study/new_study.h"
#include "studies/twin.h"
#include "thrown.h"

namespace keyhole::tests::study_contexts {
namespace {

/// Seconds since 1970, as the studies here see them.
double seconds = 0;

/// Noon of a Wednesday.
constexpr double noon = 1'700'049'600;

constexpr StoreOptions watched = {.durability = Durability::process, .now = [] { return seconds; }};

struct FollowerOptions {
  std::vector<std::string> contexts = {};
};

void list_options(OptionVisitor& visit, FollowerOptions& options) {
  visit.texts({"contexts", "what is known"}, options.contexts);
}

double share_of(double x) { return x - std::floor(x); }

/// On [0, 1]^n: what it plays and has learned follows from every number of every context.
class Follower final : public Algorithm {
 public:
  Follower(SetPtr set, FollowerOptions options)
      : Algorithm(std::move(set)), options_(std::move(options)) {}
  [[nodiscard]] std::string spec() const override { return spec_of("follower", options_); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override { return {}; }
  [[nodiscard]] std::size_t contexts() const noexcept override { return options_.contexts.size(); }
  void advance() override {}
  void play(PlayId t, Randomness&, std::span<double> y) override {
    asked_in_[t % 64] = 0;
    recommend(y);
  }
  void play_in(PlayId t, std::span<const double> context, Randomness&,
               std::span<double> y) override {
    asked_in_[t % 64] = mixed(context);
    recommend_in(context, y);
  }
  bool absorb(PlayId s, double loss, Randomness&) override {
    take(loss, asked_in_[s % 64]);
    return true;
  }
  [[nodiscard]] bool can_learn() const noexcept override { return true; }
  void learn(std::span<const double> point, double loss, double) override { take(loss, point[0]); }
  void learn_in(std::span<const double> context, std::span<const double> point, double loss,
                double) override {
    take(loss, point[0] + mixed(context));
  }
  void recommend(std::span<double> x) const override {
    for (double& each : x) each = known_;
  }
  void recommend_in(std::span<const double> context, std::span<double> x) const override {
    for (double& each : x) each = share_of(known_ + mixed(context));
  }
  void state(Archive& archive) override {
    Algorithm::state(archive);
    archive.field(known_);
    archive.field(std::span(asked_in_));
  }

 private:
  static double mixed(std::span<const double> context) {
    double sum = 0.5;
    for (const double number : context)
      sum = share_of(3 * sum + (std::isnan(number) ? 0.1 : number));
    return sum;
  }
  void take(double loss, double where) { known_ = share_of(5 * known_ + loss + where); }

  FollowerOptions options_;
  double known_ = 0.25;
  std::vector<double> asked_in_ = std::vector<double>(64);
};

Catalogue with_follower() {
  Catalogue catalogue = Catalogue::standard();
  catalogue.add(algorithm_entry<FollowerOptions>(
      "follower", "plays what it is told of", {}, [](SetPtr set, const FollowerOptions& options) {
        return std::make_unique<Follower>(std::move(set), options);
      }));
  return catalogue;
}

Space service(const std::vector<SpaceContext>& contexts) {
  return Space({{"a", Number{}}, {"b", Number{}}}, {}, contexts);
}

Space service() {
  return service({{"load", Number{.from = 0, .to = 5000}},
                  {"rate", Number{.from = 1, .to = 100, .scale = Scale::log}},
                  {"hour", Cyclic{24}},
                  {"segment", Choice{{"new", "old"}}},
                  {"day", Clock{Clock::Every::week}}});
}

/// The learner of a study on it.
Learner follower_on(const Space& space) {
  return Learner(std::make_unique<Follower>(space.set(), FollowerOptions{space.context_words()}),
                 {.seed = 3, .window = 20});
}

StudyDescription followed() {
  return {.on = service(), .learner = "follower", .options = {.seed = 3, .window = 20}};
}

Store in_memory() { return Store::in_memory(watched, with_follower()); }

/// Contexts of every kind, in part missing, far outside or never listed.
Values any_context(Random& random) {
  Values context;
  if (random.uniform() < 0.8) context.emplace_back("load", 2500 + 6000 * random.normal());
  if (random.uniform() < 0.8) context.emplace_back("rate", std::exp(5 * random.uniform()));
  if (random.uniform() < 0.8) context.emplace_back("hour", 48 * random.uniform());
  const double share = random.uniform();
  if (share < 0.9) context.emplace_back("segment", share < 0.4 ? "new" : share < 0.8 ? "old" : "x");
  if (random.uniform() < 0.1) context.emplace_back("day", 7 * random.uniform());
  return context;
}

/// A step of some workers and of nobody in particular.
void make_step(Study& study, int k, Random& random) {
  seconds = noon + 1000 * k;
  const std::string worker = k % 3 == 0 ? "" : "w" + std::to_string(k % 3);
  const StudyPlay play = study.ask(worker, any_context(random));
  if (k % 4 != 0) study.tell(play.id, random.normal());
}

TEST(StudyContexts, AnAskHasWhatIsKnown) {
  Study study = in_memory().create("s", followed());
  seconds = noon;
  const StudyPlay play = study.ask("w", {{"segment", "old"}, {"load", 812}, {"hour", 14.5}});
  const Values known = {{"load", 812.0}, {"hour", 14.5}, {"segment", "old"}, {"day", 2.5}};
  EXPECT_EQ(play.context, known);
  Learner twin = follower_on(service());
  EXPECT_EQ(play.point, twin.ask(service().context(known)).point);
  EXPECT_EQ(study.recommend(known), twin.recommend(service().context(known)));
  EXPECT_NE(study.recommend(known), study.recommend());
  EXPECT_EQ(study.recommend_values(known), service().likeliest(study.recommend(known)));
  EXPECT_EQ(study.play(1).play.context, known);
}

TEST(StudyContexts, AWorkerGetsItsPlayAgainWithItsContext) {
  const Folder folder;
  const Store store(folder.path(""), watched, with_follower());
  seconds = noon;
  Study study = store.create("s", followed());
  const StudyPlay play = study.ask("w", {{"load", 812.0}});
  seconds += 21600;
  EXPECT_EQ(study.ask("w", {{"load", 5.0}}), play);
  EXPECT_EQ(store.open("s").ask("w"), play);
  study.tell(play.id, 1);
  const StudyPlay next = study.ask("w", {{"load", 5.0}});
  EXPECT_EQ(next.context, (Values{{"load", 5.0}, {"day", 2.75}}));
}

TEST(StudyContexts, AClockIsReadWhenAskedAndNeverAgain) {
  const Store store = in_memory();
  Study study = store.create("s", followed());
  seconds = noon;
  const StudyPlay read = study.ask();
  EXPECT_EQ(read.context, (Values{{"day", 2.5}}));
  EXPECT_EQ(study.ask("", {{"day", 6.0}}).context, (Values{{"day", 6.0}}));
  EXPECT_EQ(study.ask("", {{"day", NAN}}).context, Values());
  seconds = 0;
  EXPECT_EQ(hash_of_the_log(store, "s"), study.state().hash());
  EXPECT_EQ(store.open("s").state(), study.state());
  EXPECT_EQ(study.recommend({{"load", 1.0}}), study.recommend({{"load", 1.0}, {"day", NAN}}));
}

TEST(StudyContexts, TheSystemHasATime) {
  Study study =
      Store::in_memory().create("s", {.on = service(std::vector<SpaceContext>{{"hour", Clock{}}})});
  const double hour = std::get<double>(study.ask().context.at("hour"));
  EXPECT_GE(hour, 0);
  EXPECT_LT(hour, 24);
}

/// Opened again after every step, with snapshots and without, it goes on bit for bit.
TEST(StudyContexts, ResumeAtEveryStep) {
  for (const char* const learner : {"follower", "default"}) {
    StudyDescription description = followed();
    description.learner = learner;
    const Folder folder;
    const Store store(folder.path(""), watched, with_follower());
    Study goes_on = store.create("on", description);
    (void)store.create("again", description);
    Random random(1);
    Random same(1);
    for (int k = 0; k < 200; ++k) {
      make_step(goes_on, k, random);
      Study opened = store.open("again");
      make_step(opened, k, same);
      ASSERT_EQ(opened.state(), goes_on.state()) << learner << " " << k;
      ASSERT_EQ(opened.clipped(), goes_on.clipped());
    }
    EXPECT_GT(goes_on.clipped(), 0U);
    EXPECT_EQ(hash_of_the_log(store, "again"), goes_on.state().hash());
    EXPECT_EQ(store.open("again").clipped(), goes_on.clipped());
  }
}

TEST(StudyContexts, TheLogHasThemAsTheyWereGiven) {
  const Store store = in_memory();
  Study study = store.create("s", followed());
  Random random(2);
  std::vector<StudyPlay> plays;
  for (int k = 0; k < 20; ++k) {
    seconds = noon + 1000 * k;
    plays.push_back(study.ask("", any_context(random)));
  }
  for (const Replay replay : {Replay::plays, Replay::facts}) {
    std::size_t seen = 0;
    store.replay(
        "s",
        [&](const StudyRecord& record) {
          for (const StudyPlay& play : record.gave.plays) EXPECT_EQ(play, plays[seen++]);
        },
        {}, replay);
    EXPECT_EQ(seen, plays.size());
  }
  const Store copy = in_memory();
  store.copy("s", copy);
  EXPECT_EQ(copy.open("s").state(), study.state());
}

/// The log with another number in the context of play `id`, and seals that fit.
std::string with_another_context(const std::string& log, PlayId id) {
  std::uint64_t asked = 0;
  return rewritten(log, [&](std::string& content) {
    studies::Event event;
    if (!studies::read_event(content, asked, event)) return;
    auto& step = std::get<studies::Step>(event);
    const bool is_it = step.asks > 0 && asked + 1 == id;
    if (is_it) step.context.front() += 1;
    const std::string changed = studies::event_content(event, asked);
    asked += step.asks;
    if (is_it) content = changed;
  });
}

TEST(StudyContexts, TheLogProvesThem) {
  const Folder folder;
  const Store store(folder.path(""), watched, with_follower());
  seconds = noon;
  Learner twin = follower_on(service());
  std::uint64_t first = 0;
  std::uint64_t behind = 0;
  {
    Study study = store.create("s", followed());
    for (int k = 0; k < 6; ++k) {
      if (k == 1) first = study.position().bytes;
      const StudyPlay play = study.ask("", {{"load", 812.0 + 100 * k}, {"hour", 3.5}});
      if (k == 1) behind = study.position().bytes;
      study.tell(play.id, loss_of(play.id));
      // What renewal makes of it if play 3 was of another context.
      Values known = play.context;
      if (play.id == 3) known[0].second = 812.0 + 201;
      const Context context = service().context(known);
      if (play.id <= 3) (void)twin.ask(context);
      if (play.id < 3) {
        twin.tell(play.id, loss_of(play.id));
      } else {
        twin.learn(context, play.point, loss_of(play.id));
      }
    }
  }
  for (const auto& file : std::filesystem::directory_iterator(folder.path("s"))) {
    if (file.path().filename() != "log") std::filesystem::remove(file.path());
  }
  const std::string log = bytes(folder.path("s/log")).value();
  const auto code_of = [&](const std::string& changed) {
    write_bytes(folder.path("s/log"), changed);
    try {
      (void)hash_of_the_log(store, "s");
    } catch (const StudyError& error) {
      return error.code();
    }
    return ErrorCode::other;
  };
  for (std::uint64_t at = first; at < behind; ++at) {
    std::string changed = log;
    changed[at] = static_cast<char>(changed[at] ^ 16);
    EXPECT_EQ(code_of(changed), ErrorCode::damaged_log) << at;
  }
  EXPECT_EQ(code_of(with_another_context(log, 99)), ErrorCode::other);
  EXPECT_EQ(code_of(with_another_context(log, 3)), ErrorCode::other_digits);
  EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
  EXPECT_EQ(store.open("s").recommend(), twin.recommend());
}

TEST(StudyContexts, ChangeTeachesWithThem) {
  const Store store = in_memory();
  seconds = noon;
  const Space other =
      service({{"segment", Choice{{"new", "old"}}}, {"load", Number{.from = 0, .to = 100}}});
  Learner twin = follower_on(other);
  {
    Study study = store.create("s", followed());
    for (int k = 0; k < 6; ++k) {
      const StudyPlay play = study.ask("", {{"load", 10.0 * k}, {"segment", "old"}});
      study.tell(play.id, loss_of(play.id));
      twin.learn(other.context({{"load", 10.0 * k}, {"segment", "old"}}), play.point,
                 loss_of(play.id));
    }
    study.learn({{.point = {0.5, 0.5}, .loss = 2, .context = {{"load", 7.0}, {"hour", 3.0}}}});
    twin.learn(other.context({{"load", 7.0}}), std::vector{0.5, 0.5}, 2);
  }
  EXPECT_EQ(store.change("s", other).learned, 7U);
  Study study = store.open("s");
  EXPECT_EQ(study.recommend({{"load", 50}}), twin.recommend(other.context({{"load", 50}})));
  EXPECT_EQ(study.ask("", {{"segment", "new"}}).context, (Values{{"segment", "new"}}));
  EXPECT_EQ(hash_of_the_log(store, "s"), study.state().hash());
}

TEST(StudyContexts, ThePastHasThem) {
  const Store store = in_memory();
  Study study = store.create("s", followed());
  Learner twin = follower_on(service());
  const Values known = {{"load", 812.0}, {"segment", "old"}, {"day", 3.0}};
  seconds = noon;  // which no loss of the past is of
  (void)study.learn({{.values = {{"a", 0.5}, {"b", 0.25}}, .loss = 1, .context = known},
                     {.point = {0.5, 0.75}, .loss = 2}});
  twin.learn(service().context(known), std::vector{0.5, 0.25}, 1);
  twin.learn(std::vector{0.5, 0.75}, 2);
  EXPECT_EQ(study.recommend(), twin.recommend());
  EXPECT_EQ(store.open("s").recommend(), twin.recommend());
  std::vector<StudyPast> past;
  store.replay("s", [&](const StudyRecord& record) {
    past.insert(past.end(), record.past.begin(), record.past.end());
  });
  ASSERT_EQ(past.size(), 2U);
  EXPECT_EQ(past[0].context, known);
  EXPECT_TRUE(past[1].context.empty());
  const auto refused = [&](const StudyPast& wrong) {
    return message<PastError>([&] { (void)study.learn({wrong}, Outside::skip); });
  };
  EXPECT_EQ(refused({.point = {0.5, 0.5}, .context = {{"laod", 1}}}),
            "there is no context 'laod'; did you mean 'load'?");
}

TEST(StudyContexts, WrongOnesAreRefusedAndNothingIsStored) {
  const Store store = in_memory();
  Study study = store.create("s", followed());
  const auto refused = [](Study& asked, const Values& context, std::size_t asks = 1) {
    return message<InvalidArgument>([&] { (void)asked.step({}, asks, "", context); });
  };
  EXPECT_EQ(refused(study, {{"laod", 1}}), "there is no context 'laod'; did you mean 'load'?");
  EXPECT_EQ(refused(study, {{"laod", 1}}, 0), "there is no context 'laod'; did you mean 'load'?");
  EXPECT_EQ(refused(study, {{"load", "high"}}), "the context 'load' must be a number, not 'high'");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)study.recommend_values({{"hours", 1}});
            }),
            "there is no context 'hours'; did you mean 'hour'?");
  EXPECT_EQ(study.summary().asked, 0U);
  Study plain = store.create("plain", {.on = service({})});
  EXPECT_EQ(refused(plain, {{"load", 1}}), "there is no context 'load': the space has none");
  Study on_a_set = store.create("set", {.on = "ball(2)"});
  EXPECT_EQ(refused(on_a_set, {{"load", 1}}),
            "the study 'set' is on a set, which has no contexts: those are of a space");
}

TEST(StudyContexts, ALearnerThatTakesNoneHasThemLevelled) {
  const Store store = in_memory();
  const StudyDescription description = {
      .on = service(), .learner = "levelled(parameter_free)", .options = {.seed = 4}};
  Study study = store.create("s", description);
  Learner twin(levelled(parameter_free(service().set()), {.contexts = service().context_words()}),
               description.options);
  for (int t = 1; t <= 50; ++t) {
    const Values known = {{"load", 100.0 * t}, {"segment", t % 3 == 0 ? "new" : "old"}};
    const StudyPlay play = study.ask("w", known);
    ASSERT_EQ(play.point, twin.ask(service().context(play.context)).point);
    const double loss = play.point[0] + 0.01 * t;
    study.tell(play.id, loss);
    twin.tell(play.id, loss);
    if (t % 20 == 0) study = store.open("s");
  }
  EXPECT_EQ(study.state(), twin.state());
}

TEST(StudyContexts, ALearnerThatTakesNoneIsRefused) {
  const Store store = in_memory();
  for (const std::string learner :
       {"parameter_free", "projection_free(horizon=100, loss_bound=1)"}) {
    EXPECT_EQ(message<InvalidArgument>(
                  [&] { (void)store.create("s", {.on = service(), .learner = learner}); }),
              "the learner '" + learner +
                  "' takes no contexts: use 'default', 'posterior' or 'levelled(...)', or a space "
                  "without "
                  "[context]");
  }
  std::vector<std::string> many;
  for (int k = 0; k < 1001; ++k) many.push_back("n" + std::to_string(k));
  const Space large({{"pool", Shares{many}}}, {}, {{"hour", Clock{}}});
  const std::string error = message<Error>([&] { (void)store.create("s", {.on = large}); });
  EXPECT_NE(error.find("contexts, limits and trials in up to 512 dimensions, not in 1000"),
            std::string::npos)
      << error;
  EXPECT_TRUE(store.list().empty());
  // A start and options of its own go along.
  Study study = store.create("s", {.on = service(),
                                   .learner = "posterior(restarts=false)",
                                   .start = {{"a", 0.25}, {"b", 0.75}}});
  EXPECT_EQ(study.recommend(), (std::vector<double>{0.25, 0.75}));
}

TEST(StudyContexts, OnlyDescriptionsWithThemHaveTheNewFormat) {
  const auto format_of = [](const StudyDescription& description) {
    const std::string text = studies::new_study(description, Catalogue::standard()).text;
    return text.substr(0, text.find(','));
  };
  EXPECT_EQ(format_of({.on = service()}), R"({"format":4)");
  EXPECT_EQ(format_of({.on = service({})}), R"({"format":2)");
  const std::string text = studies::new_study({.on = service()}, Catalogue::standard()).text;
  EXPECT_EQ(std::get<Space>(studies::read_description(text, "it").description.on), service());
  EXPECT_EQ(studies::new_study({.on = service({})}, Catalogue::standard()).text.find("contexts"),
            std::string::npos);
}

/// Learners took both up to revision 9 of the digits.
TEST(StudyContexts, OfLogsWithAMaxStepGoOnWithoutIt) {
  const Space spaces[] = {service({{"hour", Cyclic{24}}}), Space({{"a", Number{}}, {"b", Number{}}},
                                                                 {}, {}, {{"p99", {.most = 9}}})};
  for (const Space& space : spaces) {
    const Folder folder;
    const Store store(folder.path(""), {.durability = Durability::process});
    {
      Study study = store.create("s", {.on = space});
      for (int t = 0; t < 60; ++t) {
        const StudyPlay play = study.ask();
        const double a = play.point[0];
        study.tell(play.id, std::pow(a - 0.8, 2),
                   space.limits().empty() ? Values() : Values{{"p99", a}});
      }
    }
    const std::string log = bytes(folder.path("s/log")).value();
    write_bytes(folder.path("s/log"), rewritten(log, [](std::string& content) {
                  const std::string now = "\"trace_revision\":" + std::to_string(trace_revision);
                  if (const auto at = content.find(now); at != std::string::npos) {
                    content.replace(at, now.size(), R"("trace_revision":9,"max_step":0.25)");
                  }
                }));
    EXPECT_TRUE(store.open("s").needs_renewal());
    std::size_t told = 0;
    store.replay(
        "s", [&](const StudyRecord& record) { told += record.tells.size(); }, {}, Replay::facts);
    EXPECT_EQ(told, 60U);
    EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
    Study study = store.open("s");
    EXPECT_FALSE(study.needs_renewal());
    EXPECT_FALSE(study.description().options.max_step);
    EXPECT_NEAR(study.recommend()[0], 0.8, 0.2);
    EXPECT_EQ(study.tell(study.ask().id, 1), Receipt::fresh);
    EXPECT_EQ(store.open("s").state(), study.state());
    const std::string refused = message<InvalidArgument>(
        [&] { (void)store.create("new", {.on = space, .options = {.max_step = 0.25}}); });
    EXPECT_NE(refused.find("max_step takes no"), std::string::npos);
  }
}

TEST(StudyContexts, SnapshotsHaveThem) {
  studies::Snapshot snapshot = {.text = "{}",
                                .workers = {{"w", {.play = 7, .point = {1}, .context = {2, 3}}}}};
  const auto again = [&] { return studies::read_snapshot(studies::snapshot_bytes(snapshot)); };
  snapshot.clipped = 5;
  EXPECT_EQ(studies::snapshot_bytes(snapshot)[0], 5);
  EXPECT_EQ(again().value().clipped, 5U);
  EXPECT_EQ(again().value().workers.at("w").context, (std::vector<double>{2, 3}));
}

}  // namespace
}  // namespace keyhole::tests::study_contexts
