// Losses of the past and counts in a study: what is learned, refused and kept, by the log, by
// snapshots, copies and renewal.

#include <gtest/gtest.h>

#include <filesystem>

#include "folder.h"
#include "keyhole/spec.h"
#include "keyhole/store.h"
#include "random.h"
#include "studies/format/events.h"
#include "studies/made_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

StudyDescription a_square() { return {.on = "box(0, 1, 2)", .options = {.seed = 7}}; }

StudyDescription named() {
  return {.on = Space({{"batch", Integer{1, 64}},
                       {"codec", Choice{{"zstd", "lz4"}}},
                       {"wait", Number{.from = 1, .to = 100, .scale = Scale::log}},
                       {"pool", Shares{{"a", "b"}}}}),
          .options = {.seed = 3}};
}

Values values_of(double batch, const std::string& codec, double wait, Vector pool) {
  return {{"batch", batch}, {"codec", codec}, {"wait", wait}, {"pool", std::move(pool)}};
}

double costs(const Vector& x) { return (x[0] - 0.3) * (x[0] - 0.3) + 0.5 * x[1]; }

/// That many losses at random points, each with another count.
std::vector<StudyPast> past_of(int count, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<StudyPast> past;
  for (int k = 0; k < count; ++k) {
    const Vector x = {random.uniform(), random.uniform()};
    past.push_back(
        {.point = x, .loss = costs(x) + 0.1 * random.normal(), .count = 0.5 * (k % 3 + 1)});
  }
  return past;
}

void teach(Learner& learner, const std::vector<StudyPast>& past) {
  for (const StudyPast& one : past) learner.learn(one.point, one.loss, one.count);
}

TEST(Past, IsLearnedAsALearnerDoesAndKept) {
  const Folder folder;
  const Store store(folder.path("a"), {.durability = Durability::process});
  Learner twin = make_learner("default", make_set("box(0, 1, 2)"), {.seed = 7});
  {
    Study study = store.create("s", a_square());
    EXPECT_EQ(study.past(), 0U);
    EXPECT_EQ(study.learn(past_of(30)).learned, 30U);
    teach(twin, past_of(30));
    EXPECT_EQ(study.learn(std::vector<StudyPast>()).learned, 0U);
    for (int t = 1; t <= 3000; ++t) {  // there are snapshots on the way
      const StudyPlay play = study.ask();
      const Play expected = twin.ask();
      ASSERT_EQ(play.point, expected.point);
      const double count = t % 4 == 0 ? 1 : 0.25 * (t % 7 + 1);
      EXPECT_EQ(study.tell(play.id, costs(play.point), count), Receipt::fresh);
      twin.tell(expected.id, costs(play.point), count);
      if (t % 1000 != 0) continue;
      study.learn({0.5, 0.25}, 0.4, 2);
      twin.learn(Vector{0.5, 0.25}, 0.4, 2);
    }
    EXPECT_EQ(study.past(), 33U);
    EXPECT_EQ(study.summary().told, 3000U);
    EXPECT_EQ(study.state(), twin.state());
  }
  const Store copies(folder.path("b"), {.durability = Durability::process});
  store.copy("s", copies);
  for (const Store& place : {store, copies}) {
    Study study = place.open("s");
    EXPECT_EQ(study.past(), 33U);
    EXPECT_EQ(study.state(), twin.state());
    EXPECT_EQ(hash_of_the_log(place, "s"), twin.state().hash());
  }
  for (const Replay what : {Replay::plays, Replay::facts}) {
    std::vector<StudyPast> read;
    std::vector<double> counts;
    (void)store.replay(
        "s",
        [&](const StudyRecord& record) {
          read.insert(read.end(), record.past.begin(), record.past.end());
          for (const StudyTell& tell : record.tells) counts.push_back(tell.count);
        },
        {}, what);
    ASSERT_EQ(read.size(), 33U);
    EXPECT_EQ(read[4].point, past_of(30)[4].point);
    EXPECT_EQ(read[4].loss, past_of(30)[4].loss);
    EXPECT_EQ(read[4].count, past_of(30)[4].count);
    ASSERT_EQ(counts.size(), 3000U);
    EXPECT_EQ(counts[0], 0.5);
    EXPECT_EQ(counts[3], 1);
  }
}

