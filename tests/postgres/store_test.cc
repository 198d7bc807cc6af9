// Studies in PostgreSQL: what they have in common with those on a disk, and what replicas do.

#include "keyhole/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <thread>

#include "folder.h"
#include "shared_cluster.h"
#include "studies/journals/postgres/database.h"
#include "studies/journals/postgres/tables.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

StudyDescription three() { return {.on = "simplex(3)", .options = {.seed = 5}}; }

double loss_of(const StudyPlay& play) { return 0.2 * play.point[0] + 0.9 * play.point[1]; }

/// That many rounds by a worker.
void play(Study& study, const std::string& worker, int rounds) {
  StudyPlay play = study.ask(worker);
  for (int k = 0; k < rounds; ++k) {
    play = study.step({{play.id, loss_of(play)}}, 1, worker).plays.front();
  }
}

/// What the DatabaseError of a call says.
template <class Call>
bool maybe_stored(Call call) {
  try {
    call();
  } catch (const DatabaseError& error) {
    return error.maybe_stored();
  }
  throw std::runtime_error("nothing was thrown");
}

TEST(PostgresStore, GivesThePlaysOfAFolder) {
  const Folder folder;
  const Store disk(folder.path("studies"));
  const Store database(new_address());
  EXPECT_FALSE(disk.is_database());
  EXPECT_TRUE(database.is_database());
  Study one = disk.create("split", three());
  Study two = database.create("split", three());
  for (int k = 0; k < 200; ++k) {
    const StudyPlay play = one.ask("w");
    ASSERT_EQ(two.ask("w"), play);
    ASSERT_EQ(two.ask("w"), play);  // it has not told it
    const Receipt receipt = one.tell(play.id, loss_of(play));
    ASSERT_EQ(two.tell(play.id, loss_of(play)), receipt);
  }
  EXPECT_EQ(two.state(), one.state());
  EXPECT_EQ(two.recommend(), one.recommend());
  EXPECT_EQ(two.play(7).loss, one.play(7).loss);
  // Made again it is the same, opened again it goes on, and what is in its log is all of it.
  EXPECT_EQ(database.create("split", three()).state(), one.state());
  EXPECT_EQ(database.open("split").state(), one.state());
  std::uint64_t steps = 0;
  const StudyLog log = database.replay("split", [&](const StudyRecord&) { ++steps; });
  EXPECT_EQ(steps, 400U);
  EXPECT_EQ(log.frames, 401U);
  EXPECT_EQ(log.bytes, database.log_bytes("split"));
  EXPECT_EQ(log.torn, 0U);
  EXPECT_EQ(log.state_hash, one.state().hash());
  EXPECT_NE(message<StudyError>([&] {
              (void)database.create("split", {.on = "simplex(4)"});
            }).find("split"),
            std::string::npos);
}

TEST(PostgresStore, ListsCopiesAndDeletes) {
  const Store store(new_address());
  EXPECT_TRUE(store.list().empty());
  (void)store.create("b", three());
  (void)store.create("B", three());
  (void)store.create("a", three());
  EXPECT_EQ(store.list(), (std::vector<std::string>{"B", "a", "b"}));
  EXPECT_NE(store.identity("a"), store.identity("b"));
  const std::string text = message<StudyError>([&] { (void)store.open("c"); });
  EXPECT_NE(text.find("there is no study 'c'"), std::string::npos) << text;
  // Tenants have names of their own.
  const Store tenant = store.within("acme");
  EXPECT_TRUE(tenant.list().empty());
  (void)tenant.create("a", {.on = "ball(2)"});
  EXPECT_EQ(tenant.list(), std::vector<std::string>{"a"});
  EXPECT_EQ(store.open("a").set().dimension(), 3U);
  store.remove("a");
  EXPECT_EQ(store.list(), (std::vector<std::string>{"B", "b"}));
  EXPECT_EQ(store.identity("a"), "");
  EXPECT_EQ(store.log_bytes("a"), 0U);
  EXPECT_EQ(tenant.list(), std::vector<std::string>{"a"});
  EXPECT_NE(message<StudyError>([&] { store.remove("a"); }).find("no study"), std::string::npos);
}

