// The arguments of one call, checked against its entry of the table.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/sets.h"
#include "spec/syntax.h"
#include "spec/table.h"

namespace keyhole::spec {

/// What a builder reads. Construction throws SpecError unless every argument belongs to a
/// parameter, has its type and lies in its range, and none that is required is missing. The
/// functions below fail only for lists of another length than asked for, for nested specs, and
/// (std::logic_error) for what a builder asks of the wrong type.
class Arguments {
 public:
  /// The entry, the call and the text that it stands in must outlive the arguments. Names of files
  /// are relative to the folder; empty for the current one.
  Arguments(const Entry& entry, const Node& call, std::string_view text, std::string folder = {});

  /// Whether the argument was given; defaults do not count.
  [[nodiscard]] bool has(std::string_view name) const { return given(name) != nullptr; }

  /// The argument, or its default.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::size_t whole(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::string word(std::string_view name) const;
  /// The argument, its default, or nothing if that is told in words.
  [[nodiscard]] std::optional<double> optional_number(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> optional_whole(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// A text as the name of a file that can be opened; empty if none was given.
  [[nodiscard]] std::string file(std::string_view name) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
  [[nodiscard]] std::vector<std::vector<double>> rows(std::string_view name) const;
  /// Numbers that must be whole.
  [[nodiscard]] std::vector<std::size_t> wholes(std::string_view name) const;
  /// The rows one after the other; each must have that many numbers.
  [[nodiscard]] std::vector<double> matrix(std::string_view name, std::size_t columns) const;
  /// Rows that are pairs of nodes.
  [[nodiscard]] std::vector<Edge> edges(std::string_view name) const;
  /// How many numbers a parameter of coordinates lists; nothing if it is one for all of them.
  [[nodiscard]] std::optional<std::size_t> listed(std::string_view name) const;
  /// Coordinates, one number repeated n times; nothing if the default is told in words.
  [[nodiscard]] std::vector<double> coordinates(std::string_view name, std::size_t n) const;
  /// Builds the set; null if the default is told in words.
  [[nodiscard]] SetPtr set(std::string_view name) const;
  /// Builds the sets.
  [[nodiscard]] std::vector<SetPtr> sets(std::string_view name) const;
  /// Builds the learner.
  [[nodiscard]] AnyAlgorithm learner(std::string_view name, const AlgorithmContext& context) const;

  /// Throws a SpecError about this call.
  [[noreturn]] void refuse(const std::string& message) const;
  /// Throws a SpecError about an argument that was given: `message` follows name and place.
  [[noreturn]] void refuse(std::string_view name, const std::string& message) const;

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const;
  [[nodiscard]] const Node* given(std::string_view name) const { return values_[index(name)]; }
  /// The argument or its default; null if that is told in words.
  [[nodiscard]] const Node* find(std::string_view name, Type type) const;
  [[nodiscard]] const Node& get(std::string_view name, Type type) const;
  void take(const std::vector<Node>& arguments);
  [[nodiscard]] std::size_t index_of_key(const Node& argument) const;
  void check(const Parameter& parameter, const Node& value) const;
  void check_items(const Parameter& parameter, const Node& list) const;

  const Entry& entry_;
  const Node& call_;
  std::string_view text_;
  std::string folder_;
  std::vector<const Node*> values_;  // of each parameter; null if not given
  std::vector<const Node*> sets_;    // of a parameter of sets: all of them, values_ has the first
  std::vector<Node> defaults_;       // of each parameter that has one
};

/// What a name stands for, or throws SpecError: `kind` is what is expected there.
[[nodiscard]] const Entry& resolve(SpecKind kind, const Node& node, std::string_view text);

/// Builds what a node of `text` names. Errors of construction become SpecErrors.
[[nodiscard]] SetPtr build_set(const Node& node, std::string_view text,
                               const std::string& folder = {});
[[nodiscard]] AnyAlgorithm build_learner(const Node& node, std::string_view text,
                                         const AlgorithmContext& context);
[[nodiscard]] std::unique_ptr<Problem> build_problem(const Node& node, std::string_view text,
                                                     const ProblemContext& context);

}  // namespace keyhole::spec
