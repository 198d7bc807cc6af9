#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/study.h"
#include "service/live/watch.h"

namespace keyhole::service {

/// What a service has done since it began, as text for Prometheus. Only labels of limits have
/// values that clients choose: names of studies and of metrics. What is of a tenant is shown to it
/// alone. Thread-safe.
class Metrics {
 public:
  Metrics();

  using Clock = std::chrono::steady_clock;

  /// A request of a route that came then has its answer now.
  void answered(std::size_t route, int status, Clock::time_point received);
  /// A call of a tenant has that status; `is_step` if it asks or tells.
  void answered(const std::string& tenant, bool is_step, int status);
  /// A sync that began then is done now, or has failed.
  void synced(Clock::time_point begin) { syncs_.add(begin); }
  void failed_to_sync() { ++failed_syncs_; }
  void asked(std::uint64_t plays) { asks_ += plays; }
  void told(const std::vector<Receipt>& receipts);
  /// A tell was refused that contradicts an earlier one.
  void contradicted() { ++contradictions_; }
  /// A study was closed to make room for others.
  void closed_study() { ++closed_studies_; }
  /// A connection began (1) or ended (-1).
  void connected(int change) { connections_ += change; }

  /// All of it; `open` is how many studies are open, `memory` the bytes that the service may use,
  /// `free_disk` those that the disk of the studies has left, if it is known, `limits` those of the
  /// studies of a tenant.
  [[nodiscard]] std::string text(std::size_t open, std::uint64_t memory,
                                 std::optional<std::uint64_t> free_disk, const std::string& tenant,
                                 const std::vector<SeenLimit>& limits) const;

 private:
  static constexpr std::array<double, 10> bounds = {0.0001, 0.0003, 0.001, 0.003, 0.01,
                                                    0.03,   0.1,    0.3,   1,     3};
  static constexpr std::size_t classes = 6;  // of status: 100, 200, ...

  /// How long things took.
  struct Times {
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> by_time = {};
    std::atomic<double> seconds = 0;

    /// What began then ends now.
    void add(Clock::time_point begin);
    /// Its lines; none if there were none.
    [[nodiscard]] std::string lines(const std::string& name, const std::string& labels) const;
  };
  struct OfRoute {
    std::array<std::atomic<std::uint64_t>, classes> by_class = {};
    Times times;
  };

  struct OfTenant {
    std::uint64_t steps = 0;
    std::uint64_t refused = 0;
  };

  std::vector<OfRoute> routes_;
  mutable std::mutex mutex_;
  std::map<std::string, OfTenant> tenants_;
  Times syncs_;
  std::atomic<std::uint64_t> failed_syncs_ = 0;
  std::atomic<std::uint64_t> asks_ = 0;
  std::array<std::atomic<std::uint64_t>, 4> receipts_ = {};
  std::atomic<std::uint64_t> contradictions_ = 0;
  std::atomic<std::uint64_t> closed_studies_ = 0;
  std::atomic<std::int64_t> connections_ = 0;
};

}  // namespace keyhole::service
