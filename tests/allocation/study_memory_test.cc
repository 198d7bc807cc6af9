// Studies in a process that has no memory left: whichever allocation of a call fails, what was
// acknowledged is stored, nothing else is, and the study can always be opened and is right.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "../studies/twin.h"
#include "allocation_count.h"
#include "folder.h"
#include "keyhole/store.h"
#include "studies/study/transfer.h"

namespace keyhole::tests::study_memory {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

StudyDescription three_shares() { return {.on = "simplex(3)", .options = {.seed = 7}}; }

StudyDescription batch_and_codec() {
  return {.on = Space({{"batch", Integer{1, 64}}, {"codec", Choice{{"zstd", "lz4"}}}}),
          .options = {.seed = 3, .window = 50}};
}

StudyDescription by_the_load() {
  return {.on = Space({{"batch", Integer{1, 64}}}, {},
                      {{"load", Number{.from = 0, .to = 5000}},
                       {"segment", Choice{{"new", "has been with us for a long time"}}},
                       {"hour", Clock{}}}),
          .options = {.seed = 3, .window = 50}};
}

/// What is known when such a study is asked; of others nothing.
Values context_of(const Study& study) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  if (space == nullptr || space->contexts().empty()) return {};
  return {{"load", 812.0}, {"segment", "has been with us for a long time"}};
}

StudyDescription within_limits() {
  return {.on = Space({{"batch", Integer{1, 64}}}, {}, {},
                      {{"the_99th_percentile_of_the_latency", {.most = 200}, "ms"},
                       {"errors", {.most = 0.01, .over_all = true}}}),
          .options = {.seed = 3, .window = 50}};
}

/// What is measured besides in such a study; in others nothing.
Values metrics_of(const StudyDescription& description) {
  const auto* const space = std::get_if<Space>(&description.on);
  if (space == nullptr || space->limits().empty()) return {};
  return {{"the_99th_percentile_of_the_latency", 183.5}, {"errors", 0.002}};
}

/// What is asked of a study.
struct Call {
  std::string name;
  std::vector<StudyTell> tells = {};
  std::size_t asks = 0;
  std::string worker = {};
  std::optional<bool> explore = {};
  /// The share of a coin.
  std::optional<double> proves = {};
  std::vector<StudyPast> past = {};
  /// The id of what is learned of the past.
  std::string id = {};
  /// Something that changes nothing.
  std::function<void(Study& study)> look = {};

  /// How many metrics and notes it tells.
  [[nodiscard]] std::size_t measured() const {
    std::size_t count = 0;
    for (const StudyTell& tell : tells) count += tell.metrics.size();
    return count;
  }
};

/// What was acknowledged of a study, and what one call that has failed may have stored as well.
struct Known {
  std::map<PlayId, StudyPlay> plays = {};
  std::map<PlayId, double> told = {};
  bool explores = true;
  double proves = 0;
  std::size_t past = 0;
  std::size_t measured = 0;
  std::optional<Call> failed = {};

  void take(const StudyPlay& play) { plays.emplace(play.id, play); }
  void take(const std::vector<StudyTell>& tells) {
    for (const StudyTell& tell : tells) {
      if (tell.loss) told.emplace(tell.id, *tell.loss);
    }
  }
};

/// The tell of a play.
StudyTell tell_of(PlayId id) { return {id, loss_of(id)}; }

/// Makes a call while an allocation fails, or none. Whether it returned, and what it said is known.
bool make(Study& study, Call call, Known& known, std::int64_t fail_at = -1, bool stays = false) {
  StudyPlay play;
  StudyStep step;
  const Values context = context_of(study);
  const bool is_tell = call.tells.size() == 1 && call.asks == 0 && !call.tells[0].extra;
  if (is_tell) call.tells[0].metrics = metrics_of(study.description());
  known.failed = call;
  try {
    const MemoryFails fails(fail_at, stays);
    if (call.explore) {
      study.explore(*call.explore);
    } else if (call.proves) {
      study.prove(*call.proves);
    } else if (!call.past.empty()) {
      (void)study.learn(call.past, Outside::refuse, call.id);
    } else if (call.look) {
      call.look(study);
    } else if (call.tells.empty() && call.asks == 1) {
      play = study.ask(call.worker, context);
    } else if (is_tell && call.tells[0].loss) {
      const StudyTell& tell = call.tells[0];
      (void)study.tell(tell.id, *tell.loss, tell.metrics, tell.count);
    } else {
      step = study.step(call.tells, call.asks, call.worker, context);
    }
  } catch (const std::exception&) {
    return false;
  }
  known.failed.reset();
  known.take(call.tells);
  known.past += call.past.size();
  known.measured += call.measured();
  if (play.id != 0) known.take(play);
  for (const StudyPlay& next : step.plays) known.take(next);
  if (call.explore) known.explores = *call.explore;
  if (call.proves) known.proves = *call.proves;
  return true;
}

