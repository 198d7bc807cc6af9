// keyhole study learn.

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/joined.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "problems/csv.h"

namespace keyhole::cli {
namespace {

using problems::CsvTable;

/// A table of losses of the past: a column for each name of the study, one for the loss, and
/// perhaps some for contexts, and one for the count or the error.
class PastTable {
 public:
  PastTable(const Study& study, CsvTable table, const std::string& loss)
      : study_(study),
        space_(std::get_if<Space>(&study.description().on)),
        table_(std::move(table)) {
    used_.resize(table_.header.size());
    const std::vector<std::string> names = ValueText(study).names();
    for (const std::string& name : names) columns_.push_back(use(name));
    loss_ = use(loss);
    const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
      if (std::find(names.begin(), names.end(), name) != names.end() || name == loss) return {};
      if (std::find(table_.header.begin(), table_.header.end(), name) == table_.header.end()) {
        return {};
      }
      return use(name);
    };
    for (const std::string& name : context_names(study)) {
      if (const auto column = find(name)) contexts_.emplace_back(name, *column);
    }
    count_ = find("count");
    error_ = find("error");
    if (count_ && error_) {
      throw InputError(table_.file + ": give a column 'count' or a column 'error', not both");
    }
  }

  /// The rows that have a loss. Each half-life of later rows halves what a row counts.
  [[nodiscard]] std::vector<StudyPast> read(std::optional<double> half_life) {
    rows_.clear();
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (!table_.rows[row][loss_].empty()) rows_.push_back(row);
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
  std::size_t use(const std::string& name) {
    const std::size_t column = problems::csv_column(table_, name);
    used_[column] = true;
    return column;
  }

  [[nodiscard]] StudyPast at(std::size_t row) const {
    StudyPast past{.loss = problems::csv_number(table_, row, loss_)};
    if (count_) past.count = problems::csv_number(table_, row, *count_);
    if (error_) past.count = count_at(row);
    for (const auto& [name, column] : contexts_) {
      const std::string& text = table_.rows[row][column];
      if (!text.empty()) past.context.emplace_back(name, context_value(study_, name, text));
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
      if (std::holds_alternative<Choice>(parameter.domain)) {
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
  std::vector<std::size_t> columns_;  // of the names
  std::size_t loss_ = 0;
  std::vector<std::pair<std::string, std::size_t>> contexts_;  // and their columns
  std::optional<std::size_t> count_;
  std::optional<std::size_t> error_;
  std::vector<std::size_t> rows_;  // that have a loss
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
