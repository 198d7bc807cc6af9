#include "math/programs/sparse_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyhole::math {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double threshold = 0.1;
constexpr std::size_t lines_to_search = 4;

}  // namespace

void SparseElimination::Queue::reset(std::size_t k) {
  first.assign(k + 1, none);
  next.assign(k, none);
  previous.assign(k, none);
}

void SparseElimination::Queue::insert(std::size_t line, std::size_t count) {
  next[line] = first[count];
  previous[line] = none;
  if (first[count] != none) previous[first[count]] = line;
  first[count] = line;
}

void SparseElimination::Queue::remove(std::size_t line, std::size_t count) {
  (previous[line] == none ? first[count] : next[previous[line]]) = next[line];
  if (next[line] != none) previous[next[line]] = previous[line];
}

void SparseElimination::reset(std::size_t k) {
  k_ = k;
  if (rows_.size() < k) {
    rows_.resize(k);
    columns_.resize(k);
  }
  for (std::size_t i = 0; i < k; ++i) {
    rows_[i].clear();
    columns_[i].clear();
  }
  place_.assign(k, 0);
  work_.assign(k, 0.0);
  pivots_.clear();
  steps_.clear();
}

void SparseElimination::add(std::size_t row, std::size_t column, double value) {
  rows_[row].push_back({column, value});
  columns_[column].push_back(row);
}

/// The highest numbers first, so that the lowest come out first.
void SparseElimination::fill_queues() {
  by_row_.reset(k_);
  by_column_.reset(k_);
  for (std::size_t i = k_; i-- > 0;) {
    by_row_.insert(i, rows_[i].size());
    by_column_.insert(i, columns_[i].size());
  }
}

double SparseElimination::largest_in(std::size_t row) const {
  double largest = 0;
  for (const Entry& entry : rows_[row]) largest = std::max(largest, std::abs(entry.value));
  return largest;
}

void SparseElimination::consider(std::size_t row, std::size_t column, Pivot& best,
                                 std::size_t& cost) const {
  const std::size_t of_this = (rows_[row].size() - 1) * (columns_[column].size() - 1);
  if (of_this >= cost) return;
  const auto entry = std::find_if(rows_[row].begin(), rows_[row].end(),
                                  [&](const Entry& e) { return e.column == column; });
  // Nothing is eliminated by the only entry of its column, so it may be small.
  const bool alone = columns_[column].size() == 1;
  if (!alone && std::abs(entry->value) < threshold * largest_in(row)) return;
  best = {row, column, entry->value};
  cost = of_this;
}

/// False if a row or a column is empty: the matrix is singular.
bool SparseElimination::choose(Pivot& best) {
  if (by_row_.first[0] != none || by_column_.first[0] != none) return false;
  std::size_t cost = none;
  std::size_t searched = 0;
  for (std::size_t count = 1; count <= k_; ++count) {
    for (std::size_t j = by_column_.first[count]; j != none; j = by_column_.next[j]) {
      for (const std::size_t i : columns_[j]) consider(i, j, best, cost);
      if (cost != none && (++searched >= lines_to_search || cost == 0)) return true;
    }
    for (std::size_t i = by_row_.first[count]; i != none; i = by_row_.next[i]) {
      for (const Entry& entry : rows_[i]) consider(i, entry.column, best, cost);
      if (cost != none && (++searched >= lines_to_search || cost == 0)) return true;
    }
    if (cost <= count * count) return true;  // the next lines have nothing better
  }
  return cost != none;
}

/// Row `to` loses the multiple of the pivot's row that clears the pivot's column.
void SparseElimination::subtract(std::size_t to, const Pivot& pivot) {
  std::vector<Entry>& row = rows_[to];
  const auto own = std::find_if(row.begin(), row.end(),
                                [&](const Entry& entry) { return entry.column == pivot.column; });
  const double weight = own->value / pivot.value;
  *own = row.back();
  row.pop_back();
  steps_.push_back({to, pivot.row, weight});
  for (std::size_t p = 0; p < row.size(); ++p) place_[row[p].column] = p + 1;
  const std::size_t before = row.size();
  for (const Entry& entry : rows_[pivot.row]) {
    if (entry.column == pivot.column) continue;
    const std::size_t place = place_[entry.column];
    if (place > 0) {
      row[place - 1].value -= weight * entry.value;
    } else {
      row.push_back({entry.column, -weight * entry.value});
      columns_[entry.column].push_back(to);
    }
  }
  for (std::size_t p = 0; p < before; ++p) place_[row[p].column] = 0;
}

void SparseElimination::eliminate(const Pivot& pivot) {
  by_row_.remove(pivot.row, rows_[pivot.row].size());
  by_column_.remove(pivot.column, columns_[pivot.column].size());
  for (const Entry& entry : rows_[pivot.row]) {
    if (entry.column == pivot.column) continue;
    std::vector<std::size_t>& column = columns_[entry.column];
    by_column_.remove(entry.column, column.size());
    *std::find(column.begin(), column.end(), pivot.row) = column.back();
    column.pop_back();
  }
  for (const std::size_t i : columns_[pivot.column]) {
    if (i == pivot.row) continue;
    by_row_.remove(i, rows_[i].size());
    subtract(i, pivot);
    by_row_.insert(i, rows_[i].size());
  }
  for (const Entry& entry : rows_[pivot.row]) {
    if (entry.column != pivot.column) {
      by_column_.insert(entry.column, columns_[entry.column].size());
    }
  }
  columns_[pivot.column].clear();
}

bool SparseElimination::factorise(double smallest) {
  fill_queues();
  for (std::size_t step = 0; step < k_; ++step) {
    Pivot pivot{};
    if (!choose(pivot) || !(std::abs(pivot.value) >= smallest)) return false;
    eliminate(pivot);
    pivots_.push_back(pivot);
  }
  return true;
}

void SparseElimination::solve(std::span<double> x) {
  for (const Step& step : steps_) x[step.to] -= step.weight * x[step.from];
  for (std::size_t p = k_; p-- > 0;) {
    const Pivot& pivot = pivots_[p];
    double sum = x[pivot.row];
    for (const Entry& entry : rows_[pivot.row]) {
      if (entry.column != pivot.column) sum -= entry.value * work_[entry.column];
    }
    work_[pivot.column] = sum / pivot.value;
  }
  std::copy_n(work_.begin(), k_, x.begin());
}

void SparseElimination::solve_transposed(std::span<double> x) {
  for (const Pivot& pivot : pivots_) {
    const double of_row = x[pivot.column] / pivot.value;
    work_[pivot.row] = of_row;
    for (const Entry& entry : rows_[pivot.row]) {
      if (entry.column != pivot.column) x[entry.column] -= entry.value * of_row;
    }
  }
  for (std::size_t s = steps_.size(); s-- > 0;) {
    work_[steps_[s].from] -= steps_[s].weight * work_[steps_[s].to];
  }
  std::copy_n(work_.begin(), k_, x.begin());
}

}  // namespace keyhole::math