// A client that got no answer makes the call again.
TEST(Past, IsLearnedOnceByItsId) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  std::vector<StudyPast> outside = past_of(3);
  outside.push_back({.point = {2, 2}, .loss = 1});
  {
    Study study = store.create("s", a_square());
    EXPECT_EQ(study.learn(past_of(30), Outside::refuse, "one").learned, 30U);
    EXPECT_EQ(study.learn(past_of(30), Outside::refuse, "one").learned, 30U);
    EXPECT_EQ(study.past(), 30U);
    EXPECT_EQ(study.learn(outside, Outside::skip, "two").skipped, 1U);
    EXPECT_EQ(study.learn(outside, Outside::project, "three").projected, 1U);
    EXPECT_EQ(study.past(), 37U);
    for (int t = 0; t < 3000; ++t) {  // there are snapshots on the way
      const StudyPlay play = study.ask();
      study.tell(play.id, costs(play.point));
    }
  }
  for (int k = 0; k < 2; ++k) {  // from a snapshot, and from the log alone
    Study study = store.open("s");
    EXPECT_EQ(study.learn(past_of(30), Outside::refuse, "one").learned, 30U);
    EXPECT_EQ(study.learn(outside, Outside::skip, "two").skipped, 1U);
    EXPECT_EQ(study.learn(outside, Outside::project, "three").projected, 1U);
    EXPECT_EQ(study.past(), 37U);
    EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
    const std::string said =
        message<FeedbackError>([&] { study.learn(past_of(30, 2), Outside::refuse, "one"); });
    EXPECT_EQ(said,
              "other losses of the past were learned by the id 'one' before: take another one");
    EXPECT_THROW(study.learn(past_of(1), Outside::refuse, "a b"), InvalidArgument);
    for (const auto& file : std::filesystem::directory_iterator(folder.path("s"))) {
      if (file.path().filename().string().starts_with("snapshot")) remove(file.path());
    }
  }
}

// Memory is bounded, and so is what is known of ids.
TEST(Past, KnowsTheLatestThousandIds) {
  const Store store = Store::in_memory();
  Study study = store.create("s", a_square());
  const auto learn = [&](int k) {
    study.learn(past_of(1), Outside::refuse, "id-" + std::to_string(k));
  };
  for (int k = 0; k < 1010; ++k) learn(k);
  for (int k = 10; k < 1010; ++k) learn(k);
  EXPECT_EQ(study.past(), 1010U);
  learn(0);
  EXPECT_EQ(study.past(), 1011U);
}

TEST(Past, ByNameIsThatOfThePoint) {
  const Store store = Store::in_memory();
  Study by_name = store.create("names", named());
  Study by_point = store.create("points", named());
  const Space& space = std::get<Space>(by_name.description().on);
  const Values values = values_of(32, "lz4", 10, {0.25, 0.75});
  by_name.learn(values, 0.7, 3);
  by_point.learn(space.point(values), 0.7, 3);
  EXPECT_EQ(by_name.state(), by_point.state());
  std::vector<StudyPast> read;
  (void)store.replay("names", [&](const StudyRecord& record) {
    read.insert(read.end(), record.past.begin(), record.past.end());
  });
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(read[0].values.at("batch")), 32);
  EXPECT_EQ(std::get<std::string>(read[0].values.at("codec")), "lz4");
  EXPECT_EQ(std::get<double>(read[0].values.at("wait")), 10);
}

TEST(Past, ThatCannotBeTakenIsRefusedWhole) {
  const Store store = Store::in_memory();
  Study study = store.create("s", named());
  const State before = study.state();
  const std::uint64_t bytes = study.position().bytes;
  const StudyPast good{.values = values_of(2, "lz4", 10, {0, 1}), .loss = 1};
  const auto refused = [&](StudyPast bad, Outside outside = Outside::refuse) {
    try {
      study.learn({good, good, std::move(bad)}, outside);
    } catch (const PastError& error) {
      EXPECT_EQ(error.index(), 2U);
      EXPECT_EQ(study.state(), before);
      EXPECT_EQ(study.position().bytes, bytes);
      return std::string(error.what());
    }
    ADD_FAILURE() << "nothing was thrown";
    return std::string();
  };
  EXPECT_EQ(refused({.values = values_of(65, "lz4", 10, {0, 1}), .loss = 1}),
            "the parameter 'batch' must be a whole number from 1 to 64, not 65");
  // A name that is mistyped, or left out, is no point that is outside.
  for (const Outside outside : {Outside::refuse, Outside::project, Outside::skip}) {
    Values typo = good.values;
    typo[0].first = "bacth";
    EXPECT_EQ(refused({.values = typo, .loss = 1}, outside),
              "there is no parameter 'bacth'; did you mean 'batch'?");
    Values short_of_one = good.values;
    short_of_one.erase(short_of_one.begin());
    EXPECT_EQ(refused({.values = short_of_one, .loss = 1}, outside),
              "there is no value of 'batch'");
    StudyPast no_loss = good;
    no_loss.loss = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refused(no_loss, outside).find("must be a number"), std::string::npos);
    StudyPast no_count = good;
    no_count.count = 0;
    EXPECT_NE(refused(no_count, outside).find("1e-12 to 1e12"), std::string::npos);
  }
  EXPECT_EQ(refused({.values = values_of(2, "gzip", 10, {0, 1}), .loss = 1}, Outside::project),
            "the parameter 'codec' has no 'gzip'");
  EXPECT_EQ(refused({.point = {1, 2}, .loss = 1}),
            "a point of " + study.set().spec() + " has 6 coordinates, not 2");
  study.learn({good, good});
  EXPECT_EQ(study.past(), 2U);
}