TEST(PostgresStore, CopiesByteForByte) {
  const Folder folder;
  const Store disk(folder.path("one"));
  const Store back(folder.path("two"));
  const Store database(new_address());
  const std::string address = new_address();
  const Store other(address);
  {
    Study study = disk.create("split", three());
    play(study, "w", 300);
  }
  disk.copy("split", database);
  EXPECT_EQ(database.open("split").state(), disk.open("split").state());
  EXPECT_NE(message<StudyError>([&] { disk.copy("split", database); }).find("delete it first"),
            std::string::npos);
  {
    Study study = database.open("split");  // it goes on there
    play(study, "w", 300);
  }
  database.copy("split", back);
  database.copy("split", other);
  const std::string there = *bytes(folder.path("two/split/log"));
  EXPECT_TRUE(there.starts_with(*bytes(folder.path("one/split/log"))));
  EXPECT_EQ(there.size(), database.log_bytes("split"));
  EXPECT_EQ(back.replay("split", [](const StudyRecord&) {}).state_hash,
            database.replay("split", [](const StudyRecord&) {}).state_hash);
  // And by the program, in a circle.
  const std::string command = std::string(KEYHOLE_PROGRAM) + " study copy split --store='" +
                              address + "' --to=" + folder.path("three");
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(*bytes(folder.path("three/split/log")), there);
  // Its snapshots came with it.
  EXPECT_GT(sql(address, "select count(*) from keyhole_snapshot").whole(0, 0), 0U);
}

TEST(PostgresStore, LongLogsAreReadInParts) {
  const Folder folder;
  const Store disk(folder.path("one"), {.durability = Durability::process});
  {
    Study study = disk.create("split", three());
    play(study, "", 25000);
  }
  const std::string address = new_address();
  const Store database(address);
  disk.copy("split", database);
  EXPECT_EQ(database.replay("split", [](const StudyRecord&) {}).frames, 25002U);
  EXPECT_EQ(database.open("split").state(), disk.open("split").state());
  const Store back(folder.path("two"));
  database.copy("split", back);
  EXPECT_EQ(*bytes(folder.path("two/split/log")), *bytes(folder.path("one/split/log")));
}

TEST(PostgresStore, TakesWhatAnotherReplicaDid) {
  const std::string address = new_address();
  const Store first(address);
  const Store second(address);
  Study one = first.create("split", three());
  Study two = second.open("split");
  const StudyPlay play = one.ask("w");
  EXPECT_EQ(two.ask("w"), play);  // asked there, pending here
  EXPECT_EQ(two.tell(play.id, 0.5), Receipt::fresh);
  EXPECT_NE(one.ask("w").id, play.id);  // told there
  EXPECT_EQ(one.tell(play.id, 0.5), Receipt::repeated);
  EXPECT_THROW((void)two.tell(play.id, 0.6), FeedbackError);
  EXPECT_THROW((void)two.tell(99, 0.6), FeedbackError);
  EXPECT_EQ(two.state(), one.state());
}

