// keyhole study learn.

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>

#include "base/joined.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "problems/csv.h"

namespace keyhole::cli {
namespace {

using problems::CsvTable;

/// Whether the values of a parameter are listed, so that their texts say which.
bool is_listed(const SpaceParameter& parameter) {
  return std::holds_alternative<Choice>(parameter.domain) ||
         std::holds_alternative<Levels>(parameter.domain) ||
         std::holds_alternative<Fixed>(parameter.domain);
}

/// A table of losses of the past: a column for each name of the study, one for the loss, and
/// perhaps some for contexts and metrics, and one for the count or the error.
class PastTable {
 public:
  PastTable(const Study& study, CsvTable table, const std::string& loss)
      : study_(study),
        space_(std::get_if<Space>(&study.description().on)),
        table_(std::move(table)) {
    used_.resize(table_.header.size());
    const std::vector<std::string> names = ValueText(study).names();
    const std::vector<std::string> contexts = context_names(study);
    const auto has = [](const std::vector<std::string>& all, const std::string& name) {
      return std::find(all.begin(), all.end(), name) != all.end();
    };
    for (const std::string& name : names) {
      columns_.push_back(is_fixed(name) && !has(table_.header, name) ? none : use(name));
    }
    if (has(names, loss) || has(contexts, loss)) {
      throw InputError(table_.file + ": the column '" + loss +
                       "' has values of the study: name the column of the losses by --loss");
    }
    loss_ = use(loss);
    // What the study knows by a name comes before "count" and "error".
    const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
      const auto found = std::find(table_.header.begin(), table_.header.end(), name);
      if (found == table_.header.end()) return {};
      if (used_[static_cast<std::size_t>(found - table_.header.begin())]) return {};
      return use(name);
    };
    for (const std::string& name : contexts) {
      if (const auto column = find(name)) contexts_.emplace_back(name, *column);
    }
    for (const std::string& name : metric_names(study)) {
      if (const auto column = find(name)) metrics_.emplace_back(name, *column);
    }
    count_ = find("count");
    error_ = find("error");
    if (count_ && error_) {
      throw InputError(table_.file + ": give a column 'count' or a column 'error', not both");
    }
  }

