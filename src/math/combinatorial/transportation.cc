#include "math/combinatorial/transportation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"

namespace keyhole::math {

Transportation::Transportation(std::vector<double> of_rows, std::vector<double> of_columns)
    : m_(of_rows.size()),
      n_(of_columns.size()),
      a_(std::move(of_rows)),
      b_(std::move(of_columns)),
      more_(4e-14 * sum(a_)),
      left_(m_ + n_),
      cells_(m_ + n_ - 1),
      flows_(m_ + n_ - 1),
      potential_(m_ + n_),
      parent_(m_ + n_),
      depth_(m_ + n_),
      order_(m_ + n_),
      first_(m_ + n_ + 1),
      edges_(2 * (m_ + n_ - 1)) {}

bool Transportation::minimise(std::span<const double> costs) {
  // Reduced costs are sums of costs along the tree: below this they are roundings.
  const double tolerance = 1e-13 * largest_magnitude(costs);
  const std::size_t most = 1000 + 100 * m_ * n_;
  start(costs);
  bool optimal = false;
  for (std::size_t step = 0; step < most && !optimal; ++step) {
    grow_tree(costs);
    const std::size_t cell = entering(costs, tolerance);
    optimal = cell == m_ * n_;
    if (!optimal) replace(cell);
  }
  find_flows();
  return optimal;
}

// Row after row sends to its cheapest column that needs more; each cell finishes a row or a column.
void Transportation::start(std::span<const double> costs) {
  for (std::size_t i = 0; i < m_; ++i) left_[i] = a_[i] + more_;
  for (std::size_t j = 0; j < n_; ++j) left_[m_ + j] = b_[j];
  left_[m_ + n_ - 1] += static_cast<double>(m_) * more_;
  // depth_ of a column is 0 while it needs more.
  std::fill(depth_.begin(), depth_.end(), std::size_t{0});
  std::size_t open = n_;
  std::size_t row = 0;
  for (std::size_t edge = 0; edge < cells_.size(); ++edge) {
    std::size_t best = n_;
    for (std::size_t j = 0; j < n_; ++j) {
      if (depth_[m_ + j] != 0) continue;
      if (best == n_ || costs[row * n_ + j] < costs[row * n_ + best]) best = j;
    }
    const std::size_t column = m_ + best;
    const bool last_row = row + 1 == m_;
    const bool finishes_column = last_row || (open > 1 && left_[column] < left_[row]);
    const double flow = std::max(finishes_column ? left_[column] : left_[row], 0.0);
    cells_[edge] = row * n_ + best;
    flows_[edge] = flow;
    left_[row] -= flow;
    left_[column] -= flow;
    if (finishes_column) {
      depth_[column] = 1;
      --open;
    } else {
      ++row;
    }
  }
}

// Parents, depths and the potentials u_i + v_j = c_ij of the tree, from row 0 on.
void Transportation::grow_tree(std::span<const double> costs) {
  std::fill(first_.begin(), first_.end(), std::size_t{0});
  for (std::size_t edge = 0; edge < cells_.size(); ++edge) {
    ++first_[row_of(edge) + 1];
    ++first_[column_of(edge) + 1];
  }
  for (std::size_t v = 0; v < nodes(); ++v) first_[v + 1] += first_[v];
  for (std::size_t edge = cells_.size(); edge-- > 0;) {
    // From the back, each node's end moves down to its first.
    edges_[--first_[row_of(edge) + 1]] = edge;
    edges_[--first_[column_of(edge) + 1]] = edge;
  }
  // Now first_[v + 1] is where the edges of v begin.
  const auto begin_of = [&](std::size_t v) { return first_[v + 1]; };
  const auto end_of = [&](std::size_t v) {
    return v + 1 < nodes() ? first_[v + 2] : edges_.size();
  };
  std::size_t found = 1;
  order_[0] = 0;
  depth_[0] = 0;
  potential_[0] = 0;
  parent_[0] = cells_.size();
  for (std::size_t k = 0; k < found; ++k) {
    const std::size_t v = order_[k];
    for (std::size_t e = begin_of(v); e < end_of(v); ++e) {
      const std::size_t edge = edges_[e];
      if (edge == parent_[v]) continue;
      const std::size_t other = row_of(edge) == v ? column_of(edge) : row_of(edge);
      parent_[other] = edge;
      depth_[other] = depth_[v] + 1;
      potential_[other] = costs[cells_[edge]] - potential_[v];
      order_[found++] = other;
    }
  }
}

std::size_t Transportation::entering(std::span<const double> costs, double tolerance) const {
  std::size_t best = m_ * n_;
  double least = -tolerance;
  for (std::size_t i = 0; i < m_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      const double reduced = (costs[i * n_ + j] - potential_[i]) - potential_[m_ + j];
      if (!(reduced < least)) continue;
      least = reduced;
      best = i * n_ + j;
    }
  }
  return best;
}

// The cell closes a cycle with the tree. Along it every other edge gives what the cell takes,
// beginning with those next to the cell; the first that is empty leaves.
void Transportation::replace(std::size_t cell) {
  const auto for_each_edge = [&](const auto& visit) {
    std::size_t from_row = cell / n_;
    std::size_t from_column = m_ + cell % n_;
    bool row_gives = true;
    bool column_gives = true;
    while (from_row != from_column) {
      const bool climb_row = depth_[from_row] >= depth_[from_column];
      std::size_t& v = climb_row ? from_row : from_column;
      bool& gives = climb_row ? row_gives : column_gives;
      const std::size_t edge = parent_[v];
      visit(edge, gives);
      gives = !gives;
      v = row_of(edge) == v ? column_of(edge) : row_of(edge);
    }
  };
  std::size_t leaving = cells_.size();
  for_each_edge([&](std::size_t edge, bool gives) {
    if (!gives) return;
    const bool less = leaving == cells_.size() || flows_[edge] < flows_[leaving] ||
                      (flows_[edge] == flows_[leaving] && cells_[edge] < cells_[leaving]);
    if (less) leaving = edge;
  });
  const double flow = flows_[leaving];
  for_each_edge([&](std::size_t edge, bool gives) { flows_[edge] += gives ? -flow : flow; });
  cells_[leaving] = cell;
  flows_[leaving] = flow;
}

// What each node still has when its children are served goes through the edge to its parent.
void Transportation::find_flows() {
  std::copy(a_.begin(), a_.end(), left_.begin());
  std::copy(b_.begin(), b_.end(), left_.begin() + static_cast<std::ptrdiff_t>(m_));
  for (std::size_t k = nodes(); k-- > 1;) {
    const std::size_t v = order_[k];
    const std::size_t edge = parent_[v];
    const std::size_t other = row_of(edge) == v ? column_of(edge) : row_of(edge);
    flows_[edge] = std::max(left_[v], 0.0);
    left_[other] -= flows_[edge];
  }
}

}  // namespace keyhole::math
