#include "service/quotas.h"

#include <algorithm>

#include "service/problem.h"

namespace keyhole::service {

void Rates::call(const std::string& token, Time now, bool counts) {
  if (rate_ == 0) return;
  const std::lock_guard lock(mutex_);
  Time& full = full_[token];
  const Time after = std::max(now, full) + std::chrono::nanoseconds(std::nano::den / rate_);
  if (after - now > std::chrono::seconds(1)) {
    throw Problem(429, "rate",
                  "the token may make " + std::to_string(rate_) +
                      " calls a second: try again later, or ask whoever runs the service to raise "
                      "--rate");
  }
  if (counts) full = after;
}

void Credit::take(std::size_t bytes, Duration time) {
  const std::chrono::duration<double> earned(static_cast<double>(bytes) /
                                             static_cast<double>(bytes_));
  left_ = std::min(most_, left_ - time + std::chrono::duration_cast<Duration>(earned));
}

std::shared_ptr<void> Readers::take(const std::string& tenant) {
  const auto refuse = [](int status, std::size_t readers, const std::string& whose) {
    throw Problem(status, "readers",
                  std::to_string(readers) + " clients " + whose +
                      " read logs now: try again when one is done, or ask whoever runs the "
                      "service to raise --max-readers");
  };
  const std::lock_guard lock(mutex_);
  if (all_ == most()) refuse(503, all_, "of all tenants");
  const auto place = of_tenant_.try_emplace(tenant).first;
  if (place->second == most_of_tenant_) refuse(429, place->second, "of the tenant");
  ++all_;
  ++place->second;
  return {nullptr, [this, place](void*) {
            const std::lock_guard again(mutex_);
            --all_;
            if (--place->second == 0) of_tenant_.erase(place);
          }};
}

}  // namespace keyhole::service
