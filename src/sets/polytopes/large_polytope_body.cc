#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "math/programs/sparse_program.h"
#include "math/sums.h"
#include "sets/polytopes/polytope.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using math::LinearResult;
using math::SparseConstraints;
using math::SparseProgram;
using math::SparseRow;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// What one row says about each of its coordinates, given a box for the others:
/// sign a_j x_j <= sign right - sum over k != j of min(sign a_k x_k).
void tighten_by_row(const SparseRow& row, double sign, double right, Vector& low, Vector& high) {
  constexpr double roundings = 1e-13;
  double least = 0;
  double size = std::abs(right);
  std::size_t infinite = none;
  for (std::size_t e = 0; e < row.values.size(); ++e) {
    const double a = sign * row.values[e];
    const double term = a * (a > 0 ? low : high)[row.columns[e]];
    if (std::isfinite(term)) {
      least += term;
      size += std::abs(term);
    } else if (infinite == none) {
      infinite = e;
    } else {
      return;  // two coordinates without a bound: neither gets one here
    }
  }
  for (std::size_t e = 0; e < row.values.size(); ++e) {
    if (infinite != none && infinite != e) continue;
    const std::size_t j = row.columns[e];
    const double a = sign * row.values[e];
    const double own = infinite == e ? 0 : a * (a > 0 ? low : high)[j];
    const double bound = (sign * right - (least - own)) / a;
    const double off = roundings * static_cast<double>(row.values.size()) * size / std::abs(a);
    if (a > 0) {
      high[j] = std::min(high[j], bound + off);
    } else {
      low[j] = std::max(low[j], bound - off);
    }
  }
}

/// What all rows say, one after the other, a few times over.
void tighten(const SparseConstraints& k, Vector& low, Vector& high) {
  constexpr int passes = 3;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < k.right.size(); ++i) {
      tighten_by_row(k.row(i), 1, k.right[i], low, high);
      if (i >= k.inequalities) tighten_by_row(k.row(i), -1, k.right[i], low, high);
    }
  }
}

/// ||a||^2 - ||Q a||^2 within the hull; computed again where little is left.
double norm_within(const HullNormals& normals, const SparseRow& row) {
  const double whole = math::squared_norm(row.values);
  double left = whole;
  for (std::size_t q = 0; q < normals.right.size(); ++q) {
    const double along = row.dot(normals.row(q));
    left -= along * along;
  }
  constexpr double few_digits = 1e-4;
  return left > few_digits * whole ? std::sqrt(left) : normals.norm_within(row);
}

