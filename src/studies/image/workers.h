#pragma once

#include <map>
#include <string>

#include "studies/format/snapshot.h"

namespace keyhole::studies {

/// The latest play of each worker, as long as it can be told. So a study knows as many workers as
/// plays are waited for, whatever names they give themselves.
class Workers {
 public:
  using Plays = std::map<std::string, WorkersPlay>;

  Workers() = default;
  explicit Workers(Plays plays) : plays_(std::move(plays)) {
    for (const auto& [worker, play] : plays_) worker_of_[play.play] = worker;
  }

  void give(const std::string& worker, const WorkersPlay& play) {
    WorkersPlay& latest = plays_[worker];
    worker_of_.erase(latest.play);
    latest = play;
    worker_of_[play.play] = worker;
  }
  /// A play was told: nobody has it any more.
  void told(std::uint64_t play) {
    const auto found = worker_of_.find(play);
    if (found != worker_of_.end()) forget(found);
  }
  /// Plays up to this one have expired.
  void expire(std::uint64_t latest) {
    while (!worker_of_.empty() && worker_of_.begin()->first <= latest) forget(worker_of_.begin());
  }

  /// The play of a worker; null if it has none.
  [[nodiscard]] const WorkersPlay* find(const std::string& worker) const {
    const auto found = plays_.find(worker);
    return found == plays_.end() ? nullptr : &found->second;
  }
  /// Who has a play; nobody is empty.
  [[nodiscard]] std::string who_has(std::uint64_t play) const {
    const auto found = worker_of_.find(play);
    return found == worker_of_.end() ? "" : found->second;
  }
  [[nodiscard]] const Plays& plays() const { return plays_; }

 private:
  using WorkerOf = std::map<std::uint64_t, std::string>;

  void forget(WorkerOf::iterator entry) {
    plays_.erase(entry->second);
    worker_of_.erase(entry);
  }

  Plays plays_;
  WorkerOf worker_of_;
};

}  // namespace keyhole::studies
