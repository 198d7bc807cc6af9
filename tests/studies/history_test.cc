// A log holds facts: what was played is compared, two histories are never taken for one, and a
// study that is not what it was says so.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/disk.h"
#include "folder.h"
#include "golden/golden_file.h"
#include "keyhole/store.h"
#include "spaces/values.h"
#include "studies/format/events.h"
#include "studies/journals/store_disk.h"
#include "studies/made_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

namespace fs = std::filesystem;

StudyDescription on_three_shares(Facts facts = Facts::points) {
  return {.on = "simplex(3)", .options = {.seed = 7, .window = 50}, .facts = facts};
}

void play(Study& study, int steps, double loss = 0.5) {
  for (int t = 0; t < steps; ++t) {
    const StudyPlay play = study.ask();
    study.tell(play.id, loss * play.point[0]);
  }
}

ErrorCode code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::other;
}

/// Changes the first point that a log holds, and seals all frames again.
std::string with_another_point(const std::string& log) {
  std::string result;
  studies::Mark written;
  bool changed = false;
  std::uint64_t asked = 0;
  for (studies::Mark at; at.position < log.size();) {
    const auto frame = studies::read_frame(std::string_view(log).substr(at.position), at).value();
    std::string content(frame.content);
    studies::Event event;
    if (at.position > 0 && studies::read_event(frame.content, asked, event)) {
      const auto& step = std::get<studies::Step>(event);
      if (!changed && step.asks > 0 && asked > 3) {
        char& byte = content[content.size() - step.facts.size()];  // the lowest of x_1
        byte = static_cast<char>(byte ^ 1);
        changed = true;
      }
      asked += step.asks;
    }
    result += studies::frame_bytes(written, frame.hardened, content);
    at = frame.end;
  }
  EXPECT_TRUE(changed);
  return result;
}

TEST(Facts, APointThatDiffersIsNoticedAndNamed) {
  for (const Facts facts : {Facts::points, Facts::witness}) {
    const Folder folder;
    const Store store(folder.path(""), {.durability = Durability::process});
    {
      Study study = store.create("s", on_three_shares(facts));
      play(study, 10);
    }
    for (const auto& file : fs::directory_iterator(folder.path("s"))) {
      if (file.path().filename() != "log") fs::remove(file.path());
    }
    const std::string log = bytes(folder.path("s/log")).value();
    write_bytes(folder.path("s/log"), with_another_point(log));
    const auto opening = [&] { (void)store.open("s"); };
    EXPECT_EQ(message<StudyError>(opening),
              "the study 's': play 5 was made at another point than this build gives: renew it "
              "('keyhole study renew' or Store::renew), or use the build that wrote it");
    EXPECT_EQ(code_of(opening), ErrorCode::other_digits);
    EXPECT_EQ(code_of([&] { hash_of_the_log(store, "s"); }), ErrorCode::other_digits);
    // What the log holds can be read, and renewal goes on.
    std::vector<StudyPlay> plays;
    const auto take = [&](const StudyRecord& record) {
      plays.insert(plays.end(), record.gave.plays.begin(), record.gave.plays.end());
    };
    if (facts == Facts::points) {
      (void)store.replay("s", take, {}, Replay::facts);
      ASSERT_EQ(plays.size(), 10U);
      EXPECT_EQ(plays[4].point.size(), 3U);
    }
    EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
    Study study = store.open("s");
    EXPECT_EQ(study.ask().id, 11U);
    EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
  }
}

TEST(Facts, RenewalTeachesWhatTheLogHolds) {
  const auto recommended_after = [](Facts facts) {
    const Folder folder;
    const Store store(folder.path(""), {.durability = Durability::process});
    {
      Study study = store.create("s", on_three_shares(facts));
      play(study, 400);
      EXPECT_LT(study.recommend()[0], 0.05);
    }
    for (const auto& file : fs::directory_iterator(folder.path("s"))) {
      if (file.path().filename() != "log") fs::remove(file.path());
    }
    const std::string log = bytes(folder.path("s/log")).value();
    write_bytes(folder.path("s/log"), with_another_point(log));  // at the fifth play
    EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
    Study study = store.open("s");
    EXPECT_EQ(study.ask().id, 401U);
    EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
    return study.recommend()[0];
  };
  EXPECT_LT(recommended_after(Facts::points), 0.05);
  EXPECT_GT(recommended_after(Facts::witness), 0.2);  // four plays teach little
}

