// Studies: the same bits as a learner, from many objects, threads and processes, killed or not.

#include "keyhole/study.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <thread>

#include "base/disk.h"
#include "base/sha256.h"
#include "folder.h"
#include "keyhole/spec.h"
#include "keyhole/store.h"
#include "random.h"
#include "studies/format/frame.h"
#include "studies/journals/file_journal.h"
#include "studies/journals/memory_journal.h"
#include "studies/journals/store_disk.h"
#include "studies/made_study.h"
#include "studies/study/new_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

StudyDescription on_simplex(const std::string& learner = "default") {
  return {.on = "simplex(3)", .learner = learner, .options = {.seed = 7}};
}

StudyDescription on_space() {
  return {.on = Space({{"batch", Integer{1, 64}},
                       {"codec", Choice{{"zstd", "lz4"}}},
                       {"wait", Number{.from = 1, .to = 100, .scale = Scale::log}}}),
          .options = {.seed = 3, .window = 100},
          .start = {{"batch", std::int64_t{8}}}};
}

double loss_of(const Vector& point) {
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += (static_cast<double>(i) - 1) * point[i];
  return sum;
}

TEST(Study, PlaysAsTheLearnerDoes) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  for (const std::string learner :
       {"default", "parameter_free", "anytime(projection_free(loss_bound=2, gradient_bound=3))"}) {
    Study study = store.create("s" + std::to_string(learner.size()), on_simplex(learner));
    Learner twin = make_learner(learner, make_set("simplex(3)"), {.seed = 7});
    for (int t = 1; t <= 200; ++t) {
      const StudyPlay play = study.ask();
      const Play expected = twin.ask();
      ASSERT_EQ(play.id, expected.id);
      ASSERT_EQ(play.point, expected.point);
      EXPECT_TRUE(play.values.empty());
      EXPECT_EQ(study.tell(play.id, loss_of(play.point)), Receipt::fresh);
      twin.tell(expected.id, loss_of(expected.point));
    }
    EXPECT_EQ(study.state(), twin.state());
    EXPECT_EQ(study.recommend(), twin.recommend());
    EXPECT_EQ(study.summary().told, 200U);
  }
}

TEST(Study, SaysWhichPlaysAreAPair) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("pairs", on_simplex("anytime(two_point(gradient_bound=2))"));
  std::vector<PlayId> pairs;
  for (int t = 1; t <= 5; ++t) {
    pairs.push_back(store.open("pairs").ask("w").pair);
    study.tell(static_cast<PlayId>(t), 1);
  }
  EXPECT_EQ(pairs, (std::vector<PlayId>{1, 2, 2, 4, 4}));  // the first epoch is one play long
  EXPECT_EQ(study.ask("w").pair, 6);
  EXPECT_EQ(study.ask("w").pair, 6);  // the same play again
  study.explore(false);
  EXPECT_EQ(study.ask().pair, 0);
}

TEST(Study, GoesOnBitForBitWhereverItIsOpenedAgain) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study whole = store.create("whole", on_space());
  (void)store.create("pieces", on_space());
  Random random(1);
  std::vector<StudyPlay> pending;
  for (int t = 1; t <= 300; ++t) {
    Study pieces = store.open("pieces");
    const StudyPlay play = whole.ask();
    EXPECT_EQ(pieces.ask(), play);
    EXPECT_EQ(play.values, std::get<Space>(pieces.description().on).values(play.point, 3, play.id));
    pending.push_back(play);
    while (!pending.empty() && random.uniform() < 0.6) {  // late, in any order, or never
      const std::size_t k = random.integer(0, pending.size() - 1);
      const double loss = random.normal();
      EXPECT_EQ(pieces.tell(pending[k].id, loss), whole.tell(pending[k].id, loss));
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  EXPECT_EQ(store.open("pieces").state(), whole.state());
  const auto ignore = [](const StudyRecord& /*record*/) {};
  EXPECT_EQ(store.replay("pieces", ignore).frames, store.replay("whole", ignore).frames);
  EXPECT_EQ(store.open("pieces").recommend_values(), whole.recommend_values());
}

TEST(Study, BeginsAtTheStart) {
  const Folder folder;
  Study study = Store(folder.path("")).create("s", on_space());
  EXPECT_EQ(std::get<std::int64_t>(study.recommend_values().at("batch")), 8);
  EXPECT_EQ(message<InvalidArgument>([&] {
              StudyDescription no_space = on_simplex();
              no_space.start = {{"x", 1.0}};
              (void)Store(folder.path("")).create("t", no_space);
            }),
            "a start by name needs a space: give the learner start=[...] instead");
}

TEST(Study, KnowsWhatBecameOfAPlay) {
  const Folder folder;
  StudyDescription description{.on = "simplex(3)"};
  description.options.window = 4;
  description.options.maximize = true;
  Study study = Store(folder.path("")).create("s", description);
  const StudyPlay first = study.ask("w1");
  EXPECT_EQ(study.play(1).fate, PlayFate::pending);
  EXPECT_EQ(study.play(1).worker, "w1");
  EXPECT_EQ(study.play(1).play, first);
  study.tell(1, -0.25);
  EXPECT_EQ(study.play(1).fate, PlayFate::told);
  EXPECT_EQ(study.play(1).loss, -0.25);
  EXPECT_EQ(study.play(1).worker, "");
  (void)study.ask_many(4);
  EXPECT_EQ(study.play(1).fate, PlayFate::expired);
  EXPECT_EQ(study.play(2).fate, PlayFate::pending);
  EXPECT_EQ(study.play(2).play, StudyPlay{.id = 2});
  for (const PlayId id : {0, 6}) {
    EXPECT_EQ(message<FeedbackError>([&] { (void)study.play(id); }),
              "there is no play " + std::to_string(id) + "; the latest is 5");
  }
}

TEST(Study, NamesTheTellThatIsWrong) {
  const Folder folder;
  Study study = Store(folder.path("")).create("s", {.on = "simplex(3)"});
  (void)study.ask_many(3);
  const State before = study.state();
  for (const StudyTell& wrong : {StudyTell{4, 1}, StudyTell{2, 7}, StudyTell{3, 1e60}}) {
    try {
      study.step({{1, 1}, {2, 1}, wrong}, 1);
      ADD_FAILURE();
    } catch (const TellError& error) {
      EXPECT_EQ(error.index(), 2U) << error.what();
    }
  }
  EXPECT_EQ(study.state(), before);
}

TEST(Study, AWorkerGetsItsPlayAgain) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_space());
  const StudyPlay first = study.ask("w1");
  const StudyPlay second = study.ask("w2");
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(study.ask("w1"), first);
  EXPECT_EQ(store.open("s").ask("w2"), second);  // after a crash
  EXPECT_EQ(study.summary().asked, 2U);
  study.tell(first.id, 1);
  const StudyPlay third = study.ask("w1");
  EXPECT_EQ(third.id, 3U);
  // A step that tells asks for a new one; told by another, it is done too.
  const StudyStep step = study.step({{third.id, 0.5}}, 1, "w1");
  EXPECT_EQ(step.receipts, std::vector<Receipt>{Receipt::fresh});
  EXPECT_EQ(step.plays[0].id, 4U);
  // The same step again, after an answer that was lost.
  const StudyStep again = study.step({{third.id, 0.5}}, 1, "w1");
  EXPECT_EQ(again.receipts, std::vector<Receipt>{Receipt::repeated});
  EXPECT_EQ(again.plays, step.plays);
  EXPECT_EQ(study.summary().asked, 4U);
  (void)study.ask_many(200);  // beyond the window
  EXPECT_GT(study.ask("w2").id, 200U);
}