/// What is wrong with a study in a store; empty if it is right.
class Checked {
 public:
  /// `strict` says that what failed must not be stored.
  Checked(const Store& store, const StudyDescription& description, const Known& known, bool strict)
      : store_(store),
        known_(known),
        description_(description),
        twin_(twin_of(description)),
        strict_(strict) {}

  /// The study when it is opened, and also an object that has gone on.
  std::string problem(Study* same) {
    try {
      const std::string of_the_log = problem_of_the_log();
      if (!of_the_log.empty()) return of_the_log;
      const std::uint64_t hash = twin_.state().hash();
      Study opened = store_.open("s");
      if (opened.state().hash() != hash) return "the study has another state than the log";
      if (opened.explores() != twin_.explores()) return "the study explores as the log does not";
      if (same != nullptr && says_otherwise(*same, hash)) return "the object has another state";
    } catch (const std::exception& error) {
      return std::string("it cannot be opened: ") + error.what();
    }
    return "";
  }

 private:
  /// Each loss is that of its play, all that is known is there, and nothing else but what failed.
  std::string problem_of_the_log() {
    std::string found;
    std::map<PlayId, StudyPlay> plays;
    std::map<PlayId, double> told;
    std::size_t past = 0;
    std::size_t measured = 0;
    double proves = 0;
    const StudyLog log = store_.replay("s", [&](const StudyRecord& record) {
      if (record.explores) twin_.explore(*record.explores);
      if (record.proves) twin_.prove(proves = *record.proves);
      for (const StudyPast& one : record.past) learn_as(twin_, description_, one);
      past += record.past.size();
      for (const StudyTell& tell : record.tells) {
        measured += tell.metrics.size();
        if (tell.loss && tell.loss != loss_of(tell.id)) {
          found = "a loss is stored as that of another play";
        }
        if (!found.empty()) return;
        if (tell.loss || !metrics_as(description_, tell.metrics).empty()) {
          tell_as(twin_, description_, tell);
        }
        if (tell.loss) told.emplace(tell.id, *tell.loss);
      }
      for (const StudyPlay& play : record.gave.plays) {
        if (ask_as(twin_, description_, play) != play.point) {
          found = "a play of the log has another point";
        }
        plays.emplace(play.id, play);
      }
    });
    if (!found.empty()) return found;
    if (log.state_hash != twin_.state().hash()) return "the log leads to another state";
    for (const auto& [id, play] : known_.plays) {
      if (!plays.contains(id)) return "play " + std::to_string(id) + " is lost";
      if (plays[id] != play) return "play " + std::to_string(id) + " is another one in the log";
    }
    for (const auto& [id, loss] : known_.told) {
      if (!told.contains(id)) return "the loss of play " + std::to_string(id) + " is lost";
    }
    const auto& failed = strict_ ? std::nullopt : known_.failed;
    std::size_t more = told.size() - known_.told.size();
    for (const auto& tell : failed ? failed->tells : std::vector<StudyTell>()) {
      if (tell.loss && told.contains(tell.id) && !known_.told.contains(tell.id)) --more;
    }
    if (more != 0) return "a loss is stored that nobody was told of";
    if (plays.size() > known_.plays.size() + (failed ? failed->asks : 0)) {
      return "a play is stored that nobody was told of";
    }
    if (past != known_.past && !(failed && past == known_.past + failed->past.size())) {
      return "the past is lost, or stored";
    }
    if (measured != known_.measured &&
        !(failed && measured == known_.measured + failed->measured())) {
      return "a metric is lost, or stored";
    }
    if (proves != known_.proves && !(failed && failed->proves && proves == *failed->proves)) {
      return "a coin is lost, or stored";
    }
    const bool may_differ = failed && failed->explore;
    if (!may_differ && twin_.explores() != known_.explores) return "a switch is lost, or stored";
    return "";
  }
  static bool says_otherwise(Study& study, std::uint64_t hash) {
    try {
      return study.state().hash() != hash;
    } catch (const std::exception&) {
      return false;  // it says nothing
    }
  }