TEST(Facts, NothingIsTaughtOfPlaysWhosePointsAreNotKnown) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto space_to = [](double most) {
    return Space({{"a", Number{.from = 0, .to = most}}, {"b", Number{.from = 0, .to = 1}}});
  };
  StudyDescription description{.on = space_to(1), .facts = Facts::witness};
  description.start = {{"a", 0.5}, {"b", 0.5}};
  {
    Study study = store.create("s", description);
    play(study, 20);
  }
  for (const auto& file : fs::directory_iterator(folder.path("s"))) {
    if (file.path().filename() != "log") fs::remove(file.path());
  }
  const std::string log = bytes(folder.path("s/log")).value();
  write_bytes(folder.path("s/log"), with_another_point(log));  // at the fifth play
  store.renew("s");
  const StudyChange receipt = store.change("s", space_to(2));
  EXPECT_EQ(receipt.learned, 4U);
  EXPECT_EQ(receipt.dropped, 16U);
}

TEST(Facts, TheLogHoldsWhatWasPlayed) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  StudyDescription description{
      .on = Space({{"batch", Integer{1, 64}}, {"codec", Choice{{"zstd", "lz4"}}}}),
      .options = {.seed = 3, .stream = 5}};
  Study study = store.create("s", description);
  std::vector<StudyPlay> played;
  for (int t = 0; t < 40; ++t) {
    for (const StudyPlay& play : study.step({}, 1 + t % 3).plays) played.push_back(play);
    study.tell(played[static_cast<std::size_t>(t)].id, 0.1 * t);
    if (t == 20) study.explore(false);
    if (t == 25) study.explore(true);
  }
  std::vector<StudyPlay> read;
  const StudyLog log = store.replay(
      "s",
      [&](const StudyRecord& record) {
        EXPECT_EQ(record.learner, nullptr);
        read.insert(read.end(), record.gave.plays.begin(), record.gave.plays.end());
      },
      {}, Replay::facts);
  EXPECT_EQ(read, played);
  EXPECT_EQ(log.state_hash, 0U);
  Study looked_at = store.open("s", Replay::facts);
  EXPECT_EQ(message<StudyError>([&] { (void)looked_at.ask(); }),
            "the study 's' was opened to be looked at only: open it again");
  EXPECT_EQ(looked_at.set().dimension(), study.set().dimension());
}

TEST(Facts, OfManyCoordinatesTheLogHasAWitness) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto bytes_a_step = [&](const std::string& set, Facts facts) {
    StudyDescription description{.on = set, .learner = "parameter_free", .facts = facts};
    Study study = store.create("s" + std::to_string(store.list().size()), description);
    PlayId latest = study.ask().id;
    const std::uint64_t before = study.position().bytes;
    for (int t = 0; t < 100; ++t) latest = study.step({{latest, 0.5}}).plays[0].id;
    return static_cast<double>(study.position().bytes - before) / 100;
  };
  EXPECT_LE(bytes_a_step("simplex(10)", Facts::witness), 28);
  EXPECT_LE(bytes_a_step("simplex(10)", Facts::points), 108);
  EXPECT_GE(bytes_a_step("ball(64)", Facts::points), 512);
  EXPECT_LE(bytes_a_step("ball(65)", Facts::points), 28);
}

TEST(History, ALogThatWasRestoredIsNotTakenForTheOneOfItsSnapshots) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  std::string early;
  {
    Study study = store.create("s", on_three_shares());
    play(study, 10);
    early = bytes(folder.path("s/log")).value();
    play(study, 300, 0.5);
  }
  std::string branch;
  {
    // Another branch, whose frames are as long as those of the first and end alike: with asks.
    write_bytes(folder.path("s/log"), early);
    for (const auto& file : fs::directory_iterator(folder.path("s"))) {
      if (file.path().filename() != "log") {
        fs::rename(file.path(), folder.path("") + file.path().filename().string());
      }
    }
    Study study = store.open("s");
    play(study, 300, -0.5);
    branch = bytes(folder.path("s/log")).value();
  }
  fs::remove_all(folder.path("s"));
  fs::create_directory(folder.path("s"));
  write_bytes(folder.path("s/log"), branch);
  for (const auto& file : fs::directory_iterator(folder.path(""))) {
    if (file.is_regular_file()) {
      fs::rename(file.path(), folder.path("s/") + file.path().filename().string());
    }
  }
  Study study = store.open("s");
  EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
}

