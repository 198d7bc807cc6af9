#include "spec/hidden_equalities.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace keyhole::spec {
namespace {

/// The numbers of a row by their columns.
using Numbers = std::vector<std::pair<std::size_t, double>>;

std::vector<Numbers> numbers_of_rows(const LinearModel& model) {
  std::vector<Numbers> result(model.rows.size());
  for (const MatrixEntry& entry : model.entries) {
    result[entry.row].emplace_back(entry.column, entry.value);
  }
  for (Numbers& numbers : result) std::sort(numbers.begin(), numbers.end());
  return result;
}

/// Narrows the first of rows with the same numbers, and asks nothing of the others.
void join_rows(LinearModel& model, const std::vector<Numbers>& numbers) {
  std::map<Numbers, std::size_t> first_of;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].empty()) continue;
    Numbers key = numbers[i];
    const double sign = key.front().second < 0 ? -1 : 1;
    for (auto& [column, value] : key) value *= sign;
    const auto [found, is_new] = first_of.emplace(std::move(key), i);
    if (is_new) continue;
    LinearModel::Row& first = model.rows[found->second];
    LinearModel::Row& row = model.rows[i];
    const bool same = numbers[found->second].front().second * numbers[i].front().second > 0;
    const double lower = std::max(first.lower, same ? row.lower : -row.upper);
    const double upper = std::min(first.upper, same ? row.upper : -row.lower);
    if (!(lower <= upper)) continue;
    if (lower == upper && first.lower != first.upper) {
      first.name += "' with '" + row.name;
    }
    first.lower = lower;
    first.upper = upper;
    row.lower = -without_bound;
    row.upper = without_bound;
  }
}

/// Whether the row, times sign, is at its upper bound where each of its columns makes it least; if
/// so fixes them there.
bool fix_columns(LinearModel& model, const Numbers& numbers, double right, double sign) {
  double least = 0;
  bool has_choice = false;
  for (const auto& [j, value] : numbers) {
    const LinearModel::Column& column = model.columns[j];
    least += sign * value * (sign * value > 0 ? column.lower : column.upper);
    has_choice = has_choice || (value != 0 && column.lower < column.upper);
  }
  if (!has_choice || least != right) return false;
  for (const auto& [j, value] : numbers) {
    LinearModel::Column& column = model.columns[j];
    if (value == 0) continue;
    (sign * value > 0 ? column.upper : column.lower) =
        sign * value > 0 ? column.lower : column.upper;
  }
  return true;
}

}  // namespace

void write_hidden_equalities(LinearModel& model) {
  const std::vector<Numbers> numbers = numbers_of_rows(model);
  join_rows(model, numbers);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      LinearModel::Row& row = model.rows[i];
      if (fix_columns(model, numbers[i], row.upper, 1) ||
          fix_columns(model, numbers[i], -row.lower, -1)) {
        row.lower = -without_bound;
        row.upper = without_bound;
        changed = true;
      }
    }
  }
}

}  // namespace keyhole::spec