  const Store& store_;
  const Known& known_;
  const StudyDescription& description_;
  Learner twin_;
  bool strict_;
};

/// Rounds of two workers, until the object refuses to go on.
void goes_on(Study& study, Known& known) {
  try {
    for (const std::string worker : {"w1", "w2"}) {
      const StudyPlay play = study.ask(worker);
      known.take(play);
      (void)study.tell(play.id, loss_of(play.id));
      known.take({tell_of(play.id)});
      known.take(study.ask(worker));
    }
  } catch (const std::exception&) {  // it may be opened again
  }
}

/// A folder that is made again and again with the same files.
class Prepared {
 public:
  explicit Prepared(StudyDescription description)
      : description_(std::move(description)), study_(store_.create("s", description_)) {}

  /// Plays of two workers and of nobody. Most are told.
  void play(int rounds) {
    for (int t = 0; t < rounds; ++t) {
      const std::string worker = ++rounds_ % 3 == 0 ? "" : "w" + std::to_string(rounds_ % 3);
      (void)make(study_, {.name = "ask", .asks = 1, .worker = worker}, known_);
      const PlayId latest = known_.plays.rbegin()->first;
      const Call tell = {.name = "tell", .tells = {tell_of(latest)}};
      if (rounds_ % 5 != 0) (void)make(study_, tell, known_);
    }
  }
  /// A play that is pending of w1, of w2 and of nobody each.
  void leave_pending() {
    for (const std::string worker : {"w1", "w2", ""}) {
      (void)make(study_, {.name = "ask", .asks = 1, .worker = worker}, known_);
    }
  }
  /// Plays until the next step makes a snapshot; false if none comes.
  bool play_until_a_snapshot_is_due() {
    for (int t = 0; t < 1000; ++t) {
      const Files before = files();
      const Known known = known_;
      (void)make(study_, {.name = "ask", .asks = 1}, known_);
      if (files().size() == before.size()) continue;
      keep(before, known);
      return true;
    }
    return false;
  }
  void pause() { (void)make(study_, {.name = "pause", .explore = false}, known_); }
  void keep() { keep(files(), known_); }

  /// The folder as it was kept.
  void restore() const {
    // All that is there: what failed may have left something behind.
    for (const auto& entry : fs::directory_iterator(folder_.path(""))) fs::remove_all(entry);
    fs::create_directory(folder_.path("s"));
    for (const auto& [name, text] : kept_) write_bytes(folder_.path("s/" + name), text);
  }

  [[nodiscard]] const Store& store() const { return store_; }
  [[nodiscard]] const Known& known() const { return kept_known_; }
  [[nodiscard]] const StudyDescription& description() const { return description_; }

 private:
  [[nodiscard]] Files files() const {
    Files result;
    for (const auto& entry : fs::directory_iterator(folder_.path("s"))) {
      result[entry.path().filename()] = *bytes(entry.path());
    }
    return result;
  }
  void keep(Files files, Known known) {
    kept_ = std::move(files);
    kept_known_ = std::move(known);
  }

  Folder folder_{place_in_memory()};
  StudyDescription description_;
  Store store_{folder_.path(""), {.durability = Durability::process}};
  Study study_;
  int rounds_ = 0;
  Known known_;
  Files kept_;
  Known kept_known_;
};

/// Says what is wrong after the allocation of a number has failed; nothing if there are fewer.
using TryOne = std::function<std::optional<std::string>(std::int64_t at)>;

/// What was wrong, and how often.
class Problems {
 public:
  explicit Problems(std::string call) : call_(std::move(call)) {}
  Problems(const Problems&) = delete;
  Problems& operator=(const Problems&) = delete;
  ~Problems() {
    for (const auto& [problem, count] : found_) {
      ADD_FAILURE() << call_ << ": " << problem << ", " << count << " times of " << tried_;
    }
  }

  void note(const std::string& problem) {
    if (!problem.empty() && ++found_[problem] == 1) {
      ADD_FAILURE() << call_ << ": " << problem << ", when allocation " << tried_ << " failed";
    }
    ++tried_;
  }
  [[nodiscard]] std::int64_t tried() const { return tried_; }

