#include <limits>

#include "keyhole/sets.h"
#include "keyhole/spectral_sets.h"
#include "sets/option_lists.h"
#include "spec/set_parameters.h"

namespace keyhole::spec {
namespace {

Entry nuclear_ball_entry() {
  return {"nuclear_ball",
          "{X : the singular values of X sum to at most radius}, m x n, row by row",
          {"projects"},
          with_options<MatrixOracleOptions>(
              {side("m", "the number of rows"), side("n", "the number of columns"),
               size("radius", "the largest sum of the singular values")}),
          [](const Arguments& given) {
            return nuclear_ball(given.whole("m"), given.whole("n"), given.number("radius"),
                                given.options<MatrixOracleOptions>());
          }};
}

Entry symmetric_nuclear_ball_entry() {
  return {"symmetric_nuclear_ball",
          "{X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n",
          {"projects", "flat"},
          with_options<MatrixOracleOptions>(
              {side("n", "the number of rows and columns"),
               size("radius", "the largest sum of the magnitudes of the eigenvalues")}),
          [](const Arguments& given) {
            return symmetric_nuclear_ball(given.whole("n"), given.number("radius"),
                                          given.options<MatrixOracleOptions>());
          }};
}

Entry psd_trace_ball_entry() {
  return {"psd_trace_ball",
          "{X = X' positive semidefinite, tr X <= trace}, n x n",
          {"projects", "flat"},
          with_options<MatrixOracleOptions>(
              {side("n", "the number of rows and columns"), size("trace", "the largest trace")}),
          [](const Arguments& given) {
            return psd_trace_ball(given.whole("n"), given.number("trace"),
                                  given.options<MatrixOracleOptions>());
          }};
}

Entry spectraplex_entry() {
  return {"spectraplex",
          "{X = X' positive semidefinite, tr X = trace}, n x n, row by row",
          {"projects", "flat"},
          with_options<MatrixOracleOptions>(
              {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}},
               size("trace", "the trace")}),
          [](const Arguments& given) {
            return spectraplex(given.whole("n"), given.number("trace"),
                               given.options<MatrixOracleOptions>());
          }};
}

Entry fantope_entry() {
  return {"fantope",
          "{X = X' : 0 <= X <= I, tr X = k}, n x n, row by row: hull of the projectors of rank k",
          {"projects", "flat"},
          {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}},
           {"k", Type::whole, "the trace, below n", {}, {}, {1, most_rows}}},
          [](const Arguments& given) { return fantope(given.whole("n"), given.whole("k")); }};
}

Entry operator_norm_ball_entry() {
  return {"operator_norm_ball",
          "{X : the largest singular value of X is at most radius}, m x n, row by row",
          {"projects"},
          {side("m", "the number of rows"), side("n", "the number of columns"),
           size("radius", "the largest singular value")},
          [](const Arguments& given) {
            return operator_norm_ball(given.whole("m"), given.whole("n"), given.number("radius"));
          }};
}

Entry schatten_ball_entry() {
  return {"schatten_ball",
          "{X : the p-norm of the singular values of X is at most radius}, m x n, row by row",
          {"projects"},
          {side("m", "the number of rows"),
           side("n", "the number of columns"),
           {"p",
            Type::number,
            "the power, 1.01 to 100",
            {},
            {},
            {1, std::numeric_limits<double>::infinity()}},
           size("radius", "the largest norm")},
          [](const Arguments& given) {
            return schatten_ball(given.whole("m"), given.whole("n"), given.number("p"),
                                 given.number("radius"));
          }};
}

/// Of the semidefinite programs that are solved.
constexpr double most_order = 200;

Entry elliptope_entry() {
  return {"elliptope",
          "{X = X' positive semidefinite, X_ii = 1}, n x n, row by row: correlation matrices",
          {"flat", "solves a semidefinite program"},
          {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_order}}},
          [](const Arguments& given) { return elliptope(given.whole("n")); }};
}

Entry max_norm_ball_entry() {
  return {"max_norm_ball",
          "{X = U V' : all rows of U and V have length sqrt(radius) or less}, m x n, row by row",
          {"solves a semidefinite program"},
          {{"m", Type::whole, "the number of rows; m + n <= 200", {}, {}, {1, most_order}},
           {"n", Type::whole, "the number of columns", {}, {}, {1, most_order}},
           size("radius", "the largest max norm")},
          [](const Arguments& given) {
            return max_norm_ball(given.whole("m"), given.whole("n"), given.number("radius"));
          }};
}

}  // namespace

std::vector<Entry> spectral_set_entries() {
  return {nuclear_ball_entry(),   symmetric_nuclear_ball_entry(),
          psd_trace_ball_entry(), spectraplex_entry(),
          fantope_entry(),        operator_norm_ball_entry(),
          schatten_ball_entry(),  elliptope_entry(),
          max_norm_ball_entry()};
}

}  // namespace keyhole::spec
