#include "math/span.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::math {

std::vector<double> orthonormal_basis(std::vector<double> rows, std::size_t n, double nothing) {
  const std::size_t count = rows.size() / n;
  const auto row_of = [n](std::vector<double>& matrix, std::size_t i) {
    return std::span(matrix).subspan(i * n, n);
  };
  std::vector<double> lengths(count);
  for (std::size_t i = 0; i < count; ++i) lengths[i] = squared_norm(row_of(rows, i));
  std::vector<double> basis;
  for (std::size_t k = 0; k < std::min(n, count); ++k) {
    const auto longest = static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) -
                                                  lengths.begin());
    if (!(lengths[longest] > nothing * nothing)) break;
    basis.resize((k + 1) * n);
    const std::span<double> b = row_of(basis, k);
    std::copy_n(row_of(rows, longest).begin(), n, b.begin());
    for (std::size_t j = 0; j < k; ++j) {  // once more, against rounding
      add(b, -dot(b, row_of(basis, j)), row_of(basis, j));
    }
    const double length = norm(b);
    for (double& coordinate : b) coordinate /= length;
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> row = row_of(rows, i);
      add(row, -dot(row, b), b);
      lengths[i] = squared_norm(row);
    }
  }
  return basis;
}

void project_onto_span(std::span<const double> basis, std::span<double> x) {
  const std::size_t n = x.size();
  const std::size_t rank = basis.size() / n;
  std::array<double, 1024> few;
  std::vector<double> many(rank > few.size() ? rank : 0);
  const std::span<double> along = many.empty() ? std::span(few).first(rank) : std::span(many);
  for (std::size_t k = 0; k < rank; ++k) along[k] = dot(x, basis.subspan(k * n, n));
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t k = 0; k < rank; ++k) add(x, along[k], basis.subspan(k * n, n));
}

void subtract_span(std::span<const double> basis, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t first = 0; first < basis.size(); first += n) {
    const std::span<const double> row = basis.subspan(first, n);
    add(x, -dot(x, row), row);
  }
}

/// With S the coordinates that are not left out, and i one that is: l_i of L_S l_i = A_Si is its
/// row of the factor, and z with z_S = -L_S^-T l_i, z_i = 1 is a vector that A takes to 0.
std::vector<double> null_space(std::span<double> a, std::size_t k, double nothing) {
  std::vector<double> least(k);
  for (std::size_t i = 0; i < k; ++i) least[i] = nothing * a[i * k + i];
  factorise_semidefinite(a, k, least);
  const auto is_left_out = [&](std::size_t i) { return std::isinf(a[i * k + i]); };
  std::vector<double> rows;
  std::vector<std::size_t> last;  // which coordinate of each row was left out
  for (std::size_t i = 0; i < k; ++i) {
    if (!is_left_out(i)) continue;
    last.push_back(i);
    rows.resize(rows.size() + k, 0.0);
    const std::span<double> z = std::span(rows).last(k);
    for (std::size_t j = 0; j < i; ++j) z[j] = -a[i * k + j];
    z[i] = 1;
  }
  for (std::size_t j = k; j-- > 0;) {
    const std::span<const double> before = a.subspan(j * k, j);
    for (std::size_t row = 0; row < last.size(); ++row) {
      if (last[row] <= j) continue;
      double* const z = rows.data() + row * k;
      z[j] /= a[j * k + j];  // 0 for one that is left out
      add({z, j}, -z[j], before);
    }
  }
  return orthonormal_basis(std::move(rows), k, 0);
}

void subtract_mean(std::span<double> x) {
  const double mean = sum(x) / static_cast<double>(x.size());
  for (double& coordinate : x) coordinate -= mean;
}

}  // namespace keyhole::math
