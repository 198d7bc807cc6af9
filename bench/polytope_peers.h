// CLP and GLPK on {0 <= x <= 1, A x <= 1}, each warm from the basis where its last call ended, as
// fast as they can be had.

#pragma once

#include <glpk.h>

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace keyhole::bench {

class Clp {
 public:
  Clp(const std::vector<double>& dense, std::size_t rows, std::size_t n) {
    std::vector<int> row_of;
    std::vector<int> column_of;
    for (std::size_t i = 0; i < dense.size(); ++i) {
      row_of.push_back(static_cast<int>(i / n));
      column_of.push_back(static_cast<int>(i % n));
    }
    const CoinPackedMatrix matrix(true, row_of.data(), column_of.data(), dense.data(),
                                  static_cast<CoinBigIndex>(dense.size()));
    const std::vector<double> zero(n, 0.0);
    const std::vector<double> one(std::max(n, rows), 1.0);
    const std::vector<double> none(rows, -COIN_DBL_MAX);
    model_.setLogLevel(0);
    model_.setPerturbation(100);
    model_.scaling(0);
    model_.loadProblem(matrix, zero.data(), one.data(), zero.data(), none.data(), one.data());
    model_.primal();
  }
  // Keeps the factorisation, too.
  double minimum(std::span<const double> c) {
    std::copy(c.begin(), c.end(), model_.objective());
    model_.primal(0, 7);
    iterations_ += static_cast<std::size_t>(model_.numberIterations());
    return model_.objectiveValue();
  }
  [[nodiscard]] std::size_t iterations() const { return iterations_; }

 private:
  ClpSimplex model_;
  std::size_t iterations_ = 0;
};

class Glpk {
 public:
  Glpk(const std::vector<double>& dense, std::size_t rows, std::size_t n)
      : problem_(glp_create_prob()), rows_(static_cast<int>(rows)) {
    glp_add_rows(problem_, rows_);
    glp_add_cols(problem_, static_cast<int>(n));
    for (int i = 1; i <= rows_; ++i) glp_set_row_bnds(problem_, i, GLP_UP, 0, 1);
    std::vector<int> index(rows + 1);
    std::vector<double> value(rows + 1);
    for (std::size_t j = 0; j < n; ++j) {
      glp_set_col_bnds(problem_, static_cast<int>(j) + 1, GLP_DB, 0, 1);
      for (std::size_t i = 0; i < rows; ++i) {
        index[i + 1] = static_cast<int>(i) + 1;
        value[i + 1] = dense[i * n + j];
      }
      glp_set_mat_col(problem_, static_cast<int>(j) + 1, rows_, index.data(), value.data());
    }
    glp_init_smcp(&settings_);
    settings_.msg_lev = GLP_MSG_OFF;
    settings_.meth = GLP_PRIMAL;
    glp_std_basis(problem_);
  }
  Glpk(const Glpk&) = delete;
  Glpk& operator=(const Glpk&) = delete;
  ~Glpk() { glp_delete_prob(problem_); }

  double minimum(std::span<const double> c) {
    // Its tolerances are absolute: as the other two, it is given costs of about 1.
    double largest = 0;
    for (const double value : c) largest = std::max(largest, std::abs(value));
    if (largest == 0) largest = 1;
    for (std::size_t j = 0; j < c.size(); ++j) {
      glp_set_obj_coef(problem_, static_cast<int>(j) + 1, c[j] / largest);
    }
    glp_simplex(problem_, &settings_);
    return glp_get_obj_val(problem_) * largest;
  }
  [[nodiscard]] std::size_t iterations() const {
    return static_cast<std::size_t>(glp_get_it_cnt(problem_));
  }

 private:
  glp_prob* problem_;
  int rows_;
  glp_smcp settings_{};
};

}  // namespace keyhole::bench