TEST(Study, WhatThrowsIsNotInTheLog) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_simplex("projection_free(loss_bound=1, horizon=5)"));
  (void)study.ask_many(3);
  study.tell(1, 0.5);
  const std::string before = bytes(folder.path("s/log")).value();
  EXPECT_THROW(study.tell(9, 1), FeedbackError);
  EXPECT_THROW(study.tell(1, 0.25), FeedbackError);
  EXPECT_THROW(study.tell(2, NAN), FeedbackError);
  EXPECT_THROW(study.step({{2, 0.1}, {9, 1}}), FeedbackError);
  EXPECT_EQ(message<FeedbackError>([&] {
              study.step({{2, 0.1}, {2, 0.2}});
            }),
            "play 2 is told twice in one step, as 0.1 and 0.2");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)study.ask_many(3); }),
            "the study 's' has 2 plays left of the learner's horizon, not 3");
  for (const std::string worker : {"two words", "line\n", "\xff"}) {
    EXPECT_EQ(
        message<InvalidArgument>([&] { (void)study.ask(worker); }),
        "the name of a worker must be at most 100 letters, digits and signs of ASCII, without "
        "blanks");
  }
  EXPECT_EQ(message<InvalidArgument>([&] { (void)study.ask_many(1 << 21); }),
            "a step may ask for 1048576 plays at most, not 2097152");
  EXPECT_EQ(bytes(folder.path("s/log")).value(), before);
  EXPECT_EQ(study.step({{2, 0.1}, {2, 0.1}}, 0).receipts,
            (std::vector<Receipt>{Receipt::fresh, Receipt::repeated}));
}

TEST(Study, SaysHowItsDescriptionDiffers) {
  const Folder folder;
  const Store store(folder.path(""));
  const auto refusal = [&](const std::string& name, const StudyDescription& description) {
    return message<StudyError>([&] { (void)store.create(name, description); });
  };
  (void)store.create("s", on_simplex());
  const std::string begin = " with another description (";
  const std::string end = "): take another name, or delete it first";
  StudyDescription other = {.on = "simplex(4)"};
  other.options.expiry = 9;
  EXPECT_EQ(refusal("s", other),
            "there is a study 's'" + begin +
                "its set is \"simplex(3)\", not \"simplex(4)\"; its seed is 7, "
                "not 0; it has no expiry" +
                end);
  (void)store.create("t", on_space());
  StudyDescription wider = on_space();
  wider.on = Space({{"batch", Integer{1, 64}},
                    {"codec", Choice{{"zstd", "lz4"}}},
                    {"wait", Number{.from = 1, .to = 200, .scale = Scale::log}}});
  EXPECT_EQ(refusal("t", wider), "there is a study 't'" + begin + "its space is another one" + end);
}

TEST(Study, OfAnotherDescriptionIsRefused) {
  const Folder folder;
  const Store store(folder.path(""));
  (void)store.create("s", on_simplex());
  (void)store.create("s", on_simplex());
  EXPECT_EQ(message<StudyError>([&] { (void)store.create("s", on_simplex("parameter_free")); }),
            "there is a study 's' with another description (its learner is \"default\", not "
            "\"parameter_free\"): take another name, or delete it first");
  EXPECT_EQ(message<StudyError>([&] { (void)store.create("a b", on_simplex()); }),
            "'a b' cannot be the name of a study: take up to 100 letters, digits, '-', '_' and "
            "'.', and begin with a letter, a digit or '_'");
  EXPECT_THROW((void)store.create("../s", on_simplex()), StudyError);
  (void)store.create("cache-tuning", on_space());
  const std::string store_path = folder.path("").substr(0, folder.path("").size() - 1);
  EXPECT_EQ(
      message<StudyError>([&] { (void)store.open("cache-tunning"); }),
      "there is no study 'cache-tunning' in " + store_path + "; did you mean 'cache-tuning'?");
  EXPECT_EQ(store.list(), (std::vector<std::string>{"cache-tuning", "s"}));
  store.remove("s");
  EXPECT_EQ(store.list(), std::vector<std::string>{"cache-tuning"});
  EXPECT_THROW(store.remove("s"), StudyError);
  EXPECT_THROW((void)store.create("t", {.on = "simplx(3)"}), SpecError);
  EXPECT_EQ(store.list(), std::vector<std::string>{"cache-tuning"});
}