/// max r subject to <a_i, x> + ||a_i|| r <= b_i for the rows and the bounds, the norms taken within
/// the hull; in the variables s >= 0 and r, x_j = l_j + ||e_j|| r + s_j, so that only coordinates
/// with two bounds need a row for it (those with an upper one only are mirrored, and those with
/// none are x_j = s_j).
class BallProgram {
 public:
  BallProgram(const SparseConstraints& k, const PolytopeShape& shape)
      : k_(k), shape_(shape), n_(k.columns), ball_(std::make_shared<SparseConstraints>()) {
    ball_->columns = n_ + 1;
    for (std::size_t i = 0; i < k.inequalities; ++i) append_row(i, shape.norms_within[i]);
    double widest = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      const double width = k.upper[j] - k.lower[j];
      widest = std::max(widest, width < infinity ? width : shape.high[j] - shape.low[j]);
      const bool is_free = k.lower[j] == -infinity && k.upper[j] == infinity;
      ball_->lower.push_back(is_free ? -infinity : 0);
      ball_->upper.push_back(width);
      const double norm = norm_of(j);
      if (!(width < infinity) || norm == 0) continue;
      append(j, 1);
      append(n_, 2 * norm);
      end_row(width, j);
    }
    ball_->inequalities = ball_->right.size();
    for (std::size_t i = k.inequalities; i < k.right.size(); ++i) append_row(i, 0);
    ball_->lower.push_back(0);
    ball_->upper.push_back(2 * widest);
    length_ = widest;
  }

  /// None if rounding prevents it.
  std::optional<PolytopeBall> solve() {
    SparseProgram program(ball_, length_);
    Vector c(n_ + 1, 0.0);
    c[n_] = -1;
    if (program.minimise(c) != LinearResult::optimal) return std::nullopt;
    const double r = program.x()[n_];
    PolytopeBall found{.centre = Vector(n_)};
    Vector reduced = c;
    for (std::size_t i = 0; i < origin_.size(); ++i) {
      const double y = program.multipliers()[i];
      ball_->row(i).add_to(reduced, -y);
      if (i < ball_->inequalities && y < -1e-9) found.holding.push_back(origin_[i]);
    }
    for (std::size_t j = 0; j < n_; ++j) {
      found.centre[j] = base(j) + side(j) * (offset(j) * r + program.x()[j]);
      if (offset(j) > 0 && reduced[j] > 1e-9) found.holding.push_back(j);
    }
    return found;
  }

 private:
  [[nodiscard]] double norm_of(std::size_t j) const {
    return shape_.norms_within[k_.inequalities + j];
  }
  [[nodiscard]] double base(std::size_t j) const {
    return k_.lower[j] > -infinity ? k_.lower[j] : k_.upper[j] < infinity ? k_.upper[j] : 0;
  }
  [[nodiscard]] double side(std::size_t j) const {
    return k_.lower[j] == -infinity && k_.upper[j] < infinity ? -1 : 1;
  }
  [[nodiscard]] double offset(std::size_t j) const {
    return k_.lower[j] == -infinity && k_.upper[j] == infinity ? 0 : norm_of(j);
  }

  void append(std::size_t column, double value) {
    if (value == 0) return;
    ball_->indices.push_back(column);
    ball_->values.push_back(value);
  }
  void end_row(double right, std::size_t origin) {
    ball_->starts.push_back(ball_->indices.size());
    ball_->right.push_back(right);
    origin_.push_back(origin);
  }
  void append_row(std::size_t i, double norm) {
    const SparseRow row = k_.row(i);
    double right = k_.right[i];
    for (std::size_t e = 0; e < row.values.size(); ++e) {
      const std::size_t j = row.columns[e];
      append(j, side(j) * row.values[e]);
      norm += side(j) * row.values[e] * offset(j);
      right -= row.values[e] * base(j);
    }
    append(n_, norm);
    end_row(right, n_ + i);
  }

  const SparseConstraints& k_;
  const PolytopeShape& shape_;
  std::size_t n_;
  std::shared_ptr<SparseConstraints> ball_;
  std::vector<std::size_t> origin_;
  double length_ = 1;
};

}  // namespace

SparseBody make_large_polytope_body(const PolytopeConstraints& given) {
  math::require_sparse_programs();
  const PolytopeReader reader(given);
  SparseBody body(reader.constraints, reader.normals, norm_within);
  const SparseConstraints& k = *body.constraints;
  PolytopeShape& shape = body.shape;
  shape.low = k.lower;
  shape.high = k.upper;
  tighten(k, shape.low, shape.high);

  SparseProgram program(body.constraints, shape.length());
  const LinearResult result = program.minimise(Vector(k.columns, 0.0));
  reader.require_feasible(result, program.culprits());
  // The rows are asked again after each end that takes a linear program.
  const double margin = 1e-9 * shape.length();
  body.find_box(program, [&](double& end, double sign) {
    end -= sign * margin;
    tighten(k, shape.low, shape.high);
  });
  // The box is off by the roundings of the bounds it came from.
  body.take_centre(BallProgram(k, shape).solve(), reader, 1e-11 * largest_finite(k.lower, k.upper));
  return body;
}

}  // namespace keyhole::sets
