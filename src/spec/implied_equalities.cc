#include "spec/implied_equalities.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "math/programs/sparse_program.h"

namespace keyhole::spec {
namespace {

using math::SparseConstraints;

/// <numbers, x> <= right, of a row or a column; the numbers have norm 1.
struct Side {
  std::vector<std::pair<std::size_t, double>> numbers;
  double right = 0;
  bool of_row = false;
  std::size_t index = 0;
  bool upper = false;

  [[nodiscard]] double room(std::span<const double> x) const {
    double left = right;
    for (const auto& [j, value] : numbers) left -= value * x[j];
    return left;
  }
};

class Sides {
 public:
  explicit Sides(const LinearModel& model) : n_(model.columns.size()) {
    std::vector<std::vector<std::pair<std::size_t, double>>> rows(model.rows.size());
    for (const MatrixEntry& entry : model.entries) {
      if (entry.value != 0) rows[entry.row].emplace_back(entry.column, entry.value);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].empty()) continue;
      std::sort(rows[i].begin(), rows[i].end());
      add(rows[i], model.rows[i].lower, model.rows[i].upper, true, i);
    }
    for (std::size_t j = 0; j < n_; ++j) {
      add({{j, 1.0}}, model.columns[j].lower, model.columns[j].upper, false, j);
    }
  }

  [[nodiscard]] std::size_t columns() const { return n_; }
  [[nodiscard]] const std::vector<Side>& all() const { return sides_; }
  /// As large as the numbers on the right.
  [[nodiscard]] double length() const { return length_; }

  [[nodiscard]] std::shared_ptr<const SparseConstraints> constraints() const {
    auto k = std::make_shared<SparseConstraints>();
    k->columns = n_;
    k->lower.assign(n_, -without_bound);
    k->upper.assign(n_, without_bound);
    for (const Side& side : sides_) {
      if (side.of_row) {
        append(*k, side);
        continue;
      }
      const double sign = side.numbers.front().second;
      (sign > 0 ? k->upper : k->lower)[side.index] = sign * side.right;
    }
    k->inequalities = k->right.size();
    for (const Side& equality : equalities_) append(*k, equality);
    return k;
  }

 private:
  void add(std::vector<std::pair<std::size_t, double>> numbers, double lower, double upper,
           bool of_row, std::size_t index) {
    double square = 0;
    for (const auto& [j, value] : numbers) square += value * value;
    const double norm = of_row ? std::sqrt(square) : 1;
    for (auto& [j, value] : numbers) value /= norm;
    const Side side{std::move(numbers), upper / norm, of_row, index, true};
    for (const double right : {lower, upper}) {
      if (std::isfinite(right)) length_ = std::max(length_, std::abs(right) / norm);
    }
    if (lower == upper) {
      equalities_.push_back(side);
      return;
    }
    if (std::isfinite(upper)) sides_.push_back(side);
    if (!std::isfinite(lower)) return;
    sides_.push_back(side);
    sides_.back().upper = false;
    sides_.back().right = -lower / norm;
    for (auto& [j, value] : sides_.back().numbers) value = -value;
  }

  static void append(SparseConstraints& k, const Side& side) {
    for (const auto& [j, value] : side.numbers) {
      k.indices.push_back(j);
      k.values.push_back(value);
    }
    k.starts.push_back(k.indices.size());
    k.right.push_back(side.right);
  }

  std::size_t n_;
  double length_ = 0;
  std::vector<Side> sides_;
  std::vector<Side> equalities_;
};

/// Those without room anywhere.
std::vector<Side> tight_sides(const Sides& sides) {
  const double nothing = 1e-9 * sides.length();
  math::SparseProgram program(sides.constraints(), sides.length());
  std::vector<bool> has_room(sides.all().size(), false);
  std::vector<Side> tight;
  for (std::size_t s = 0; s < has_room.size(); ++s) {
    if (has_room[s]) continue;
    const Side& side = sides.all()[s];
    std::vector<double> c(sides.columns(), 0.0);
    for (const auto& [j, value] : side.numbers) c[j] = value;
    if (program.minimise(c) != math::LinearResult::optimal) return {};
    for (std::size_t other = s; other < has_room.size(); ++other) {
      has_room[other] = has_room[other] || sides.all()[other].room(program.x()) > nothing;
    }
    if (!has_room[s]) tight.push_back(side);
  }
  return tight;
}

}  // namespace

bool write_implied_equalities(LinearModel& model) {
  if (!math::has_sparse_programs()) return false;
  const Sides sides(model);
  const std::vector<Side> tight = tight_sides(sides);
  for (const Side& side : tight) {
    const auto fix = [&](auto& of) {
      (side.upper ? of.lower : of.upper) = side.upper ? of.upper : of.lower;
    };
    if (side.of_row) {
      fix(model.rows[side.index]);
    } else {
      fix(model.columns[side.index]);
    }
  }
  return !tight.empty();
}

}  // namespace keyhole::spec
