#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// The start x_1 and k other points v_j of a set, as d_j = v_j - x_1, and how they lie: Q = D H D'
/// over the square of d_1, H = diag(1 / variance of the exploration), and the factor of Q = L L',
/// which has a row more for every point. Points are kept sparse, as what they differ by from the
/// first one: 2 numbers for a vertex of a simplex. After construction nothing allocates, and memory
/// that was never used is not touched.
class Hull {
 public:
  /// For up to `most` points. Both spans must outlive it.
  Hull(std::span<const double> start, std::span<const double> variance, std::size_t most);

  /// How many points there are at most.
  [[nodiscard]] std::size_t most() const noexcept { return most_; }

  /// k.
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// Adds v, unless it is one of them, was one of late, is the start, or there is no room.
  bool add(std::span<const double> v);
  /// Keeps these points, in ascending order, and no other.
  void keep(std::span<const std::size_t> points);

  /// Row j of Q.
  [[nodiscard]] std::span<const double> row(std::size_t j) const {
    return std::span(products_).subspan(j * most_, size());
  }
  /// How much of d_j lies outside of the span of those before it, as a share of its square.
  [[nodiscard]] double new_share(std::size_t j) const;
  /// How much lies outside of the span of all others.
  [[nodiscard]] double own_share(std::size_t j);
  /// d_j is nearest to sum_i beta_i d_i over the i before it.
  void write_nearest(std::size_t j, std::span<double> beta) const;
  /// x = Q^-1 x.
  void solve(std::span<double> x) const;

  /// <slope, d_j> for all j.
  void write_products(std::span<const double> slope, std::span<double> of) const;
  /// move = sum_j w_j d_j.
  void write_move(std::span<const double> w, std::span<double> move) const;
  /// slope += H sum_j a_j d_j over the scale of Q.
  void add_weighted(std::span<const double> a, std::span<double> slope);
  /// The square of a length, in these units, of the coordinate i alone: variance_i times it is 1.
  [[nodiscard]] double weight(std::size_t i) const { return 1 / (variance_[i] * scale_); }

  /// The fields of a state.
  void state(Archive& archive);

 private:
  [[nodiscard]] std::size_t begin_of(std::size_t j) const { return j == 0 ? 0 : ends_[j - 1]; }
  [[nodiscard]] bool is_dense(std::size_t j) const {
    return ends_[j] - begin_of(j) == base_.size();
  }
  [[nodiscard]] double* factor(std::size_t j) { return factor_.data() + j * (j + 1) / 2; }
  [[nodiscard]] const double* factor(std::size_t j) const {
    return factor_.data() + j * (j + 1) / 2;
  }
  /// Writes where v differs from the first point as the latest point; false if there is no room.
  bool append(std::span<const double> v);
  void remove_latest();
  /// <slope, v_j - v_1>.
  [[nodiscard]] double product(std::span<const double> slope, std::size_t j) const;
  void measure_base();
  /// Row j of Q, up to j; false if d_j is 0 or one of those before.
  bool measure(std::size_t j);
  /// Row j of L.
  void factorise(std::size_t j);
  /// x = L^-1 x for an x that is 0 before `from`.
  void forward(std::size_t from, std::span<double> x) const;
  /// x = L'^-1 x.
  void backward(std::span<double> x) const;
  [[nodiscard]] std::uint64_t hash_of_latest() const;

  std::span<const double> start_;
  std::span<const double> variance_;
  std::size_t most_;
  std::size_t room_;
  // State.
  std::vector<double> base_;  // d_1, of the first point that there was
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> places_;
  std::vector<double> values_;       // v_j - v_1 there
  std::vector<std::uint64_t> seen_;  // hashes of points, each at a place of its own
  // Follows from it.
  double scale_ = 0;              // the square of d_1; 0 if there is none
  std::vector<double> products_;  // Q
  std::vector<double> factor_;    // L, row by row
  // Workspace.
  std::vector<double> weighted_;
  std::vector<double> solved_;
};

}  // namespace keyhole::algorithms