TEST(Study, NoticesThatItWasDeleted) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_simplex());
  (void)study.ask();
  Store(folder.path("")).remove("s");
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_THROW((void)study.summary(), ReplacedStudy);
  // Another one of that name is another one.
  Study other = store.create("s", on_simplex());
  EXPECT_THROW((void)study.tell(1, 0.5), ReplacedStudy);
  EXPECT_EQ(other.ask().id, 1U);
}

TEST(Study, ADamagedLogIsRefusedAndLeftAlone) {
  const Folder folder;
  const Store store(folder.path(""));
  {
    Study study = store.create("s", on_simplex());
    for (int t = 1; t <= 20; ++t) study.tell(study.ask().id, 0.1 * t);
  }
  const std::string log = folder.path("s/log");
  std::string changed = bytes(log).value();
  const std::size_t middle = changed.size() - 200;
  changed[middle] = static_cast<char>(changed[middle] ^ 1);
  write_bytes(log, changed);
  const std::string said = message<StudyError>([&] { (void)store.open("s"); });
  EXPECT_EQ(said.rfind(log + " is damaged at byte ", 0), 0U) << said;
  EXPECT_NE(said.find("restore it from a copy"), std::string::npos);
  EXPECT_EQ(bytes(log), changed);
}

TEST(Study, DamageIsNoticedIfEachStepIsOfAProcessOfItsOwn) {
  const Folder folder;
  const Store store(folder.path(""));
  (void)store.create("s", on_simplex());
  std::vector<std::size_t> ends = {bytes(folder.path("s/log")).value().size()};
  for (int t = 1; t <= 6; ++t) {
    (void)store.open("s").ask();
    ends.push_back(bytes(folder.path("s/log")).value().size());
  }
  const std::string sound = bytes(folder.path("s/log")).value();
  for (std::size_t frame = 1; frame + 2 < ends.size(); ++frame) {
    std::string changed = sound;
    changed[ends[frame] - 1] = static_cast<char>(changed[ends[frame] - 1] ^ 1);
    write_bytes(folder.path("s/log"), changed);
    EXPECT_EQ(message<StudyError>([&] { (void)store.open("s"); }),
              folder.path("s/log") + " is damaged at byte " + std::to_string(ends[frame - 1]) +
                  ": restore it from a copy; nothing was changed");
    EXPECT_EQ(bytes(folder.path("s/log")), changed);
  }
  std::string changed = sound;
  changed[3] = static_cast<char>(changed[3] ^ 1);
  write_bytes(folder.path("s/log"), changed);
  EXPECT_THROW((void)store.open("s"), StudyError);
  EXPECT_EQ(bytes(folder.path("s/log")), changed);
}

TEST(Study, ALogIsPlayedAgain) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_space());
  std::vector<StudyPlay> plays = {study.ask("w1"), study.ask("w2")};
  const StudyStep step = study.step({{2, 0.5}, {1, 0.25}}, 2);
  plays.insert(plays.end(), step.plays.begin(), step.plays.end());
  EXPECT_EQ(study.tell(2, 0.5), Receipt::repeated);
  std::ofstream(folder.path("s/log"), std::ios::binary | std::ios::app) << "torn";
  const std::string before = bytes(folder.path("s/log")).value();
  std::vector<StudyPlay> found;
  std::vector<std::string> workers;
  std::vector<double> losses;
  const StudyLog log = store.replay("s", [&](const StudyRecord& record) {
    ASSERT_EQ(record.tells.size(), record.gave.receipts.size());
    for (const StudyPlay& play : record.gave.plays) {
      found.push_back(play);
      workers.push_back(record.worker);
    }
    for (const StudyTell& tell : record.tells) losses.push_back(tell.loss.value());
  });
  EXPECT_EQ(found, plays);
  EXPECT_EQ(workers, (std::vector<std::string>{"w1", "w2", "", ""}));
  EXPECT_EQ(losses, (std::vector<double>{0.5, 0.25, 0.5}));
  EXPECT_EQ(log.frames, 5U);
  EXPECT_EQ(log.torn, 4U);
  EXPECT_EQ(log.bytes + 4, before.size());
  EXPECT_EQ(log.state_hash, study.state().hash());
  EXPECT_EQ(bytes(folder.path("s/log")), before);
  EXPECT_THROW((void)store.replay("t", {}), StudyError);
}

TEST(Study, ReplayGoesOnWithWhatIsAppended) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_space());
  (void)study.ask();
  std::vector<std::size_t> seen;  // how many plays were asked for after each step
  int looks = 0;
  const StudyLog log = store.replay(
      "s", [&](const StudyRecord& record) { seen.push_back(record.learner->summary().asked); },
      [&] {
        if (looks == 1) (void)study.step({{1, 0.5}}, 2);
        return ++looks < 4;
      });
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(looks, 4);
  EXPECT_EQ(log.frames, 3U);
  EXPECT_EQ(log.torn, 0U);
  EXPECT_EQ(log.state_hash, study.state().hash());
}

TEST(Study, ATornEndIsCutOff) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", on_simplex());
  for (int t = 1; t <= 5; ++t) study.tell(study.ask().id, 0.1 * t);
  const State state = study.state();
  const std::string log = folder.path("s/log");
  const std::string sound = bytes(log).value();
  std::ofstream(log, std::ios::binary | std::ios::app) << "\x0Ctorn";
  EXPECT_EQ(store.open("s").state(), state);
  EXPECT_EQ(study.state(), state);
  (void)store.open("s").ask();
  EXPECT_EQ(bytes(log).value().substr(0, sound.size()), sound);
  EXPECT_EQ(study.summary().asked, 6U);
}