 private:
  std::string call_;
  std::map<std::string, int> found_ = {};
  std::int64_t tried_ = 0;
};

/// How many files and folders the process has open.
std::ptrdiff_t open_files() {
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

/// Lets each allocation of a call fail in turn. Nothing stays open.
void sweep(const std::string& call, const TryOne& try_one) {
  Problems problems(call);
  const std::ptrdiff_t before = open_files();
  while (const auto problem = try_one(problems.tried())) problems.note(*problem);
  EXPECT_EQ(open_files(), before) << call;
}

/// The same in processes of their own. What reads and writes JSON (nlohmann's) ends the process if
/// there is no memory while a value is destroyed. That may lose no more than any other end of a
/// process: look() says what is wrong after it.
void sweep_in_processes(const std::string& call, const TryOne& try_one,
                        const std::function<std::string()>& look) {
  Problems problems(call);
  while (true) {
    int ends[2] = {};
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(STDERR_FILENO);  // where terminate() would say that it was called
      for (std::int64_t at = problems.tried(); const auto problem = try_one(at); ++at) {
        const std::string line = *problem + "\n";
        if (::write(ends[1], line.data(), line.size()) < 0) ::_exit(2);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1;) {
      if (c == '\n') problems.note(std::exchange(line, {}));
      if (c != '\n') line += c;
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status == 0) return;
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
    problems.note(look());
  }
}

struct Setting {
  std::string name;
  StudyDescription description;
  /// Whether all allocations after the one that failed fail too, until the call ends.
  bool stays = false;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

std::string name_of(const testing::TestParamInfo<Setting>& info) { return info.param.name; }

class StudyMemory : public testing::TestWithParam<Setting> {
 protected:
  /// A call to a study that was opened before, each of whose allocations fails in turn. Others have
  /// made some steps since, if there are any.
  static void sweep_call(const Prepared& prepared, const Call& call, bool strict = false,
                         int steps_of_others = 0) {
    sweep(call.name, [&](std::int64_t at) -> std::optional<std::string> {
      prepared.restore();
      Known known = prepared.known();
      Study study = prepared.store().open("s");
      Study other = prepared.store().open("s");
      for (int k = 0; k < steps_of_others; ++k) {
        (void)make(other, {.name = "ask", .asks = 1, .worker = "one-with-a-long-name"}, known);
        const StudyTell tell = tell_of(known.plays.rbegin()->first);
        (void)make(other, {.name = "tell", .tells = {tell}}, known);
      }
      const bool is_done = make(study, call, known, at, GetParam().stays);
      EXPECT_TRUE(is_done || failed_allocations > 0) << call.name;
      if (failed_allocations == 0) return {};
      if (!strict) goes_on(study, known);
      return Checked(prepared.store(), prepared.description(), known, strict).problem(&study);
    });
  }

  /// The calls that change a study with pending plays.
  static std::vector<Call> changes(const Prepared& prepared) {
    const Known& known = prepared.known();
    const PlayId latest = known.plays.rbegin()->first;  // of nobody
    const StudyTell of_w1 = tell_of(latest - 2);
    const StudyTell of_w2 = tell_of(latest - 1);
    const StudyTell of_nobody = tell_of(latest);
    const std::vector<double>& point = known.plays.begin()->second.point;
    std::vector<Call> calls = {
        {.name = "ask", .asks = 1},
        {.name = "ask of a new worker", .asks = 1, .worker = "w9"},
        {.name = "ask again", .asks = 1, .worker = "w1"},
        {.name = "asks", .asks = 3},
        {.name = "tell", .tells = {of_nobody}},
        {.name = "tells", .tells = {of_nobody, of_w2}},
        {.name = "step", .tells = {of_w1, of_nobody}, .asks = 1, .worker = "w1"},
        {.name = "step that asks again", .tells = {of_w2}, .asks = 1, .worker = "w1"},
        {.name = "tell with a count", .tells = {{latest, loss_of(latest), 3}}},
        {.name = "past",
         .past = {{.point = known.plays.rbegin()->second.point, .loss = 0.5},
                  {.point = known.plays.begin()->second.point, .loss = 0.25, .count = 7}}},
        {.name = "past by an id",
         .past = {{.point = point, .loss = 0.25, .count = 7}},
         .id = "the-import-of-last-november"},
        {.name = "prove", .proves = 0.25},
        {.name = "notes",
         .tells = {{.id = latest,
                    .loss = loss_of(latest),
                    .metrics = {{"temperature_of_the_processor", 65.5}, {"cpu", 0.5}},
                    .extra = true}}},
        {.name = "pause", .explore = false}};
    const Values metrics = metrics_of(prepared.description());
    if (metrics.empty()) return calls;
    calls.insert(calls.end(),
                 {{.name = "metrics alone", .tells = {{.id = latest}}},
                  {.name = "step with metrics",
                   .tells = {{.id = latest, .loss = loss_of(latest), .metrics = metrics},
                             {.id = latest - 1, .metrics = metrics}},
                   .asks = 1},
                  {.name = "past with metrics",
                   .past = {{.point = point, .loss = 0.5, .metrics = metrics}},
                   .id = "import"}});
    return calls;
  }
};

TEST_P(StudyMemory, StepsAreRightOrNotThere) {
  Prepared prepared(GetParam().description);
  prepared.play(7);
  prepared.leave_pending();
  prepared.keep();
  for (const Call& call : changes(prepared)) sweep_call(prepared, call);
}

TEST_P(StudyMemory, WhatThrowsIsNotInTheLog) {
  Prepared prepared(GetParam().description);
  prepared.play(7);
  prepared.leave_pending();
  prepared.keep();
  for (const Call& call : changes(prepared)) sweep_call(prepared, call, true);
}

TEST_P(StudyMemory, WhatOthersDidIsTaken) {
  Prepared prepared(GetParam().description);
  prepared.play(7);
  prepared.leave_pending();
  prepared.keep();
  for (const Call& call : changes(prepared)) sweep_call(prepared, call, false, 3);
}

TEST_P(StudyMemory, LooksChangeNothing) {
  Prepared prepared(GetParam().description);
  prepared.play(7);
  prepared.keep();
  const std::vector<Call> looks = {
      {.name = "recommend", .look = [](Study& study) { (void)study.recommend(); }},
      {.name = "recommend_values", .look = [](Study& study) { (void)study.recommend_values(); }},
      {.name = "state", .look = [](Study& study) { (void)study.state(); }}};
  for (const Call& call : looks) sweep_call(prepared, call);
}

TEST_P(StudyMemory, ResumingIsRightOrNotThere) {
  Prepared prepared(GetParam().description);
  prepared.play(4);
  prepared.pause();
  prepared.play(3);
  prepared.keep();
  sweep_call(prepared, {.name = "resume", .explore = true});
  sweep_call(prepared, {.name = "ask in a pause", .asks = 1});
}

TEST_P(StudyMemory, ASnapshotThatFailsDoesNoHarm) {
  Prepared prepared(GetParam().description);
  ASSERT_TRUE(prepared.play_until_a_snapshot_is_due());
  sweep_call(prepared, {.name = "ask with a snapshot", .asks = 1});
}

/// With memory that stays used up, JSON would end most of the processes.
class StudyMemoryOnce : public StudyMemory {};

TEST_P(StudyMemoryOnce, OpeningFailsAndThenWorks) {
  Prepared prepared(GetParam().description);
  ASSERT_TRUE(prepared.play_until_a_snapshot_is_due());
  prepared.play(20);  // with a snapshot and some steps behind it
  prepared.keep();
  const auto look = [&](const Known& known, Study* study) {
    return Checked(prepared.store(), prepared.description(), known, true).problem(study);
  };
  const auto try_one = [&](std::int64_t at) -> std::optional<std::string> {
    prepared.restore();
    Known known = prepared.known();
    std::optional<Study> study;
    try {
      const MemoryFails fails(at, false);
      study.emplace(prepared.store().open("s"));
    } catch (const std::exception&) {
    }
    if (failed_allocations == 0) return {};
    if (study) goes_on(*study, known);
    return look(known, study ? &*study : nullptr);
  };
  sweep_in_processes("open", try_one, [&] { return look(prepared.known(), nullptr); });
}

TEST_P(StudyMemoryOnce, CreatingFailsAndThenWorks) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  const StudyDescription wanted = GetParam().description;
  const auto look = [&](std::optional<Study> study) -> std::string {
    Known known;
    try {
      const std::size_t made = store.list().size();
      if (study && made != 1) return "what was created is not there";
      if (made == 1 && store.open("s").summary().asked != 0) return "what was created is not new";
      if (!study) study.emplace(store.create("s", wanted));
    } catch (const std::exception& error) {
      return std::string("it cannot be created: ") + error.what();
    }
    goes_on(*study, known);
    if (known.told.size() != 2) return "the study does not go on";
    return Checked(store, wanted, known, true).problem(&*study);
  };
  const auto try_one = [&](std::int64_t at) -> std::optional<std::string> {
    fs::remove_all(folder.path("s"));
    std::optional<Study> study;
    try {
      const MemoryFails fails(at, false);
      study.emplace(store.create("s", wanted));
    } catch (const std::exception&) {
    }
    if (failed_allocations == 0) return {};
    return look(std::move(study));
  };
  sweep_in_processes("create", try_one, [&] { return look({}); });
}

const std::vector<Setting> once = {{"set", three_shares()},
                                   {"space", batch_and_codec()},
                                   {"contexts", by_the_load()},
                                   {"limits", within_limits()}};
const std::vector<Setting> for_long = {{"set_for_long", three_shares(), true},
                                       {"space_for_long", batch_and_codec(), true}};

INSTANTIATE_TEST_SUITE_P(Once, StudyMemory, testing::ValuesIn(once), name_of);
INSTANTIATE_TEST_SUITE_P(Stays, StudyMemory, testing::ValuesIn(for_long), name_of);
INSTANTIATE_TEST_SUITE_P(Once, StudyMemoryOnce, testing::ValuesIn(once), name_of);

TEST(MemoryFails, ReallyDoes) {
  // Not by new int, which the compiler may leave out.
  const auto allocate = [] { return std::make_shared<std::string>(1000, 'x')->size(); };
  for (std::int64_t at = 0; at < 2; ++at) {
    bool thrown = false;
    try {
      const MemoryFails fails(at, false);
      (void)allocate();
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    EXPECT_EQ(allocate(), 1000U);
  }
}

TEST(StudyMemoryOfRenewal, FailsAndThenWorks) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""), {.durability = Durability::process});
  const std::string old = std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/study_5";
  const auto restore = [&] {
    fs::remove_all(folder.path("old"));
    fs::copy(old, folder.path("old"), fs::copy_options::recursive);
  };
  restore();
  const std::vector<double> recommended = store.open("old").recommend();
  const auto look = [&](std::optional<Renewal> renewal) -> std::string {
    try {
      const Renewal again = store.renew("old");
      if (renewal && *renewal != Renewal::what_was_learned) return "what was learned is lost";
      if (again != (renewal ? Renewal::not_needed : Renewal::what_was_learned) &&
          again != Renewal::not_needed) {
        return "it is renewed twice, or loses what was learned";
      }
      Study study = store.open("old");
      if (study.recommend() != recommended) return "it recommends something else";
      if (study.ask("w").id != 90) return "the numbers of the plays do not go on";
      if (study.tell(90, 0.5) != Receipt::fresh) return "it cannot be told";
      const std::uint64_t hash = study.state().hash();
      if (store.open("old").state().hash() != hash) return "it has another state when opened";
      if (store.replay("old", [](const StudyRecord&) {}).state_hash != hash) {
        return "the log leads to another state";
      }
    } catch (const std::exception& error) {
      return std::string("it cannot go on: ") + error.what();
    }
    return "";
  };
  const auto try_one = [&](std::int64_t at) -> std::optional<std::string> {
    restore();
    std::optional<Renewal> renewal;
    try {
      const MemoryFails fails(at, false);
      renewal = store.renew("old");
    } catch (const std::exception&) {
    }
    if (failed_allocations == 0) return {};
    return look(renewal);
  };
  sweep_in_processes("renew", try_one, [&] { return look({}); });
}

