#include "service/live/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "service/live/live_json.h"

namespace keyhole::service {
namespace {

constexpr Millis start = 1'800'000'000'000;  // the beginning of a minute

Samples samples_of(bool maximize = false) {
  return Samples({.point = {0.5, 0.5}, .diameter = 2}, {.maximize = maximize}, start);
}

StudyStep asked(PlayId id, std::vector<double> point = {0.5, 0.5}) {
  return {.plays = {{.id = id, .point = std::move(point)}}};
}

/// A play that is told at once.
void play(Samples& samples, PlayId id, double loss, Millis at) {
  samples.stepped({}, asked(id), "", at);
  samples.stepped({{id, loss}}, {.receipts = {Receipt::fresh}}, "", at);
}

TEST(Sample, KeepsWhatItSays) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-6, 6);
  for (int k = 0; k < 1000; ++k) {
    const double mean = std::exp(5 * number(random)) - std::exp(5 * number(random));
    const double width = std::exp(number(random));
    const double count = std::floor(std::exp(2 * number(random)));
    const Span span{.asks = count,
                    .tells = count + 1,
                    .mean = mean,
                    .p10 = mean - width,
                    .p90 = mean + 2 * width,
                    .exploring = 0.3,
                    .reach = unknown};
    const Span kept = Sample(span).span();
    EXPECT_NEAR(kept.asks, span.asks, count > 65536 ? count / 65536 : 0);
    EXPECT_NEAR(kept.tells, span.tells, count >= 65536 ? (count + 1) / 65536 : 0);
    EXPECT_NEAR(kept.mean, mean, 1e-7 * std::abs(mean));
    EXPECT_NEAR(kept.p10, span.p10, width / 250 + 1e-7 * std::abs(mean));
    EXPECT_NEAR(kept.p90, span.p90, 2 * width / 250 + 1e-7 * std::abs(mean));
    EXPECT_NEAR(kept.exploring, 0.3, 0.002);
    EXPECT_TRUE(std::isnan(kept.reach));
  }
}

TEST(Sample, TakesTheLargestAndTheSmallestCounts) {
  EXPECT_EQ(Sample().span().asks, 0);
  EXPECT_TRUE(std::isnan(Sample().span().mean));
  for (const double count : {0.0, 1.0, 3.0, 65535.0, 65536.0}) {
    EXPECT_EQ(Sample({.asks = count}).span().asks, count);
  }
  EXPECT_NEAR(Sample({.asks = 1e12}).span().asks, 1e12, 1e12 / 65536);
  // The largest loss that a learner takes is no float.
  const Span huge = Sample({.tells = 1, .mean = 1e50, .p10 = -1e50, .p90 = 1e50}).span();
  EXPECT_TRUE(std::isfinite(huge.mean));
}