TEST(Study, HoldsTheFilesOfItsSet) {
  const Folder folder;
  const Store store(folder.path("studies"));
  const std::string rows = folder.path("rows.lp");
  const std::string points = folder.path("points.csv");
  write_bytes(rows, "min\n x + y\nst\n c1: x + 2 y <= 2\nbounds\n x <= 1\n y <= 1\nend\n");
  write_bytes(points, "a,b\n0,0\n1,0\n0,1\n");
  const std::map<std::string, std::string> specs = {
      {"rows", "polytope(file=\"" + rows + "\")"},
      {"points", "convex_hull(file=\"" + points + "\")"},
      {"both", "product(polytope(file=\"" + rows + "\"), convex_hull(file=\"" + points + "\"))"}};
  std::map<std::string, State> states;
  for (const auto& [name, spec] : specs) {
    Study study = store.create(name, {.on = spec, .learner = "parameter_free"});
    for (int t = 0; t < 20; ++t) study.tell(study.ask().id, 0.1 * t);
    states.emplace(name, study.state());
  }
  write_bytes(rows, "changed");
  std::filesystem::remove(points);
  for (const auto& [name, spec] : specs) {
    Study study = store.open(name);
    EXPECT_FALSE(study.needs_renewal()) << name;
    EXPECT_EQ(study.state(), states.at(name)) << name;
    // Made once; to make it again takes no file.
    EXPECT_EQ(store.create(name, {.on = spec, .learner = "parameter_free"}).state(),
              states.at(name));
  }
  EXPECT_THROW((void)store.create("new", {.on = specs.at("points")}), InputError);
  write_bytes(rows, "\\ \xff\nmin\n x\nst\n c: x <= 2\nend\n");
  EXPECT_EQ(message<StudyError>([&] { (void)store.create("new", {.on = specs.at("rows")}); }),
            "the file '" + rows + "' of the set is not UTF-8 text, so the study cannot hold it");
}

TEST(Study, KeepsTheArraysOfFilesOnce) {
  const Folder folder;
  const Store store(folder.path("studies"));
  std::vector<double> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = 1 + 1 / (3.0 + static_cast<double>(i));
  const Array weights(numbers);
  const std::string file = folder.path("weights.npy");
  const std::string few = folder.path("few.csv");
  write_bytes(file, weights.npy());
  write_bytes(few, "w\n1\n2\n");
  const std::string large = "knapsack(file(\"" + file + "\"), 100)";
  const std::string both =
      "product(" + large + ", knapsack(file(\"" + few + "\"), 1), " + large + ")";
  Study study = store.create("s", {.on = both, .learner = "parameter_free"});
  for (int t = 0; t < 3; ++t) study.tell(study.ask().id, 0.1 * t);
  const State state = study.state();
  std::filesystem::remove(file);
  std::filesystem::remove(few);
  EXPECT_EQ(store.open("s").state(), state);
  // One file, of which NumPy reads the numbers, and which sha256sum checks.
  const std::string kept = folder.path(
      "studies/s/content-" + weights.name().substr(std::string("sha256:").size()) + ".npy");
  EXPECT_EQ(bytes(kept), weights.npy());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("studies/s"))) {
    files += entry.path().filename().string().starts_with("content-") ? 1 : 0;
  }
  EXPECT_EQ(files, 1U);

  std::string changed = weights.npy();
  changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
  write_bytes(kept, changed);
  for (const bool copies : {false, true}) {
    try {
      const Folder elsewhere;
      copies ? store.copy("s", Store(elsewhere.path("studies"))) : (void)store.open("s");
      ADD_FAILURE();
    } catch (const StudyError& error) {
      EXPECT_EQ(error.code(), ErrorCode::damaged_log);
      EXPECT_EQ(std::string(error.what()), "the study 's': its array " + weights.name() +
                                               " has changed since it was written: restore it "
                                               "from a copy");
    }
  }
  std::filesystem::remove(kept);
  EXPECT_EQ(message<StudyError>([&] { (void)store.open("s"); }),
            "the study 's': its array " + weights.name() + " is gone: restore it from a copy");
  write_bytes(kept, weights.npy());
  EXPECT_EQ(store.open("s").state(), state);
}

/// What becomes of the call of a disk that fails.
struct Failure {
  int error = EIO;
  /// Whether a write does half of what it is asked and says so, as system calls may.
  bool writes_half = false;
  /// Whether the call after that fails.
  bool then_fails = true;
};

constexpr Failure failures[] = {{.error = EIO},
                                {.error = ENOSPC},
                                {.error = ENOSPC, .writes_half = true},
                                {.writes_half = true, .then_fails = false}};

/// A disk that fails at one of its calls, in one of the ways in which disks do.
class FailingDisk : public base::Disk {
 public:
  explicit FailingDisk(int fail_at, const Failure& failure = {})
      : fail_at_(fail_at), failure_(failure) {}

  int calls = 0;

  int create(const std::string& path) override { return fails() ? -1 : Disk::create(path); }
  int open(const std::string& path, base::Access access) override {
    return fails() ? -1 : Disk::open(path, access);
  }
  std::ptrdiff_t read(int file, char* bytes, std::size_t count, std::uint64_t from) override {
    return fails() ? -1 : Disk::read(file, bytes, count, from);
  }
  std::ptrdiff_t write(int file, const char* bytes, std::size_t count,
                       std::uint64_t from) override {
    if (!fails()) return Disk::write(file, bytes, count, from);
    if (failure_.writes_half && failure_.then_fails) fail_at_ = calls;
    if (failure_.writes_half) return Disk::write(file, bytes, (count + 1) / 2, from);
    if (count >= 2) (void)Disk::write(file, bytes, count / 2, from);  // half of it is there
    errno = failure_.error;
    return -1;
  }
  int sync(int /*file*/) override { return fails() ? -1 : 0; }  // nobody cuts the power here
  int sync_data(int /*file*/) override { return fails() ? -1 : 0; }
  int truncate(int file, std::uint64_t size) override {
    return fails() ? -1 : Disk::truncate(file, size);
  }
  int lock(int file) override { return fails() ? -1 : Disk::lock(file); }
  int rename(const std::string& from, const std::string& to) override {
    return fails() ? -1 : Disk::rename(from, to);
  }
  int make_folder(const std::string& path) override {
    return fails() ? -1 : Disk::make_folder(path);
  }
  int remove(const std::string& path) override { return fails() ? -1 : Disk::remove(path); }
  int list(const std::string& folder, std::vector<std::string>& names) override {
    return fails() ? -1 : Disk::list(folder, names);
  }
  int look(const std::string& path, base::DiskEntry& entry) override {
    return fails() ? -1 : Disk::look(path, entry);
  }
  int look_when_changed(const std::string& path, std::int64_t& seconds) override {
    return fails() ? -1 : Disk::look_when_changed(path, seconds);
  }

