// Servers that are killed under load, and workers that go on without a person.

#include <gtest/gtest.h>

#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "worker.h"

namespace keyhole::tests {
namespace {

/// How often a server is killed.
int kills() {
  const char* const wish = std::getenv("KEYHOLE_STORM");
  return wish == nullptr ? 20 : std::atoi(wish);
}

TEST(Killed, LosesNothingThatWasAcknowledged) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  const std::string split = R"json({"name": "split", "set": "simplex(3)"})json";
  ASSERT_EQ(Connection(server.port()).send("POST", "/v1/studies", split).status, 201);
  std::deque<Worker> workers;
  for (int k = 0; k < 4; ++k) {
    workers.emplace_back(std::vector{server.port()}, "split", "w" + std::to_string(k));
  }
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (Worker& worker : workers) threads.emplace_back([&] { worker.run(stop); });
  std::mt19937 random(7);
  for (int k = 0; k < kills(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    EXPECT_EQ(server.stop(SIGKILL), -SIGKILL);
    server.start();
  }
  wait_for_tells(workers);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.stop(SIGTERM), 0);

  // The log has every tell once, and a study that was never killed comes to the same state.
  std::map<PlayId, double> logged;
  const Store store(folder.path("studies"));
  Study other = Store(folder.path("other"), {.durability = Durability::process})
                    .create("split", {.on = "simplex(3)"});
  const StudyLog log = store.replay("split", [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) {
      EXPECT_TRUE(logged.emplace(tell.id, tell.loss).second) << tell.id << " is told twice";
    }
    EXPECT_EQ(other.step(record.tells, record.gave.plays.size(), record.worker).plays,
              record.gave.plays);
  });
  EXPECT_EQ(other.state().hash(), log.state_hash);
  std::size_t acknowledged = 0;
  for (const Worker& worker : workers) {
    EXPECT_EQ(worker.failures.load(), 0);
    acknowledged += worker.told.size();
    for (const auto& [play, loss] : worker.told) {
      ASSERT_TRUE(logged.contains(play)) << play;
      EXPECT_EQ(logged[play], loss);
    }
  }
  EXPECT_GT(acknowledged, workers.size());
  // At the end a worker may not have heard of its last one.
  EXPECT_LE(logged.size(), acknowledged + workers.size());
  // All plays but one a worker were told: no play was forgotten.
  EXPECT_EQ(other.summary().asked, logged.size() + workers.size());
}

}  // namespace
}  // namespace keyhole::tests