/// A call of a store, each of whose allocations fails in turn. put_back() makes what it begins
/// with, and look() throws, or says what is wrong, where the call has returned or not.
void sweep_store_call(const std::string& call, const std::function<void()>& put_back,
                      const std::function<void()>& act,
                      const std::function<std::string(bool is_done)>& look) {
  const auto look_safely = [&](bool is_done) -> std::string {
    try {
      return look(is_done);
    } catch (const std::exception& error) {
      return std::string("it cannot go on: ") + error.what();
    }
  };
  const auto try_one = [&](std::int64_t at) -> std::optional<std::string> {
    put_back();
    bool is_done = false;
    try {
      const MemoryFails fails(at, false);
      act();
      is_done = true;
    } catch (const std::exception&) {
    }
    if (failed_allocations == 0) return {};
    return look_safely(is_done);
  };
  sweep_in_processes(call, try_one, [&] { return look_safely(false); });
}

TEST(StudyMemoryOfChange, FailsAndThenWorks) {
  Prepared prepared(by_the_load());
  prepared.play(9);
  prepared.keep();
  const Store& store = prepared.store();
  Space wider = std::get<Space>(by_the_load().on);
  wider = Space({{"batch", Integer{1, 128}}}, {}, wider.contexts());
  const auto change = [&] { return store.change("s", wider); };
  const std::uint64_t before = store.open("s").state().hash();
  const StudyChange expected = change();
  const std::uint64_t after = store.open("s").state().hash();
  sweep_store_call(
      "change", [&] { prepared.restore(); }, change,
      [&](bool is_done) -> std::string {
        const std::uint64_t now = store.open("s").state().hash();
        if (now != after && (is_done || now != before)) return "it is neither changed nor not";
        if (change() != expected) return "it is changed otherwise the next time";
        return store.open("s").state().hash() == after ? "" : "it has another state";
      });
}

