#include "service/settling.h"

namespace keyhole::service {

Settling::Settling(Service& service, std::size_t threads, Run run, Send send)
    : service_(service), threads_(threads), run_(std::move(run)), send_(std::move(send)) {}

void Settling::add(Answered answered) {
  const Study* const study = answered.response.unsettled.study.get();
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_first] = waiting_.try_emplace(study);
    place->second.push_back(std::move(answered));
    if (!is_first) return;
  }
  run_([this, study] { settle(study); });
}

void Settling::settle(const Study* study) {
  do {
    std::vector<Answered> group = take(study);
    if (group.empty()) return;
    service_.finish(group);
    send_(std::move(group));
  } while (!others_wait());
  run_([this, study] { settle(study); });
}

bool Settling::others_wait() {
  const std::lock_guard lock(mutex_);
  return waiting_.size() > threads_;
}

std::vector<Answered> Settling::take(const Study* study) {
  const std::lock_guard lock(mutex_);
  const auto place = waiting_.find(study);
  std::vector<Answered> group = std::exchange(place->second, {});
  if (group.empty()) waiting_.erase(place);
  return group;
}

}  // namespace keyhole::service
