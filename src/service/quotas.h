// What a client may have of a service, so that others have some too.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace keyhole::service {

/// How many calls a token makes. Thread-safe.
class Rates {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// So many a second, and after a rest that many at once; 0 for any number.
  explicit Rates(std::uint64_t rate) : rate_(rate) {}

  /// Throws Problem if a token may not make a call now.
  void require(const std::string& token, Time now) { call(token, now, false); }
  /// The same, and counts the call.
  void take(const std::string& token, Time now) { call(token, now, true); }

 private:
  void call(const std::string& token, Time now, bool counts);

  std::uint64_t rate_;
  std::mutex mutex_;
  std::map<std::string, Time> full_;  // when a token has all of its calls again
};

/// How long a reader may take for the next part. Who takes parts quickly may take his time later.
class Credit {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// At first, and at most, that long; so many bytes earn a second.
  Credit(Duration most, std::size_t bytes) : most_(most), bytes_(bytes), left_(most) {}

  [[nodiscard]] Duration left() const { return left_; }
  /// A part of so many bytes has taken that long.
  void take(std::size_t bytes, Duration time);

 private:
  Duration most_;
  std::size_t bytes_;
  Duration left_;
};

/// Who reads logs: each has a thread as long as he reads. Thread-safe.
class Readers {
 public:
  /// So many of a tenant, and four times as many in all.
  explicit Readers(std::size_t most) : most_of_tenant_(most) {}

  [[nodiscard]] std::size_t most() const { return 4 * most_of_tenant_; }
  /// A place of a tenant, until the result goes. Throws Problem if there is none.
  [[nodiscard]] std::shared_ptr<void> take(const std::string& tenant);

 private:
  std::size_t most_of_tenant_;
  std::mutex mutex_;
  std::map<std::string, std::size_t> of_tenant_;
  std::size_t all_ = 0;
};

}  // namespace keyhole::service
