#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "service/service.h"

namespace keyhole::service {

/// Answers that wait until what they say is safe. While somebody waits for the log of a study, the
/// answers of that study gather, and the next wait serves all of them. Thread-safe.
class Settling {
 public:
  /// Runs the work in another thread.
  using Run = std::function<void(std::function<void()> work)>;
  /// Sends answers that are safe, or have become errors.
  using Send = std::function<void(std::vector<Answered> group)>;

  /// `threads` is how many there are to run something.
  Settling(Service& service, std::size_t threads, Run run, Send send);

  /// Sends an answer once it is safe. It must be unsettled.
  void add(Answered answered);

 private:
  /// Goes on with a study, without handing it over, until nothing has gathered or others need the
  /// thread.
  void settle(const Study* study);
  [[nodiscard]] bool others_wait();
  /// What has gathered for a study. If that is nothing, nobody is at work for it any more.
  [[nodiscard]] std::vector<Answered> take(const Study* study);

  Service& service_;
  std::size_t threads_;
  Run run_;
  Send send_;
  std::mutex mutex_;
  std::map<const Study*, std::vector<Answered>> waiting_;  // where somebody is at work
};

}  // namespace keyhole::service
