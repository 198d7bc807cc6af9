#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/shortened.h"
#include "keyhole/catalogue.h"
#include "spec/build.h"
#include "spec/syntax.h"
#include "spec/table.h"

namespace keyhole {
namespace spec {
namespace {

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

bool is_list(const Node& node) { return node.kind == Node::Kind::list; }
bool is_array(const Node& node) { return node.kind == Node::Kind::array; }
bool is_matrix(const Node& node) { return is_array(node) && node.array->columns(); }
bool is_number(const Node& node) { return node.kind == Node::Kind::number; }
bool is_text(const Node& node) {
  return node.kind == Node::Kind::quoted || node.kind == Node::Kind::word || is_number(node);
}
bool is_spec(const Node& node) {
  return node.kind == Node::Kind::call || node.kind == Node::Kind::word;
}

std::size_t count_of(const Node& list) {
  return is_array(list) ? list.array->rows() : list.arguments.size();
}

bool all_items(const Node& list, bool (*condition)(const Node&)) {
  return is_list(list) && std::all_of(list.arguments.begin(), list.arguments.end(),
                                      [=](const Node& item) { return condition(item); });
}

/// A list of numbers. A column is one too: [[1], [2]] is what a file with one column is.
bool is_list_of_numbers(const Node& node) {
  if (is_array(node)) return node.array->columns().value_or(1) == 1;
  return all_items(node, is_number) || all_items(node, [](const Node& row) {
           return all_items(row, is_number) && row.arguments.size() == 1;
         });
}

/// The number that decimal digits write, if 64 bits hold it.
std::optional<std::uint64_t> to_seed(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = error == std::errc() && end == digits.data() + digits.size();
  return all ? std::optional(value) : std::nullopt;
}

bool has_type(const Node& node, const Parameter& parameter) {
  switch (parameter.type) {
    case Type::number:
      return is_number(node);
    case Type::whole:
      return is_number(node) && std::isfinite(node.number) &&
             std::floor(node.number) == node.number;
    case Type::seed:
      return is_number(node) && to_seed(node.text);
    case Type::flag:
      return node.kind == Node::Kind::word && (node.text == "true" || node.text == "false");
    case Type::coordinates:
      return is_number(node) || (is_list_of_numbers(node) && count_of(node) > 0);
    case Type::numbers:
      return is_list_of_numbers(node);
    case Type::rows:
      return is_matrix(node) ||
             all_items(node, [](const Node& row) { return all_items(row, is_number); });
    case Type::word:
      return node.kind == Node::Kind::word &&
             std::find(parameter.words.begin(), parameter.words.end(), node.text) !=
                 parameter.words.end();
    case Type::text:
      return is_text(node);
    case Type::texts:
      return all_items(node, is_text);
    case Type::set:
    case Type::sets:
    case Type::learner:
    case Type::problem:
      return is_spec(node);
  }
  return false;  // not reached
}

/// As it was written, but not for ever.
std::string written(const Node& node) {
  constexpr std::size_t enough = 40;
  if (is_array(node)) return "an array of " + node.array->shape_text();
  return base::shortened(is_number(node) ? node.text : print(node), enough);
}

std::vector<double> copy_of(std::span<const double> values) {
  return {values.begin(), values.end()};
}

std::vector<double> numbers_of(const Node& list) {
  if (is_array(list)) return copy_of(list.array->numbers());
  std::vector<double> values;
  values.reserve(list.arguments.size());
  for (const Node& item : list.arguments) {
    values.push_back(is_list(item) ? item.arguments.front().number : item.number);
  }
  return values;
}

/// What is wrong with the numbers of an array; empty if nothing.
std::string objection_to_array(const Parameter& parameter, const Array& array) {
  const std::span<const double> numbers = array.numbers();
  const auto accepted = [&](double value) { return parameter.range.holds(value); };
  const auto wrong = std::find_if_not(numbers.begin(), numbers.end(), accepted);
  if (wrong == numbers.end()) return "";
  const auto k = static_cast<std::size_t>(wrong - numbers.begin());
  const std::size_t columns = array.columns().value_or(1);
  const std::string range = parameter.range.text();
  return parameter.name + ", number " + std::to_string(k % columns) + " of row " +
         std::to_string(k / columns) + ", must be " +
         (range.empty() ? "a number" : "from " + range) + ", not " + base::number_text(*wrong);
}

/// What is wrong with the numbers of a list, or of lists in it; empty if nothing.
std::string objection_to_items(const Parameter& parameter, const Node& list,
                               std::string_view text) {
  for (const Node& item : list.arguments) {
    if (is_list(item)) {
      if (std::string wrong = objection_to_items(parameter, item, text); !wrong.empty()) {
        return wrong;
      }
    } else if (is_number(item) && !parameter.range.holds(item.number)) {
      return parameter.name + ", the number" + place(text, item.offset) + ", must be from " +
             parameter.range.text() + ", not " + written(item);
    }
  }
  return "";
}

}  // namespace

std::string objection(const Parameter& parameter, const Node& value, std::string_view text) {
  const std::string what = parameter.name + place(text, value.offset) + " must be ";
  if (!has_type(value, parameter)) {
    return what + parameter.demand() + ", not " + written(value) +
           (is_text(value) ? base::suggestion(value.text, parameter.words) : "");
  }
  if (is_array(value)) return objection_to_array(parameter, *value.array);
  if (!is_number(value)) return objection_to_items(parameter, value, text);
  if (parameter.type == Type::text) return "";
  if (!parameter.range.holds(value.number)) {
    return what + "from " + parameter.range.text() + ", not " + written(value);
  }
  if (parameter.type != Type::whole || std::abs(value.number) <= ranges::rounds.high) return "";
  return what + "of a magnitude up to 2^53, not " + written(value);
}

Arguments arguments_of(const Catalogue& catalogue, const SpecEntry& entry, const Node& call,
                       std::string_view text, const std::string& folder) {
  return Arguments(catalogue, entry, call, text, folder);
}

}  // namespace spec

Arguments::Arguments(const Catalogue& catalogue, const SpecEntry& entry, const SpecNode& call,
                     std::string_view text, std::string folder)
    : catalogue_(catalogue),
      entry_(entry),
      call_(call),
      text_(text),
      folder_(std::move(folder)),
      values_(entry.parameters.size()),
      defaults_(entry.parameters.size()) {
  take(call.arguments);
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Parameter& parameter = entry.parameters[k];
    if (values_[k] != nullptr) {
      check(parameter, *values_[k]);
      if (parameter.type == ParameterType::sets) {
        for (const SpecNode* const set : sets_) check(parameter, *set);
      }
    } else if (parameter.absent == Absent::refused) {
      refuse(parameter.name + " is missing, " + parameter.meaning + ": " + signature(entry));
    } else if (parameter.absent == Absent::has_value) {
      defaults_[k] = spec::parse_value(parameter.default_value);
    }
  }
}