TEST(StudyMemoryOfCopies, FailAndThenWork) {
  Prepared prepared(batch_and_codec());
  ASSERT_TRUE(prepared.play_until_a_snapshot_is_due());
  const Store& store = prepared.store();
  const std::uint64_t state = store.open("s").state().hash();
  const Folder folder(place_in_memory());
  const Store to(folder.path(""));
  const auto copy = [&] { store.copy("s", to); };
  const auto put_back = [&] { fs::remove_all(folder.path("s")); };
  sweep_store_call("copy", put_back, copy, [&](bool is_done) -> std::string {
    const bool is_there = !to.identity("s").empty();
    if (is_done && !is_there) return "the copy is not there";
    if (!is_there) copy();
    if (to.open("s").state().hash() != state) return "the copy has another state";
    return store.open("s").state().hash() == state ? "" : "the study has another state";
  });
}

TEST(StudyMemoryOfArrivals, FailAndThenWork) {
  Prepared prepared(three_shares());
  prepared.play(7);
  prepared.keep();
  const studies::Transfer::Log log = studies::Transfer::log_of(prepared.store(), "s");
  const std::uint64_t state = prepared.store().open("s").state().hash();
  const Folder folder(place_in_memory());
  const Store to(folder.path(""));
  const auto take = [&] {
    const std::uint64_t half = log.ends[log.ends.size() / 2];
    const std::string_view bytes = log.bytes;
    const auto any = [](const studies::DescriptionRead& /*read*/) {};
    (void)studies::Transfer::take(to, "s", 0, bytes.substr(0, half), any);
    (void)studies::Transfer::take(to, "s", half, bytes.substr(half), any);
  };
  const auto put_back = [&] { fs::remove_all(folder.path("s")); };
  sweep_store_call("take", put_back, take, [&](bool is_done) -> std::string {
    if (is_done && to.identity("s").empty()) return "what came is not there";
    take();
    return to.open("s").state().hash() == state ? "" : "what came has another state";
  });
}

TEST(StudyMemoryOfRemoval, FailsAndThenWorks) {
  Prepared prepared(three_shares());
  prepared.play(7);
  prepared.keep();
  const Store& store = prepared.store();
  const std::uint64_t state = store.open("s").state().hash();
  sweep_store_call(
      "remove", [&] { prepared.restore(); }, [&] { store.remove("s"); },
      [&](bool is_done) -> std::string {
        const bool is_there = !store.identity("s").empty();
        if (is_done && is_there) return "what was deleted is there";
        if (is_there && store.open("s").state().hash() != state) return "it has another state";
        if (is_there) store.remove("s");
        if (!store.list().empty()) return "half of it is there";
        return store.create("s", three_shares()).summary().asked == 0 ? "" : "its name is not free";
      });
}

}  // namespace
}  // namespace keyhole::tests::study_memory
