#include "experiment/slice.h"

#include <cstdlib>
#include <optional>

#include "base/number_text.h"

namespace keyhole::experiment {
namespace {

constexpr std::uint64_t most_slices = 1'000'000;

/// A number in the environment of a task of an array.
std::uint64_t array_number(const std::string& name) {
  const std::string variable = "SLURM_ARRAY_TASK_" + name;
  const char* text = std::getenv(variable.c_str());
  if (text == nullptr) {
    throw InvalidArgument(
        "'slurm' is for the tasks of a Slurm array, and " + variable +
        " is not set: submit with 'sbatch --array=1-8', or give the slice as 3/8");
  }
  const auto number = base::read_whole_number(text);
  if (!number) throw InvalidArgument(variable + " is no number: '" + text + "'");
  return *number;
}

Slice slurm_slice() {
  const std::uint64_t task = array_number("ID");
  const std::uint64_t first = array_number("MIN");
  const std::uint64_t last = array_number("MAX");
  const std::uint64_t count = array_number("COUNT");
  const std::uint64_t step = count > 1 && last > first ? (last - first) / (count - 1) : 1;
  const bool is_even = count > 0 && step > 0 && last == first + step * (count - 1);
  if (!is_even || task < first || task > last || (task - first) % step != 0) {
    throw InvalidArgument("the tasks of the array are not numbered evenly (" +
                          std::to_string(count) + " from " + std::to_string(first) + " to " +
                          std::to_string(last) + "): give the slice as \"$SLURM_ARRAY_TASK_ID/8\"");
  }
  return {(task - first) / step + 1, count};
}

}  // namespace

std::uint64_t unit_count(const Experiment& experiment) {
  return experiment.problems.size() * experiment.repeats;
}

Unit unit_of(const Experiment& experiment, std::uint64_t number) {
  const std::size_t problems = experiment.problems.size();
  return {static_cast<std::size_t>(number % problems), number / problems};
}

std::uint64_t slice_of(std::uint64_t unit, std::uint64_t count) {
  // How far the places move from one run of units to the next must not follow the number of
  // problems: the golden ratio goes with none.
  const std::uint64_t share = (unit / count * 0x9E3779B97F4A7C15U) >> 32U;  // of 2^32
  const std::uint64_t moved = (share * count) >> 32U;
  return (unit % count + moved) % count + 1;
}

Slice read_slice(const std::string& text) {
  if (text == "slurm") return slurm_slice();
  const std::size_t bar = text.find('/');
  const auto number = base::read_whole_number(text.substr(0, bar));
  const auto count = bar == std::string::npos ? std::optional<std::uint64_t>()
                                              : base::read_whole_number(text.substr(bar + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > most_slices) {
    throw InvalidArgument("a slice is k/N, k from 1 to N, such as 3/8, or slurm; not '" + text +
                          "'");
  }
  return {*number, *count};
}

std::string slice_text(const Slice& slice) {
  return std::to_string(slice.number) + "/" + std::to_string(slice.count);
}

}  // namespace keyhole::experiment
