// Servers that are killed under load, and workers that go on without a person.

#include <gtest/gtest.h>

#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "studies/at_once.h"
#include "worker.h"

namespace keyhole::tests {
namespace {

TEST(Killed, LosesNothingThatWasAcknowledged) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  const std::string split = R"json({"name": "split", "set": "simplex(3)"})json";
  ASSERT_EQ(Connection(server.port()).send("POST", "/v1/studies", split).status, 201);
  std::deque<Worker> workers;
  for (int k = 0; k < 4; ++k) {
    workers.emplace_back(std::vector{server.port()}, "split", k);
  }
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (Worker& worker : workers) threads.emplace_back([&] { worker.run(stop); });
  std::mt19937 random(7);
  for (int k = 0; k < times(20); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    EXPECT_EQ(server.stop(SIGKILL), -SIGKILL);
    server.start();
  }
  wait_for_tells(workers);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.stop(SIGTERM), 0);

  const Verdict verdict = expect_survival(Store(folder.path("studies")), "split", workers);
  EXPECT_EQ(verdict.repeated, 0U);
  for (const Worker& worker : workers) EXPECT_EQ(worker.failures.load(), 0);
}

}  // namespace
}  // namespace keyhole::tests