 private:
  bool fails() {
    errno = failure_.error;
    return calls++ == fail_at_;
  }

  int fail_at_;  // the number of the call
  Failure failure_;
};

/// Tells and asks until something fails; returns how many steps were acknowledged.
int play_until_it_fails(Study& study, int steps) {
  int done = 0;
  try {
    for (int t = 0; t < steps; ++t) {
      const StudyPlay play = study.ask("w");
      study.tell(play.id, loss_of(play.point));
      ++done;
    }
  } catch (const Error&) {
  }
  return done;
}

TEST(Study, AFailureAtAnyCallLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  Study uninterrupted = store.create("twin", on_simplex());
  (void)play_until_it_fails(uninterrupted, 30);
  const State expected = uninterrupted.state();
  for (int k = 0; k < 60 * static_cast<int>(std::size(failures)); ++k) {
    const int fail_at = k / static_cast<int>(std::size(failures));
    (void)store.create("s", on_simplex());
    const std::string log = folder.path("s/log");
    FailingDisk disk(fail_at, failures[static_cast<std::size_t>(k) % std::size(failures)]);
    int done = 0;
    try {
      Study study =
          study_of(std::make_unique<studies::FileJournal>(log, disk, 10), Durability::disk);
      done = play_until_it_fails(study, 20);
      // The disk works again: a study goes on, unless a sync has failed.
      done += play_until_it_fails(study, 20 - done);
    } catch (const Error&) {
    }
    EXPECT_GT(disk.calls, fail_at);
    Study again = store.open("s");
    const std::uint64_t told = again.summary().told;
    EXPECT_GE(told, static_cast<std::uint64_t>(done)) << k;
    EXPECT_LE(told, static_cast<std::uint64_t>(done) + 1) << k;
    (void)play_until_it_fails(again, static_cast<int>(30 - told));
    EXPECT_EQ(again.state(), expected) << k;
    store.remove("s");
  }
}

std::set<std::string> names_in(const std::string& folder, const std::string& begin) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(begin)) names.insert(name);
  }
  return names;
}

/// Lets each call of the disk under the stores in a folder fail in each way. act() is made while it
/// does, and look() says whether what it left is right, with a disk that works. Returns how many
/// calls failed.
int fail_each_call(const std::string& stores, const std::function<void()>& act,
                   const std::function<void(bool done)>& look) {
  int failed = 0;
  for (const Failure& failure : failures) {
    for (int fail_at = 0;; ++fail_at) {
      SCOPED_TRACE("call " + std::to_string(fail_at) + ", error " + std::to_string(failure.error) +
                   (failure.writes_half ? ", half a write" : ""));
      FailingDisk disk(fail_at, failure);
      bool done = false;
      try {
        const studies::DiskInstead instead(disk);
        act();
        done = true;
      } catch (const Error&) {
      }
      look(done);
      // Else each attempt would look at what those before it have left behind.
      for (const std::string& left : names_in(stores, ".")) {
        std::filesystem::remove_all(stores + left);
      }
      if (disk.calls <= fail_at || testing::Test::HasFailure()) break;
      ++failed;
    }
  }
  return failed;
}

TEST(Study, AFailureAtAnyCallOfAStoreLosesNothing) {
  // Making a study, opening it, and its snapshots: a step takes 3 or 4 calls, and a snapshot 7.
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  Study uninterrupted = store.create("twin", on_simplex("parameter_free"));
  (void)play_until_it_fails(uninterrupted, 50);
  ASSERT_FALSE(names_in(folder.path("twin"), "snapshot-").empty());
  const State expected = uninterrupted.state();
  int done = 0;
  const auto act = [&] {
    Study study = store.create("s", on_simplex("parameter_free"));
    done += play_until_it_fails(study, 40 - done);
    if (done < 40) throw Error("it has failed");
  };
  const auto look = [&](bool is_done) {
    if (!is_done) act();  // by a disk that works again
    EXPECT_EQ(std::exchange(done, 0), 40);
    EXPECT_EQ(store.list(), (std::vector<std::string>{"s", "twin"}));
    Study again = store.open("s");
    const std::uint64_t told = again.summary().told;
    EXPECT_GE(told, 40U);
    EXPECT_LE(told, 41U);
    (void)play_until_it_fails(again, static_cast<int>(50 - told));
    EXPECT_EQ(again.state(), expected);
    store.remove("s");
  };
  EXPECT_GT(fail_each_call(folder.path(""), act, look), 60);
}

/// The files of a study, which are put back after each attempt.
class KeptStudy {
 public:
  explicit KeptStudy(std::string path) : path_(std::move(path)) { copy(path_, kept_.path("s")); }

  void put_back() const {
    std::filesystem::remove_all(path_);
    copy(kept_.path("s"), path_);
  }

 private:
  static void copy(const std::string& from, const std::string& to) {
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  }

  std::string path_;
  Folder kept_{place_in_memory()};
};

TEST(Study, AFailureAtAnyCallOfARenewalLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::disk});
  std::filesystem::copy(std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/study_5", folder.path("s"),
                        std::filesystem::copy_options::recursive);
  const KeptStudy kept(folder.path("s"));
  const auto renew = [&] { (void)store.renew("s"); };
  renew();
  const State expected = store.open("s").state();
  kept.put_back();
  const auto look = [&](bool is_done) {
    EXPECT_TRUE(!is_done || !store.open("s").needs_renewal());
    (void)store.open("s").recommend();
    renew();
    Study again = store.open("s");
    EXPECT_EQ(again.state(), expected);
    EXPECT_EQ(again.ask("w").id, 90U);
    kept.put_back();
  };
  EXPECT_GT(fail_each_call(folder.path(""), renew, look), 20);
}

