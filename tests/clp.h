#pragma once

// Linear programs by CLP, to compare with.

#include <coin/Clp_C_Interface.h>

#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "math/bounded_simplex.h"

namespace keyhole::tests {

/// min <c, x> over the constraints, by CLP with the tightest tolerances it takes.
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
    const std::vector<double> zero(n, 0.0);
    Clp_setLogLevel(model_.get(), 0);
    Clp_loadProblem(model_.get(), static_cast<int>(n), static_cast<int>(m), starts.data(),
                    index.data(), value.data(), constraints.lower.data(), constraints.upper.data(),
                    zero.data(), row_lower.data(), constraints.right.data());
    Clp_setPrimalTolerance(model_.get(), 1e-10);
    Clp_setDualTolerance(model_.get(), 1e-10);
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
  struct Delete {
    void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
  };
  std::unique_ptr<Clp_Simplex, Delete> model_;
};

}  // namespace keyhole::tests
