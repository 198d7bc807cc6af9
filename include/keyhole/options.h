#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/error.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// One list of the options of a struct parses, prints, checks and documents it:
///
///   struct MyOptions {
///     double rate = 0.5;
///   };
///   void list_options(keyhole::OptionVisitor& visit, MyOptions& options) {
///     visit.number({"rate", "the length of a step", keyhole::ranges::positive}, options.rate);
///   }
///
/// checked() and spec_of() use the list, and so do the entries of a catalogue.

namespace options {

/// The numbers that are accepted, from low to high.
struct Range {
  /// The least.
  double low = -std::numeric_limits<double>::infinity();
  /// The largest.
  double high = std::numeric_limits<double>::infinity();
  /// Whether magnitudes below smallest_number are refused.
  bool nonzero = false;

  /// Whether a number is accepted.
  [[nodiscard]] bool holds(double value) const;
  /// "1 to 100000000"; empty if everything is accepted.
  [[nodiscard]] std::string text() const;
};

}  // namespace options

namespace ranges {

/// All numbers.
inline constexpr options::Range any = {};
/// Lengths, scales and bounds.
inline constexpr options::Range positive = {smallest_number, largest_number};
/// The same, and 0.
inline constexpr options::Range not_negative = {0, largest_number};
/// Coordinates.
inline constexpr options::Range moderate = {-largest_number, largest_number};
/// Rounds: whole numbers that a double counts exactly.
inline constexpr options::Range rounds = {1, 0x1p53};

}  // namespace ranges

namespace options {

/// What gives an option its value where a text does not.
enum class From {
  /// Nothing: its default counts.
  nothing,
  /// M of the problem.
  loss_bound,
  /// G of the problem.
  gradient_bound,
  /// T of the run. The texts of algorithms name it last (WithHorizon).
  horizon,
};

/// What an option is.
struct Option {
  /// Its name in texts.
  std::string key;
  /// What it is, in a line.
  std::string meaning;
  /// The numbers that are accepted.
  Range range = {};
  /// Of options whose default is no value: what is done without it, in words.
  std::string otherwise = {};
  /// What else gives it its value.
  From from = From::nothing;
  /// Whether texts name it even where it is the default.
  bool always = false;
};

/// A value of an enumeration, and the word for it.
template <class Enum>
struct Word {
  /// As texts have it.
  const char* word;
  /// What it stands for.
  Enum value;
};

}  // namespace options

/// Goes through the options of a struct, which it may read and change.
class OptionVisitor {
 public:
  OptionVisitor() = default;
  OptionVisitor(const OptionVisitor&) = delete;
  OptionVisitor& operator=(const OptionVisitor&) = delete;
  virtual ~OptionVisitor() = default;

  /// A number that must be given.
  virtual void required(const options::Option& option, std::optional<double>& value) = 0;
  /// A number with a default.
  virtual void number(const options::Option& option, double& value) = 0;
  /// A number that may be absent.
  virtual void number(const options::Option& option, std::optional<double>& value) = 0;
  /// A whole number with a default.
  virtual void whole(const options::Option& option, std::uint64_t& value) = 0;
  /// A whole number that may be absent.
  virtual void whole(const options::Option& option, std::optional<std::uint64_t>& value) = 0;
  /// Any whole number from 0 to 2^64 - 1, to the last digit: seeds.
  virtual void seed(const options::Option& option, std::uint64_t& value) = 0;
  /// True or false.
  virtual void flag(const options::Option& option, bool& value) = 0;
  /// The number of one of the words; beyond the last if it is none of them.
  virtual void word(const options::Option& option, std::size_t& value,
                    const std::vector<std::string>& words) = 0;
  /// A number for each coordinate of the set; empty for none.
  virtual void coordinates(const options::Option& option, std::vector<double>& value) = 0;
  /// A text. It must be given unless the option says what is done otherwise.
  virtual void text(const options::Option& option, std::string& value) = 0;
  /// The name of a file, likewise.
  virtual void file(const options::Option& option, std::string& value) = 0;
  /// Texts; empty for none.
  virtual void texts(const options::Option& option, std::vector<std::string>& value) = 0;

  /// A whole number of another type.
  template <std::integral Whole>
  requires(!std::same_as<Whole, std::uint64_t>) void whole(const options::Option& option,
                                                           Whole& value) {
    auto wide = static_cast<std::uint64_t>(value);
    whole(option, wide);
    value = static_cast<Whole>(wide);
  }

  /// A value of an enumeration, by one word for each of its values.
  template <class Enum>
  void choice(const options::Option& option, Enum& value,
              std::initializer_list<options::Word<Enum>> values) {
    std::vector<std::string> words;
    std::size_t chosen = values.size();
    for (const options::Word<Enum>& each : values) {
      if (each.value == value) chosen = words.size();
      words.emplace_back(each.word);
    }
    word(option, chosen, words);
    if (chosen < values.size()) value = values.begin()[chosen].value;
  }
};

/// Shows options to a visitor.
using ListedOptions = std::function<void(OptionVisitor&)>;

/// Throws InvalidArgument, in the name of `owner`, unless every option is one that is accepted.
void check_options(const std::string& owner, const ListedOptions& options);
/// "key=value, key=value" of the options that differ from the others, the defaults, and of those
/// that are always named.
[[nodiscard]] std::string options_text(const ListedOptions& options, const ListedOptions& defaults);

/// The options of a struct with a list.
template <class Options>
[[nodiscard]] inline ListedOptions listed(Options& options) {
  return [&options](OptionVisitor& visit) { list_options(visit, options); };
}

/// The options, if all are accepted; throws InvalidArgument in the name of `owner` otherwise.
template <class Options>
inline Options checked(const std::string& owner, Options options) {
  check_options(owner, listed(options));
  return options;
}

/// "name(first, key=value, ...)": the canonical text, with the options that differ from the
/// defaults; `first` stands before them, if it is not empty.
template <class Options>
[[nodiscard]] inline std::string spec_of(const std::string& name, Options options,
                                         const std::string& first = {}) {
  Options defaults;
  const std::string text = options_text(listed(options), listed(defaults));
  return name + "(" + first + (first.empty() || text.empty() ? "" : ", ") + text + ")";
}

}  // namespace keyhole
#pragma GCC visibility pop
