#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace keyhole::experiment {

/// How far an experiment is, in rounds.
struct Advance {
  /// Played, by this run and by earlier ones.
  std::uint64_t done = 0;
  /// Of these, by earlier ones.
  std::uint64_t earlier = 0;
  /// To be played in all.
  std::uint64_t total = 0;
};

/// How a run ended.
enum class Ending { complete, interrupted, failed };

/// Is told how far an experiment is, by one thread, several times a second.
class ProgressSink {
 public:
  ProgressSink() = default;
  ProgressSink(const ProgressSink&) = delete;
  ProgressSink& operator=(const ProgressSink&) = delete;
  virtual ~ProgressSink() = default;

  /// How far it is.
  virtual void update(const Advance& advance) = 0;
  /// The curves are there; times are being measured.
  virtual void timing() = 0;
  /// It has ended.
  virtual void end(const Advance& advance, Ending ending) = 0;
};

/// One line of a terminal of that width:
///
///   [##########..........]  50 %   1.20 M rounds/s   2 min 10 s left
[[nodiscard]] std::string bar_text(const Advance& advance, double seconds, std::size_t width);

/// The same without the bar, for files: "50 %, 1.20 M rounds/s, 2 min 10 s left".
[[nodiscard]] std::string line_text(const Advance& advance, double seconds);

/// What sinks need of their surroundings.
struct ProgressSurroundings {
  /// Writes text.
  std::function<void(const std::string& text)> write;
  /// Seconds since any moment.
  std::function<double()> clock;
  /// The width of the terminal.
  std::function<std::size_t()> width;
};

/// A bar that is drawn again at most ten times a second. No colours.
[[nodiscard]] std::unique_ptr<ProgressSink> terminal_bar(ProgressSurroundings surroundings);

/// Plain lines for the logs of batch systems, at most one a minute and one at the end.
[[nodiscard]] std::unique_ptr<ProgressSink> plain_lines(ProgressSurroundings surroundings);

/// What suits the standard error stream: a bar if it is a terminal, plain lines if not, nothing
/// (null) if quiet.
[[nodiscard]] std::unique_ptr<ProgressSink> progress_on_stderr(bool quiet);

}  // namespace keyhole::experiment
