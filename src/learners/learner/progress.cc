#include "keyhole/progress.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"

namespace keyhole {
namespace {

constexpr std::array<std::size_t, 5> widths = {10, 14, 18, 14, 11};

std::string cell(const std::string& text, std::size_t column) {
  const std::size_t width = widths[column];
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

/// Six significant digits, or three decimals if fixed.
std::string number(double value, bool fixed = false) {
  if (std::isnan(value)) return "-";
  return fixed ? base::decimals_text(value, 3) : base::digits_text(value, 6);
}

}  // namespace

Progress::Progress(Function<double()> clock) : clock_(std::move(clock)), begin_(clock_()) {}

std::string Progress::header() {
  return cell("round", 0) + cell("average loss", 1) + cell("regret bound/t", 2) +
         cell("oracle calls", 3) + cell("seconds", 4) + "\n";
}

std::string Progress::row(const LearnerBase& learner) {
  const std::uint64_t round = learner.asked();
  if (round < next_) return "";
  while (next_ <= round) next_ *= 2;
  return row_now(learner);
}

std::string Progress::row_now(const LearnerBase& learner) const {
  const Summary summary = learner.summary();
  const double bound = learner.regret_bound().value / static_cast<double>(summary.asked);
  return cell(std::to_string(summary.asked), 0) + cell(number(summary.average), 1) +
         cell(number(bound), 2) + cell(std::to_string(summary.oracle_calls), 3) +
         cell(number(clock_() - begin_, true), 4) + "\n";
}

}  // namespace keyhole