TEST(Past, OutsideIsProjectedOrSkippedAndCounted) {
  const Store store = Store::in_memory();
  const std::vector<StudyPast> past = {
      {.values = values_of(2, "lz4", 10, {0.5, 0.5}), .loss = 1},
      {.values = values_of(200, "lz4", 0, {0.5, 0.5}), .loss = 2},
      {.values = values_of(2.4, "zstd", 10, {0.33, 0.63}), .loss = 3}};
  Study projected = store.create("projected", named());
  const PastReceipt all = projected.learn(past, Outside::project);
  EXPECT_EQ(all.learned, 3U);
  EXPECT_EQ(all.projected, 2U);
  EXPECT_EQ(all.skipped, 0U);
  Study inside = store.create("inside", named());
  inside.learn({{.values = values_of(2, "lz4", 10, {0.5, 0.5}), .loss = 1},
                {.values = values_of(64, "lz4", 1, {0.5, 0.5}), .loss = 2},
                {.values = values_of(2, "zstd", 10, {0.35, 0.65}), .loss = 3}});
  std::vector<Vector> points;
  for (const char* const name : {"projected", "inside"}) {
    (void)store.replay(name, [&](const StudyRecord& record) {
      for (const StudyPast& one : record.past) points.push_back(one.point);
    });
  }
  ASSERT_EQ(points.size(), 6U);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(points[k][i], points[k + 3][i], 1e-12);
  }
  Study skipped = store.create("skipped", named());
  const PastReceipt one = skipped.learn(past, Outside::skip);
  EXPECT_EQ(one.learned, 1U);
  EXPECT_EQ(one.projected, 0U);
  EXPECT_EQ(one.skipped, 2U);
  EXPECT_EQ(skipped.past(), 1U);
  // The place is that among all.
  try {
    skipped.learn({past[1], past[0], {.values = past[0].values, .loss = 1e300}}, Outside::skip);
    ADD_FAILURE();
  } catch (const PastError& error) {
    EXPECT_EQ(error.index(), 2U);
  }
}

TEST(Past, WhoCannotSaysSo) {
  const Store store = Store::in_memory();
  Study study = store.create("s", {.on = "ball(2)", .learner = "parameter_free"});
  const std::uint64_t bytes = study.position().bytes;
  EXPECT_NE(message<InvalidArgument>([&] {
              study.learn({0.0, 0.0}, 1);
            }).find("cannot be taught points that it did not choose"),
            std::string::npos);
  const StudyPlay play = study.ask();
  EXPECT_NE(message<FeedbackError>([&] { study.tell(play.id, 1, 5); }).find("cannot be used by"),
            std::string::npos);
  EXPECT_EQ(study.past(), 0U);
  EXPECT_LT(study.position().bytes, bytes + 60);  // the ask alone
  EXPECT_EQ(study.tell(play.id, 1), Receipt::fresh);
}

TEST(Past, CountsOfOneStepMustAgree) {
  const Store store = Store::in_memory();
  Study study = store.create("s", a_square());
  const PlayId id = study.ask().id;
  EXPECT_EQ(message<TellError>([&] {
              study.step({{id, 1, 2}, {id, 1, 3}}, 0);
            }),
            "play 1 is told twice in one step, with the counts 2 and 3");
  const StudyStep step = study.step({{id, 1, 2}, {id, 1, 2}}, 0);
  EXPECT_EQ(step.receipts, (std::vector<Receipt>{Receipt::fresh, Receipt::repeated}));
  EXPECT_EQ(message<TellError>([&] { study.tell(id, 1); }),
            "the count of the loss of play 1 was told as 2 before and as 1 now: the first stands");
}

