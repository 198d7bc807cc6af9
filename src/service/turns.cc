#include "service/turns.h"

#include <algorithm>
#include <ctime>

namespace keyhole::service {
namespace {

/// What this thread has used of its processor. Who waits for a lock uses nothing.
Turns::Clock::duration processor_time() {
  timespec time = {};
  (void)::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// The same for all work by a name.
Turns::Key without_number(Turns::Key key) {
  key.number = 0;
  return key;
}

}  // namespace

Turns::Turns(std::vector<Lane> lanes, Options options) : options_(options) {
  for (Lane& lane : lanes) lanes_.push_back({std::move(lane)});
}

void Turns::add(Key key, Work work, bool takes_turns) {
  const std::lock_guard lock(mutex_);
  if (!takes_turns) key.number = ++latest_;
  const auto [queue, is_first] = queues_.try_emplace(std::move(key));
  queue->second.waiting.push_back(std::move(work));
  if (!is_first) return;
  make_ready(queue);
  start();
}

void Turns::look() {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  std::erase_if(long_until_, [&](const auto& each) { return each.second < now; });
  Busy& lane = lanes_.front();
  for (auto& [key, queue] : queues_) {
    if (queue.runs_in != &lane || queue.is_lent || now - queue.begin <= options_.time) continue;
    Share& share = lane.shares.at(key.tenant);
    if (lane.lent == lane.lane.spare || share.lent == most_of_one(lane.lane.spare)) continue;
    queue.is_lent = true;
    --lane.running;
    --share.running;
    ++lane.lent;
    ++share.lent;
  }
  start();
}

std::size_t Turns::size() const {
  const std::lock_guard lock(mutex_);
  return queues_.size() + long_until_.size();
}

Turns::Busy& Turns::lane_of(const Key& key) {
  const bool is_long = !long_until_.empty() && long_until_.contains(without_number(key));
  return is_long ? lanes_.back() : lanes_.front();
}

std::size_t Turns::most_of_one(std::size_t threads) const {
  return options_.has_tenants && threads > 1 ? threads - 1 : threads;
}

void Turns::make_ready(Queues::iterator queue) {
  lane_of(queue->first).shares[queue->first.tenant].ready.push_back(queue);
}

std::optional<Turns::Turn> Turns::take(Busy& lane) {
  if (lane.running == lane.lane.threads) return {};
  const std::size_t most = most_of_one(lane.lane.threads);
  auto share = lane.shares.upper_bound(lane.latest);
  for (std::size_t k = 0; k < lane.shares.size(); ++k, ++share) {
    if (share == lane.shares.end()) share = lane.shares.begin();
    auto& [tenant, of_tenant] = *share;
    if (of_tenant.ready.empty() || of_tenant.running == most) continue;
    const auto queue = of_tenant.ready.front();
    of_tenant.ready.pop_front();
    ++of_tenant.running;
    ++lane.running;
    lane.latest = tenant;
    Work work = std::move(queue->second.waiting.front());
    queue->second.waiting.pop_front();
    queue->second.runs_in = &lane;
    queue->second.begin = Clock::now();
    return Turn{queue, std::move(work)};
  }
  return {};
}

void Turns::start() {
  for (Busy& lane : lanes_) {
    while (auto turn = take(lane)) {
      lane.lane.run(
          [this, &lane, turn = std::move(*turn)]() mutable { serve(lane, std::move(turn)); });
    }
  }
}

void Turns::serve(Busy& lane, Turn turn) {
  std::optional<Turn> next = std::move(turn);
  while (next) {
    const auto begin = processor_time();
    next->work();
    next->work = {};  // what it holds may go a long way
    const bool was_long = processor_time() - begin > options_.processor;
    const std::lock_guard lock(mutex_);
    end(lane, next->queue, was_long);
    next = take(lane);
    start();
  }
}

void Turns::end(Busy& lane, Queues::iterator queue, bool was_long) {
  // So it has at most a seventeenth of the time of a thread that is not for such studies.
  constexpr int times = 16;
  const auto share = lane.shares.find(queue->first.tenant);
  const auto now = Clock::now();
  const auto time = now - queue->second.begin;
  --(queue->second.is_lent ? lane.lent : lane.running);
  --(queue->second.is_lent ? share->second.lent : share->second.running);
  if (was_long || time > options_.time) {
    long_until_[without_number(queue->first)] = now + times * time;
  }
  queue->second.runs_in = nullptr;
  queue->second.is_lent = false;
  if (queue->second.waiting.empty()) {
    queues_.erase(queue);
  } else {
    make_ready(queue);
  }
  if (share->second.ready.empty() && share->second.running + share->second.lent == 0) {
    lane.shares.erase(share);
  }
}

}  // namespace keyhole::service
