#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "keyhole/archive.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A learner's state as one value: versioned, endian-stable, checksummed bytes (docs/state.md has
/// the format). Equal states go on equally. Safe to read from any number of threads.
class State {
 public:
  /// The bytes of a state, checked: throws StateError for bytes that are truncated, altered, no
  /// state at all, or of a newer format than this library knows.
  [[nodiscard]] static State from_bytes(std::span<const std::byte> bytes);

  /// The state that a file holds: the bytes of one, as write() leaves them. Throws InputError if
  /// there is no file of that name, StateError with the name as from_bytes(), and Error of
  /// ErrorCode::disk if it cannot be read.
  [[nodiscard]] static State read(const std::string& path);
  /// Writes the bytes to a file, in place of one of that name. At every moment, power failures
  /// included, the file holds the whole state, or what was there before. Throws Error of
  /// ErrorCode::disk.
  void write(const std::string& path) const;

  /// The bytes, to be stored as they are. They live as long as the state: keep it in a variable.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept;
  /// A temporary state would take its bytes with it.
  std::span<const std::byte> bytes() const&& = delete;
  /// A 64-bit hash of the state.
  [[nodiscard]] std::uint64_t hash() const noexcept;
  /// The trace revision of the library that wrote it.
  [[nodiscard]] std::uint64_t revision() const noexcept { return header_.revision; }
  /// The spec of the set that it belongs to. States of revision 4 have only its first 200
  /// characters; "..." then stands for the rest.
  [[nodiscard]] const std::string& set_spec() const noexcept { return header_.set_spec; }
  /// The spec of the learner that it belongs to, likewise.
  [[nodiscard]] const std::string& learner_spec() const noexcept { return header_.learner_spec; }

  /// Equal bytes.
  friend bool operator==(const State& a, const State& b) noexcept;

 private:
  friend class LearnerBase;

  /// What stands before the learner's own fields (docs/state.md).
  struct Header {
    std::uint64_t magic = 0;
    std::uint64_t format = 0;
    std::uint64_t size = 0;
    std::uint64_t revision = 0;
    std::uint64_t set_fingerprint = 0;
    std::uint64_t learner_fingerprint = 0;
    std::string set_spec;
    std::string learner_spec;

    void fields(Archive& archive);
  };

  State() = default;
  /// What stands for a spec of any length.
  static std::uint64_t fingerprint(const std::string& spec);
  /// Whether it is of a learner with that spec.
  [[nodiscard]] bool is_of_learner(const std::string& spec) const;
  static State seal(const std::string& set_spec, const std::string& learner_spec,
                    std::span<const std::byte> fields);
  /// The learner's own fields.
  [[nodiscard]] std::span<const std::byte> payload() const noexcept;

  std::vector<std::byte> bytes_;
  Header header_;
  std::size_t header_size_ = 0;
};

}  // namespace keyhole
#pragma GCC visibility pop
