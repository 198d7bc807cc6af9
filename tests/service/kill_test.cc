// Servers that are killed under load, and workers that go on without a person.

#include <gtest/gtest.h>

#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "server.h"

namespace keyhole::tests {
namespace {

/// Some loss of a play.
double loss_of(const Json& play) {
  return 0.2 * play["point"][0].get<double>() + 0.9 * play["point"][1].get<double>();
}

/// Asks, tells and goes on after each lost connection. It repeats nothing: after a lost answer it
/// asks by its name, and learns from the play that it is given whether its tell was taken.
class Worker {
 public:
  Worker(int port, std::string name) : port_(port), name_(std::move(name)) {}

  void run(const std::atomic<bool>& stop) {
    Json play = asked();
    while (!stop) {
      const Json tell = {{"play", play["play"]}, {"loss", loss_of(play)}};
      const auto step = sent("/steps", {{"tells", {tell}}, {"worker", name_}});
      const Json next = step ? (*step)["plays"][0] : asked();
      if (next["play"] != play["play"]) told.emplace_back(play["play"], loss_of(play));
      play = next;
    }
  }

  std::vector<std::pair<PlayId, double>> told;  // what was acknowledged, in order

 private:
  Json asked() {
    while (true) {
      if (const auto answer = sent("/asks", {{"worker", name_}})) return (*answer)["plays"][0];
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// What is answered; nothing if the connection is lost.
  std::optional<Json> sent(const std::string& path, const Json& body) {
    if (!connection_) connection_ = std::make_unique<Connection>(port_);
    const Answer answer = connection_->send("POST", "/v1/studies/split" + path, body.dump());
    if (answer.status == 200) return Json::parse(answer.body);
    EXPECT_EQ(answer.status, 0) << answer.body;
    connection_.reset();
    return {};
  }

  int port_;
  std::string name_;
  std::unique_ptr<Connection> connection_;
};

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
  std::vector<Worker> workers;
  for (int k = 0; k < 4; ++k) workers.emplace_back(server.port(), "w" + std::to_string(k));
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (Worker& worker : workers) threads.emplace_back([&] { worker.run(stop); });
  std::mt19937 random(7);
  for (int k = 0; k < kills(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    EXPECT_EQ(server.stop(SIGKILL), -SIGKILL);
    server.start();
  }
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
