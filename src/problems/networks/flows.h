// Traffic that is split over paths, and how full it makes the links.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/problem.h"
#include "keyhole/problems.h"

namespace keyhole::problems {

/// A point x says which share of each split demand takes each of its paths. The utilisation of link
/// l in step t is u_l = base_tl + sum over paths j through l of rate_tj x_j / capacity_l, where
/// base_t is what the demands make that all go their shortest path. Immutable.
class Flows {
 public:
  /// Reads the files of the options. Throws InputError, and InvalidArgument if nothing can be
  /// split.
  explicit Flows(const RoutingOptions& options);

  /// How many paths each split demand has: two or more.
  [[nodiscard]] const std::vector<std::size_t>& sizes() const noexcept { return sizes_; }
  /// How many links there are.
  [[nodiscard]] std::size_t links() const noexcept { return inverse_capacity_.size(); }
  /// How many steps the traffic has.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

  /// u = the utilisation of all links in step t = 1, 2, ...
  void utilisation(std::uint64_t t, std::span<const double> x, std::span<double> u) const;
  /// g += sum over links of weight_l times the gradient of u_l.
  void add_gradient(std::uint64_t t, std::span<const double> weights, std::span<double> g) const;
  /// The largest utilisation and the longest gradient of one, within the hull, that there can be.
  [[nodiscard]] LossBounds bounds() const;

 private:
  [[nodiscard]] std::span<const std::size_t> path(std::size_t j) const {
    return std::span(on_path_).subspan(first_[j], first_[j + 1] - first_[j]);
  }
  [[nodiscard]] double rate(std::uint64_t t, std::size_t demand) const {
    return rates_[(t - 1) * sizes_.size() + demand];
  }

  std::uint64_t steps_ = 0;
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> demand_;       // of path j
  std::vector<std::size_t> first_ = {0};  // where the links of path j begin
  std::vector<std::size_t> on_path_;      // the links of the paths, one path after the other
  std::vector<double> inverse_capacity_;
  std::vector<double> base_;   // a row of links a step
  std::vector<double> rates_;  // a row of split demands a step, in kbit/s
};

}  // namespace keyhole::problems