TEST(History, AnOpenStudyNoticesThatItsLogIsAnother) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const std::string log = folder.path("s/log");
  Study study = store.create("s", on_three_shares());
  play(study, 10);
  const std::string early = bytes(log).value();
  play(study, 10);
  const auto expect_to_notice = [&]() -> std::function<void()> {
    Study open = store.open("s");
    Study other = store.open("s");
    return [&, open = std::make_shared<Study>(std::move(open)),
            other = std::make_shared<Study>(std::move(other))] {
      EXPECT_EQ(code_of([&] { (void)open->ask(); }), ErrorCode::replaced);
      EXPECT_EQ(code_of([&] { (void)other->recommend(); }), ErrorCode::replaced);
      EXPECT_EQ(code_of([&] { (void)other->tell(1, 0.5); }), ErrorCode::replaced);
    };
  };
  // Another file takes its name; the first one still has another name.
  const std::string now = bytes(log).value();
  std::function<void()> check = expect_to_notice();
  fs::create_hard_link(log, folder.path("aside"));
  fs::remove(log);
  write_bytes(log, now);
  check();
  // It is cut, and grows again on another branch, in the same file.
  check = expect_to_notice();
  fs::resize_file(log, early.size());
  check();
  write_bytes(log, now);
  check = expect_to_notice();
  std::string changed;
  {
    write_bytes(folder.path("t-log"), early);
    fs::create_directory(folder.path("t"));
    fs::rename(folder.path("t-log"), folder.path("t/log"));
    Study branch = store.open("t");
    play(branch, 10, -0.25);
    changed = bytes(folder.path("t/log")).value();
    changed.resize(now.size());
  }
  std::fstream(log, std::ios::in | std::ios::out | std::ios::binary)
      .write(changed.data(), static_cast<std::streamsize>(changed.size()));
  EXPECT_EQ(bytes(log), changed);
  check();
  // What is there now can be opened.
  play(study = store.open("s"), 1);
  EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
}

TEST(History, AChangeAnywhereInALogThatWasNeverSyncedIsNoticed) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  {
    Study study = store.create("s", on_three_shares());
    play(study, 7);
  }
  const std::string log = folder.path("s/log");
  const std::string sound = bytes(log).value();
  const auto expect_damaged = [&](const std::string& changed, std::size_t i) {
    write_bytes(log, changed);
    EXPECT_EQ(code_of([&] { (void)store.open("s"); }), ErrorCode::damaged_log) << i;
    EXPECT_EQ(bytes(log), changed);
  };
  const std::size_t last = sound.size() - 90;  // the last two frames have too few behind them
  for (std::size_t i = 0; i < last; i += 3) {
    std::string changed = sound;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    expect_damaged(changed, i);
    changed = sound;
    changed.erase(i, 1);
    expect_damaged(changed, i);
    changed = sound;
    changed.insert(i, 1, 'x');
    expect_damaged(changed, i);
  }
}

TEST(History, AnOldLogGoesOnInTheNewFormat) {
  // Written by version 1.0.0 before its log held facts.
  const Folder folder;
  const Store store(folder.path(""));
  fs::copy(std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/study_format_1", folder.path("s"),
           fs::copy_options::recursive);
  const std::string old = bytes(folder.path("s/log")).value();
  // Its digits are those of revision 6: it says so, shows what it holds, and is renewed.
  {
    Study study = store.open("s");
    EXPECT_TRUE(study.needs_renewal());
    EXPECT_THROW((void)study.ask("w"), Error);
  }
  EXPECT_EQ(bytes(folder.path("s/log")), old);
  store.renew("s");
  EXPECT_TRUE(bytes(folder.path("s/log")).value().starts_with(old));
  {
    Study study = store.open("s");
    EXPECT_FALSE(study.needs_renewal());
    EXPECT_EQ(study.summary().asked, 61U);
    play(study, 60);
  }
  Study study = store.open("s");
  EXPECT_EQ(study.summary().asked, 121U);
  EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
}

TEST(Workers, AreForgottenWhenTheirPlaysExpire) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", {.on = "simplex(3)", .options = {.window = 100}});
  for (int k = 0; k < 2000; ++k) (void)study.ask("worker-" + std::to_string(k));
  EXPECT_EQ(study.ask("worker-1999").id, 2000U);
  EXPECT_EQ(study.play(2000).worker, "worker-1999");
  EXPECT_EQ(study.ask("worker-1899").id, 2001U);  // it had expired
  std::uint64_t largest = 0;
  for (const auto& file : fs::directory_iterator(folder.path("s"))) {
    if (file.path().filename() != "log") largest = std::max(largest, file.file_size());
  }
  EXPECT_GT(largest, 0U);
  EXPECT_LT(largest, 40000U);  // 2000 names with their points would be 100,000 bytes
}