Arguments::~Arguments() = default;

void Arguments::take(const std::vector<SpecNode>& arguments) {
  bool keys = false;
  const std::size_t last = values_.size() - 1;
  const bool ends_in_sets = !values_.empty() && entry_.parameters[last].type == ParameterType::sets;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const SpecNode& argument = arguments[k];
    // To count columns takes a while where there are many arguments.
    const auto where = [&] { return spec::place(text_, argument.argument_offset); };
    std::size_t i = k;
    if (!argument.key.empty()) {
      keys = true;
      i = index_of_key(argument);
    } else if (keys) {
      refuse("the argument" + where() + " comes after one with a key, and needs a key itself");
    } else if (k > last && ends_in_sets) {
      sets_.push_back(&argument);
      continue;
    } else if (k >= values_.size()) {
      refuse("the argument" + where() + " is one too many for " + signature(entry_));
    }
    if (values_[i] != nullptr) {
      refuse(entry_.parameters[i].name + " is given again" + where());
    }
    values_[i] = &argument;
    if (ends_in_sets && i == last) sets_.push_back(&argument);
  }
}

std::size_t Arguments::index_of_key(const SpecNode& argument) const {
  for (const auto& [key, reason] : entry_.refused) {
    if (argument.key == key) refuse(reason);
  }
  for (std::size_t k = 0; k < entry_.parameters.size(); ++k) {
    if (entry_.parameters[k].name == argument.key) return k;
  }
  const std::string meant = base::suggestion(argument.key, spec::names_of(entry_.parameters));
  refuse("unknown key '" + base::shortened(argument.key) + "'" +
         spec::place(text_, argument.argument_offset) +
         (meant.empty() ? ": " + signature(entry_) : meant));
}

