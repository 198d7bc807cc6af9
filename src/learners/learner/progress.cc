#include "keyhole/progress.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/require.h"

namespace keyhole {
namespace {

constexpr std::array<std::size_t, 5> widths = {10, 14, 18, 14, 11};

std::string cell(const std::string& text, std::size_t column) {
  const std::size_t width = widths[column];
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

/// Six significant digits, or three decimals if fixed; the same in every locale.
std::string number(double value, bool fixed = false) {
  if (std::isnan(value)) return "-";
  std::array<char, 400> buffer{};  // a fixed number can have 308 digits
  const auto format = fixed ? std::chars_format::fixed : std::chars_format::general;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, fixed ? 3 : 6);
  return {buffer.data(), end.ptr};
}

}  // namespace

Progress::Progress(std::function<double()> clock) : clock_(std::move(clock)) {
  base::require(clock_ != nullptr, "a table of progress needs a clock, not an empty function");
  begin_ = clock_();
}

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
