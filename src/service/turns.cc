#include "service/turns.h"

#include <pthread.h>

#include <algorithm>

namespace keyhole::service {
namespace {

/// What a thread has used of its processor. Who waits for a lock uses nothing.
Turns::Clock::duration used_of(clockid_t processor) {
  timespec time = {};
  (void)::clock_gettime(processor, &time);
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
  // A study that nobody asks any more needs no line.
  std::erase_if(
      long_, [&](const auto& each) { return now - each.second.latest > std::chrono::minutes(1); });
  for (auto& [key, queue] : queues_) {
    if (queue.runs_in == nullptr || queue.is_lent || now - queue.begin <= options_.time) continue;
    // What computes has a processor, which others would take from it.
    if (2 * (used_of(queue.processor) - queue.used) > now - queue.begin) continue;
    Busy& lane = *queue.runs_in;
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
  return queues_.size() + long_.size();
}

Turns::Busy& Turns::lane_of(const Key& key) {
  const bool is_long = !long_.empty() && long_.contains(without_number(key));
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
  std::unique_lock lock(mutex_);
  while (next) {
    Queue& queue = next->queue->second;
    queue.runs_in = &lane;
    queue.begin = Clock::now();
    (void)::pthread_getcpuclockid(::pthread_self(), &queue.processor);
    queue.used = used_of(queue.processor);
    lock.unlock();
    next->work();
    next->work = {};  // what it holds may go a long way
    lock.lock();
    end(lane, next->queue);
    next = take(lane);
    start();
  }
}

void Turns::end(Busy& lane, Queues::iterator queue) {
  const auto ratio = [](Clock::duration time, Clock::duration most) {
    return static_cast<double>(time.count()) / static_cast<double>(most.count());
  };
  auto& [key, ended] = *queue;
  const auto now = Clock::now();
  took(without_number(key),
       std::max(ratio(used_of(ended.processor) - ended.used, options_.processor),
                ratio(now - ended.begin, options_.time)),
       now);
  const auto share = lane.shares.find(key.tenant);
  --(ended.is_lent ? lane.lent : lane.running);
  --(ended.is_lent ? share->second.lent : share->second.running);
  ended.runs_in = nullptr;
  ended.is_lent = false;
  if (ended.waiting.empty()) {
    queues_.erase(queue);
  } else {
    make_ready(queue);
  }
  if (share->second.ready.empty() && share->second.running + share->second.lent == 0) {
    lane.shares.erase(share);
  }
}

void Turns::took(const Key& key, double cost, Clock::time_point now) {
  constexpr double kept = 15.0 / 16;  // of what it took before: a study has short work too
  const auto before = long_.find(key);
  if (before != long_.end()) cost = std::max(cost, kept * before->second.cost);
  if (cost > 1) {
    long_[key] = {cost, now};
  } else if (before != long_.end()) {
    long_.erase(before);
  }
}

}  // namespace keyhole::service