void Arguments::check(const Parameter& parameter, const SpecNode& value) const {
  const std::string wrong = spec::objection(parameter, value, text_);
  if (!wrong.empty()) refuse(wrong);
}

std::size_t Arguments::index(std::string_view name) const {
  for (std::size_t k = 0; k < entry_.parameters.size(); ++k) {
    if (entry_.parameters[k].name == name) return k;
  }
  throw std::logic_error(entry_.name + " has no parameter " + std::string(name));
}

const SpecNode* Arguments::find(std::string_view name, ParameterType type) const {
  const std::size_t k = index(name);
  const Parameter& parameter = entry_.parameters[k];
  if (parameter.type != type)
    throw std::logic_error(entry_.name + ": the type of " + std::string(name));
  if (values_[k] != nullptr) return values_[k];
  return parameter.absent == Absent::has_value ? &defaults_[k] : nullptr;
}

const SpecNode& Arguments::get(std::string_view name, ParameterType type) const {
  const SpecNode* const node = find(name, type);
  if (node == nullptr)
    throw std::logic_error(entry_.name + ": the default of " + std::string(name));
  return *node;
}

double Arguments::number(std::string_view name) const {
  return get(name, ParameterType::number).number;
}

std::size_t Arguments::whole(std::string_view name) const {
  return static_cast<std::size_t>(get(name, ParameterType::whole).number);
}

std::uint64_t Arguments::seed(std::string_view name) const {
  return *spec::to_seed(get(name, ParameterType::seed).text);
}

bool Arguments::flag(std::string_view name) const {
  return get(name, ParameterType::flag).text == "true";
}

std::string Arguments::word(std::string_view name) const {
  return get(name, ParameterType::word).text;
}

std::optional<double> Arguments::optional_number(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::number);
  return node == nullptr ? std::nullopt : std::optional(node->number);
}

std::optional<std::uint64_t> Arguments::optional_whole(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::whole);
  return node == nullptr ? std::nullopt : std::optional(static_cast<std::uint64_t>(node->number));
}

std::string Arguments::text(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::text);
  return node == nullptr ? "" : node->text;
}

std::string Arguments::file(std::string_view name) const {
  const std::string path = text(name);
  if (path.empty() || folder_.empty()) return path;
  return (std::filesystem::path(folder_) / path).string();  // an absolute path stays
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> result;
  const SpecNode* const node = find(name, ParameterType::texts);
  if (node == nullptr) return result;
  for (const SpecNode& item : node->arguments) result.push_back(item.text);
  return result;
}

std::vector<double> Arguments::numbers(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::numbers);
  return node == nullptr ? std::vector<double>() : spec::numbers_of(*node);
}

std::vector<std::vector<double>> Arguments::rows(std::string_view name) const {
  std::vector<std::vector<double>> result;
  const SpecNode* const node = find(name, ParameterType::rows);
  if (node == nullptr) return result;
  for (std::size_t i = 0; i < spec::count_of(*node); ++i) {
    result.push_back(spec::is_array(*node) ? spec::copy_of(node->array->row(i))
                                           : spec::numbers_of(node->arguments[i]));
  }
  return result;
}

