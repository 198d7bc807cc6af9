#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "problems/costs.h"
#include "problems/csv.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// Costs from a file.
struct Table {
  std::string file;
  std::size_t columns = 0;
  Vector costs;              // row by row
  std::string warning = {};  // empty if there is none
};

bool counts_rounds(std::string name) {
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  constexpr std::array<std::string_view, 5> names = {"date", "day", "time", "t", "round"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a column has the numbers of the rows, from 0 or 1 on.
bool looks_like_index(const CsvTable& csv, std::size_t column) {
  constexpr std::size_t fewest_rows = 3;
  if (csv.rows.size() < fewest_rows) return false;
  const double first = csv_number(csv, 0, column);
  if (first != 0 && first != 1) return false;
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    if (csv_number(csv, row, column) != first + static_cast<double>(row)) return false;
  }
  return true;
}

Table read_costs(const std::string& file) {
  const CsvTable csv = read_csv(file);
  const std::size_t first = !csv.header.empty() && counts_rounds(csv.header.front()) ? 1 : 0;
  Table table{.file = file, .columns = csv.header.size() - first, .costs = {}};
  if (csv.rows.empty() || table.columns == 0) {
    throw InputError(file + ": there are no costs; a line of names and a row of numbers for each " +
                     "round are expected");
  }
  table.costs.reserve(csv.rows.size() * table.columns);
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    for (std::size_t column = first; column < csv.header.size(); ++column) {
      const double cost = csv_number(csv, row, column);
      if (!base::is_moderate(cost)) {
        throw InputError(file + ":" + std::to_string(csv.lines[row]) + ": column '" +
                         csv.header[column] + "': costs must be numbers of magnitude up to 1e50, " +
                         "not " + base::number_text(cost));
      }
      table.costs.push_back(cost);
    }
  }
  if (first == 0 && looks_like_index(csv, 0)) {
    table.warning = file + ": the first column, '" + csv.header.front() +
                    "', counts the rows and is taken for costs: if it is an index, name it 'round'";
  }
  return table;
}

/// c_t = row t of a table.
class LoggedCosts final : public Costs {
 public:
  LoggedCosts(SetPtr set, Table table, std::string spec)
      : Costs(std::move(set)), table_(std::move(table)), spec_(std::move(spec)) {
    const std::size_t n = this->set().dimension();
    if (table_.columns != n) {
      throw InputError(table_.file + ": " + std::to_string(table_.columns) +
                       (table_.columns == 1 ? " column" : " columns") + " of costs for " +
                       this->set().spec() + ", which has dimension " + std::to_string(n) +
                       (table_.warning.empty() ? "" : ". " + table_.warning));
    }
    CostBounds bounds(this->set());
    for (std::uint64_t t = 1; t <= rounds(); ++t) bounds.widen(row(t));
    bounds_ = bounds.bounds();
    set_cost(zero_);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] std::uint64_t rounds() const noexcept override {
    return table_.costs.size() / table_.columns;
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::vector<std::string> warnings() const override {
    return table_.warning.empty() ? std::vector<std::string>() : std::vector{table_.warning};
  }

 private:
  void realise(std::uint64_t t) override { set_cost(row(t)); }

  [[nodiscard]] std::span<const double> row(std::uint64_t t) const {
    return std::span(table_.costs).subspan((t - 1) * table_.columns, table_.columns);
  }

  Table table_;
  std::string spec_;
  Vector zero_ = Vector(table_.columns, 0.0);
  LossBounds bounds_;
};

}  // namespace

std::unique_ptr<Problem> linear(SetPtr set, const std::string& file) {
  base::require(set != nullptr, "linear needs a set to play on");
  std::string spec = "linear(" + set->spec() + ", file=\"" + file + "\")";
  return std::make_unique<LoggedCosts>(std::move(set), read_costs(file), std::move(spec));
}

std::unique_ptr<Problem> replay(const std::string& file, SetPtr set) {
  Table table = read_costs(file);
  std::string spec = "replay(\"" + file + "\"" + (set == nullptr ? "" : ", " + set->spec()) + ")";
  if (set == nullptr) {
    if (table.columns < 2) {
      throw InputError(file + ": a single alternative leaves nothing to choose");
    }
    set = simplex(table.columns);
  }
  return std::make_unique<LoggedCosts>(std::move(set), std::move(table), std::move(spec));
}

}  // namespace keyhole::problems
