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
#include "studies/judge.h"
#include "wait.h"

namespace keyhole::tests {

/// Some loss of a point.
inline double loss_of(const std::vector<double>& point) { return 0.2 * point[0] + 0.9 * point[1]; }

/// Asks and tells; after a failure at the next of some servers. It repeats nothing: after a failure
/// it asks by its name, and learns from the play that it is given whether its tell was taken.
class Worker {
 public:
  Worker(std::vector<int> ports, std::string study, int number)
      : ports_(std::move(ports)), study_(std::move(study)), number_(number) {}

  void run(const std::atomic<bool>& stop) {
    Json play = asked(stop);
    while (!stop) {
      const bool was_risky = may_lose;
      const Json tell = {{"play", play["play"]}, {"loss", loss_of(point_of(play))}};
      const auto step = sent("/steps", {{"tells", {tell}}, {"worker", name_}});
      const Json next = step ? (*step)["plays"][0] : asked(stop);
      if (next.is_null()) return;
      if (next["play"] != play["play"]) {
        hear(play, true, was_risky);
        ++acknowledged;
      }
      if (step) hear(next, false, was_risky);
      play = next;
    }
  }

  [[nodiscard]] const std::string& study() const { return study_; }

  std::vector<Heard> heard;  // in order
  // For others while it runs: how many losses of these, and answers that the database failed.
  std::atomic<std::size_t> acknowledged = 0;
  std::atomic<int> failures = 0;
  /// Whether what is answered now may be lost.
  std::atomic<bool> may_lose = false;

 private:
  static std::vector<double> point_of(const Json& play) {
    return play["point"].get<std::vector<double>>();
  }
  /// What was answered may be lost if it could be when it was sent, or can be now.
  void hear(const Json& play, bool told, bool was_risky) {
    heard.push_back({.worker = number_,
                     .play = play["play"],
                     .mark = mark_of(point_of(play)),
                     .told = told,
                     .may_be_lost = was_risky || may_lose});
  }
  Json asked(const std::atomic<bool>& stop) {
    while (!stop) {
      const bool was_risky = may_lose;
      if (const auto answer = sent("/asks", {{"worker", name_}})) {
        hear((*answer)["plays"][0], false, was_risky);
        return (*answer)["plays"][0];
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {};
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
  int number_;
  std::string name_ = worker_name(number_);
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

/// The verdict on a study, given what its workers have heard: nothing is wrong, and each has one
/// play that it has not told, and at most one loss that it does not know to be stored.
inline Verdict expect_survival(const Store& store, const std::string& study,
                               const std::deque<Worker>& workers,
                               const std::vector<std::uint64_t>& states = {}) {
  std::vector<Heard> heard;
  std::size_t count = 0;
  for (const Worker& worker : workers) {
    if (worker.study() != study) continue;
    ++count;
    EXPECT_GT(worker.acknowledged.load(), 1U);
    heard.insert(heard.end(), worker.heard.begin(), worker.heard.end());
  }
  const auto loss = [](const StudyPlay& play) { return loss_of(play.point); };
  const Verdict verdict = verdict_on(store, study, loss, heard, states);
  EXPECT_EQ(verdict.faults, std::vector<std::string>());
  EXPECT_LE(verdict.unheard, count);
  EXPECT_EQ(verdict.plays, verdict.told + count);
  return verdict;
}

}  // namespace keyhole::tests
