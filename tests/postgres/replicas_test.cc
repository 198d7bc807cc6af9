// Services over one database that are killed, stopped and continued, and a database that is
// stopped: what was acknowledged is stored, and all replicas say the same.

#include <gtest/gtest.h>

#include <thread>

#include "../service/worker.h"
#include "folder.h"
#include "keyhole/store.h"
#include "shared_cluster.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

/// Workers at the replicas while something happens to these.
class Load {
 public:
  Load(const std::vector<Server*>& replicas, const std::vector<std::string>& studies) {
    std::vector<int> ports;
    for (const Server* const replica : replicas) ports.push_back(replica->port());
    for (const std::string& study : studies) {
      // A worker that waits for half a minute must find that its play can still be told.
      const Json description = {{"name", study}, {"set", "simplex(3)"}, {"window", 1000000}};
      (void)Connection(ports[0]).posted("/v1/studies", description);
    }
    for (std::size_t k = 0; k < 2 * studies.size(); ++k) {
      std::rotate(ports.begin(), ports.begin() + 1, ports.end());
      workers_.emplace_back(ports, studies[k / 2], "w" + std::to_string(k));
    }
    for (Worker& worker : workers_) threads_.emplace_back([&] { worker.run(stop_); });
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() { end(); }

  /// Waits until each worker has gone on.
  void wait_for_tells() const { tests::wait_for_tells(workers_); }
  /// Waits until one has heard that the database failed.
  void wait_for_failure() const {
    EXPECT_TRUE(comes_true([&] { return failures() > 0; }));
  }
  void end() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  /// The log of a study counts every tell once, has all that was acknowledged, and no more than one
  /// that a worker has not heard of. Returns the hash of its state.
  std::uint64_t check(const Store& store, const std::string& study) {
    std::map<PlayId, double> logged;
    const StudyLog log = store.replay(study, [&](const StudyRecord& record) {
      for (std::size_t k = 0; k < record.tells.size(); ++k) {
        // A replica that was stopped makes the steps that it had received; others made them before.
        const StudyTell& tell = record.tells[k];
        const bool is_new = logged.emplace(tell.id, tell.loss).second;
        EXPECT_EQ(is_new, record.gave.receipts[k] != Receipt::repeated) << tell.id;
      }
    });
    std::size_t acknowledged = 0;
    for (const Worker& worker : workers_) {
      if (worker.study() != study) continue;
      EXPECT_GT(worker.told.size(), 1U);
      acknowledged += worker.told.size();
      for (const auto& [play, loss] : worker.told) EXPECT_EQ(logged[play], loss);
    }
    EXPECT_GE(logged.size(), acknowledged);
    EXPECT_LE(logged.size(), acknowledged + 2);  // one a worker
    EXPECT_EQ(store.open(study).summary().asked, logged.size() + 2);
    return log.state_hash;
  }
  [[nodiscard]] int failures() const {
    int sum = 0;
    for (const Worker& worker : workers_) sum += worker.failures;
    return sum;
  }

 private:
  std::deque<Worker> workers_;
  std::vector<std::thread> threads_;
  std::atomic<bool> stop_ = false;
};

/// The hash of what a replica says that it has learned.
std::uint64_t hash_at(const Server& replica, const std::string& study) {
  const Answer answer = Connection(replica.port()).send("GET", "/v1/studies/" + study + "/state");
  EXPECT_EQ(answer.status, 200) << answer.body;
  return State::from_bytes(std::as_bytes(std::span(answer.body))).hash();
}

void sleep(std::size_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// How often something is stopped. The long form is KEYHOLE_STORM=100.
int stops() {
  const char* const wish = std::getenv("KEYHOLE_STORM");
  return wish == nullptr ? 6 : std::atoi(wish);
}

TEST(Replicas, LoseNothingWhenTheyOrTheDatabaseAreKilled) {
  const std::string address = new_address();
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  const std::vector<std::string> studies = {"a", "b"};
  Load load({&one, &two}, studies);
  std::mt19937 random(11);
  for (int k = 0; k < stops(); ++k) {
    sleep(50 + random() % 150);
    if (k % 2 == 0) {
      cluster().stop(SIGQUIT);  // immediate
      if (k == 0) load.wait_for_failure();
      cluster().start();
    } else {
      Server& replica = random() % 2 == 0 ? one : two;
      EXPECT_EQ(replica.stop(SIGKILL), -SIGKILL);
      replica.start();
    }
  }
  load.wait_for_tells();
  load.end();
  const Store store(address);
  for (const std::string& study : studies) {
    const std::uint64_t hash = load.check(store, study);
    EXPECT_EQ(hash_at(one, study), hash);
    EXPECT_EQ(hash_at(two, study), hash);
  }
  EXPECT_GT(load.failures(), 0);
}

// As docs/postgresql.md sets it: each commit waits for the standby, and the address names both.
TEST(Replicas, LoseNothingWhenTheStandbyOfADeadServerTakesOver) {
  Cluster primary(false);
  const Cluster standby(primary, "standby1");
  sql(primary.address(), "alter system set synchronous_standby_names = 'ANY 1 (standby1)'");
  sql(primary.address(), "select pg_reload_conf()");
  const auto waits = [&] {
    return sql(primary.address(), "select from pg_stat_replication where sync_state = 'quorum'")
               .size() == 1;
  };
  ASSERT_TRUE(comes_true(waits));
  const std::string address = primary.address("public", &standby);
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  const std::vector<std::string> studies = {"a", "b"};
  Load load({&one, &two}, studies);
  load.wait_for_tells();
  primary.stop(SIGQUIT);  // immediate
  load.wait_for_failure();
  standby.promote();
  const Store store(address);
  for (const std::string& study : studies) {  // goes on at the standby
    const auto told = [&] { return store.open(study).summary().told; };
    const std::uint64_t before = told();
    EXPECT_TRUE(comes_true([&] { return told() >= before + 10; })) << study;
  }
  load.end();
  for (const std::string& study : studies) {
    const std::uint64_t hash = load.check(store, study);
    EXPECT_EQ(hash_at(one, study), hash);
    EXPECT_EQ(hash_at(two, study), hash);
  }
  EXPECT_GT(load.failures(), 0);
}

TEST(Replicas, OneThatIsStoppedForAWhileDoesNoHarm) {
  const std::string address = new_address();
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  Server three({"--store=" + address});
  Load load({&one, &two, &three}, {"a"});
  load.wait_for_tells();
  two.signal(SIGSTOP);
  sleep(std::getenv("KEYHOLE_STORM") == nullptr ? 1000 : 30000);
  two.signal(SIGCONT);
  load.wait_for_tells();
  load.end();
  const std::uint64_t hash = load.check(Store(address), "a");
  for (const Server* const replica : {&one, &two, &three}) EXPECT_EQ(hash_at(*replica, "a"), hash);
}

TEST(Replicas, SeeWhatAnotherOneMadeAndDeleted) {
  const std::string address = new_address();
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  Connection first(one.port());
  Connection second(two.port());
  const Json split = {{"name", "split"}, {"set", "simplex(3)"}};
  (void)first.posted("/v1/studies", split);
  EXPECT_EQ(second.posted("/v1/studies/split/asks", {{"worker", "w"}})["plays"][0]["play"], 1);
  EXPECT_EQ(first.send("DELETE", "/v1/studies/split").status, 204);
  EXPECT_EQ(second.send("POST", "/v1/studies/split/asks", "{}").status, 404);
  EXPECT_EQ(second.send("GET", "/v1/studies/split").status, 404);
  (void)first.posted("/v1/studies", {{"name", "split"}, {"set", "ball(2)"}});
  EXPECT_EQ(first.posted("/v1/studies/split/asks", Json::object())["plays"][0]["play"], 1);
  EXPECT_EQ(second.posted("/v1/studies/split/asks", Json::object())["plays"][0]["play"], 2);
  EXPECT_EQ(first.send("DELETE", "/v1/studies/split").status, 204);
  (void)first.posted("/v1/studies", split);
  // Open there, but another one: it takes the new one.
  EXPECT_EQ(second.posted("/v1/studies/split/asks", Json::object())["plays"][0]["play"], 1);
}

}  // namespace
}  // namespace keyhole::tests
