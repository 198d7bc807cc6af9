// What a study plays and says, as text, JSON and CSV.

#pragma once

#include <string>
#include <vector>

#include "keyhole/study.h"
#include "studies/space_json.h"

namespace keyhole::cli {

using studies::Json;

/// JSON on one line, or with that many spaces a level. Numbers are the shortest that read back to
/// the same bits; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const Json& json, int indent = -1);

/// How a tell was taken, in a word.
[[nodiscard]] std::string receipt_text(Receipt receipt);

/// A number or a name as text; of a list, with spaces between them.
[[nodiscard]] std::string plain_text(const Json& value);

/// How the values of a study are written: by the names of its space ("timeout", "pool.a"), or those
/// of a point as x1, x2 and so on.
class ValueText {
 public:
  explicit ValueText(const Study& study);

  /// The names.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// A text for each name.
  [[nodiscard]] std::vector<std::string> fields(const Values& values,
                                                const std::vector<double>& point) const;
  /// A line for each name: "timeout 50".
  [[nodiscard]] std::string lines(const Values& values, const std::vector<double>& point) const;

 private:
  bool by_name_;
  std::vector<std::string> names_;
};

/// What a point stands for, by name; empty for a study on a set.
[[nodiscard]] Values likeliest(const Study& study, const std::vector<double>& point);

/// {"values": {"timeout": 50}, "point": [3.9]}; without values for a study on a set.
[[nodiscard]] Json values_and_point(const Values& values, const std::vector<double>& point);
/// {"play": 1, "values": ..., "point": ...}.
[[nodiscard]] Json play_json(const StudyPlay& play);

/// What to deploy: as values_and_point(), or else by the names of ValueText.
[[nodiscard]] Json recommendation(Study& study, bool as_json);

/// Prints what a JSON object says in the format: lines "name  value", the object, or rows
/// name,value. Objects within it are taken apart.
void print_sheet(const Json& sheet, const std::string& format);

}  // namespace keyhole::cli