std::size_t Arguments::count(std::string_view name) const {
  const SpecNode* const node = find(name, entry_.parameters[index(name)].type);
  return node == nullptr ? 0 : spec::count_of(*node);
}

std::vector<std::size_t> Arguments::wholes(std::string_view name) const {
  std::vector<std::size_t> result;
  for (const double number : numbers(name)) {
    if (number != std::floor(number)) refuse(name, "must be whole numbers");
    result.push_back(static_cast<std::size_t>(number));
  }
  return result;
}

std::vector<double> Arguments::matrix(std::string_view name, std::size_t columns) const {
  const SpecNode* const node = find(name, ParameterType::rows);
  if (node != nullptr && spec::is_array(*node) && node->array->columns() == columns) {
    return spec::numbers_of(*node);
  }
  std::vector<double> result;
  std::size_t count = 0;
  for (const std::vector<double>& row : rows(name)) {
    ++count;
    if (row.size() != columns) {
      refuse("row " + std::to_string(count) + " of " + std::string(name) + " has " +
             std::to_string(row.size()) + " numbers, not " + std::to_string(columns));
    }
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

std::vector<Edge> Arguments::edges(std::string_view name) const {
  std::vector<Edge> result;
  const auto add = [&](std::span<const double> ends) {
    const bool is_pair =
        ends.size() == 2 && ends[0] == std::floor(ends[0]) && ends[1] == std::floor(ends[1]);
    if (!is_pair) refuse(name, "must be pairs of nodes");
    result.push_back({static_cast<std::size_t>(ends[0]), static_cast<std::size_t>(ends[1])});
  };
  const SpecNode* const node = find(name, ParameterType::rows);
  const std::size_t count = node == nullptr ? 0 : spec::count_of(*node);
  result.reserve(count);
  for (std::size_t e = 0; e < count; ++e) {
    if (spec::is_array(*node)) {
      add(node->array->row(e));
    } else {
      add(spec::numbers_of(node->arguments[e]));
    }
  }
  return result;
}

std::optional<std::size_t> Arguments::listed(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::coordinates);
  if (node == nullptr || spec::is_number(*node)) return std::nullopt;
  return spec::count_of(*node);
}

std::vector<double> Arguments::coordinates(std::string_view name, std::size_t n) const {
  const SpecNode* const node = find(name, ParameterType::coordinates);
  if (node == nullptr) return {};
  if (spec::is_number(*node)) return std::vector<double>(n, node->number);
  if (spec::count_of(*node) != n) {
    refuse(name, "must have one number for each of " + std::to_string(n) + " coordinates, not " +
                     std::to_string(spec::count_of(*node)));
  }
  return spec::numbers_of(*node);
}

SetPtr Arguments::set(std::string_view name) const {
  const SpecNode* const node = find(name, ParameterType::set);
  return node == nullptr ? nullptr : spec::build_set(catalogue_, *node, text_, folder_);
}

std::vector<SetPtr> Arguments::sets(std::string_view name) const {
  (void)get(name, ParameterType::sets);
  std::vector<SetPtr> result;
  for (const SpecNode* const node : sets_)
    result.push_back(spec::build_set(catalogue_, *node, text_, folder_));
  return result;
}

AnyAlgorithm Arguments::learner(std::string_view name, const AlgorithmContext& context) const {
  return spec::build_learner(catalogue_, get(name, ParameterType::learner), text_, context);
}

std::unique_ptr<Problem> Arguments::problem(std::string_view name,
                                            const ProblemContext& context) const {
  return spec::build_problem(catalogue_, get(name, ParameterType::problem), text_, context);
}

void Arguments::refuse(const std::string& message) const {
  const std::string where = spec::place(text_, call_.offset);
  spec::fail(text_, where.empty() ? message : entry_.name + where + ": " + message);
}

void Arguments::refuse(std::string_view name, const std::string& message) const {
  const SpecNode* const node = given(name);
  refuse(std::string(name) + (node == nullptr ? "" : spec::place(text_, node->offset)) + " " +
         message);
}

}  // namespace keyhole
