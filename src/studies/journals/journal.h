#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "studies/format/frame.h"

namespace keyhole::studies {

/// The bytes of arrays (.npy) by their names ("sha256:...").
using KeptContents = std::map<std::string, std::string>;

/// The log of a study: all that a store must offer. A log is a sequence of contents between marks.
/// Thread-safe.
class Journal {
 public:
  /// Takes a content, and the mark behind it.
  using Take = std::function<void(std::string_view content, const Mark& end)>;

  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  /// Hands over what stands from a mark on, in order. Throws ReplacedStudy if the log has no such
  /// mark: then it is another one, or another branch of it. Throws StudyError if it is damaged.
  virtual void read(Mark from, const Take& take) = 0;
  /// Appends a content if the log still ends at the mark. Returns the mark behind it, or nothing if
  /// somebody else was first: then read() and try again. Throws DiskError, and nothing is appended,
  /// if it cannot be written.
  virtual std::optional<Mark> append(const Mark& expected, std::string_view content) = 0;
  /// Waits until all that stands before a position is on the medium. If it throws, nobody knows
  /// what is there, and every later call throws too.
  virtual void harden(std::uint64_t position) = 0;
  /// How far the log is known to be on the medium; 0 as long as nobody has called harden().
  [[nodiscard]] virtual std::uint64_t hardened() const = 0;

  /// The bytes of an array that the description names ("sha256:..."), which stands next to the log;
  /// nothing if it is not there.
  [[nodiscard]] virtual std::optional<std::string> kept_content(const std::string& name) = 0;

  /// Whether reading takes a call over the network. Then it is better to append first, and to read
  /// only if somebody else was first.
  [[nodiscard]] virtual bool is_far() const { return false; }

  /// How often a call has waited for others in vain.
  [[nodiscard]] virtual std::uint64_t waits_in_vain() const { return 0; }

  /// Runs the work while nobody else appends, where the store can see to it: then no append in it
  /// is too late. Reading alone needs no such thing. Throws StudyError of ErrorCode::busy if
  /// somebody else appends for too long.
  virtual void in_turn(const std::function<void()>& work) { work(); }
};

}  // namespace keyhole::studies
