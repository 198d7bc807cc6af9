#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace keyhole::service {

/// How much memory a service may use. A quarter is for bodies and answers on their way, which say
/// before how much they need; the rest is for studies, and is looked at. Thread-safe.
class Memory {
 public:
  /// In bytes; 0 for half of what the machine, or its container, has.
  explicit Memory(std::uint64_t most);

  [[nodiscard]] std::uint64_t most() const { return most_; }
  /// Bytes for a body or an answer, until the result goes. Throws Problem if so many are not left.
  [[nodiscard]] std::shared_ptr<void> take(std::uint64_t bytes);
  /// Whether studies must be closed.
  [[nodiscard]] bool is_full() const;

  /// The memory of this process; 0 if the system does not say.
  [[nodiscard]] static std::uint64_t resident();

 private:
  std::uint64_t most_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace keyhole::service