TEST(Study, AFailureAtAnyCallOfACopyLeavesTheOldOneOrTheNew) {
  const Folder folder(place_in_memory());
  const Store from(folder.path("from"), {.durability = Durability::process});
  const Store to(folder.path("to"), {.durability = Durability::process});
  Study study = from.create("s", on_simplex());
  (void)play_until_it_fails(study, 10);
  from.set_label("s", {.note = "old"});
  from.copy("s", to);
  const KeptStudy kept(folder.path("to/s"));
  const State before = study.state();
  (void)play_until_it_fails(study, 10);
  const auto copy = [&] {
    const StoreCopy done = from.copy_all(to);
    if (!done.failures.empty()) throw Error(done.failures.front());
  };
  const auto look = [&](bool is_done) {
    ASSERT_EQ(to.list(), std::vector<std::string>{"s"});
    const State state = to.open("s").state();
    EXPECT_TRUE(state == study.state() || (!is_done && state == before));
    kept.put_back();
  };
  EXPECT_GT(fail_each_call(folder.path("to/"), copy, look), 20);
}

TEST(Study, WhatAKillHasLeftOfADeletionIsNotBroughtBack) {
  const Folder folder;
  const Store store(folder.path(""));
  (void)store.create("s", on_simplex());
  // The folder that it was to get was made, and no more.
  std::filesystem::create_directory(folder.path(".kept.9999999999.1789990000123.s.0"));
  EXPECT_TRUE(store.deleted().empty());
  store.undelete("s");  // it is there
  store.remove("s");
  EXPECT_EQ(
      message<StudyError>([&] { store.undelete("s"); }),
      "no deleted study 's' is kept in " + folder.path("").substr(0, folder.path("").size() - 1));
}

/// A disk on which names stay as they are.
class FixedNames final : public base::Disk {
 public:
  int rename(const std::string&, const std::string&) override { return refuse(); }
  int make_folder(const std::string&) override { return refuse(); }
  int remove(const std::string&) override { return refuse(); }

 private:
  static int refuse() {
    errno = EROFS;
    return -1;
  }
};

TEST(Study, IsListedWhereWhatIsToGoCannotBeRemoved) {
  const Folder folder;
  (void)Store(folder.path("")).create("s", on_simplex());
  std::filesystem::create_directory(folder.path(".kept.1000000000.1000000000000.t.0"));
  FixedNames disk;
  const studies::DiskInstead instead(disk);
  const Store store(folder.path(""));
  EXPECT_EQ(store.list(), std::vector<std::string>{"s"});
  EXPECT_TRUE(store.deleted().empty());
}

TEST(Study, OfAnEarlierVersionThatWasDeletedIsBroughtBack) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s.7", on_simplex());
  (void)play_until_it_fails(study, 3);
  const State state = study.state();
  std::filesystem::rename(folder.path("s.7"), folder.path(".kept.9999999999.s.7.0"));
  ASSERT_EQ(store.deleted().size(), 1U);
  EXPECT_EQ(store.deleted().front().until, 9999999999U);
  store.undelete("s.7");
  EXPECT_EQ(store.open("s.7").state(), state);
}

TEST(Study, IsBroughtBackByOneOfMany) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  for (int round = 0; round < 100; ++round) {
    (void)store.create("s", on_simplex());
    store.remove("s", 60);
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k) threads.emplace_back([&] { store.undelete("s"); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(store.list(), std::vector<std::string>{"s"});
    EXPECT_TRUE(store.deleted().empty());
    store.remove("s");
  }
}

TEST(Study, ANoteIsText) {
  const Store store = Store::in_memory();
  (void)store.create("s", on_simplex());
  for (const std::string& wrong : {std::string("a\0b", 3), std::string("caf\xe9"),
                                   std::string("\xed\xa0\x80"), std::string("\x1b[1m")}) {
    EXPECT_EQ(message<InvalidArgument>([&] { store.set_label("s", {.note = wrong}); }),
              "a note must be text in UTF-8, of letters that print and ends of lines");
  }
  store.set_label("s", {.note = "caf\u00e9\n\tna\u00efve"});
  std::vector<std::string> tags;
  for (int k = 0; k < 200000; ++k) tags.push_back("t" + std::to_string(k));
  EXPECT_EQ(message<InvalidArgument>([&] { store.set_label("s", {.tags = tags}); }),
            "a study has at most 20 tags, and these are more");
  for (const char* const no_name : {"\xff", "-x", "a b"}) {
    EXPECT_NE(message<InvalidArgument>([&] {
                (void)store.find({.prefix = no_name});
              }).find("is neither a name nor the beginning of one"),
              std::string::npos);
    EXPECT_THROW((void)store.find({.after = no_name}), InvalidArgument);
  }
}

TEST(Study, AStoreIsNotCopiedIntoItself) {
  const Folder folder;
  const Store store(folder.path("all"));
  (void)store.create("s", on_simplex());
  const Store inside(folder.path("all/@x"));
  EXPECT_NE(message<InvalidArgument>([&] { (void)store.copy_all(inside); }).find("into itself"),
            std::string::npos);
}

TEST(Study, AFailureAtAnyCallOfALabelOrADeletionLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", on_simplex());
  (void)play_until_it_fails(study, 5);
  store.set_label("s", {.note = "old"});
  const State state = study.state();
  const auto look = [&](bool) {
    if (store.list().empty()) store.undelete("s");
    EXPECT_EQ(store.open("s").state(), state);
    const std::string note = store.label("s").note;
    EXPECT_TRUE(note == "old" || note == "new") << note;
  };
  const auto write = [&] { store.set_label("s", {.note = "new"}); };
  EXPECT_GT(fail_each_call(folder.path(""), write, look), 5);
  const auto remove = [&] { store.remove("s", 3600); };
  EXPECT_GT(fail_each_call(folder.path(""), remove, look), 5);
  const auto bring_back = [&] {
    if (!store.list().empty()) store.remove("s", 3600);
    store.undelete("s");
    store.undelete("s");  // as after a lost answer
  };
  EXPECT_GT(fail_each_call(folder.path(""), bring_back, look), 10);
}