TEST(PostgresStore, ManyThreadsOfTwoReplicasAgree) {
  const std::string address = new_address();
  const Store stores[] = {Store(address), Store(address)};
  constexpr int studies = 4;
  constexpr int rounds = 25;
  std::vector<std::thread> threads;
  for (int k = 0; k < studies; ++k) (void)stores[0].create("s" + std::to_string(k), three());
  // Two objects of each study in each replica, so that two frames of one study want the same batch.
  for (int k = 0; k < 4 * studies; ++k) {
    threads.emplace_back([&, k] {
      Study study = stores[k % 2].open("s" + std::to_string(k / 4));
      play(study, "w" + std::to_string(k), rounds);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < studies; ++k) {
    const std::string name = "s" + std::to_string(k);
    const Summary summary = stores[0].open(name).summary();
    EXPECT_EQ(summary.told, 4U * rounds);
    EXPECT_EQ(summary.asked, 4U * rounds + 4U);
    EXPECT_EQ(stores[0].open(name).state(), stores[1].open(name).state());
    EXPECT_EQ(stores[0].replay(name, [](const StudyRecord&) {}).state_hash,
              stores[1].open(name).state().hash());
  }
}

TEST(PostgresStore, NoticesThatAStudyWasReplaced) {
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", three());
  play(study, "w", 3);
  store.remove("split");
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_THROW((void)study.summary(), ReplacedStudy);
  (void)store.create("split", three());
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_EQ(sql(address, "select count(*) from keyhole_frame").whole(0, 0), 1U);
}

TEST(PostgresStore, LeavesNoGapAfterStepsWereLost) {
  // A standby that takes over may not have the latest steps.
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", three());
  play(study, "w", 3);
  sql(address,
      "delete from keyhole_frame where position = (select max(position) from keyhole_frame)");
  const std::uint64_t left = store.log_bytes("split");
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_EQ(store.log_bytes("split"), left);
  Study again = store.open("split");  // goes on with what is there
  (void)again.tell(3, 0.125);         // which is not what was told before
  play(again, "w", 3);
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_EQ(store.replay("split", [](const StudyRecord&) {}).state_hash, again.state().hash());
}

TEST(PostgresStore, NoticesAnotherBranchThatEndsAlike) {
  // After an asynchronous failover others have gone on: their log is as long, and its last frames
  // say the same, that somebody asks.
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", {.on = "ball(65)", .learner = "stay"});  // with witnesses
  (void)study.ask();
  study.tell(1, 0.5);
  (void)study.ask_many(2);
  const std::uint64_t end = store.log_bytes("split");
  sql(address,
      "delete from keyhole_frame where position in (select position from keyhole_frame order by "
      "position desc limit 2)");
  Study other = store.open("split");
  other.tell(1, 0.25);
  (void)other.ask_many(2);
  EXPECT_EQ(store.log_bytes("split"), end);
  EXPECT_THROW((void)study.ask(), ReplacedStudy);
  EXPECT_THROW((void)study.recommend(), ReplacedStudy);
  EXPECT_EQ(other.ask().id, 4U);
}

TEST(PostgresStore, RefusesADamagedLog) {
  const std::string address = new_address();
  const Store store(address);
  {
    Study study = store.create("split", three());
    play(study, "w", 3);
  }
  const std::string second = "(select min(position) from keyhole_frame where position > 0)";
  sql(address,
      "update keyhole_frame set data = set_byte(data, 2, get_byte(data, 2) # 1) where "
      "position = " +
          second);
  EXPECT_NE(message<StudyError>([&] { (void)store.open("split"); }).find("is damaged at byte"),
            std::string::npos);
  sql(address, "delete from keyhole_frame where position = " + second);
  EXPECT_NE(message<StudyError>([&] { (void)store.open("split"); }).find("is damaged at byte"),
            std::string::npos);
}

TEST(PostgresStore, MakesItsTablesOnce) {
  for (int round = 0; round < 20; ++round) {
    const std::string address = new_address();
    std::barrier start(6);
    std::vector<std::thread> threads;
    for (int k = 0; k < 6; ++k) {
      threads.emplace_back([&] {
        studies::Connection connection(address, 10);
        start.arrive_and_wait();
        EXPECT_NO_THROW(studies::require_tables(connection, address));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sql(address, "select count(*) from keyhole_version").whole(0, 0), 3U);
    EXPECT_TRUE(Store(address).list().empty());
  }
}

TEST(PostgresStore, RefusesNewerTables) {
  const std::string address = new_address();
  (void)Store(address);
  sql(address, "insert into keyhole_version values (4)");
  const std::string text = message<StudyError>([&] { (void)Store(address); });
  EXPECT_NE(text.find("has version 4 of the tables, and this program knows 3"), std::string::npos)
      << text;
}

TEST(PostgresStore, BringsOlderTablesUpToDate) {
  const std::string address = new_address();
  (void)Store(address).create("split", three());
  sql(address, "drop table keyhole_content");
  sql(address, "alter table keyhole_study drop column label");
  sql(address, "delete from keyhole_version where version >= 2");
  const Store store(address);
  EXPECT_EQ(store.label("split"), StudyLabel());
  EXPECT_EQ(store.list(), std::vector<std::string>{"split"});
  EXPECT_EQ(sql(address, "select count(*) from keyhole_content").whole(0, 0), 0U);
  store.remove("split");
  EXPECT_TRUE(store.list().empty());
}

TEST(PostgresStore, SaysWhetherAStepIsStored) {
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", three());
  const StudyPlay first = study.ask("w");
  // A server that stopped while nobody called is not noticed.
  cluster().stop(SIGQUIT);
  cluster().start();
  const StudyPlay second = study.step({{first.id, 0.5}}, 1, "w").plays.front();
  // One that is not there has stored nothing.
  cluster().stop(SIGQUIT);
  EXPECT_FALSE(maybe_stored([&] { (void)study.step({{second.id, 0.5}}, 1, "w"); }));
  EXPECT_FALSE(maybe_stored([&] { (void)study.summary(); }));
  EXPECT_FALSE(maybe_stored([&] { (void)Store(address); }));
  cluster().start();
  EXPECT_EQ(study.ask("w"), second);
  EXPECT_EQ(study.tell(first.id, 0.5), Receipt::repeated);
  // One that is lost in the middle of a step may have stored it.
  studies::Connection other(address, 10);
  other.run({"begin", "begin"});
  other.run({"lock", "lock table keyhole_frame in exclusive mode"});
  std::thread killer([&] {
    std::uint64_t found = 0;
    while (found == 0) {
      found = sql(address,
                  "select count(*) from (select pg_terminate_backend(pid) from pg_stat_activity "
                  "where wait_event_type = 'Lock' and query like '%keyhole_frame%') as ended")
                  .whole(0, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_TRUE(maybe_stored([&] { (void)study.step({{second.id, 0.5}}, 1, "w"); }));
  killer.join();
  other.run({"rollback", "rollback"});
  // So it is made again: what was told is told once, and there is one play more.
  const StudyPlay third = study.step({{second.id, 0.5}}, 1, "w").plays.front();
  EXPECT_EQ(third.id, second.id + 1);
  EXPECT_EQ(study.step({{second.id, 0.5}}, 1, "w").plays.front(), third);
  EXPECT_EQ(study.summary().told, 2U);
  EXPECT_EQ(store.open("split").state(), study.state());
}

TEST(PostgresStore, AStepIsNoErrorIfASnapshotCannotBeKept) {
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", three());
  sql(address, "alter table keyhole_snapshot rename to away");
  play(study, "w", 300);
  EXPECT_EQ(study.summary().told, 300U);
  EXPECT_EQ(sql(address, "select from away").size(), 0U);
  sql(address, "alter table away rename to keyhole_snapshot");
  play(study, "w", 300);
  EXPECT_GT(sql(address, "select from keyhole_snapshot").size(), 0U);
  EXPECT_EQ(store.open("split").state(), study.state());
}

TEST(PostgresStore, AForkedChildHasItsOwnConnections) {
  const Store store(new_address());
  (void)store.create("split", three());
  const pid_t child = ::fork();
  if (child == 0) {
    Study study = store.open("split");
    play(study, "child", 5);
    ::_exit(0);
  }
  Study study = store.open("split");
  play(study, "parent", 5);
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  play(study, "parent", 5);
  EXPECT_EQ(study.summary().told, 15U);
}

TEST(PostgresStore, CommitsAsItIsTold) {
  const std::string address = new_address();
  const auto commit = [&](const std::string& more, Durability durability) {
    studies::Database database(address + more, durability, 10);
    return std::string(
        database.run({"show", "select current_setting('synchronous_commit')"}).bytes(0, 0));
  };
  const std::string also = "%20-csynchronous_commit%3D";
  EXPECT_EQ(commit("", Durability::disk), "on");
  EXPECT_EQ(commit("", Durability::process), "off");
  EXPECT_EQ(commit(also + "off", Durability::disk), "on");
  EXPECT_EQ(commit(also + "remote_apply", Durability::disk), "remote_apply");
}

TEST(PostgresStore, TellsNobodyThePassword) {
  using studies::without_password;
  EXPECT_EQ(without_password("postgresql://me:secret@host:5432/db"),
            "postgresql://me@host:5432/db");
  EXPECT_EQ(without_password("postgres://me@host:5432/db"), "postgres://me@host:5432/db");
  EXPECT_EQ(without_password("postgresql://host:5432/db?user=a@b"),
            "postgresql://host:5432/db?user=a@b");
  EXPECT_EQ(without_password("postgresql://host/db?password=secret&user=me"),
            "postgresql://host/db?&user=me");
  EXPECT_EQ(without_password("postgresql://host/db?user=me&password=secret"),
            "postgresql://host/db?user=me&");
  const std::string text =
      message<Error>([] { (void)Store("postgresql://me:secret@127.0.0.1:1/db"); });
  EXPECT_NE(text.find("cannot be reached"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

}  // namespace
}  // namespace keyhole::tests
