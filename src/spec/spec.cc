#include "keyhole/spec.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <stdexcept>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/require.h"
#include "spec/arguments.h"
#include "spec/syntax.h"
#include "spec/table.h"

namespace keyhole {
namespace spec {
namespace {

/// More are too many to read in a message.
constexpr std::size_t most_names_listed = 16;

const char* name_of(SpecKind kind) {
  switch (kind) {
    case SpecKind::set:
      return "set";
    case SpecKind::learner:
      return "learner";
    case SpecKind::problem:
      return "problem";
  }
  return "";  // not reached
}

std::vector<std::string> names_of(SpecKind kind) {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.kind() == kind) names.push_back(entry.name);
  }
  return names;
}

/// Calls build(arguments, context...) of the entry that a node names; `folder` is that of files.
template <class Builder, class... Context>
auto build(SpecKind kind, const Node& node, std::string_view text, const std::string& folder,
           const Context&... context) {
  const Entry& entry = resolve(kind, node, text);
  const Arguments arguments(entry, node, text, folder);
  try {
    return std::get<Builder>(entry.build)(arguments, context...);
  } catch (const InvalidArgument& error) {
    arguments.refuse(error.what());
  } catch (const std::bad_alloc&) {
    arguments.refuse("it needs more memory than there is");
  }
}

}  // namespace

std::string Parameter::type_text() const {
  switch (type) {
    case Type::number:
      return "number";
    case Type::whole:
      return "whole number";
    case Type::flag:
      return "true or false";
    case Type::coordinates:
      return "number or list of numbers";
    case Type::numbers:
      return "list of numbers";
    case Type::rows:
      return "list of lists of numbers";
    case Type::word:
      return base::joined(words, "|");
    case Type::text:
      return "text";
    case Type::texts:
      return "list of texts";
    case Type::set:
      return "set";
    case Type::sets:
      return "sets";
    case Type::learner:
      return "learner";
  }
  return "";  // not reached
}

std::string Parameter::demand() const {
  if (type == Type::word) return base::joined(words, " or ");
  if (type == Type::sets) return "a set";
  return (type == Type::flag ? "" : "a ") + type_text();
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = [] {
    using Part = std::pair<const char*, std::vector<Entry> (*)()>;
    std::vector<Entry> all;
    for (const auto& [family, make] :
         {Part{"basic", basic_set_entries}, Part{"norm balls", norm_ball_entries},
          Part{"choices", choice_entries}, Part{"matroids", matroid_entries},
          Part{"graphs", graph_entries}, Part{"matrices", spectral_set_entries},
          Part{"combinations", set_algebra_entries}, Part{"", learner_entries},
          Part{"", problem_entries}}) {
      for (Entry& entry : make()) {
        entry.family = family;
        all.push_back(std::move(entry));
      }
    }
    return all;
  }();
  return table;
}

const Entry* find_entry(SpecKind kind, const std::string& name) {
  const auto& table = entries();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Entry& entry) {
    return entry.kind() == kind && entry.name == name;
  });
  return found == table.end() ? nullptr : &*found;
}

SpecEntry shown(const Entry& entry) {
  SpecEntry result{entry.kind(), entry.name, entry.summary, entry.capabilities,
                   {},           entry.page, entry.family};
  for (const Parameter& parameter : entry.parameters) {
    result.parameters.push_back({parameter.name, parameter.type_text(), parameter.meaning,
                                 parameter.default_value, parameter.range.text()});
  }
  return result;
}

const Entry& resolve(SpecKind kind, const Node& node, std::string_view text) {
  const std::string expected = name_of(kind);
  const std::string where = place(text, node.offset);
  if (const Entry* const entry = find_entry(kind, node.text)) return *entry;
  for (const SpecKind other : {SpecKind::set, SpecKind::learner, SpecKind::problem}) {
    if (find_entry(other, node.text) != nullptr) {
      fail(text, "'" + node.text + "'" + where + " is a " + name_of(other) + ", and a " + expected +
                     " is expected");
    }
  }
  const std::vector<std::string> names = names_of(kind);
  const std::string meant = base::suggestion(node.text, names);
  const std::string all = names.size() > most_names_listed
                              ? "'keyhole list " + expected + "s' shows the " +
                                    std::to_string(names.size()) + " there are"
                              : "there are " + base::joined(names);
  fail(text, "there is no " + expected + " '" + node.text + "'" + where +
                 (meant.empty() ? "; " + all : meant));
}

SetPtr build_set(const Node& node, std::string_view text, const std::string& folder) {
  return build<SetBuilder>(SpecKind::set, node, text, folder);
}

AnyAlgorithm build_learner(const Node& node, std::string_view text,
                           const AlgorithmContext& context) {
  return build<LearnerBuilder>(SpecKind::learner, node, text, {}, context);
}

std::unique_ptr<Problem> build_problem(const Node& node, std::string_view text,
                                       const ProblemContext& context) {
  return build<ProblemBuilder>(SpecKind::problem, node, text, context.folder, context);
}

}  // namespace spec

const std::vector<SpecEntry>& spec_table() {
  static const std::vector<SpecEntry> table = [] {
    std::vector<SpecEntry> all;
    for (const spec::Entry& entry : spec::entries()) all.push_back(spec::shown(entry));
    return all;
  }();
  return table;
}

std::string signature(const SpecEntry& entry) {
  std::string text;
  for (const SpecParameter& parameter : entry.parameters) {
    if (!text.empty()) text += ", ";
    text += parameter.name;
    if (parameter.type == "sets") text += "...";
    if (!parameter.default_value.empty()) text += "=" + parameter.default_value;
  }
  return entry.name + "(" + text + ")";
}

SetPtr make_set(std::string_view spec) { return spec::build_set(spec::parse(spec), spec); }

std::unique_ptr<Problem> make_problem(std::string_view spec, const ProblemContext& context) {
  return spec::build_problem(spec::parse(spec), spec, context);
}

AnyAlgorithm make_algorithm(std::string_view spec, const AlgorithmContext& context) {
  base::require(context.set != nullptr, "an algorithm needs a set to play on");
  return spec::build_learner(spec::parse(spec), spec, context);
}

}  // namespace keyhole