TEST(Streams, DecideWhatASpaceDraws) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto drawn = [&](const std::string& name, std::uint64_t stream) {
    Study study =
        store.create(name, {.on = Space({{"a", Choice{{"x", "y", "z"}}}, {"b", Integer{0, 9}}}),
                            .learner = "stay",
                            .options = {.stream = stream}});
    std::vector<Values> values;
    for (const StudyPlay& play : study.ask_many(20)) values.push_back(play.values);
    return values;
  };
  const std::vector<Values> first = drawn("a", 0);
  const std::vector<Values> second = drawn("b", 1);
  EXPECT_EQ(first, drawn("c", 0));
  EXPECT_EQ(second, drawn("d", 1));
  EXPECT_NE(first, second);
}

/// The log with another text in its description.
std::string with_text(const std::string& log, const std::string& from, const std::string& to) {
  std::string result;
  studies::Mark written;
  for (studies::Mark at; at.position < log.size();) {
    const auto frame = studies::read_frame(std::string_view(log).substr(at.position), at).value();
    std::string content(frame.content);
    if (at.position == 0) content.replace(content.find(from), from.size(), to);
    result += studies::frame_bytes(written, frame.hardened, content);
    at = frame.end;
  }
  return result;
}

/// Rules between whole numbers hold in new logs; the plays of old logs are what they were.
TEST(Rules, OldLogsKeepTheirDraws) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const Space space({{"a", Integer{0, 4}}, {"b", Integer{0, 4}}, {"c", Integer{0, 4}}},
                    {"a + b + c <= 2"});
  const auto breaks = [](const std::vector<StudyPlay>& plays) {
    return std::count_if(plays.begin(), plays.end(), [](const StudyPlay& play) {
      std::int64_t sum = 0;
      for (const auto& [name, value] : play.values) sum += std::get<std::int64_t>(value);
      return sum > 2;
    });
  };
  EXPECT_EQ(breaks(store.create("new", {.on = space}).ask_many(200)), 0);
  (void)store.create("old", {.on = space});
  write_bytes(folder.path("old/log"),
              with_text(bytes(folder.path("old/log")).value(), R"("format":3)", R"("format":2)"));
  const std::vector<StudyPlay> plays = store.open("old").ask_many(200);
  EXPECT_GT(breaks(plays), 0);
  for (const StudyPlay& play : plays) {
    EXPECT_EQ(play.values, spaces::drawn_one_by_one(space, play.point, 0, play.id, 0));
  }
}

/// Whether each play has one name, and none a mixture.
bool are_named(const std::vector<StudyPlay>& plays) {
  return std::all_of(plays.begin(), plays.end(), [](const StudyPlay& play) {
    return std::max(play.point[0], play.point[1]) == 1;
  });
}

TEST(StudyChoices, ALearnerOnTheSpaceIsTheSame) {
  const Space space({{"codec", Choice{{"zstd", "lz4"}}}, {"level", Number{0, 1}}}, {},
                    {{"load", Number{0, 10}}}, {{"p99", {.most = 1}}});
  const Store store = Store::in_memory();
  Study study = store.create("s", {.on = space, .options = {.seed = 3}});
  Learner learner = make_learner("default", space, {.seed = 3});
  for (int k = 0; k < 50; ++k) {
    const Values context = {{"load", 0.1 * k}};
    const StudyPlay play = study.ask("", context);
    const Play own = learner.ask(space.context(context));
    ASSERT_EQ(own.point, play.point);
    const double loss = own.point[0] + own.point[2];
    const Values metrics = {{"p99", own.point[2]}};
    study.tell(play.id, loss, metrics);
    learner.tell(own.id, {.loss = loss, .metrics = space.metrics(metrics)});
  }
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)make_learner("spsa", space);
            }).find("the learner 'spsa' takes no contexts"),
            0U);
}

