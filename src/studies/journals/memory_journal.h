#pragma once

#include <mutex>
#include <string>

#include "studies/journals/journal.h"

namespace keyhole::studies {

/// A log in memory, for tests, in the bytes of a file. It can lose what is not hardened, on
/// command.
class MemoryJournal final : public Journal {
 public:
  /// A log that has these bytes, all of them on the medium.
  explicit MemoryJournal(std::string bytes = {})
      : bytes_(std::move(bytes)), hardened_(bytes_.size()) {}

  void read(Mark from, const Take& take) override;
  std::optional<Mark> append(const Mark& expected, std::string_view content) override;
  void harden(std::uint64_t position) override;
  [[nodiscard]] std::uint64_t hardened() const override;

  /// The bytes.
  [[nodiscard]] std::string bytes() const;
  /// A power cut: what is not on the medium is lost.
  void lose_unhardened();

 private:
  mutable std::mutex mutex_;
  std::string bytes_;
  std::uint64_t hardened_;
};

}  // namespace keyhole::studies
