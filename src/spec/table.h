// The table of specs as the library sees it: what spec_table() shows, typed, with what builds it.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "keyhole/options.h"
#include "keyhole/set.h"
#include "keyhole/spec.h"

namespace keyhole::spec {

class Arguments;

/// What a parameter holds.
enum class Type {
  number,
  whole,
  flag,
  /// A number for all coordinates, or one for each.
  coordinates,
  numbers,
  /// A list of lists of numbers.
  rows,
  word,
  text,
  texts,
  set,
  /// Sets, as many arguments as there are: of the last parameter only.
  sets,
  learner,
};

using ranges::moderate, ranges::not_negative, ranges::positive;
/// Numbers of coordinates: beyond, a misprint is likelier than a machine with the memory.
inline constexpr double most_coordinates = 1e8;
/// Rows and columns of matrices: with as many coordinates.
inline constexpr double most_rows = 1e4;

/// How a parameter does without an argument.
enum class Absent {
  /// It does not.
  refused,
  /// Its default is a value of the grammar, and Arguments gives that.
  has_value,
  /// Its default is told in words, and the builder knows it.
  is_told,
};

struct Parameter {
  std::string name;
  Type type = Type::number;
  std::string meaning;
  Absent absent = Absent::refused;
  std::string default_value = {};
  Range range = {};
  /// The words that can be chosen from.
  std::vector<std::string> words = {};

  /// What it holds, in words.
  [[nodiscard]] std::string type_text() const;
  /// The same as what it must be: "a whole number", "zhao or textbook".
  [[nodiscard]] std::string demand() const;

  [[nodiscard]] Parameter or_value(std::string value) const {
    Parameter result = *this;
    result.absent = Absent::has_value;
    result.default_value = std::move(value);
    return result;
  }
  [[nodiscard]] Parameter or_else(std::string words_of_default) const {
    Parameter result = *this;
    result.absent = Absent::is_told;
    result.default_value = std::move(words_of_default);
    return result;
  }
};

using SetBuilder = std::function<SetPtr(const Arguments& given)>;
using LearnerBuilder =
    std::function<AnyAlgorithm(const Arguments& given, const AlgorithmContext& context)>;
using ProblemBuilder =
    std::function<std::unique_ptr<Problem>(const Arguments& given, const ProblemContext& context)>;

struct Entry {
  std::string name;
  std::string summary;
  std::vector<std::string> capabilities;
  std::vector<Parameter> parameters;
  /// In the order of SpecKind.
  std::variant<SetBuilder, LearnerBuilder, ProblemBuilder> build;
  /// Keys that the entry's own specs can have and that say too little to build it, and why.
  std::vector<std::pair<std::string, std::string>> refused = {};
  /// Of sets only.
  SetPage page = {};
  /// Of sets only; entries() fills it in.
  std::string family = {};

  [[nodiscard]] SpecKind kind() const { return static_cast<SpecKind>(build.index()); }
};

/// The sets by family, in the order of the documentation.
[[nodiscard]] std::vector<Entry> basic_set_entries();
[[nodiscard]] std::vector<Entry> norm_ball_entries();
[[nodiscard]] std::vector<Entry> choice_entries();
[[nodiscard]] std::vector<Entry> matroid_entries();
[[nodiscard]] std::vector<Entry> graph_entries();
[[nodiscard]] std::vector<Entry> spectral_set_entries();
[[nodiscard]] std::vector<Entry> set_algebra_entries();
[[nodiscard]] std::vector<Entry> learner_entries();
[[nodiscard]] std::vector<Entry> problem_entries();

/// All of them, in that order.
[[nodiscard]] const std::vector<Entry>& entries();

/// The entry of that kind and name; null if there is none.
[[nodiscard]] const Entry* find_entry(SpecKind kind, const std::string& name);

/// As shown to others.
[[nodiscard]] SpecEntry shown(const Entry& entry);

}  // namespace keyhole::spec
