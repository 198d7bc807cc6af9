#include "keyhole/catalogue.h"

#include <algorithm>
#include <utility>

#include "base/joined.h"
#include "base/require.h"
#include "spec/build.h"
#include "spec/contents.h"
#include "spec/syntax.h"
#include "spec/table.h"

namespace keyhole {
namespace {

void require_name(const std::string& what, const std::string& name) {
  base::require(spec::is_name(name),
                what + " '" + name + "' must be letters, digits and _, and not begin with a digit");
}

/// What Catalogue::add says of parameters.
void require_parameters(const SpecEntry& entry) {
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const Parameter& parameter = entry.parameters[k];
    require_name("the parameter of " + entry.name, parameter.name);
    for (std::size_t before = 0; before < k; ++before) {
      base::require(entry.parameters[before].name != parameter.name,
                    "the parameter '" + parameter.name + "' of " + entry.name + " is there twice");
    }
    base::require(
        parameter.type != ParameterType::sets || k + 1 == entry.parameters.size(),
        "the parameter '" + parameter.name + "' of " + entry.name + " takes sets: put it last");
    if (parameter.absent != Absent::has_value) continue;
    std::string wrong;
    try {
      wrong = spec::objection(parameter, spec::parse_value(parameter.default_value),
                              parameter.default_value);
    } catch (const SpecError& error) {
      wrong = error.what();
    }
    base::require(wrong.empty(), "a default of " + entry.name + " is wrong: " + wrong);
  }
}

Catalogue built_ins() {
  using Part = std::pair<const char*, std::vector<SpecEntry> (*)()>;
  Catalogue catalogue;
  for (const auto& [family, entries] :
       {Part{"basic", spec::basic_set_entries}, Part{"norm balls", spec::norm_ball_entries},
        Part{"choices", spec::choice_entries}, Part{"matroids", spec::matroid_entries},
        Part{"graphs", spec::graph_entries}, Part{"matrices", spec::spectral_set_entries},
        Part{"combinations", spec::set_algebra_entries}, Part{"", spec::learner_entries},
        Part{"", spec::problem_entries}}) {
    for (SpecEntry& entry : entries()) {
      entry.family = family;
      catalogue.add(std::move(entry));
    }
  }
  return catalogue;
}

}  // namespace

std::string Parameter::type_text() const {
  switch (type) {
    case ParameterType::number:
      return "number";
    case ParameterType::whole:
      return "whole number";
    case ParameterType::seed:
      return "whole number from 0 to 2^64 - 1";
    case ParameterType::flag:
      return "true or false";
    case ParameterType::coordinates:
      return "number or list of numbers";
    case ParameterType::numbers:
      return "list of numbers";
    case ParameterType::rows:
      return "list of lists of numbers";
    case ParameterType::word:
      return base::joined(words, "|");
    case ParameterType::text:
      return "text";
    case ParameterType::texts:
      return "list of texts";
    case ParameterType::set:
      return "set";
    case ParameterType::sets:
      return "sets";
    case ParameterType::learner:
      return "learner";
    case ParameterType::problem:
      return "problem";
  }
  return "";  // not reached
}

std::string Parameter::demand() const {
  if (type == ParameterType::word) return base::joined(words, " or ");
  if (type == ParameterType::sets) return "a set";
  return (type == ParameterType::flag ? "" : "a ") + type_text();
}

Parameter Parameter::or_value(std::string value) const {
  Parameter result = *this;
  result.absent = Absent::has_value;
  result.default_value = std::move(value);
  return result;
}

Parameter Parameter::or_else(std::string words_of_default) const {
  Parameter result = *this;
  result.absent = Absent::is_told;
  result.default_value = std::move(words_of_default);
  return result;
}

std::string signature(const SpecEntry& entry) {
  std::string text;
  for (const Parameter& parameter : entry.parameters) {
    if (!text.empty()) text += ", ";
    text += parameter.name;
    if (parameter.type == ParameterType::sets) text += "...";
    if (!parameter.default_value.empty()) text += "=" + parameter.default_value;
  }
  return entry.name + "(" + text + ")";
}

const Catalogue& Catalogue::standard() {
  static const Catalogue catalogue = built_ins();
  return catalogue;
}

void Catalogue::add(SpecEntry entry) {
  require_name("the name", entry.name);
  for (const SpecEntry& other : entries_) {
    base::require(other.name != entry.name, "the catalogue has " + signature(other) +
                                                " already: give the new entry another name");
  }
  base::require(!spec::names_numbers(entry.name),
                "'" + entry.name + "' names numbers in specs: give the entry another name");
  base::require(std::visit([](const auto& build) { return build != nullptr; }, entry.build),
                "the entry " + entry.name + " has nothing that builds it");
  require_parameters(entry);
  const auto place =
      std::upper_bound(entries_.begin(), entries_.end(), entry.kind(),
                       [](SpecKind kind, const SpecEntry& other) { return kind < other.kind(); });
  entries_.insert(place, std::move(entry));
}

const SpecEntry* Catalogue::find(SpecKind kind, std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const SpecEntry& entry) {
    return entry.kind() == kind && entry.name == name;
  });
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace keyhole