/// The log of a study whose digits another build would give otherwise: the first play differs.
/// Metrics that were told without a loss have that count.
std::string with_another_first_point(const std::string& log, double count_of_metrics) {
  std::uint64_t asked = 0;
  return rewritten(log, [&](std::string& content) {
    studies::Event event;
    if (!studies::read_event(content, asked, event)) return;
    auto* const step = std::get_if<studies::Step>(&event);
    if (step == nullptr) return;
    for (studies::Tell& tell : step->tells) {
      if (!tell.has_loss()) tell.weight = count_of_metrics;
    }
    std::string facts(step->facts);
    if (asked == 0 && step->asks > 0) facts[0] = static_cast<char>(facts[0] ^ 1);
    step->facts = facts;
    content = studies::event_content(event, asked);
    asked += step->asks;
  });
}

/// Makes the log of a folder one of another build: its first play was made at another point.
void lose_track(const std::string& folder, double count_of_metrics = 1) {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().filename() != "log") std::filesystem::remove(file.path());
  }
  const std::string log = bytes(folder + "/log").value();
  write_bytes(folder + "/log", with_another_first_point(log, count_of_metrics));
}

/// Metrics too, whether they come with the loss, before it, after it or without it. Logs may have
/// any count where no loss is told.
TEST(Past, OfMetricsIsKeptByRenewal) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const Space space({{"a", Number{}}, {"b", Number{}}}, {}, {},
                    {{"p99", {.most = 0.8}}, {"spend", {.most = 1}}});
  Learner taught(posterior(space.set(), {.limits = space.bounds()}), {.seed = 7});
  (void)taught.ask();
  {
    Study study = store.create("s", {.on = space, .options = {.seed = 7}});
    for (int k = 0; k < 40; ++k) {
      const StudyPlay play = study.ask();
      const double a = play.point[0];
      const double loss = costs(play.point);
      if (k % 4 == 0) {
        study.tell(play.id, loss, {{"p99", a}, {"spend", 2 * a}});
        taught.learn(play.point, {.loss = loss, .metrics = {a, 2 * a}});
      } else if (k % 4 == 1) {
        study.measure(play.id, {{"p99", a}});
        study.tell(play.id, loss, {{"p99", a}}, 3);
        taught.learn(play.point, {.loss = NAN, .metrics = {a, NAN}});
        taught.learn(play.point, loss, 3);
      } else if (k % 4 == 2) {
        study.tell(play.id, loss);
        study.measure(play.id, {{"spend", a}});
        taught.learn(play.point, loss);
        taught.learn(play.point, {.loss = NAN, .metrics = {NAN, a}});
      }
    }
  }
  for (const double count_of_metrics : {1.0, 0.0, -3.0, static_cast<double>(NAN)}) {
    const std::string name = "s" + std::to_string(count_of_metrics);
    std::filesystem::copy(folder.path("s"), folder.path(name));
    lose_track(folder.path(name), count_of_metrics);
    EXPECT_EQ(store.renew(name), Renewal::what_was_learned);
    Study study = store.open(name);
    EXPECT_EQ(study.recommend(), taught.recommend());
    EXPECT_NE(study.recommend(), study.set().centre());
    for (std::size_t j = 0; j < 2; ++j) {
      // The first point of the log has another last bit.
      const LimitStatus kept = study.status().limits.at(j);
      const LimitStatus known = taught.status().limits.at(j);
      EXPECT_NEAR(kept.recommended, known.recommended, 1e-12);
      EXPECT_NEAR(kept.error, known.error, 1e-12);
    }
  }
}

TEST(Past, IsKeptByRenewal) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Learner taught = make_learner("default", make_set("box(0, 1, 2)"), {.seed = 7});
  {
    Study study = store.create("s", a_square());
    study.learn(past_of(200));
    teach(taught, past_of(200));
    const StudyPlay play = study.ask();
    study.learn(past_of(200, 2));
    study.tell(play.id, costs(play.point), 4);
    (void)taught.ask();
    teach(taught, past_of(200, 2));
    taught.learn(play.point, costs(play.point), 4);
  }
  lose_track(folder.path("s"));
  EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
  Study study = store.open("s");
  EXPECT_EQ(study.past(), 400U);
  EXPECT_EQ(study.recommend(), taught.recommend());
  EXPECT_NE(study.recommend(), study.set().centre());
  EXPECT_EQ(study.ask().id, 2U);
  EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
  study.learn({0.5, 0.5}, 1);
  EXPECT_EQ(store.open("s").past(), 401U);
}

}  // namespace
}  // namespace keyhole::tests
