#pragma once

// Extreme pairs by other hands: Spectra's Lanczos method and LAPACK's direct ones. They are asked
// for the same as the library's oracles: one pair, Spectra to a residual, LAPACK to rounding.

#include <Spectra/SymEigsSolver.h>
#include <Spectra/contrib/PartialSVDSolver.h>

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

extern "C" {
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a,
             const int* lda, const double* vl, const double* vu, const int* il, const int* iu,
             const double* abstol, int* m, double* w, double* z, const int* ldz, int* isuppz,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dgesvdx_(const char* jobu, const char* jobvt, const char* range, const int* m, const int* n,
              double* a, const int* lda, const double* vl, const double* vu, const int* il,
              const int* iu, int* ns, double* s, double* u, const int* ldu, double* vt,
              const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
char* openblas_get_config();
}

namespace keyhole::bench {

/// Vectors in Spectra's basis: as many as made it fastest here.
inline int krylov_size(Eigen::Index n) { return n <= 20 ? 15 : n <= 200 ? 40 : 60; }

inline double spectra_smallest(const Eigen::MatrixXd& a, double residual) {
  Spectra::DenseSymMatProd<double> product(a);
  Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> solver(product, 1,
                                                                  krylov_size(a.rows()));
  solver.init();
  solver.compute(Spectra::SortRule::SmallestAlge, 1000, residual);
  const Eigen::VectorXd v = solver.eigenvectors().col(0);
  return solver.eigenvalues()[0] + 0 * v[0];
}

inline double spectra_largest_in_magnitude(const Eigen::MatrixXd& a, double residual) {
  Spectra::DenseSymMatProd<double> product(a);
  Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> solver(product, 1,
                                                                  krylov_size(a.rows()));
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, residual);
  const Eigen::VectorXd v = solver.eigenvectors().col(0);
  return solver.eigenvalues()[0] + 0 * v[0];
}

inline double spectra_top(const Eigen::MatrixXd& a, double residual) {
  Spectra::PartialSVDSolver<Eigen::MatrixXd> solver(a, 1, krylov_size(a.rows()));
  solver.compute(1000, residual);
  return solver.singular_values()[0] + 0 * solver.matrix_U(1)(0, 0) + 0 * solver.matrix_V(1)(0, 0);
}

/// A workspace for dsyevr and dgesvdx, for one pair of matrices of order n.
class Lapack {
 public:
  explicit Lapack(int n) : n_(n), w_(2 * n), z_(n), u_(n), support_(2 * n) {}

  double smallest(const Eigen::MatrixXd& a) { return eigenvalue(a, 1); }
  double largest_in_magnitude(const Eigen::MatrixXd& a) {
    const double low = eigenvalue(a, 1);
    const double high = eigenvalue(a, n_);
    return -low >= high ? low : high;
  }
  double top(const Eigen::MatrixXd& a) {
    copy_ = a;
    int found = 0;
    int info = 0;
    const int first = 1;
    const double none = 0;
    const auto call = [&](double* work, int size) {
      dgesvdx_("V", "V", "I", &n_, &n_, copy_.data(), &n_, &none, &none, &first, &first, &found,
               w_.data(), u_.data(), &n_, z_.data(), &first, work, &size, whole_.data(), &info);
    };
    whole_.resize(static_cast<std::size_t>(12 * n_));
    double best = 0;
    call(&best, -1);
    work_.resize(std::max(work_.size(), static_cast<std::size_t>(best)));
    call(work_.data(), static_cast<int>(work_.size()));
    return w_[0];
  }

 private:
  double eigenvalue(const Eigen::MatrixXd& a, int which) {
    copy_ = a;
    int found = 0;
    int info = 0;
    const double none = 0;
    const int size = 40 * n_;
    const int whole = 12 * n_;
    work_.resize(std::max(work_.size(), static_cast<std::size_t>(size)));
    whole_.resize(static_cast<std::size_t>(whole));
    dsyevr_("V", "I", "L", &n_, copy_.data(), &n_, &none, &none, &which, &which, &none, &found,
            w_.data(), z_.data(), &n_, support_.data(), work_.data(), &size, whole_.data(), &whole,
            &info);
    return w_[0];
  }

  int n_;
  Eigen::MatrixXd copy_;
  Eigen::VectorXd w_;
  Eigen::VectorXd z_;
  Eigen::VectorXd u_;
  Eigen::VectorXi support_;
  std::vector<double> work_;
  std::vector<int> whole_;
};

}  // namespace keyhole::bench
