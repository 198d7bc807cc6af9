// Somebody who plays a study of a service, and goes on after every failure without a person.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server.h"
#include "wait.h"

namespace keyhole::tests {

/// Some loss of a play.
inline double loss_of(const Json& play) {
  return 0.2 * play["point"][0].get<double>() + 0.9 * play["point"][1].get<double>();
}

/// Asks and tells; after a failure at the next of some servers. It repeats nothing: after a failure
/// it asks by its name, and learns from the play that it is given whether its tell was taken.
class Worker {
 public:
  Worker(std::vector<int> ports, std::string study, std::string name)
      : ports_(std::move(ports)), study_(std::move(study)), name_(std::move(name)) {}

  void run(const std::atomic<bool>& stop) {
    Json play = asked();
    while (!stop) {
      const Json tell = {{"play", play["play"]}, {"loss", loss_of(play)}};
      const auto step = sent("/steps", {{"tells", {tell}}, {"worker", name_}});
      const Json next = step ? (*step)["plays"][0] : asked();
      if (next["play"] != play["play"]) {
        told.emplace_back(play["play"], loss_of(play));
        ++acknowledged;
      }
      play = next;
    }
  }

  [[nodiscard]] const std::string& study() const { return study_; }

  std::vector<std::pair<PlayId, double>> told;  // what was acknowledged, in order
  // For others while it runs: the size of that list, and answers that the database failed.
  std::atomic<std::size_t> acknowledged = 0;
  std::atomic<int> failures = 0;

 private:
  Json asked() {
    while (true) {
      if (const auto answer = sent("/asks", {{"worker", name_}})) return (*answer)["plays"][0];
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  /// What is answered; nothing if the connection is lost, or the database.
  std::optional<Json> sent(const std::string& path, const Json& body) {
    constexpr int patience = 20;  // seconds; then it tries another one
    if (!connection_) {
      connection_ = std::make_unique<Connection>(ports_[next_++ % ports_.size()], patience);
    }
    const Answer answer = connection_->send("POST", "/v1/studies/" + study_ + path, body.dump());
    if (answer.status == 200) return Json::parse(answer.body);
    if (answer.status == 503) {
      const Json problem = Json::parse(answer.body);
      const std::string type = problem["type"];
      EXPECT_TRUE(type == "urn:keyhole:database" || type == "urn:keyhole:busy") << answer.body;
      ++failures;
    } else {
      EXPECT_EQ(answer.status, 0) << answer.body;
    }
    connection_.reset();
    return {};
  }

  std::vector<int> ports_;
  std::size_t next_ = 0;
  std::string study_;
  std::string name_;
  std::unique_ptr<Connection> connection_;
};

/// Waits until each of the workers has been acknowledged two more tells.
inline void wait_for_tells(const std::deque<Worker>& workers) {
  std::vector<std::size_t> goals;
  for (const Worker& worker : workers) goals.push_back(worker.acknowledged + 2);
  EXPECT_TRUE(comes_true([&] {
    return std::equal(
        goals.begin(), goals.end(), workers.begin(),
        [](std::size_t goal, const auto& worker) { return worker.acknowledged >= goal; });
  }));
}

}  // namespace keyhole::tests
