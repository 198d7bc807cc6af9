#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/error.h"
#include "keyhole/gradient_algorithm.h"
#include "keyhole/options.h"
#include "keyhole/problems.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// What texts can name: a catalogue of sets, algorithms and problems, each with its parameters and
/// what builds it. Start from the built-ins and add your own:
///
///   keyhole::Catalogue catalogue = keyhole::Catalogue::standard();
///   catalogue.add({.name = "segment",
///                  .summary = "[0, length]",
///                  .capabilities = {"projects"},
///                  .parameters = {keyhole::Parameter{"length", keyhole::ParameterType::number,
///                                                    "its length"}
///                                     .or_value("1")},
///                  .build = [](const keyhole::Arguments& given) {
///                    return keyhole::box(0, given.number("length"), 1);
///                  }});
///   const keyhole::SetPtr set = keyhole::make_set("segment(2)", catalogue);

class Arguments;
class Catalogue;
struct SpecEntry;
/// A value of the grammar, which is inside the library.
struct SpecNode;

namespace spec {
/// The arguments of a call, inside the library. All that is handed over, and the text that the call
/// stands in, must outlive them. Names of files are relative to the folder; empty for the current
/// one.
[[nodiscard, gnu::visibility("hidden")]] Arguments arguments_of(const Catalogue& catalogue,
                                                                const SpecEntry& entry,
                                                                const SpecNode& call,
                                                                std::string_view text,
                                                                const std::string& folder = {});
}  // namespace spec

/// A spec that is not understood: the message names the place and the nearest thing that is.
class SpecError : public InputError {
 public:
  /// With a message.
  explicit SpecError(const std::string& message)
      : InputError(message, ErrorCode::unreadable_spec) {}
};

/// What a spec can name.
enum class SpecKind { set, learner, problem };

/// What a parameter holds.
enum class ParameterType {
  /// A number.
  number,
  /// A whole number.
  whole,
  /// A whole number from 0 to 2^64 - 1, of which every digit counts.
  seed,
  /// true or false.
  flag,
  /// A number for all coordinates, or one for each.
  coordinates,
  /// A list of numbers.
  numbers,
  /// A list of lists of numbers.
  rows,
  /// One of the words of the parameter.
  word,
  /// A text.
  text,
  /// A list of texts.
  texts,
  /// A set.
  set,
  /// Sets, as many arguments as there are: of the last parameter only.
  sets,
  /// A learner.
  learner,
  /// A problem.
  problem,
};

/// How a parameter does without an argument.
enum class Absent {
  /// It does not.
  refused,
  /// Its default is a value of the grammar, which Arguments gives.
  has_value,
  /// Its default is told in words, and the builder knows it.
  is_told,
};

/// One parameter of an entry.
struct Parameter {
  /// Its key.
  std::string name;
  /// What it holds.
  ParameterType type = ParameterType::number;
  /// What it is, in a line.
  std::string meaning;
  /// How it does without an argument.
  Absent absent = Absent::refused;
  /// The default, as a spec would have it or in words ("the problem's"); empty if it is required.
  std::string default_value = {};
  /// The numbers that are accepted.
  options::Range range = {};
  /// The words that can be chosen from.
  std::vector<std::string> words = {};

  /// What it holds, in words: "number", "list of numbers", "nuclear|symmetric|psd".
  [[nodiscard]] std::string type_text() const;
  /// The same as what it must be: "a whole number", "zhao or textbook".
  [[nodiscard]] std::string demand() const;
  /// The same parameter with a default that is a value of the grammar.
  [[nodiscard]] Parameter or_value(std::string value) const;
  /// The same parameter with a default that is told in words.
  [[nodiscard]] Parameter or_else(std::string words_of_default) const;
};

/// The parameters that options are (keyhole/options.h); their values are the defaults.
[[nodiscard]] std::vector<Parameter> parameters_of(const ListedOptions& options);

/// The parameters of a struct of options, after those that stand before them.
template <class Options>
[[nodiscard]] inline std::vector<Parameter> with_options(std::vector<Parameter> parameters = {}) {
  Options defaults;
  std::vector<Parameter> more = parameters_of(listed(defaults));
  for (Parameter& parameter : more) parameters.push_back(std::move(parameter));
  return parameters;
}

/// What the texts of problems may refer to.
struct ProblemContext {
  /// The randomness.
  ProblemSeed seed = {};
  /// The folder that names of files are relative to; empty for the current one.
  std::string folder = {};
};

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
  /// Problem::contexts(), for `contexts=["problem"]`.
  std::vector<std::string> contexts = {};
};

/// Builds a set.
using SetBuilder = std::function<SetPtr(const Arguments& given)>;
/// Builds an algorithm.
using AlgorithmBuilder =
    std::function<AnyAlgorithm(const Arguments& given, const AlgorithmContext& context)>;
/// Builds a problem.
using ProblemBuilder =
    std::function<std::unique_ptr<Problem>(const Arguments& given, const ProblemContext& context)>;

/// One entry of a catalogue.
struct SpecEntry {
  /// Its name.
  std::string name;
  /// What it is, in a line.
  std::string summary;
  /// What it can do or needs: "projects", "told gradients", "any number of rounds", ...
  std::vector<std::string> capabilities = {};
  /// Its parameters, in the order of arguments without a key.
  std::vector<Parameter> parameters = {};
  /// What builds it, in the order of SpecKind. It is called from several threads at once.
  std::variant<SetBuilder, AlgorithmBuilder, ProblemBuilder> build;
  /// Keys that the entry's own texts can have and that say too little to build it, and why.
  std::vector<std::pair<std::string, std::string>> refused = {};
  /// Of sets only: those that it is listed with, "matroids".
  std::string family = {};

