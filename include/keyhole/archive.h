#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/error.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Writes the fields of a state to bytes or reads them back, by the same list of calls, so that
/// saving and loading cannot disagree. Numbers are little-endian and 8 bytes long on every machine
/// (single bytes excepted). Not thread-safe.
class Archive {
 public:
  /// An archive that writes.
  Archive() = default;
  /// An archive that reads `bytes`, which must outlive it.
  explicit Archive(std::span<const std::byte> bytes) : reading_(true), source_(bytes) {}

  /// Whether fields are being read rather than written.
  [[nodiscard]] bool reading() const noexcept { return reading_; }

  /// One integer.
  void field(std::uint64_t& value);
  /// One byte.
  void field(std::uint8_t& value);
  /// One number, all 64 bits of it.
  void field(double& value);
  /// A fixed number of numbers: reading throws StateError if another number was written.
  void field(std::span<double> values);
  /// A text.
  void field(std::string& text);

  /// How many bytes are left to read.
  [[nodiscard]] std::size_t left() const noexcept { return source_.size(); }
  /// What has been written.
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(written_); }

 private:
  std::span<const std::byte> next(std::size_t count);

  bool reading_ = false;
  std::span<const std::byte> source_;
  std::vector<std::byte> written_;
};

}  // namespace keyhole
#pragma GCC visibility pop
