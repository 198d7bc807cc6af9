#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/error.h"
#include "keyhole/gradient_algorithm.h"
#include "keyhole/problems.h"
#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Names for sets, learners and problems, as text:
///
///   simplex(100)      nuclear_ball(20, 20, radius=18)      anytime(projection_free(c=0.5))
///
///   spec     = name [ "(" [ argument { "," argument } ] ")" ]
///   argument = [ key "=" ] value
///   value    = number | word | "quoted text" | "[" [ value { "," value } ] "]" | spec
///
/// Arguments without a key come first, in the order of the table. Words are made of letters, digits
/// and _ . + - /, so that days and simple names of files need no quotes; in quotes a backslash
/// escapes a quote, a backslash, n, t and r. Numbers are read as in C++, the same in every locale,
/// and inf is one. Spaces do not matter. One table drives the files of experiments, the command
/// line, its lists and the documentation (docs/specs.md).

/// A spec that is not understood: the message names the place and the nearest thing that is.
class SpecError : public InputError {
 public:
  /// With a message.
  explicit SpecError(const std::string& message)
      : InputError(message, ErrorCode::unreadable_spec) {}
};

/// What a spec can name.
enum class SpecKind { set, learner, problem };

/// One parameter of an entry of the table.
struct SpecParameter {
  /// Its key.
  std::string name;
  /// "number", "whole number", "true or false", "list of numbers", "number or list of numbers",
  /// "list of lists of numbers", "text", "list of texts", "set", "sets" (as many arguments as
  /// there are), "learner", or the words that can be chosen from, such as "nuclear|symmetric|psd".
  std::string type;
  /// What it is, in a line.
  std::string meaning;
  /// The default, as a spec would have it or in words ("the problem's"); empty if it is required.
  std::string default_value;
  /// The numbers that are accepted, such as "1 to 4096"; empty if all of the type.
  std::string range;
};

/// What the page of a set in docs/sets tells beside its parameters; each a line or a few, in the
/// plain notation of the headers.
struct SetPage {
  /// A small instance, as a spec: its numbers and its picture stand on the page.
  std::string example;
  /// The minimiser of <d, v>, ties and the zero direction included.
  std::string oracle;
  /// Its cost: "O(n log n)".
  std::string cost;
  /// Centre, radii and diameter, and whether they are bounds: "p = 0, r = ..., R = ..., D = ...".
  std::string geometry;
  /// Where it is explored.
  std::string exploration;
  /// How it projects; empty if it does not.
  std::string projection = {};
  /// Where the method comes from: authors, title, year.
  std::string reference = {};
};

/// One entry of the table.
struct SpecEntry {
  /// What it makes.
  SpecKind kind;
  /// Its name.
  std::string name;
  /// What it is, in a line.
  std::string summary;
  /// What it can do or needs: "projects", "told gradients", "any number of rounds", ...
  std::vector<std::string> capabilities;
  /// Its parameters, in the order of arguments without a key.
  std::vector<SpecParameter> parameters;
  /// Of sets only.
  SetPage page = {};
  /// Of sets only: those that it is listed with, "matroids".
  std::string family = {};
};

/// The table, sorted by kind and then in the order of the documentation. Thread-safe, as is
/// everything below.
[[nodiscard]] const std::vector<SpecEntry>& spec_table();

/// How an entry is called: "nuclear_ball(m, n, radius=1)", "product(sets...)".
[[nodiscard]] std::string signature(const SpecEntry& entry);

/// The set of a spec; throws SpecError, and InputError for its files, whose names are relative to
/// the current folder. make_set(set->spec()) is an equal set for every set of the catalogue but
/// large polytopes given by rows, whose text holds a digest of their rows in place of the rows.
[[nodiscard]] SetPtr make_set(std::string_view spec);

/// What the texts of problems may refer to.
struct ProblemContext {
  /// The randomness.
  ProblemSeed seed = {};
  /// The folder that names of files are relative to; empty for the current one.
  std::string folder = {};
};

/// The problem of a spec; throws SpecError, and InputError for its files.
[[nodiscard]] std::unique_ptr<Problem> make_problem(std::string_view spec,
                                                    const ProblemContext& context = {});

/// An algorithm of either kind.
using AnyAlgorithm = std::variant<std::unique_ptr<Algorithm>, std::unique_ptr<GradientAlgorithm>>;

/// What algorithms take from the problem unless their spec says otherwise. A bound that is infinite
/// counts as none.
struct AlgorithmContext {
  /// The set to play on.
  SetPtr set;
  /// M, for `loss_bound`.
  std::optional<double> loss_bound = {};
  /// G, for `gradient_bound`.
  std::optional<double> gradient_bound = {};
  /// T, for `horizon`.
  std::optional<std::uint64_t> horizon = {};
  /// Whether an experiment asks, which counts the plays outside the set: then `unsafe_no_shrink`
  /// and `estimator_dimension`, which the paper's published curves need, are accepted.
  bool experiment = false;
};

/// The algorithm of a spec; throws SpecError, also where the set or the context does not suit it.
[[nodiscard]] AnyAlgorithm make_algorithm(std::string_view spec, const AlgorithmContext& context);

}  // namespace keyhole
#pragma GCC visibility pop
