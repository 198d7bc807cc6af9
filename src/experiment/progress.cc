#include "experiment/progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "experiment/terminal.h"

namespace keyhole::experiment {
namespace {

constexpr double seconds_a_frame = 0.1;
constexpr double seconds_a_line = 60;
/// Without a round for so long, what they are played with is still being made.
constexpr double seconds_of_patience = 1;

/// Three significant digits and a metric prefix: 1.20 M.
std::string metric(double value) {
  const std::array<const char*, 5> prefixes = {"", "k", "M", "G", "T"};
  std::size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < prefixes.size(); value /= 1000) ++prefix;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return base::decimals_text(std::min(value, 1e9), decimals) + " " + prefixes[prefix] +
         (prefix > 0 ? " " : "");
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(std::ceil(seconds), 1e12));
  const auto two = [](std::uint64_t large, const char* unit, std::uint64_t small,
                      const char* smaller) {
    return std::to_string(large) + " " + unit + " " + std::to_string(small) + " " + smaller;
  };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return two(whole / 60, "min", whole % 60, "s");
  if (whole < 86400) return two(whole / 3600, "h", whole % 3600 / 60, "min");
  return two(whole / 86400, "d", whole % 86400 / 3600, "h");
}

double share(const Advance& advance) {
  return advance.total == 0
             ? 1
             : static_cast<double>(advance.done) / static_cast<double>(advance.total);
}

/// Per cent, rate and time left.
std::vector<std::string> facts(const Advance& advance, double seconds) {
  // Rounded down: 100 % is when all is done.
  std::vector<std::string> texts = {
      std::to_string(static_cast<int>(std::floor(100 * share(advance)))) + " %"};
  const double played = static_cast<double>(advance.done - advance.earlier);
  if (seconds >= seconds_of_patience && played <= 0 && advance.done < advance.total) {
    texts.emplace_back("making sets and learners");
  }
  if (seconds <= 0 || played <= 0) return texts;
  texts.push_back(metric(played / seconds) + "rounds/s");
  if (advance.done < advance.total) {
    const double left = static_cast<double>(advance.total - advance.done);
    texts.push_back(duration(left * seconds / played) + " left");
  }
  return texts;
}

class Sink : public ProgressSink {
 public:
  explicit Sink(ProgressSurroundings surroundings)
      : surroundings_(std::move(surroundings)), begin_(surroundings_.clock()) {}

 protected:
  /// Seconds since the beginning of the run.
  [[nodiscard]] double seconds() const { return surroundings_.clock() - begin_; }
  /// The next run begins now.
  void begin_again() { begin_ = surroundings_.clock(); }
  [[nodiscard]] std::size_t width() const { return surroundings_.width(); }
  void write(const std::string& text) const { surroundings_.write(text); }

 private:
  ProgressSurroundings surroundings_;
  double begin_;
};

class Bar final : public Sink {
 public:
  using Sink::Sink;

  void update(const Advance& advance) override {
    const double now = seconds();
    if (now < next_) return;
    next_ = now + seconds_a_frame;
    draw(bar_text(advance, now, width()));
  }
  void timing() override { draw("measuring times"); }
  void end(const Advance& advance, Ending /*ending*/) override {
    draw(bar_text(advance, seconds(), width()));
    write("\n");
    begin_again();
    next_ = 0;
  }

 private:
  // Back to the beginning of the line; what is left of a longer text is erased.
  void draw(const std::string& text) const { write("\r" + text + "\x1b[K"); }

  double next_ = 0;
};

class Lines final : public Sink {
 public:
  using Sink::Sink;

  void update(const Advance& advance) override {
    const double now = seconds();
    if (now < next_) return;
    next_ = now + seconds_a_line;
    write(line_text(advance, now) + "\n");
  }
  void timing() override {}
  void end(const Advance& advance, Ending /*ending*/) override {
    write(line_text(advance, seconds()) + "\n");
    begin_again();
    next_ = seconds_a_line;
  }

 private:
  double next_ = seconds_a_line;
};

std::size_t terminal_width() {
  const std::size_t columns = terminal_size(Stream::error).value_or(TerminalSize()).columns;
  return columns == 0 ? 80 : columns;
}

}  // namespace

std::string bar_text(const Advance& advance, double seconds, std::size_t width) {
  std::string tail;
  for (const std::string& fact : facts(advance, seconds)) tail += "   " + fact;
  // One column is left free: some terminals break the line when the last one is written.
  const std::size_t room = width > tail.size() + 3 ? width - tail.size() - 3 : 0;
  const std::size_t length = std::min<std::size_t>(room, 40);
  if (length < 5) return tail.substr(3, width > 0 ? width - 1 : 0);
  const auto filled = static_cast<std::size_t>(share(advance) * static_cast<double>(length));
  return "[" + std::string(filled, '#') + std::string(length - filled, '.') + "]" + tail;
}

std::string line_text(const Advance& advance, double seconds) {
  return base::joined(facts(advance, seconds));
}

std::unique_ptr<ProgressSink> terminal_bar(ProgressSurroundings surroundings) {
  return std::make_unique<Bar>(std::move(surroundings));
}

std::unique_ptr<ProgressSink> plain_lines(ProgressSurroundings surroundings) {
  return std::make_unique<Lines>(std::move(surroundings));
}

std::unique_ptr<ProgressSink> progress_on_stderr(bool quiet) {
  if (quiet) return nullptr;
  ProgressSurroundings surroundings{
      .write = [](const std::string& text) { std::cerr << text << std::flush; },
      .clock = seconds_now,
      .width = terminal_width};
  return terminal_size(Stream::error) ? terminal_bar(std::move(surroundings))
                                      : plain_lines(std::move(surroundings));
}

}  // namespace keyhole::experiment
