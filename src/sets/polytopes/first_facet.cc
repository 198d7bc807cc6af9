#include "sets/polytopes/first_facet.h"

#include <limits>
#include <utility>

namespace keyhole::sets {

FirstFacet::FirstFacet(const PolytopeShape& shape, std::span<const double> p,
                       std::vector<double> slacks)
    : slacks_(std::move(slacks)), above_(p.size()), below_(p.size()) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t rows = slacks_.size();
  for (std::size_t i = 0; i < rows; ++i) {
    if (!(shape.norms_within[i] > 0)) slacks_[i] = infinity;
  }
  for (std::size_t j = 0; j < p.size(); ++j) {
    const bool counts = shape.norms_within[rows + j] > 0;
    above_[j] = counts ? shape.upper[j] - p[j] : infinity;
    below_[j] = counts ? shape.lower[j] - p[j] : -infinity;
  }
}

FirstFacet::Found FirstFacet::operator()(std::span<const double> d,
                                         std::span<const double> products) const {
  Found found;
  const auto look = [&](double product, std::size_t index, double slack) {
    if (product / slack > found.gamma) found = {product / slack, index, slack};
  };
  for (std::size_t i = 0; i < slacks_.size(); ++i) look(products[i], i, slacks_[i]);
  for (std::size_t j = 0; j < d.size(); ++j) {
    look(d[j], slacks_.size() + j, d[j] > 0 ? above_[j] : below_[j]);
  }
  return found;
}

}  // namespace keyhole::sets