  /// The rows that have a loss or a metric. Each half-life of later rows halves what a row counts.
  [[nodiscard]] std::vector<StudyPast> read(std::optional<double> half_life) {
    rows_.clear();
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (says_something(row)) rows_.push_back(row);
    }
    std::vector<StudyPast> past;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      past.push_back(at(rows_[k]));
      const auto age = static_cast<double>(rows_.size() - 1 - k);
      if (half_life) past.back().count *= count_of_age(age, *half_life);
    }
    return past;
  }
  [[nodiscard]] std::size_t without_loss() const { return table_.rows.size() - rows_.size(); }
  /// The names of the columns that say nothing.
  [[nodiscard]] std::vector<std::string> ignored() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) names.push_back(table_.header[i]);
    }
    return names;
  }
  /// "past.csv:7: " of the k-th loss that was read.
  [[nodiscard]] std::string place(std::size_t k) const {
    return table_.file + ":" + std::to_string(table_.lines[rows_[k]]) + ": ";
  }

 private:
  [[nodiscard]] bool says_something(std::size_t row) const {
    const std::vector<std::string>& fields = table_.rows[row];
    return !fields[loss_].empty() ||
           std::any_of(metrics_.begin(), metrics_.end(),
                       [&](const auto& metric) { return !fields[metric.second].empty(); });
  }

  std::size_t use(const std::string& name) {
    const std::size_t column = problems::csv_column(table_, name);
    used_[column] = true;
    return column;
  }

  [[nodiscard]] bool is_fixed(const std::string& name) const {
    if (space_ == nullptr) return false;
    const std::vector<SpaceParameter>& all = space_->parameters();
    return std::any_of(all.begin(), all.end(), [&](const SpaceParameter& each) {
      return each.name == name && std::holds_alternative<Fixed>(each.domain);
    });
  }

  [[nodiscard]] StudyPast at(std::size_t row) const {
    StudyPast past{.loss = std::numeric_limits<double>::quiet_NaN()};
    if (!table_.rows[row][loss_].empty()) past.loss = problems::csv_number(table_, row, loss_);
    if (count_) past.count = problems::csv_number(table_, row, *count_);
    if (error_) past.count = count_at(row);
    for (const auto& [name, column] : contexts_) {
      const std::string& text = table_.rows[row][column];
      if (!text.empty()) past.context.emplace_back(name, context_value(study_, name, text));
    }
    for (const auto& [name, column] : metrics_) {
      if (table_.rows[row][column].empty()) continue;
      past.metrics.emplace_back(name, problems::csv_number(table_, row, column));
    }
    std::vector<double>& point = past.point;
    const auto number = [&](std::size_t k) {
      return problems::csv_number(table_, row, columns_[k]);
    };
    if (space_ == nullptr) {
      for (std::size_t k = 0; k < columns_.size(); ++k) point.push_back(number(k));
      return past;
    }
    std::size_t k = 0;
    for (const SpaceParameter& parameter : space_->parameters()) {
      if (columns_[k] == none) {
        ++k;
      } else if (is_listed(parameter)) {
        past.values.emplace_back(parameter.name, table_.rows[row][columns_[k++]]);
      } else if (const auto* const shares = std::get_if<Shares>(&parameter.domain)) {
        std::vector<double> list;
        while (list.size() < shares->names.size()) list.push_back(number(k++));
        past.values.emplace_back(parameter.name, std::move(list));
      } else {
        past.values.emplace_back(parameter.name, number(k++));
      }
    }
    return past;
  }

  [[nodiscard]] double count_at(std::size_t row) const {
    const double error = problems::csv_number(table_, row, *error_);
    try {
      return count_of_error(error);
    } catch (const FeedbackError& wrong) {
      throw InputError(problems::csv_place(table_, row, *error_) + wrong.what());
    }
  }

  const Study& study_;
  const Space* space_;  // null for a study on a set
  CsvTable table_;
  std::vector<bool> used_;
  static constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> columns_;  // of the names; none of some that are fixed
  std::size_t loss_ = 0;
  std::vector<std::pair<std::string, std::size_t>> contexts_;  // and their columns
  std::vector<std::pair<std::string, std::size_t>> metrics_;   // and theirs
  std::optional<std::size_t> count_;
  std::optional<std::size_t> error_;
  std::vector<std::size_t> rows_;  // that say something
};

CsvTable table_of(const std::string& file) {
  if (file != "-") return problems::read_csv(file);
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  return problems::parse_csv(text, "standard input");
}

Outside outside_of(const std::string& word) {
  return word == "project" ? Outside::project : word == "skip" ? Outside::skip : Outside::refuse;
}

}  // namespace

int study_learn(const Arguments& arguments, const Program& program) {
  std::optional<double> half_life;
  if (arguments.has("--half-life")) {
    half_life = positive_number("--half-life", arguments.get("--half-life", ""));
  }
  const Outside outside = outside_of(arguments.get("--outside", "refuse"));
  CsvTable file = table_of(arguments.word(1));
  Study study = the_study(arguments, program);
  PastTable table(study, std::move(file), arguments.get("--loss", "loss"));
  const std::vector<StudyPast> past = table.read(half_life);
  PastReceipt receipt;
  try {
    receipt = study.learn(past, outside, arguments.get("--id", ""));
  } catch (const PastError& error) {
    throw InputError(table.place(error.index()) + error.what() + "; nothing was learned",
                     error.code());
  }
  Json sheet = {{"learned", receipt.learned}};
  if (outside == Outside::project) sheet["projected"] = receipt.projected;
  if (outside == Outside::skip) sheet["skipped"] = receipt.skipped;
  if (table.without_loss() > 0) sheet["without_loss"] = table.without_loss();
  if (!table.ignored().empty()) sheet["ignored_columns"] = base::joined(table.ignored());
  print_sheet(sheet, arguments.get("--format", "text"));
  return 0;
}

}  // namespace keyhole::cli
