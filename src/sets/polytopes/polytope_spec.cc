#include <bit>
#include <cstdint>

#include "base/hash.h"
#include "base/require.h"
#include "sets/polytopes/polytope_reader.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

std::string matrix_text(const math::SparseConstraints& matrix) {
  Vector rows((matrix.starts.size() - 1) * matrix.columns, 0.0);
  for (std::size_t i = 0; i + 1 < matrix.starts.size(); ++i) {
    matrix.row(i).add_to(std::span(rows).subspan(i * matrix.columns, matrix.columns), 1);
  }
  return base::matrix_text(rows, matrix.columns);
}

/// A digest of all numbers, zeros of matrices left out; the bytes of each in a fixed order.
class Digest {
 public:
  void number(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    }
  }
  void list(const Vector& values) {
    number(values.size());
    for (const double value : values) number(std::bit_cast<std::uint64_t>(value + 0.0));
  }
  void matrix(const math::SparseConstraints& matrix) {
    for (std::size_t i = 0; i + 1 < matrix.starts.size(); ++i) {
      const math::SparseRow row = matrix.row(i);
      for (std::size_t e = 0; e < row.values.size(); ++e) {
        number(i * matrix.columns + row.columns[e]);
        number(std::bit_cast<std::uint64_t>(row.values[e]));
      }
    }
  }
  [[nodiscard]] std::string text() const { return base::hash_text(base::fnv1a(bytes_)); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

std::string polytope_spec(const PolytopeConstraints& given) {
  if (!given.source.empty()) return given.source;
  constexpr std::size_t small = 100;
  const math::SparseConstraints A = assembled(given.inequalities, given.n);
  const math::SparseConstraints C = assembled(given.equalities, given.n);
  const std::size_t rows = given.inequalities.right.size() + given.equalities.right.size();
  std::string text = "polytope(" + std::to_string(given.n);
  if ((rows + 2) * given.n <= small) {
    if (!given.lower.empty()) text += ", lower=" + base::list_text(given.lower, true);
    if (!given.upper.empty()) text += ", upper=" + base::list_text(given.upper, true);
    if (!given.inequalities.right.empty()) {
      text += ", A=" + matrix_text(A) + ", b=" + base::list_text(given.inequalities.right, false);
    }
    if (!given.equalities.right.empty()) {
      text += ", C=" + matrix_text(C) + ", d=" + base::list_text(given.equalities.right, false);
    }
    return text + ")";
  }
  Digest digest;
  digest.list(given.lower);
  digest.list(given.upper);
  digest.list(given.inequalities.right);
  digest.matrix(A);
  digest.list(given.equalities.right);
  digest.matrix(C);
  return text + ", inequalities=" + std::to_string(given.inequalities.right.size()) +
         ", equalities=" + std::to_string(given.equalities.right.size()) +
         ", digest=" + digest.text() + ")";
}

}  // namespace keyhole::sets
