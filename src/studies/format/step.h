// What a frame of a study's log says after the first, which is the description. The content of a
// step:
//
//   2        1 byte
//   tells    how many; each: how many plays ago it was asked (0 for the latest), and its loss
//            (8 bytes)
//   asks     twice how many, and 1 more if a worker asks; its name: the length and the bytes
//
// That of an era, which begins where a study was renewed:
//
//   3        1 byte
//   text     its description: the length and the bytes
//   state    that its learner begins with: the length and the bytes; none for a new learner
//
// That of a switch, which turns exploring off or on:
//
//   4        1 byte
//   on       0 or 1
//
// Numbers without a size are written by sevens of bits.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::studies {

/// The loss of a play.
struct Tell {
  std::uint64_t play = 0;
  double loss = 0;
};

/// The most plays that a step may ask for.
inline constexpr std::uint64_t most_asks = std::uint64_t{1} << 20U;

/// Tells and asks that are one unit: all of it is in the log, or nothing.
struct Step {
  std::vector<Tell> tells = {};
  std::uint64_t asks = 0;
  /// Who asks; empty for nobody in particular.
  std::string worker = {};
};

/// The content of a frame, for a learner that has been asked `asked` times.
[[nodiscard]] std::string step_content(const Step& step, std::uint64_t asked);

/// What begins where a study was renewed.
struct Era {
  std::string text = {};
  std::string state = {};
};

[[nodiscard]] std::string era_content(const Era& era);
[[nodiscard]] std::optional<Era> read_era(std::string_view content);

/// The content of a switch, and what one says.
[[nodiscard]] std::string switch_content(bool explores);
[[nodiscard]] std::optional<bool> read_switch(std::string_view content);

/// Reads the step of a content, in the memory that `step` has; false if it is none.
[[nodiscard]] bool read_step(std::string_view content, std::uint64_t asked, Step& step);

}  // namespace keyhole::studies
