// Every wait for PostgreSQL ends: for a server that is stopped, a lock, or a connection.

#include <gtest/gtest.h>

#include <barrier>
#include <csignal>
#include <thread>

#include "keyhole/store.h"
#include "shared_cluster.h"
#include "studies/journals/postgres/database.h"

namespace keyhole::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr StoreOptions a_second = {.wait = 1};
const StudyDescription simple = {.on = "simplex(3)", .options = {.seed = 5}};

/// Processes of the server that are stopped as long as this object lives.
class Frozen {
 public:
  explicit Frozen(std::vector<pid_t> processes) : processes_(std::move(processes)) {
    for (const pid_t process : processes_) ::kill(process, SIGSTOP);
  }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;
  ~Frozen() {
    for (const pid_t process : processes_) ::kill(process, SIGCONT);
  }

 private:
  std::vector<pid_t> processes_;
};

/// An address that no other test has, with a name for its connections.
std::string named_address(const std::string& name) {
  return new_address() + "&application_name=" + name;
}

/// The processes of the server for the connections of that name.
std::vector<pid_t> backends(const std::string& name) {
  const studies::Rows rows =
      sql(cluster().address(),
          "select pid::int8 from pg_stat_activity where application_name = '" + name + "'");
  std::vector<pid_t> processes;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    processes.push_back(static_cast<pid_t>(rows.whole(k, 0)));
  }
  return processes;
}

/// Waits until processes have ended.
void wait_for_end_of(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) {
    for (int k = 0; k < 1000 && ::kill(process, 0) == 0; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_NE(::kill(process, 0), 0);
  }
}

/// What a call says that has waited too long.
template <class Call>
DatabaseError refusal(Call call) {
  const auto start = Clock::now();
  try {
    call();
  } catch (const DatabaseError& error) {
    EXPECT_EQ(error.code(), ErrorCode::busy) << error.what();
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(60)) << error.what();
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {"nothing was thrown", false};
}

/// Whether its text has these words.
bool says(const DatabaseError& error, const std::string& words) {
  return std::string(error.what()).find(words) != std::string::npos;
}

