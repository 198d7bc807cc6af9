#include "cli/study_text.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/csv_text.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "cli/padded.h"

namespace keyhole::cli {
namespace {

void append_texts(const Json& value, std::vector<std::string>& fields) {
  if (!value.is_array()) {
    fields.push_back(plain_text(value));
    return;
  }
  for (const Json& element : value) fields.push_back(plain_text(element));
}

using Rows = std::vector<std::pair<std::string, std::string>>;

/// A row for each value, lists in one, by the names that lead to it.
void append_rows(const std::string& name, const Json& value, Rows& rows) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      append_rows(name.empty() ? key : name + "." + key, inner, rows);
    }
    return;
  }
  rows.emplace_back(name, plain_text(value));
}

}  // namespace

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return base::number_text(value.get<double>());
  if (value.is_array()) {
    std::vector<std::string> fields;
    for (const Json& element : value) fields.push_back(plain_text(element));
    return base::joined(fields, " ");
  }
  return json_text(value);
}

ValueText::ValueText(const Study& study) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  by_name_ = space != nullptr;
  if (!by_name_) {
    for (std::size_t i = 1; i <= study.set().dimension(); ++i) {
      names_.push_back("x" + std::to_string(i));
    }
    return;
  }
  for (const SpaceParameter& parameter : space->parameters()) {
    const auto* const shares = std::get_if<Shares>(&parameter.domain);
    parameters_.push_back({parameter.name, shares == nullptr ? 0 : shares->names.size()});
    if (shares == nullptr) {
      names_.push_back(parameter.name);
      continue;
    }
    for (const std::string& share : shares->names) names_.push_back(parameter.name + "." + share);
  }
}

std::vector<std::string> ValueText::fields(const Values& values,
                                           const std::vector<double>& point) const {
  std::vector<std::string> fields;
  if (!by_name_) append_texts(point, fields);
  const Json json = studies::values_json(values);
  for (const Parameter& parameter : parameters_) {
    const auto found = json.find(parameter.name);
    if (found != json.end() && (found->is_array() ? found->size() : 0) == parameter.shares) {
      append_texts(*found, fields);
    } else {
      fields.insert(fields.end(), std::max<std::size_t>(parameter.shares, 1), "");
    }
  }
  return fields;
}

std::string ValueText::lines(const Values& values, const std::vector<double>& point) const {
  const std::vector<std::string> texts = fields(values, point);
  std::string lines;
  for (std::size_t i = 0; i < names_.size(); ++i) lines += names_[i] + " " + texts[i] + "\n";
  return lines;
}

std::vector<std::string> context_names(const Study& study) {
  std::vector<std::string> names;
  for (const SpaceContext& context : contexts_of(study)) names.push_back(context.name);
  return names;
}

std::vector<std::string> metric_names(const Study& study) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  std::vector<std::string> names;
  for (const SpaceLimit& limit : space == nullptr ? std::vector<SpaceLimit>() : space->limits()) {
    names.push_back(limit.name);
  }
  return names;
}

std::vector<std::string> fields_of(const std::vector<std::string>& names, const Values& values) {
  const Json known = studies::values_json(values);
  std::vector<std::string> fields;
  for (const std::string& name : names) {
    fields.push_back(known.contains(name) ? plain_text(known[name]) : "");
  }
  return fields;
}

Value metric_value(const std::string& text) {
  const auto number = base::read_number(text);
  if (number) return *number;
  return text;
}

std::string named_text(const Values& values) {
  const Json json = studies::values_json(values);
  std::vector<std::string> texts;
  for (const auto& [name, value] : json.items()) texts.push_back(name + "=" + plain_text(value));
  return base::joined(texts, " ");
}

std::optional<Measured> read_measured(const std::string& text) {
  std::istringstream words(text);
  Measured measured;
  bool is_counted = false;
  for (std::string word; words >> word;) {
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos) {
      if (measured.loss || is_counted || !measured.metrics.empty()) return {};
      measured.loss = base::read_number(word);
      if (!measured.loss) return {};
      continue;
    }
    const std::string name = word.substr(0, sign);
    const Value value = metric_value(word.substr(sign + 1));
    if (name != "count" && name != "error") {
      measured.metrics.emplace_back(name, value);
      continue;
    }
    const auto* const number = std::get_if<double>(&value);
    if (number == nullptr || is_counted || !measured.loss) return {};
    is_counted = true;
    try {
      measured.count = name == "error" ? count_of_error(*number) : *number;
    } catch (const FeedbackError&) {
      return {};
    }
  }
  if (!measured.loss && measured.metrics.empty()) return {};
  return measured;
}

std::string expired_text(const Study& study, PlayId play) {
  const LearnerOptions& options = study.description().options;
  return "play " + std::to_string(play) +
         " has expired, and nothing is learned from its loss: the study waits for its latest " +
         std::to_string(options.expiry.value_or(options.window)) +
         " plays (--window), and for none from before a renewal";
}

Json recommendation(Study& study, bool as_json) {
  const std::vector<double> point = study.recommend();
  const Values values = likeliest(study, point);
  if (as_json) return values_and_point(values, point);
  const ValueText text(study);
  const std::vector<std::string> fields = text.fields(values, point);
  Json json = Json::object();
  for (std::size_t i = 0; i < fields.size(); ++i) json[text.names()[i]] = fields[i];
  return json;
}

void print_sheet(const Json& sheet, const std::string& format) {
  if (format == "json") {
    std::cout << json_text(sheet, 2) << "\n";
    return;
  }
  Rows rows;
  append_rows("", sheet, rows);
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size() + 2);
  if (format == "csv") std::cout << "name,value\n";
  for (const auto& [name, value] : rows) {
    if (format == "csv") {
      std::cout << base::csv_line({name, value});
    } else {
      std::cout << padded(name, width) << value << "\n";
    }
  }
}

}  // namespace keyhole::cli