TEST(Study, AFailureAtAnyCallOfAChangeLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::disk});
  {
    Study study = store.create("s", on_space());
    (void)play_until_it_fails(study, 20);
  }
  const KeptStudy kept(folder.path("s"));
  const State before = store.open("s").state();
  Space wider({{"batch", Integer{1, 128}},
               {"codec", Choice{{"zstd", "lz4"}}},
               {"wait", Number{.from = 1, .to = 100, .scale = Scale::log}}});
  StudyChange said = store.change("s", wider);
  const StudyChange expected = said;
  const State after = store.open("s").state();
  kept.put_back();
  const auto change = [&] { said = store.change("s", wider); };
  const auto look = [&](bool is_done) {
    const State now = store.open("s").state();
    EXPECT_TRUE(now == after || (!is_done && now == before));
    change();
    EXPECT_EQ(said, expected);
    EXPECT_EQ(store.open("s").state(), after);
    kept.put_back();
  };
  EXPECT_GT(fail_each_call(folder.path(""), change, look), 20);
}

TEST(Study, AFailureAtAnyCallOfACopyLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path("from"), {.durability = Durability::process});
  const Store to(folder.path("to"));
  Study study = store.create("s", on_simplex("parameter_free"));  // which has snapshots
  ASSERT_EQ(play_until_it_fails(study, 60), 60);
  const State expected = study.state();
  const std::string array = Array(Vector{1, 2, 3}).npy();
  const std::string content = "content-" + base::sha256(array) + ".npy";
  write_bytes(folder.path("from/s/" + content), array);
  const auto files = names_in(folder.path("from/s"), "");
  ASSERT_EQ(files.size(), 4U);
  const auto copy = [&] { store.copy("s", to); };
  const auto look = [&](bool is_done) {
    const bool is_there = !to.identity("s").empty();
    EXPECT_TRUE(!is_done || is_there);
    if (!is_there) copy();
    EXPECT_EQ(to.list(), std::vector<std::string>{"s"});
    EXPECT_EQ(bytes(folder.path("to/s/" + content)), array);
    EXPECT_EQ(to.open("s").state(), expected);
    to.remove("s");
  };
  EXPECT_GT(fail_each_call(folder.path("to/"), copy, look), 20);
  EXPECT_EQ(names_in(folder.path("from/s"), ""), files);
  EXPECT_EQ(store.open("s").state(), expected);
}

TEST(Study, AFailureAtAnyCallOfARemovalLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto make = [&] {
    Study study = store.create("s", on_simplex());
    (void)play_until_it_fails(study, 5);
    return study.state();
  };
  const State expected = make();
  const auto look = [&](bool is_done) {
    if (is_done) {
      EXPECT_EQ(store.list(), std::vector<std::string>());
    } else if (!store.identity("s").empty()) {
      EXPECT_EQ(store.open("s").state(), expected);
      store.remove("s");
    }
    EXPECT_EQ(make(), expected);
  };
  EXPECT_GT(fail_each_call(
                folder.path(""), [&] { store.remove("s"); }, look),
            8);
}

TEST(Study, AFailureAtAnyCallOfLearningLosesNothing) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::disk});
  {
    Study study = store.create("s", on_simplex());
    (void)play_until_it_fails(study, 5);
  }
  const KeptStudy kept(folder.path("s"));
  const std::vector<StudyPast> past = {{.point = {0.25, 0.25, 0.5}, .loss = 0.5},
                                       {.point = {0.5, 0.25, 0.25}, .loss = 0.25, .count = 7}};
  const auto learn = [&](Study& study) {
    EXPECT_EQ(study.learn(past, Outside::refuse, "import").learned, 2U);
  };
  const auto learn_as_asked = [&] {
    Study study = store.open("s");
    try {
      learn(study);
    } catch (const Error&) {
      learn(study);  // the disk works again: it goes on, unless a sync has failed
    }
  };
  learn_as_asked();
  const State expected = store.open("s").state();
  kept.put_back();
  const auto look = [&](bool is_done) {
    Study study = store.open("s");
    EXPECT_TRUE(!is_done || study.past() == 2);
    learn(study);
    EXPECT_EQ(study.past(), 2U);
    EXPECT_EQ(study.state(), expected);
    EXPECT_EQ(store.open("s").state(), expected);
    kept.put_back();
  };
  EXPECT_GT(fail_each_call(folder.path(""), learn_as_asked, look), 8);
}

/// A disk on which everything was changed long ago.
class OldDisk : public base::Disk {
 public:
  int look_when_changed(const std::string& path, std::int64_t& seconds) override {
    const int found = Disk::look_when_changed(path, seconds);
    seconds -= 2 * 3600;
    return found;
  }
};

