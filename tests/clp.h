#pragma once

// Linear programs by CLP, to compare with; nothing where the library is built without it.

#ifdef KEYHOLE_WITH_CLP

#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "keyhole/polytope.h"
#include "math/programs/bounded_simplex.h"

namespace keyhole::tests {

/// min <c, x> over the constraints, by CLP's primal method with the tightest tolerances it takes,
/// each from the basis where the last one ended.
class Clp {
 public:
  explicit Clp(const math::LinearConstraints& constraints) : model_(Clp_newModel()) {
    const std::size_t n = constraints.columns;
    const std::size_t m = constraints.right.size();
    std::vector<CoinBigIndex> starts = {0};
    std::vector<int> index;
    std::vector<double> value;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        index.push_back(static_cast<int>(i));
        value.push_back(constraints.row(i)[j]);
      }
      starts.push_back(static_cast<CoinBigIndex>(index.size()));
    }
    std::vector<double> row_lower = constraints.right;
    for (std::size_t i = 0; i < constraints.inequalities; ++i) {
      row_lower[i] = -std::numeric_limits<double>::infinity();
    }
    load(n, m, starts, index, value, constraints.lower, constraints.upper, row_lower,
         constraints.right);
  }

  /// Of a polytope as it was given: {lower <= x <= upper, A x <= b} with single entries only.
  explicit Clp(const PolytopeConstraints& given) : model_(Clp_newModel()) {
    std::vector<std::vector<std::pair<int, double>>> columns(given.n);
    for (const MatrixEntry& entry : given.inequalities.sparse) {
      columns[entry.column].emplace_back(static_cast<int>(entry.row), entry.value);
    }
    std::vector<CoinBigIndex> starts = {0};
    std::vector<int> index;
    std::vector<double> value;
    for (auto& column : columns) {
      std::sort(column.begin(), column.end());
      for (std::size_t e = 0; e < column.size(); ++e) {
        if (e > 0 && column[e].first == column[e - 1].first) {
          value.back() += column[e].second;
        } else {
          index.push_back(column[e].first);
          value.push_back(column[e].second);
        }
      }
      starts.push_back(static_cast<CoinBigIndex>(index.size()));
    }
    const std::vector<double>& right = given.inequalities.right;
    const std::vector<double> none(right.size(), -std::numeric_limits<double>::infinity());
    load(given.n, right.size(), starts, index, value, given.lower, given.upper, none, right);
  }

  /// The least value; plus infinity if there is no point, minus infinity if there is no least.
  double minimum(std::span<const double> c) {
    Clp_chgObjCoefficients(model_.get(), c.data());
    Clp_primal(model_.get(), 0);
    switch (Clp_status(model_.get())) {
      case 0:
        return Clp_objectiveValue(model_.get());
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -std::numeric_limits<double>::infinity();
      default:
        throw std::runtime_error("CLP gave up");
    }
  }

 private:
  using Vector = std::vector<double>;
  void load(std::size_t n, std::size_t m, const std::vector<CoinBigIndex>& starts,
            const std::vector<int>& index, const Vector& value, const Vector& lower,
            const Vector& upper, const Vector& row_lower, const Vector& row_upper) {
    const Vector zero(n, 0.0);
    Clp_setLogLevel(model_.get(), 0);
    Clp_loadProblem(model_.get(), static_cast<int>(n), static_cast<int>(m), starts.data(),
                    index.data(), value.data(), lower.data(), upper.data(), zero.data(),
                    row_lower.data(), row_upper.data());
    Clp_setPrimalTolerance(model_.get(), 1e-10);
    Clp_setDualTolerance(model_.get(), 1e-10);
  }

  struct Delete {
    void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
  };
  std::unique_ptr<Clp_Simplex, Delete> model_;
};

}  // namespace keyhole::tests

#endif
