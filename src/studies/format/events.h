// What the frames of a log say: its events. docs/study-format.md lists the bytes of each.

#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::studies {

/// The first event of a log: what the study is made of, in JSON.
struct Description {
  std::string text = {};
};

/// What was measured besides a loss: the places of the metrics, from 0 on, and their values.
using Measured = std::vector<std::pair<std::uint64_t, double>>;

/// What is told of a play.
struct Tell {
  std::uint64_t play = 0;
  /// NaN if only metrics are told.
  double loss = 0;
  /// How many plays it stands for.
  double weight = 1;
  Measured metrics = {};
  /// Numbers by names that are no limits, which nothing is learned from.
  std::vector<std::pair<std::string, double>> notes = {};

  [[nodiscard]] bool has_loss() const { return !std::isnan(loss); }
};

/// The most plays that a step may ask for.
inline constexpr std::uint64_t most_asks = std::uint64_t{1} << 20U;

/// What is kept of the point of a play.
enum class Kept : std::uint8_t {
  /// Nothing: logs of format 1.
  nothing,
  /// 32 bits of a hash.
  witness,
  /// The point.
  point,
};

/// Tells and asks that are one unit: all of it is in the log, or nothing.
struct Step {
  std::vector<Tell> tells = {};
  std::uint64_t asks = 0;
  /// Who asks; empty for nobody in particular.
  std::string worker = {};
  /// What was known when it was asked, a number for each context (spaces/contexts.h); empty if
  /// nothing was.
  std::vector<double> context = {};
  /// What is kept of the plays that were asked for, and its bytes, the plays one after the other.
  /// Of a step that was read they are those of the content.
  Kept kept = Kept::nothing;
  std::string_view facts = {};

  /// What is kept of the play of the k-th ask.
  [[nodiscard]] std::string_view fact(std::uint64_t k) const {
    const std::size_t size = facts.size() / asks;
    return facts.substr(k * size, size);
  }
};

/// What begins where a study was renewed or changed.
struct Era {
  /// Its description.
  std::string text = {};
  /// The state that its learner begins with; empty for a new learner.
  std::string state = {};
  /// Where it was changed.
  std::optional<StudyChange> changed = {};
};

/// Turns exploring off or on.
struct Switch {
  bool explores = true;
};

/// From here on a coin has a share of the plays made at the start; 0 for none.
struct Coin {
  double share = 0;
  std::vector<double> start = {};
};

/// Losses of points that nobody asked for.
struct Past {
  struct Loss {
    double loss = 0;
    double weight = 1;
    std::vector<double> point = {};
    /// As that of a step.
    std::vector<double> context = {};
    /// As those of a tell; the loss may be NaN then.
    Measured metrics = {};
  };
  std::vector<Loss> losses = {};
  /// The id of the call, by which it may be made again; empty for none. Only then is it kept how
  /// many losses were brought to the nearest point, and how many left out.
  std::string id = {};
  std::uint64_t projected = 0;
  std::uint64_t skipped = 0;
};

/// Says in a log of format 1 that it goes on in format 2.
struct Sealed {
  /// The running hash of the frames before.
  std::uint64_t seal = 0;
};

using Event = std::variant<Description, Step, Era, Switch, Coin, Past, Sealed>;

/// The content of a frame, in a study that has been asked for `asked` plays.
[[nodiscard]] std::string event_content(const Event& event, std::uint64_t asked);

/// Reads the event of a content behind the first, in the memory that `event` has; false if it is
/// none that this version knows.
[[nodiscard]] bool read_event(std::string_view content, std::uint64_t asked, Event& event);

/// Whether a content has the shape of an event, looked at from afar: for bytes of which nobody
/// knows whether they are a frame.
[[nodiscard]] bool is_event(std::string_view content);

/// What a content says if it is that of Sealed.
[[nodiscard]] std::optional<std::uint64_t> seal_in(std::string_view content);

}  // namespace keyhole::studies