TEST(Study, WhatKillsLeaveBehindIsRemoved) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", on_simplex());
  const std::set<std::string> folders = {".deleted.t.7", ".draft.s.0", ".draft.s.1"};
  const std::set<std::string> files = {"snapshot-1000.other.1.2.tmp", "snapshot-900.host.12.1.tmp"};
  for (const std::string& left : folders) {
    std::filesystem::create_directory(folder.path(left));
    write_bytes(folder.path(left + "/log"), "half");
  }
  for (const std::string& left : files) write_bytes(folder.path("s/" + left), "half");
  write_bytes(folder.path("s/notes.tmp"), "of the user");
  const auto play_until_a_snapshot = [&](Study& playing) {
    const auto before = names_in(folder.path("s"), "snapshot-");
    for (int t = 0; t < 10000; ++t) {
      (void)play_until_it_fails(playing, 1);
      const auto now = names_in(folder.path("s"), "snapshot-");
      if (!std::includes(before.begin(), before.end(), now.begin(), now.end())) return now;
    }
    return std::set<std::string>();
  };
  // Somebody may be at work on what is new.
  const auto snapshots = play_until_a_snapshot(study);
  EXPECT_TRUE(std::includes(snapshots.begin(), snapshots.end(), files.begin(), files.end()));
  (void)store.create("other", on_simplex());
  EXPECT_EQ(names_in(folder.path(""), "."), folders);

  OldDisk disk;
  const studies::DiskInstead instead(disk);
  store.remove("other");
  EXPECT_EQ(names_in(folder.path(""), "."), std::set<std::string>());
  Study again = store.open("s");
  for (const std::string& snapshot : play_until_a_snapshot(again)) {
    EXPECT_FALSE(snapshot.ends_with(".tmp")) << snapshot;
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path("s/notes.tmp")));
  EXPECT_EQ(store.open("s").state(), again.state());
}

/// A disk that says when a folder was changed, and counts how often one is read.
class DatedDisk : public base::Disk {
 public:
  int look_when_changed(const std::string& /*path*/, std::int64_t& seconds) override {
    seconds = changed;
    return 0;
  }
  int list(const std::string& folder, std::vector<std::string>& names) override {
    ++lists;
    return Disk::list(folder, names);
  }

  std::int64_t changed = 0;
  int lists = 0;
};

TEST(Study, NamesAreReadAgainOnceTheFolderHasChanged) {
  const Folder folder;
  DatedDisk disk;
  const studies::DiskInstead instead(disk);
  const std::int64_t now = std::time(nullptr);
  const Store store(folder.path(""), {.durability = Durability::process});
  const Store others(folder.path(""), {.durability = Durability::process});
  using Names = std::vector<std::string>;
  disk.changed = now - 100;
  (void)store.create("b", on_simplex());
  EXPECT_EQ(store.list(), Names{"b"});
  disk.lists = 0;
  EXPECT_EQ(store.list(), Names{"b"});
  EXPECT_EQ(store.find({.text = "B"}).size(), 1U);
  EXPECT_EQ(disk.lists, 0);
  disk.changed = now - 50;
  (void)others.create("a", on_simplex());
  EXPECT_EQ(store.list(), (Names{"a", "b"}));
  // What has just changed may change again within the same second.
  disk.changed = now + 3600;
  for (const char* const name : {"c", "d"}) {
    (void)others.create(name, on_simplex());
    EXPECT_EQ(store.list().back(), name);
  }
  // A study that is gone is not listed, even if its name is still known.
  disk.changed = now - 20;
  EXPECT_EQ(store.list().size(), 4U);
  others.remove("c");
  EXPECT_EQ(store.list(), (Names{"a", "b", "d"}));
}

TEST(Study, ThreadsShareIt) {
  const Folder folder;
  Study study =
      Store(folder.path(""), {.durability = Durability::process}).create("s", on_simplex());
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int t = 0; t < 100; ++t) {
        const StudyPlay play = study.ask();
        study.tell(play.id, loss_of(play.point));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(study.summary().told, 400U);
  EXPECT_EQ(study.state(), Store(folder.path("")).open("s").state());
}

/// Runs in a process of its own: plays as a worker and writes what was acknowledged to a pipe.
[[noreturn]] void work(const std::string& folder, const std::string& worker, int steps, int pipe) {
  Study study = Store(folder).open("s");
  for (int t = 0; t < steps; ++t) {
    const StudyPlay play = study.ask(worker);
    study.tell(play.id, loss_of(play.point));
    if (::write(pipe, &play.id, sizeof play.id) != sizeof play.id) ::_exit(1);
  }
  ::_exit(0);
}

std::set<PlayId> read_all(int pipe) {
  std::set<PlayId> acknowledged;
  for (PlayId id = 0; ::read(pipe, &id, sizeof id) == sizeof id;) acknowledged.insert(id);
  ::close(pipe);
  return acknowledged;
}

TEST(Study, ProcessesShareIt) {
  const Folder folder;
  const Store store(folder.path(""));
  (void)store.create("s", on_simplex());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    children.push_back(::fork());
    if (children.back() == 0) work(folder.path(""), "w" + std::to_string(k), 50, ends[1]);
  }
  ::close(ends[1]);
  const std::set<PlayId> acknowledged = read_all(ends[0]);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(acknowledged.size(), 200U);  // no play was given to two
  EXPECT_EQ(store.open("s").summary().told, 200U);
}

TEST(Study, AForkedChildGoesOnWithIt) {
  const Folder folder;
  Study study = Store(folder.path("")).create("s", on_simplex());
  (void)study.ask();
  const pid_t child = ::fork();
  if (child == 0) {
    for (int t = 0; t < 20; ++t) study.tell(study.ask().id, 0.5);
    ::_exit(0);
  }
  for (int t = 0; t < 20; ++t) study.tell(study.ask().id, 0.25);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(study.summary().asked, 41U);
  EXPECT_EQ(study.summary().told, 40U);
  EXPECT_EQ(study.state(), Store(folder.path("")).open("s").state());
}

TEST(MemoryJournal, LosesWhatIsNotHardened) {
  auto journal = std::make_unique<studies::MemoryJournal>(
      first_frame(studies::new_study(on_simplex(), Catalogue::standard()).text));
  studies::MemoryJournal& log = *journal;
  Study study = study_of(std::move(journal), Durability::process);
  (void)study.ask_many(3);
  log.harden(log.bytes().size());
  const std::string kept = log.bytes();
  (void)study.ask_many(3);
  log.lose_unhardened();
  EXPECT_EQ(log.bytes(), kept);
  Study again = study_of(std::make_unique<studies::MemoryJournal>(kept), Durability::process);
  EXPECT_EQ(again.summary().asked, 3U);
}

}  // namespace
}  // namespace keyhole::tests