/// Names are chosen in new studies; the plays of old ones are mixtures as they were.
TEST(StudyChoices, OldLogsKeepTheirMixtures) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const Space space({{"codec", Choice{{"zstd", "lz4"}}}, {"level", Number{0, 1}}});
  Study made = store.create("new", {.on = space});
  EXPECT_TRUE(are_named(made.ask_many(20)));
  EXPECT_TRUE(are_named(store.open("new").ask_many(20)));
  (void)store.create("old", {.on = space});
  std::string log =
      with_text(bytes(folder.path("old/log")).value(), R"("format":6)", R"("format":2)");
  log = with_text(log, R"(choices=[\"0-1\"])", "");
  write_bytes(folder.path("old/log"), log);
  EXPECT_FALSE(are_named(store.open("old").ask_many(20)));
  store.renew("old");
  EXPECT_FALSE(are_named(store.open("old").ask_many(20))) << "as it was";
  // Where steps are to be short, where a reach is given and with other learners there are mixtures.
  for (const StudyDescription& description :
       {StudyDescription{.on = space, .options = {.max_step = 0.5}},
        StudyDescription{.on = space, .learner = "posterior(reach=0.5)"},
        StudyDescription{.on = space, .learner = "parameter_free"}}) {
    Study study = store.create("mixture", description);
    EXPECT_FALSE(are_named(study.ask_many(20)));
    store.remove("mixture");
  }
  EXPECT_TRUE(are_named(
      store
          .create("more",
                  {.on = space, .learner = "posterior(caution=0.2)", .start = {{"level", 0.2}}})
          .ask_many(20)));
}

/// A process that has the lock of a log, and is stopped.
class StoppedHolder {
 public:
  explicit StoppedHolder(const std::string& log) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      base::Disk disk;
      const int file = disk.open(log, base::Access::writing);
      const bool locked = ::flock(file, LOCK_EX) == 0;
      (void)!::write(ends[1], "x", locked ? 1 : 0);
      while (true) ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    ::kill(child_, SIGSTOP);
  }
  StoppedHolder(const StoppedHolder&) = delete;
  StoppedHolder& operator=(const StoppedHolder&) = delete;
  ~StoppedHolder() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = 0;
};

TEST(Waits, EndWhereAStoppedProcessHoldsTheLock) {
  const Folder folder;
  const Store store(folder.path(""), {.wait = 0.2});
  Study study = store.create("s", on_three_shares());
  play(study, 3);
  const auto seconds = [begin = std::chrono::steady_clock::now()] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  {
    const StoppedHolder holder(folder.path("s/log"));
    EXPECT_EQ(message<StudyError>([&] { (void)study.ask(); }),
              folder.path("s/log") +
                  ": somebody else has held its lock for 0.2 s: nothing was stored, try again; a "
                  "process that was stopped may hold it");
    EXPECT_EQ(code_of([&] { study.tell(3, 0.5); }), ErrorCode::busy);
    EXPECT_EQ(code_of([&] { study.explore(false); }), ErrorCode::busy);
    EXPECT_EQ(study.summary().asked, 3U);  // looking needs no lock
    EXPECT_EQ(store.open("s").summary().told, 3U);
  }
  EXPECT_LT(seconds(), 60);  // they waited without end
  EXPECT_EQ(study.ask().id, 4U);
  EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
}

/// A disk on which nothing can be changed.
class ReadOnlyDisk final : public base::Disk {
 public:
  int create(const std::string& /*path*/) override { return refuse(); }
  int open(const std::string& path, base::Access access) override {
    return access == base::Access::reading ? Disk::open(path, access) : refuse();
  }
  int truncate(int /*file*/, std::uint64_t /*size*/) override { return refuse(); }
  int rename(const std::string& /*from*/, const std::string& /*to*/) override { return refuse(); }
  int make_folder(const std::string& /*path*/) override { return refuse(); }
  int remove(const std::string& /*path*/) override { return refuse(); }

 private:
  static int refuse() {
    errno = EROFS;
    return -1;
  }
};

TEST(ReadOnly, AStudyCanBeLookedAt) {
  const Folder folder;
  const Store store(folder.path(""));
  std::uint64_t hash = 0;
  {
    Study study = store.create("s", on_three_shares());
    play(study, 20);
    hash = study.state().hash();
  }
  std::ofstream(folder.path("s/log"), std::ios::binary | std::ios::app) << "torn";
  const std::string before = bytes(folder.path("s/log")).value();
  ReadOnlyDisk disk;
  const studies::DiskInstead instead(disk);
  Study study = store.open("s");
  EXPECT_EQ(study.state().hash(), hash);
  EXPECT_EQ(study.summary().told, 20U);
  EXPECT_EQ(hash_of_the_log(store, "s"), hash);
  EXPECT_EQ(store.list(), std::vector<std::string>{"s"});
  EXPECT_EQ(message<base::DiskError>([&] { (void)study.ask(); }),
            folder.path("s/log") +
                ": it can be read only: nothing was stored, copy the study to a folder that can be "
                "written");
  EXPECT_EQ(code_of([&] { store.remove("s"); }), ErrorCode::disk);
  EXPECT_EQ(bytes(folder.path("s/log")), before);
}

}  // namespace
}  // namespace keyhole::tests