TEST(Tally, HasTheMeanAndNearlyTheQuantiles) {
  Tally tally;
  for (int k = 0; k < 100'000; ++k) tally.tell((k * 7919) % 100'000);
  const Span span = tally.span();
  EXPECT_EQ(span.tells, 100'000);
  EXPECT_NEAR(span.mean, 49'999.5, 1e-6);
  // Of 64 of them: four standard deviations, 4 * sqrt(0.09 / 64) = 0.15.
  EXPECT_NEAR(span.p10, 10'000, 15'000);
  EXPECT_NEAR(span.p90, 90'000, 15'000);
}

TEST(Tally, HasTheExactQuantilesOfAFew) {
  Tally tally;
  for (int k = 0; k <= 20; ++k) tally.tell(20 - k);
  EXPECT_EQ(tally.span().p10, 2);
  EXPECT_EQ(tally.span().p90, 18);
}

TEST(Ring, HasTheLatestAndEmptyOnesBetween) {
  for (const std::int64_t first : {0, 5, 1003}) {
    for (const std::int64_t step : {1, 2, 3, 7, 12, 40}) {
      Ring<int> ring(10);
      for (std::int64_t slot = first; slot < first + 100; slot += step) {
        ring.push(slot, static_cast<int>(slot + 1));
        ASSERT_EQ(ring.end(), slot + 1);
        ASSERT_LE(ring.end() - ring.begin(), 10);
        for (std::int64_t k = ring.begin(); k < ring.end(); ++k) {
          ASSERT_EQ(ring[k], (k - first) % step == 0 ? k + 1 : 0)
              << first << " " << step << " " << k;
        }
      }
    }
  }
}

TEST(Samples, CountSecondsAndSilence) {
  Samples samples = samples_of();
  play(samples, 1, 2, start + 100);
  play(samples, 2, 4, start + 900);
  play(samples, 3, 9, start + 4000);
  samples.pass(start + 6000);
  ASSERT_EQ(samples.end_second() - samples.first_second(), 6);
  const std::int64_t first = samples.first_second();
  EXPECT_EQ(first, start / 1000);
  EXPECT_EQ(samples.second(first).asks, 2);
  EXPECT_EQ(samples.second(first).mean, 3);
  EXPECT_EQ(samples.second(first + 1).tells, 0);
  EXPECT_TRUE(std::isnan(samples.second(first + 1).mean));
  EXPECT_EQ(samples.second(first + 4).mean, 9);
  EXPECT_DOUBLE_EQ(samples.rate(), 3.0 / 6);
  EXPECT_EQ(samples.last_tell(), start + 4000);
}

TEST(Samples, TakeATimeThatGoesBackForTheLatest) {
  Samples samples = samples_of();
  play(samples, 1, 2, start + 5000);
  play(samples, 2, 4, start + 1000);
  EXPECT_EQ(samples.last_tell(), start + 5000);
  EXPECT_EQ(samples.end_second(), start / 1000 + 5);
}

TEST(Samples, CompareTheFirstTheLatestAndTheNearest) {
  Samples samples = samples_of();
  for (PlayId id = 1; id <= 1000; ++id) {
    const bool near = id % 10 == 0;
    samples.stepped({}, asked(id, near ? std::vector{0.5, 0.5} : std::vector{0.5, 1.5}), "",
                    start + 10 * static_cast<Millis>(id));
    const double loss = id <= 100 ? 10 : near ? 2 : 3;
    samples.stepped({{id, loss}}, {.receipts = {Receipt::fresh}}, "",
                    start + 10 * static_cast<Millis>(id) + 4);
  }
  EXPECT_EQ(samples.first_losses().count, 100U);
  EXPECT_EQ(samples.first_losses().mean, 10);
  EXPECT_EQ(samples.latest_losses().count, 256U);
  EXPECT_NEAR(samples.latest_losses().mean, 2.9, 0.01);
  EXPECT_EQ(samples.nearest_losses().mean, 2);
  EXPECT_NEAR(samples.distance(), 0.9 * 1 / 2, 0.01);
  EXPECT_NEAR(samples.saved(), 900 * (10 - 2.9), 1e-6);
  EXPECT_EQ(samples.delays().p50, 4);
  EXPECT_EQ(samples.oldest_pending(), 0);
}

TEST(Samples, SaveTheOtherWayWhereGainsAreTold) {
  Samples samples = samples_of(true);
  for (PlayId id = 1; id <= 300; ++id) play(samples, id, id <= 100 ? 1 : 3, start);
  EXPECT_DOUBLE_EQ(samples.saved(), 400);
}

TEST(Samples, CountOnlyLossesThatCount) {
  Samples samples = samples_of();
  for (PlayId id = 1; id <= 4; ++id) samples.stepped({}, asked(id), "", start);
  samples.stepped(
      {{1, 1}, {2, 1}, {3, 1}, {4, 1}},
      {.receipts = {Receipt::fresh, Receipt::repeated, Receipt::expired, Receipt::late}}, "",
      start + 10);
  EXPECT_EQ(samples.latest_losses().count, 2U);
}

TEST(Samples, FollowPlaysThatWait) {
  Samples samples = samples_of();
  for (PlayId id = 1; id <= 20'000; ++id) {
    samples.stepped({}, asked(id), "", start + static_cast<Millis>(id));
    if (id <= 1000) continue;
    samples.stepped({{id - 1000, 1}}, {.receipts = {Receipt::fresh}}, "",
                    start + static_cast<Millis>(id));
  }
  // Far more wait than are followed: the delays are known all the same.
  EXPECT_EQ(samples.delays().p50, 1000);
  EXPECT_EQ(samples.delays().p99, 1000);
}

TEST(Samples, ForgetPlaysThatAreNeverTold) {
  Samples samples = samples_of();
  for (PlayId id = 1; id <= 1000; ++id) samples.stepped({}, asked(id), "", start);
  EXPECT_EQ(samples.oldest_pending(), start);
  for (PlayId id = 1001; id <= 4096; ++id) play(samples, id, 1, start + 60'000);
  EXPECT_EQ(samples.oldest_pending(), start);
  for (PlayId id = 4097; id <= 6000; ++id) play(samples, id, 1, start + 60'000);
  EXPECT_EQ(samples.oldest_pending(), 0);
  EXPECT_EQ(samples.delays().p99, 0);
}

TEST(Samples, KnowTheWorkersSeenLast) {
  Samples samples = samples_of();
  for (int k = 0; k < 100; ++k) {
    samples.stepped({}, asked(static_cast<PlayId>(k + 1)), "worker" + std::to_string(k % 50),
                    start + k);
  }
  EXPECT_EQ(samples.workers().size(), 16U);
  for (const Worker& worker : samples.workers()) EXPECT_GE(worker.seen, start + 84);
}

TEST(Samples, CountAPlayOnceThatAWorkerAsksForAgain) {
  Samples samples = samples_of();
  for (int k = 0; k < 5; ++k) samples.stepped({}, asked(1), "worker", start + k);
  samples.pass(start + 1000);
  EXPECT_EQ(samples.second(start / 1000).asks, 1);
  EXPECT_EQ(samples.workers().front().asked, 1U);
}

TEST(Samples, MarkRestarts) {
  Samples samples = samples_of();
  samples.look({.status = {.restarts = 1}, .point = {0.5, 0.5}}, start + 2000);
  samples.look({.status = {.restarts = 1}, .point = {0.5, 0.5}}, start + 4000);
  ASSERT_EQ(samples.marks().size(), 1U);
  EXPECT_EQ(samples.marks().front().at, start + 2000);
  EXPECT_EQ(live_json(samples, start + 4000)["marks"][0]["kind"], "restart");
}

TEST(Samples, MarkAChangeAndForgetPointsOfTheOtherSpace) {
  Samples samples = samples_of();
  for (PlayId id = 1; id <= 40; ++id) play(samples, id, 1, start + 10);
  samples.stepped({}, asked(41), "", start + 20);
  EXPECT_EQ(samples.nearest_losses().count, 4U);
  EXPECT_NE(samples.oldest_pending(), 0);
  const StudyChange change{.after = 41, .learned = 39, .dropped = 1};
  for (int k = 1; k <= 2; ++k) {
    samples.look({.point = {1, 2, 3}, .past = 5, .changed = change, .diameter = 3}, start + 2000);
  }
  ASSERT_EQ(samples.marks().size(), 1U);
  EXPECT_EQ(samples.marks().front().text,
            "the study was changed after play 41: 39 losses taught, 1 dropped");
  EXPECT_EQ(samples.point_before(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(samples.nearest_losses().count, 0U);
  EXPECT_EQ(samples.oldest_pending(), 0);
  EXPECT_EQ(samples.latest_losses().count, 40U);  // what was paid stays
  const Json live = live_json(samples, start + 2000);
  EXPECT_EQ(live["past"], 5);
  EXPECT_EQ(live["changed"], "after play 41: 39 losses taught, 1 dropped");
  EXPECT_TRUE(live["alarms"].empty());
  samples.stepped({}, asked(42, {4, 2, 3}), "", start + 3000);
  samples.stepped({{42, 1}}, {.receipts = {Receipt::fresh}}, "", start + 3000);
  EXPECT_EQ(samples.distance(), 1);
}

TEST(Samples, EndAlarmsWhenTheirCauseHasGone) {
  Samples samples = samples_of();
  Millis now = start;
  Summary summary;
  const auto alarms = [&](std::uint64_t plays, const Summary& more) {
    summary.asked += plays;
    summary.missing += more.missing;
    summary.expired += more.expired;
    summary.late += more.late;
    summary.above_bound += more.above_bound;
    samples.look({.summary = summary}, now += 1000);
    return live_json(samples, now)["alarms"];
  };
  // Feedback that is lost 1 time in 20 is none, however long.
  for (int k = 0; k < 50; ++k) EXPECT_EQ(alarms(100, {.missing = 5, .late = 5}), Json::array());
  EXPECT_EQ(alarms(512, {}), Json::array());
  EXPECT_EQ(alarms(256, {.missing = 90})[0], "90 plays expired before a loss was told");
  EXPECT_EQ(alarms(200, {})[0], "90 plays expired before a loss was told");
  EXPECT_EQ(alarms(256, {}), Json::array());
  EXPECT_EQ(alarms(256, {.expired = 90})[0], "90 tells came after the play had expired");
  for (int k = 0; k < 2; ++k) (void)alarms(256, {});
  EXPECT_EQ(alarms(256, {.late = 90, .above_bound = 1}),
            (Json{"90 tells came too late to be learned from",
                  "1 time a loss was beyond the bound that was promised"}));
  for (int k = 0; k < 2; ++k) (void)alarms(256, {});
  samples.contradicted(now);
  EXPECT_EQ(alarms(100, {}), Json{"1 tell contradicted what was told before"});
  for (int k = 0; k < 2; ++k) (void)alarms(256, {});
  EXPECT_EQ(alarms(0, {}), Json::array());
  EXPECT_EQ(live_json(samples, now)["contradicting"], 1);
  EXPECT_EQ(live_json(samples, now)["missing"], 340);
}

TEST(Samples, SayWhichBoundIsTight) {
  Samples samples = samples_of();
  samples.look({.point = {0.5, 0.5}, .bounds = {{"threads", 16}}}, start + 2000);
  const Json alarms = {"the best point lies at the bound of 'threads', 16: widen it?"};
  EXPECT_EQ(live_json(samples, start + 2000)["alarms"], alarms);
  samples.look({.point = {0.5, 0.5}}, start + 4000);
  EXPECT_TRUE(live_json(samples, start + 4000)["alarms"].empty());
}

TEST(Samples, RememberThePointOfAnHourAgo) {
  Samples samples = samples_of();
  for (int minute = 1; minute <= 240; ++minute) {
    samples.look({.point = {static_cast<double>(minute), 0}}, start + 60'000 * minute);
    const Millis age = start + 60'000 * minute - samples.point_before_at();
    EXPECT_LE(age, 65 * 60'000);
    if (minute > 65) {
      EXPECT_GE(age, 60 * 60'000);
    }
  }
}

/// The curve has no holes and nothing twice: times rise, and plays add up.
void expect_whole_curve(Millis begin, Millis length) {
  Samples samples({.point = {0.5, 0.5}, .diameter = 2}, {}, begin);
  PlayId id = 0;
  for (Millis at = begin; at < begin + length; at += 97'000) play(samples, ++id, 1, at);
  samples.pass(begin + length);
  const std::vector<Stretch> curve = samples.curve();
  EXPECT_LT(curve.size(), 3600U + 1440 + 400);
  EXPECT_EQ(curve.front().from, begin);
  // All of it by seconds, while they are known.
  if (length < 3'600'000) {
    EXPECT_EQ(curve.size(), static_cast<std::size_t>(length / 1000));
  }
  double asks = 0;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    EXPECT_LT(curve[k].from, curve[k].to);
    if (k > 0) {
      EXPECT_EQ(curve[k].from, curve[k - 1].to) << k;
    }
    asks += curve[k].span.asks;
  }
  // The octave at the border of the day is counted in it as well.
  EXPECT_NEAR(asks, static_cast<double>(id), 0.05 * static_cast<double>(id));
  EXPECT_LE(samples.most_bytes(), 100'000U);
}

TEST(Samples, HaveACurveOfAllTime) {
  constexpr Millis day = 86'400'000;
  for (const Millis begin : {start, start + 38'000}) {
    for (const Millis length : {Millis{90'000}, Millis{7'000'000}, 3 * day, 40 * day}) {
      expect_whole_curve(begin, length);
    }
  }
}

TEST(Samples, AreQuickAfterALongSilence) {
  Samples samples = samples_of();
  play(samples, 1, 1, start);
  play(samples, 2, 1, start + Millis{100} * 365 * 86'400'000);
  double asks = 0;
  for (const Stretch& stretch : samples.curve()) asks += stretch.span.asks;
  EXPECT_EQ(asks, 1);  // the second that goes on is not in the curve yet
}

TEST(CurveJson, JoinsNeighboursAndLosesNothing) {
  Samples samples = samples_of();
  double sum = 0;
  for (int k = 0; k < 1000; ++k) {
    play(samples, static_cast<PlayId>(k + 1), k, start + 500 * k);
    sum += k;
  }
  samples.pass(start + 500'000);
  for (const std::size_t points : {1U, 7U, 499U, 500U, 5000U}) {
    const Json json = curve_json(samples, points);
    ASSERT_LE(json["from"].size(), points);
    double tells = 0;
    double total = 0;
    for (std::size_t k = 0; k < json["from"].size(); ++k) {
      tells += json["tells"][k].get<double>();
      total += json["tells"][k].get<double>() * json["mean"][k].get<double>();
    }
    EXPECT_EQ(tells, 1000);
    EXPECT_NEAR(total, sum, 1e-6 * sum);
  }
}

TEST(Events, ComeOnceASecondAndResume) {
  Samples samples = samples_of();
  for (int k = 0; k < 10; ++k) play(samples, static_cast<PlayId>(k + 1), 1, start + 1000 * k);
  samples.pass(start + 10'000);
  std::int64_t next = start / 1000 + 7;  // the client has seen the one before
  const std::string text = sample_events(samples, next, start + 10'000);
  EXPECT_EQ(next, start / 1000 + 10);
  std::vector<std::string> ids;
  std::size_t statuses = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("id: ")) ids.push_back(line.substr(4));
    if (!line.starts_with("data: ")) continue;
    const Json data = Json::parse(line.substr(6));
    EXPECT_EQ(data["span"]["asks"], 1);
    statuses += data.count("status");
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"1800000007", "1800000008", "1800000009"}));
  EXPECT_EQ(statuses, 1U);
  EXPECT_EQ(sample_events(samples, next, start + 10'500), "");
}

TEST(Events, OfATextThatIsNoUtf8AreJson) {
  Samples samples = samples_of();
  samples.stepped({}, asked(1), "bad\xff\nname", start);
  samples.pass(start + 1000);
  std::int64_t next = 0;
  const std::string text = sample_events(samples, next, start + 1000);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(Json::parse(text.substr(text.find("data: ") + 6))["status"]["pending"], 0);
}

TEST(LiveJson, SaysThatNothingWasToldForLong) {
  Samples samples = samples_of();
  play(samples, 1, 1, start);
  samples.look({.summary = {.asked = 2, .told = 1, .pending = 1}}, start + 2000);
  EXPECT_EQ(live_json(samples, start + 9000)["alarms"].size(), 0U);
  EXPECT_EQ(live_json(samples, start + 60'000)["alarms"][0], "nothing was told for 60 seconds");
}

}  // namespace
}  // namespace keyhole::service
