#include "sets/matrices/spectrum.h"

#include <cmath>
#include <utility>

#include "math/cholesky.h"
#include "math/sums.h"
#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

Geometry geometry_of_matrices(std::size_t n, const Set& eigenvalues) {
  Geometry geometry = eigenvalues.geometry();
  geometry.centre = multiple_of_identity(n, geometry.centre.front());
  return geometry;
}

}  // namespace

SpectralSet::SpectralSet(std::size_t n, SetPtr eigenvalues, std::optional<double> trace)
    : Set(n * n, n * (n + 1) / 2 - (trace ? 1 : 0), geometry_of_matrices(n, *eigenvalues)),
      n_(n),
      eigenvalues_(std::move(eigenvalues)),
      trace_(trace) {}

void SpectralSet::flatten(std::span<double> direction) const {
  symmetrise(direction, n_);
  if (trace_) set_trace(direction, n_, 0);
}

Geometry SpectralSet::geometry_about(std::span<const double> centre) const {
  Geometry geometry = eigenvalues_->geometry_about(math::eigenvalues(centre, n_));
  geometry.centre.assign(centre.begin(), centre.end());
  return geometry;
}

bool SpectralSet::may_contain(std::span<const double> x, double longest, bool any_sign,
                              std::span<double> scratch) const {
  return x.size() == dimension() && math::norm(x) <= longest + slack() &&
         (!trace_ || std::abs(trace_of(x, n_) - *trace_) <= slack()) &&
         is_symmetric(x, n_, slack(), scratch) &&
         (any_sign || math::is_positive_definite(x, n_, slack(), scratch));
}

SpectralOracle::SpectralOracle(const SpectralSet& set)
    : n_(set.order()),
      trace_(set.trace()),
      projection_(set.order(), set.order(), set.eigenvalues()) {}

bool SpectralOracle::do_project(std::span<const double> point, std::span<double> nearest) {
  if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
  symmetrise(nearest, n_);
  if (trace_) set_trace(nearest, n_, *trace_);  // what leaves the hull costs no digits then
  projection_.project(nearest);
  return true;
}

}  // namespace keyhole::sets
