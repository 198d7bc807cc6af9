#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/error.h"
#include "keyhole/version.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Writes the fields of a state to bytes or reads them back, by the same list of calls, so that
/// saving and loading cannot disagree. Numbers are little-endian and 8 bytes long on every machine
/// (single bytes excepted). Writing leaves the fields alone. Not thread-safe.
class Archive {
 public:
  /// An archive that writes.
  Archive() = default;
  /// An archive that reads `bytes`, which must outlive it, as a library of that trace revision
  /// wrote them.
  explicit Archive(std::span<const std::byte> bytes, std::uint64_t revision = trace_revision)
      : reading_(true), revision_(revision), source_(bytes) {}

  /// Whether fields are being read rather than written.
  [[nodiscard]] bool reading() const noexcept { return reading_; }
  /// The trace revision of the library that wrote the fields: where a list of fields has changed
  /// since, those of older states are read as they were written.
  [[nodiscard]] std::uint64_t revision() const noexcept { return revision_; }

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
  std::span<const std::byte> next(std::uint64_t count);

  bool reading_ = false;
  std::uint64_t revision_ = trace_revision;
  std::span<const std::byte> source_;
  std::vector<std::byte> written_;
};

}  // namespace keyhole
#pragma GCC visibility pop
