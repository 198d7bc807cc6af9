// keyhole study front: what can be had of a metric, and what it costs.

#include <algorithm>
#include <iostream>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "cli/padded.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "studies/json/front.h"

namespace keyhole::cli {

int study_front(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  const std::string name = arguments.word(0);
  Study study = store.open(name);
  const studies::Front front = studies::front_of(store, name, study, arguments.get("--metric", ""));
  if (front.points.empty()) {
    throw StudyError("too little is known of '" + front.metric +
                     "' yet: tell it of some more plays");
  }
  const std::string format = arguments.get("--format", "text");
  if (format == "json") {
    std::cout << json_text(studies::front_json(front, study), 2) << "\n";
    return 0;
  }
  const std::string& metric = front.metric;
  const std::string word = study.description().options.maximize ? "gain" : "loss";
  const ValueText text(study);
  std::vector<std::vector<std::string>> rows = {{metric, metric + "_error", word, word + "_error"}};
  rows[0].insert(rows[0].end(), text.names().begin(), text.names().end());
  rows[0].insert(rows[0].end(), {"plays", metric + "_measured", word + "_measured"});
  for (std::size_t k = 0; k < front.points.size(); ++k) {
    const FrontPoint& at = front.points[k];
    const auto& told = front.measured[k];
    constexpr int digits = 4;
    const auto number = [&](double x) {
      return base::number_text(format == "csv" ? x : base::rounded(x, digits));
    };
    std::vector<std::string>& row = rows.emplace_back();
    row = {number(at.metric), number(at.metric_error), number(at.loss), number(at.loss_error)};
    for (const std::string& field : text.fields(likeliest(study, at.point), at.point)) {
      const bool is_long = format != "csv" && field.find('.') != std::string::npos;
      const auto value = is_long ? base::read_number(field) : std::nullopt;
      row.push_back(value ? number(*value) : field);
    }
    row.push_back(std::to_string(told.plays));
    row.push_back(told.plays > 0 ? number(told.metric) : "");
    row.push_back(told.plays > 0 ? number(told.loss) : "");
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]);
    std::cout << (format == "csv" ? base::csv_line(row)
                                  : line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
  }
  return 0;
}

}  // namespace keyhole::cli