TEST(PostgresWaits, AFrozenServerEndsEveryCall) {
  const std::string address = new_address();
  const Store store(address, a_second);
  Study study = store.create("split", simple);
  const StudyPlay first = study.ask("w");
  {
    const Frozen frozen(cluster().processes());
    const DatabaseError error = refusal([&] { (void)study.step({{first.id, 0.5}}, 1, "w"); });
    EXPECT_TRUE(error.maybe_stored());
    EXPECT_TRUE(says(error,
                     "has not answered for 1 s while it stored a step: nobody "
                     "knows whether it is stored; ask again by the name of the worker"))
        << error.what();
    // Now there is no connection, and none can be made.
    std::vector<std::thread> threads;
    const std::function<void()> calls[] = {[&] { (void)study.ask("v"); },
                                           [&] { (void)study.tell(first.id, 0.5); },
                                           [&] { (void)study.summary(); },
                                           [&] { (void)store.open("split"); },
                                           [&] { (void)store.create("other", simple); },
                                           [&] { (void)store.list(); },
                                           [&] { (void)Store(address, a_second); }};
    for (const auto& call : calls) {
      threads.emplace_back([&] {
        const DatabaseError refused = refusal(call);
        EXPECT_FALSE(refused.maybe_stored());
        EXPECT_TRUE(says(refused, "nothing was stored, try again")) << refused.what();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // The server goes on, with the step that it had received as well.
  const StudyPlay second = study.step({{first.id, 0.5}}, 1, "w").plays.front();
  EXPECT_EQ(second.id, first.id + 1);
  EXPECT_EQ(study.ask("w"), second);
  EXPECT_EQ(Store(address).open("split").ask("w"), second);
  EXPECT_EQ(study.summary().told, 1U);
  EXPECT_EQ(study.summary().asked, 2U);
  EXPECT_EQ(store.list(), std::vector<std::string>{"split"});
  EXPECT_EQ(store.replay("split", [](const StudyRecord&) {}).state_hash, study.state().hash());
}

TEST(PostgresWaits, AStepThatIsStoredLateIsStoredOnce) {
  const std::string address = named_address("late_step");
  const Store store(address, a_second);
  Study study = store.create("split", simple);
  const StudyPlay first = study.ask("w");
  const std::vector<pid_t> processes = backends("late_step");
  StudyPlay second;
  {
    const Frozen frozen(processes);
    EXPECT_TRUE(refusal([&] { (void)study.step({{first.id, 0.5}}, 1, "w"); }).maybe_stored());
    second = study.step({{first.id, 0.5}}, 1, "w").plays.front();  // by another connection
  }
  wait_for_end_of(processes);
  EXPECT_EQ(study.ask("w"), second);
  EXPECT_EQ(study.summary().told, 1U);
  EXPECT_EQ(study.summary().asked, 2U);
  EXPECT_EQ(Store(address).open("split").state(), study.state());
}

TEST(PostgresWaits, ADeleteThatComesLateLeavesTheNextStudyOfThatName) {
  const Store store(named_address("late_delete"), a_second);
  (void)store.create("split", simple);
  (void)store.create("other", simple);
  store.remove("other");  // the statement is prepared
  const std::vector<pid_t> processes = backends("late_delete");
  {
    const Frozen frozen(processes);
    (void)refusal([&] { store.remove("split"); });
    store.remove("split");  // by another connection
    (void)store.create("split", {.on = "ball(2)"});
  }
  wait_for_end_of(processes);
  EXPECT_EQ(store.open("split").set().dimension(), 2U);
}

TEST(PostgresWaits, ALockEndsACall) {
  const std::string address = named_address("locked");
  // The server ends the wait after four fifths of it; on a busy machine the rest must be enough.
  const Store store(address, {.wait = 8});
  Study study = store.create("split", simple);
  const StudyPlay first = study.ask("w");
  studies::Connection other(address, 10);
  other.run({"begin", "begin"});
  other.run({"lock", "lock table keyhole_frame in access exclusive mode"});
  const std::vector<pid_t> processes = backends("locked");
  for (const std::function<void()>& call :
       {std::function<void()>([&] {
          (void)study.step({{first.id, 0.5}}, 1, "w");
        }),
        std::function<void()>([&] { (void)store.open("split"); })}) {
    const DatabaseError error = refusal(call);
    EXPECT_FALSE(error.maybe_stored());
    EXPECT_EQ(error.state(), "55P03");
    EXPECT_TRUE(says(error, "nothing was stored, try again")) << error.what();
  }
  EXPECT_EQ(backends("locked"), processes);  // no connection was lost
  other.run({"rollback", "rollback"});
  EXPECT_EQ(study.step({{first.id, 0.5}}, 1, "w").plays.front().id, first.id + 1);
  EXPECT_EQ(study.summary().told, 1U);
}

TEST(PostgresWaits, AStatementThatIsCancelledStoresNothing) {
  const std::string address = new_address();
  const Store store(address);
  Study study = store.create("split", simple);
  studies::Connection other(address, 10);
  other.run({"begin", "begin"});
  other.run({"lock", "lock table keyhole_frame in exclusive mode"});
  std::thread canceller([&] {
    std::uint64_t found = 0;
    while (found == 0) {
      found = sql(address,
                  "select count(*) from (select pg_cancel_backend(pid) from pg_stat_activity "
                  "where wait_event_type = 'Lock' and query like '%keyhole_frame%') as cancelled")
                  .whole(0, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const DatabaseError error = refusal([&] { (void)study.ask("w"); });
  canceller.join();
  EXPECT_EQ(error.state(), "57014");
  EXPECT_FALSE(error.maybe_stored());
  other.run({"rollback", "rollback"});
  EXPECT_EQ(study.ask("w").id, 1U);
}

TEST(PostgresWaits, ACommitThatWaitsForAStandbyMayBeStored) {
  const Cluster alone(false);
  const auto wait_for_standby = [&](const std::string& name) {
    sql(alone.address(), "alter system set synchronous_standby_names = '" + name + "'");
    sql(alone.address(), "select pg_reload_conf()");
    while (
        sql(alone.address(), "select current_setting('synchronous_standby_names')").bytes(0, 0) !=
        name) {
    }
  };
  const Store store(alone.address(), a_second);
  Study study = store.create("split", simple);
  const StudyPlay first = study.ask("w");
  wait_for_standby("away");
  EXPECT_TRUE(refusal([&] { (void)study.step({{first.id, 0.5}}, 1, "w"); }).maybe_stored());
  // It is neither seen nor gone, so the next one must wait for it.
  EXPECT_FALSE(refusal([&] { (void)study.step({{first.id, 0.5}}, 1, "w"); }).maybe_stored());
  wait_for_standby("");
  EXPECT_EQ(study.step({{first.id, 0.5}}, 1, "w").plays.front().id, first.id + 1);
  EXPECT_EQ(study.summary().told, 1U);
  EXPECT_EQ(study.summary().asked, 2U);
}

TEST(PostgresWaits, ConnectionsThatAreAllInUseEndACall) {
  studies::Database database(new_address(), Durability::disk, a_second.wait);
  constexpr auto most = static_cast<std::ptrdiff_t>(studies::Database::most);
  std::barrier taken(most + 1);
  std::barrier done(most + 1);
  std::vector<std::thread> threads;
  for (std::ptrdiff_t k = 0; k < most; ++k) {
    threads.emplace_back([&] {
      database.transact([&](studies::Connection&) {
        taken.arrive_and_wait();
        done.arrive_and_wait();
        return true;
      });
    });
  }
  taken.arrive_and_wait();
  const studies::Statement one = {"one", "select 1::int8"};
  const DatabaseError error = refusal([&] { database.run(one); });
  EXPECT_FALSE(error.maybe_stored());
  EXPECT_TRUE(says(error, "all 8 connections")) << error.what();
  done.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(database.run(one).whole(0, 0), 1U);
}

TEST(PostgresWaits, ALimitIsNoNegativeNumber) {
  EXPECT_THROW((void)Store(cluster().address(), {.wait = -1}), InvalidArgument);
}

TEST(PostgresWaits, WhatFlowsMayTakeLonger) {
  studies::Connection connection(cluster().address(), a_second.wait);
  const studies::Rows rows = connection.run(
      {"rows", "select repeat('x', 20000), pg_sleep(0.1) from generate_series(1, 20)"});
  EXPECT_EQ(rows.size(), 20U);
}

TEST(PostgresWaits, AServerThatTakesNoBytesIsGivenUp) {
  auto connection = std::make_unique<studies::Connection>(named_address("large"), a_second.wait);
  const studies::Statement length = {"length", "select length($1::bytea)::int8"};
  const std::string large(std::size_t{1} << 25U, 'x');
  EXPECT_EQ(connection->run(length, {large}).whole(0, 0), large.size());
  const Frozen frozen(backends("large"));
  EXPECT_FALSE(refusal([&] { connection->run(length, {large}); }).maybe_stored());
  EXPECT_FALSE(connection->is_sound());
  connection.reset();  // which does not wait either
}

TEST(PostgresWaits, ManyThreadsDoNotWaitForOneAnotherInVain) {
  const std::string address = new_address();
  const Store store(address, a_second);
  std::vector<Study> studies;
  for (int k = 0; k < 4; ++k) studies.push_back(store.create("s" + std::to_string(k), simple));
  {
    const Frozen frozen(cluster().processes());
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 32; ++k) {
      threads.emplace_back([&, k] {
        Study& study = studies[k % 4];
        const std::string worker = "w" + std::to_string(k);
        (void)refusal([&] { k < 24 ? (void)study.ask(worker) : (void)study.summary(); });
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (std::size_t k = 0; k < 24; ++k) (void)studies[k % 4].ask("w" + std::to_string(k));
  for (Study& study : studies) EXPECT_EQ(study.summary().asked, 6U);
}

}  // namespace
}  // namespace keyhole::tests
