// Services over one database that are killed, stopped and continued, and a database that is
// stopped: what was acknowledged is stored, and all replicas say the same.

#include <gtest/gtest.h>

#include <thread>

#include "../service/worker.h"
#include "folder.h"
#include "keyhole/store.h"
#include "shared_cluster.h"
#include "studies/at_once.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

/// The hash of what a replica says that it has learned.
std::uint64_t hash_at(const Server& replica, const std::string& study) {
  const Answer answer = Connection(replica.port()).send("GET", "/v1/studies/" + study + "/state");
  EXPECT_EQ(answer.status, 200) << answer.body;
  return State::from_bytes(std::as_bytes(std::span(answer.body))).hash();
}

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
      workers_.emplace_back(ports, studies[k / 2], static_cast<int>(k));
    }
    for (Worker& worker : workers_) threads_.emplace_back([&] { worker.run(stop_); });
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() { end(); }

  /// Waits until each worker has gone on.
  void wait_for_tells() const { tests::wait_for_tells(workers_); }
  /// Waits until each worker has heard that the database failed.
  void wait_for_failures() const {
    std::vector<int> before;
    for (const Worker& worker : workers_) before.push_back(worker.failures);
    EXPECT_TRUE(comes_true([&] {
      return std::equal(before.begin(), before.end(), workers_.begin(),
                        [](int count, const Worker& worker) { return worker.failures > count; });
    }));
  }
  void end() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  /// Whether what is answered from now on may be lost.
  void set_may_lose(bool may) {
    for (Worker& worker : workers_) worker.may_lose = may;
  }
  /// All replicas have come to the state of a log with which nothing is wrong.
  void check(const Store& store, const std::string& study,
             const std::vector<const Server*>& replicas) const {
    std::vector<std::uint64_t> states;
    for (const Server* const replica : replicas) states.push_back(hash_at(*replica, study));
    (void)expect_survival(store, study, workers_, states);
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

void sleep(std::size_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Each take-over needs a new standby, which takes seconds.
int take_overs() { return std::max(times(4) / 4, 1); }

TEST(Replicas, LoseNothingWhenTheyOrTheDatabaseAreKilled) {
  const std::string address = new_address();
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  const std::vector<std::string> studies = {"a", "b"};
  Load load({&one, &two}, studies);
  std::mt19937 random(11);
  for (int k = 0; k < times(6); ++k) {
    sleep(50 + random() % 150);
    if (k % 2 == 0) {
      cluster().stop(SIGQUIT);  // immediate
      if (k == 0) load.wait_for_failures();
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
  for (const std::string& study : studies) load.check(store, study, {&one, &two});
  EXPECT_GT(load.failures(), 0);
}

bool has_standby(const Cluster& server, const std::string& condition) {
  return sql(server.address(), "select from pg_stat_replication where " + condition).size() == 1;
}

/// Servers that die one after the other. Each time the standby takes over, and then gets a standby.
/// As docs/postgresql.md sets it, commits wait for the standby or not, and the address names both.
/// A standby that is not waited for always lacks something.
void take_over_in_turn(bool waits, int rounds) {
  Cluster first(false);
  Cluster second(first, "standby1");
  Cluster* server = &first;
  Cluster* standby = &second;
  const std::string address = first.address("public", &second);
  Server one({"--store=" + address});
  Server two({"--store=" + address});
  const std::vector<std::string> studies = {"a", "b"};
  Load load({&one, &two}, studies);
  const Store store(address);
  for (int k = 0; k < rounds; ++k) {
    if (k > 0) standby->follow(*server);
    if (waits) {
      server->set("synchronous_standby_names", "ANY 1 (*)");
      ASSERT_TRUE(comes_true([&] { return has_standby(*server, "sync_state = 'quorum'"); }));
    } else {
      load.set_may_lose(true);
      const std::string end(
          sql(server->address(), "select pg_current_wal_lsn()::text").bytes(0, 0));
      ASSERT_TRUE(comes_true([&] { return has_standby(*server, "replay_lsn >= '" + end + "'"); }));
      standby->set("primary_conninfo", "");  // it follows no more
      ASSERT_TRUE(comes_true([&] { return !has_standby(*server, "true"); }));
    }
    load.wait_for_tells();
    Study watched = store.open("a");  // which knows what will be lost
    server->stop(SIGQUIT);            // immediate
    load.wait_for_failures();
    if (waits) standby->set("synchronous_standby_names", "");
    load.set_may_lose(false);
    standby->promote();
    load.wait_for_tells();
    if (waits) {
      EXPECT_NO_THROW((void)watched.summary());
    } else {
      EXPECT_THROW((void)watched.ask(), ReplacedStudy);
    }
    std::swap(server, standby);
  }
  load.end();
  for (const std::string& study : studies) load.check(store, study, {&one, &two});
}

TEST(Replicas, LoseNothingWhenTheStandbyOfADeadServerTakesOver) {
  take_over_in_turn(true, take_overs());
}

TEST(Replicas, NoticeWhatAStandbyThatTakesOverHasLost) { take_over_in_turn(false, take_overs()); }

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
  load.check(Store(address), "a", {&one, &two, &three});
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