  /// What it makes.
  [[nodiscard]] SpecKind kind() const noexcept { return static_cast<SpecKind>(build.index()); }
};

/// How an entry is called: "nuclear_ball(m, n, radius=1)", "product(sets...)".
[[nodiscard]] std::string signature(const SpecEntry& entry);

/// The arguments of one call, checked against its entry: what a builder reads. Making them throws
/// SpecError unless every argument belongs to a parameter, has its type and lies in its range, and
/// none that is required is missing. The functions below fail only for lists of another length than
/// asked for, for nested specs, and (std::logic_error) for what a builder asks of the wrong type.
class Arguments {
 public:
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments();

  /// Whether the argument was given; defaults do not count.
  [[nodiscard]] bool has(std::string_view name) const { return given(name) != nullptr; }

  /// A number: the argument, or its default.
  [[nodiscard]] double number(std::string_view name) const;
  /// A whole number, likewise.
  [[nodiscard]] std::size_t whole(std::string_view name) const;
  /// A seed, likewise.
  [[nodiscard]] std::uint64_t seed(std::string_view name) const;
  /// True or false, likewise.
  [[nodiscard]] bool flag(std::string_view name) const;
  /// One of the words, likewise.
  [[nodiscard]] std::string word(std::string_view name) const;
  /// A number: the argument, its default, or nothing if that is told in words.
  [[nodiscard]] std::optional<double> optional_number(std::string_view name) const;
  /// A whole number, likewise.
  [[nodiscard]] std::optional<std::uint64_t> optional_whole(std::string_view name) const;
  /// A text; empty if the default is told in words.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// Texts, likewise.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// A text as the name of a file that can be opened; empty if none was given.
  [[nodiscard]] std::string file(std::string_view name) const;
  /// A list of numbers; empty if the default is told in words.
  [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
  /// Lists of numbers, likewise.
  [[nodiscard]] std::vector<std::vector<double>> rows(std::string_view name) const;
  /// How many numbers or rows it lists.
  [[nodiscard]] std::size_t count(std::string_view name) const;
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
  /// Builds the problem.
  [[nodiscard]] std::unique_ptr<Problem> problem(std::string_view name,
                                                 const ProblemContext& context) const;

  /// Sets options whose parameters are with_options() to what was given; what is absent comes from
  /// the context, which only algorithms have, or stays.
  void read(const ListedOptions& options, const AlgorithmContext& context = {}) const;
  /// A struct of options that was given.
  template <class Options>
  [[nodiscard]] Options options(const AlgorithmContext& context = {}) const {
    Options result;
    read(keyhole::listed(result), context);
    return result;
  }

  /// Throws a SpecError about this call.
  [[noreturn]] void refuse(const std::string& message) const;
  /// Throws a SpecError about an argument that was given: `message` follows name and place.
  [[noreturn]] void refuse(std::string_view name, const std::string& message) const;

 private:
  friend Arguments spec::arguments_of(const Catalogue& catalogue, const SpecEntry& entry,
                                      const SpecNode& call, std::string_view text,
                                      const std::string& folder);

  Arguments(const Catalogue& catalogue, const SpecEntry& entry, const SpecNode& call,
            std::string_view text, std::string folder);
  [[nodiscard]] std::size_t index(std::string_view name) const;
  [[nodiscard]] const SpecNode* given(std::string_view name) const { return values_[index(name)]; }
  /// The argument or its default; null if that is told in words.
  [[nodiscard]] const SpecNode* find(std::string_view name, ParameterType type) const;
  [[nodiscard]] const SpecNode& get(std::string_view name, ParameterType type) const;
  void take(const std::vector<SpecNode>& arguments);
  [[nodiscard]] std::size_t index_of_key(const SpecNode& argument) const;
  void check(const Parameter& parameter, const SpecNode& value) const;

  const Catalogue& catalogue_;
  const SpecEntry& entry_;
  const SpecNode& call_;
  std::string_view text_;
  std::string folder_;
  std::vector<const SpecNode*> values_;  // of each parameter; null if not given
  std::vector<const SpecNode*> sets_;    // of a parameter of sets: all, values_ has the first
  std::vector<SpecNode> defaults_;       // of each parameter that has one
};

/// An entry for an algorithm that make(set, options) builds, Options being a struct with a list of
/// its options (keyhole/options.h).
template <class Options, class Make>
[[nodiscard]] inline SpecEntry algorithm_entry(const std::string& name, const std::string& summary,
                                               const std::vector<std::string>& capabilities,
                                               Make make) {
  return {.name = name,
          .summary = summary,
          .capabilities = capabilities,
          .parameters = with_options<Options>(),
          .build = [make](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
            return make(context.set, given.options<Options>(context));
          }};
}

/// Entries, by kind and name: a value, copied as others are. What is const is thread-safe.
class Catalogue {
 public:
  /// Nothing.
  Catalogue() = default;
  /// The built-ins, sorted by kind and then in the order of the documentation.
  [[nodiscard]] static const Catalogue& standard();

  /// Adds an entry after the others of its kind. Throws InvalidArgument, and changes nothing, if
  /// there is one of that name, if the name or a key is no name of the grammar or a key is there
  /// twice, if a default is not accepted by its own parameter, or if nothing builds it.
  void add(SpecEntry entry);

  /// All entries, sorted by kind. Valid until the next is added.
  [[nodiscard]] const std::vector<SpecEntry>& entries() const noexcept { return entries_; }
  /// The entry of that kind and name; null if there is none. Valid as long.
  [[nodiscard]] const SpecEntry* find(SpecKind kind, std::string_view name) const;

 private:
  std::vector<SpecEntry> entries_;
};

}  // namespace keyhole
#pragma GCC visibility pop
