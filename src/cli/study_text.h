// What a study plays and says, as text and CSV; as JSON see studies/json/study_json.h.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keyhole/study.h"
#include "studies/json/study_json.h"

namespace keyhole::cli {

using studies::context_value, studies::contexts_of, studies::Json, studies::json_text,
    studies::likeliest, studies::play_json, studies::receipt_text, studies::values_and_point;

/// A number or a name as text; of a list, with spaces between them.
[[nodiscard]] std::string plain_text(const Json& value);

/// How the values of a study are written: by the names of its space ("timeout", "pool.a"), or those
/// of a point as x1, x2 and so on.
class ValueText {
 public:
  explicit ValueText(const Study& study);

  /// The names.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// A text for each name; empty without a value.
  [[nodiscard]] std::vector<std::string> fields(const Values& values,
                                                const std::vector<double>& point) const;
  /// A line for each name: "timeout 50".
  [[nodiscard]] std::string lines(const Values& values, const std::vector<double>& point) const;

 private:
  struct Parameter {
    std::string name;
    std::size_t shares;  // how many; 0 for a single value
  };

  bool by_name_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> names_;
};

/// The names of the contexts of a study.
[[nodiscard]] std::vector<std::string> context_names(const Study& study);
/// The names of the metrics that a study has limits for.
[[nodiscard]] std::vector<std::string> metric_names(const Study& study);
/// A text for each name; empty without a value.
[[nodiscard]] std::vector<std::string> fields_of(const std::vector<std::string>& names,
                                                 const Values& values);
/// The value of a metric as a text has it: a number, unless it is none.
[[nodiscard]] Value metric_value(const std::string& text);
/// "load=812 segment=new".
[[nodiscard]] std::string named_text(const Values& values);

/// What was measured of a play: its loss and how often it counts, or metrics, or both.
struct Measured {
  std::optional<double> loss = {};
  double count = 1;
  Values metrics = {};
};
/// What "0.36", "0.36 count=500", "0.36 error=0.02 p99=183" or "p99=183" says; nothing if it is
/// none of these.
[[nodiscard]] std::optional<Measured> read_measured(const std::string& text);

/// That nothing is learned from the loss of a play that has expired, and why.
[[nodiscard]] std::string expired_text(const Study& study, PlayId play);

/// What to deploy if nothing is known: as values_and_point(), or else by the names of ValueText.
[[nodiscard]] Json recommendation(Study& study, bool as_json);

/// Prints what a JSON object says in the format: lines "name  value", the object, or rows
/// name,value. Objects within it are taken apart.
void print_sheet(const Json& sheet, const std::string& format);

}  // namespace keyhole::cli
