// keyhole study show --watch.

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>

#include "cli/parse.h"
#include "cli/study.h"
#include "cli/views/view.h"
#include "experiment/interrupt.h"
#include "experiment/terminal.h"
#include "studies/json/study_json.h"

namespace keyhole::cli {
namespace {

using experiment::TerminalSize;

/// The means of the first losses that were told.
class FirstLosses {
 public:
  FirstLosses(const Store& store, std::string name) : store_(store), name_(std::move(name)) {}

  /// Of half of those told, at most of a hundred.
  void look(std::uint64_t told, Background& background) {
    const std::uint64_t wanted = std::min<std::uint64_t>(told / 2, most);
    if (losses_.size() < wanted) read();
    background.first_told = std::min<std::uint64_t>(wanted, losses_.size());
    double sum = 0;
    for (std::size_t k = 0; k < background.first_told; ++k) sum += losses_[k];
    background.first_mean = sum / static_cast<double>(background.first_told);
  }

 private:
  static constexpr std::size_t most = 100;
  struct Enough {};

  void read() {
    losses_.clear();
    try {
      store_.replay(name_, [&](const StudyRecord& record) {
        for (std::size_t k = 0; k < record.tells.size(); ++k) {
          const std::optional<double>& loss = record.tells[k].loss;
          if (loss && record.gave.receipts[k] == Receipt::fresh) losses_.push_back(*loss);
        }
        if (losses_.size() >= most) throw Enough();
      });
    } catch (const Enough&) {  // the rest of the log does not matter
    }
  }

  const Store& store_;
  std::string name_;
  std::vector<double> losses_;
};

/// Plays a second over the last ten seconds.
class Rate {
 public:
  double look(std::uint64_t asked) {
    const double now = experiment::seconds_now();
    marks_.push_back({now, asked});
    while (marks_.size() > 2 && marks_[1].at < now - 10) marks_.pop_front();
    const double passed = now - marks_.front().at;
    if (!(passed > 0)) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(asked - marks_.front().asked) / passed;
  }

 private:
  struct Mark {
    double at;
    std::uint64_t asked;
  };
  std::deque<Mark> marks_;
};

/// Draws views one over the other on a terminal, and one below the other elsewhere.
class Screen {
 public:
  Screen() : on_terminal_(experiment::terminal_size(experiment::Stream::output)) {
    const char* const no_color = std::getenv("NO_COLOR");
    coloured_ = on_terminal_ && (no_color == nullptr || *no_color == '\0');
  }

  /// How many lines there is room for.
  [[nodiscard]] std::size_t rows() const {
    constexpr std::size_t on_paper = 24;
    const std::size_t rows = size().rows;
    return rows == 0 ? on_paper : rows - 1;  // the cursor stays below
  }

  void draw(std::vector<Line> lines) {
    const std::size_t columns = std::min<std::size_t>(size().columns, 80);
    if (lines.size() > rows()) lines.resize(rows());
    if (on_terminal_ && drawn_ > 0) std::cout << "\x1b[" << drawn_ << "A\r";
    if (!on_terminal_ && drawn_ > 0) std::cout << "\n";
    for (const Line& line : lines) {
      std::cout << drawn(line, columns == 0 ? 80 : columns - 1, coloured_)
                << (on_terminal_ ? "\x1b[K\n" : "\n");
    }
    if (on_terminal_) std::cout << "\x1b[J";
    std::cout.flush();
    drawn_ = lines.size();
  }

 private:
  [[nodiscard]] TerminalSize size() const {
    if (!on_terminal_) return {};
    return experiment::terminal_size(experiment::Stream::output).value_or(TerminalSize());
  }

  bool on_terminal_;
  bool coloured_ = false;
  std::size_t drawn_ = 0;
};

}  // namespace

int study_watch(const Arguments& arguments, const Program& program) {
  constexpr std::size_t most_axes = 100;
  if (arguments.get("--format", "text") != "text") {
    throw UsageError("--watch prints text: leave --format or --watch out");
  }
  const double interval = positive_number("--interval", arguments.get("--interval", "1"));
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  if (arguments.has("--count")) {
    left = whole_number("--count", arguments.get("--count", ""), 1, 1'000'000'000);
  }
  const Store store = the_store(arguments, program);
  const std::string name = arguments.word(0);
  Study study = store.open(name);
  std::vector<std::size_t> shown(std::min(study.set().dimension(), most_axes));
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const std::vector<Axis> axes = studies::axes_of(study, shown);
  FirstLosses first(store, name);
  Rate rate;
  studies::TightBounds bounds;
  Screen screen;
  const std::atomic<bool>& interrupted = experiment::stop_on_interrupt();
  do {
    const Summary summary = study.summary();
    Background background{.rate = rate.look(summary.asked)};
    first.look(summary.told, background);
    background.recent = std::clamp<std::uint64_t>(summary.asked / 2, 1, 1000);
    background.bounds = bounds.look(store, name, study);
    std::vector<Line> lines = head_of(name, study, background);
    const std::size_t used = lines.size() + 2;
    const std::size_t room = screen.rows() > used ? screen.rows() - used : 0;
    std::vector<Line> bars = bars_of(axes, study.recommend(), room);
    if (!studies::contexts_of(study).empty()) {
      bars[1].push_back({"  " + std::string(in_average_context)});
    }
    std::move(bars.begin(), bars.end(), std::back_inserter(lines));
    screen.draw(std::move(lines));
  } while (--left > 0 && experiment::wait(interval, interrupted));
  if (left == 0 || !arguments.has("--count")) return 0;
  std::cerr << program.name << ": interrupted before all views were shown\n";
  return interrupted_code;
}

}  // namespace keyhole::cli
