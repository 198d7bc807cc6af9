#include "sets/graphs/acyclic_flows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/dense.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"
#include "sets/moments.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Flows, and an orthonormal basis of the space that their differences span.
class FlowList {
 public:
  explicit FlowList(const Set& set)
      : set_(set),
        oracle_(set.oracle()),
        draws_(0x666c6f7773, 0),
        d_(set.dimension()),
        across_(set.dimension()) {}

  [[nodiscard]] const std::vector<Vector>& flows() const { return flows_; }

  void add_acyclic(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      math::gaussians(draws_, drawn_++, 0, d_);
      for (double& cost : d_) cost = std::abs(cost);
      flows_.push_back(minimiser());
    }
    std::sort(flows_.begin(), flows_.end());
    flows_.erase(std::unique(flows_.begin(), flows_.end()), flows_.end());
    for (std::size_t k = 1; k < flows_.size() && !spans(); ++k) (void)widen(flows_[k]);
  }

  void add_for_unused_edges() {
    std::vector<bool> used(d_.size(), false);
    const auto note = [&](const Vector& flow) {
      for (std::size_t e = 0; e < flow.size(); ++e) used[e] = used[e] || flow[e] > 0;
    };
    for (const Vector& flow : flows_) note(flow);
    for (std::size_t e = 0; e < d_.size() && !spans(); ++e) {
      if (used[e]) continue;
      // No way around is longer than all edges together.
      std::fill(d_.begin(), d_.end(), 1.0);
      d_[e] = -static_cast<double>(d_.size());
      if (add_if_new()) note(flows_.back());
    }
  }

  void add_for_the_rest() {
    while (!spans()) {
      math::gaussians(draws_, drawn_++, 0, across_);
      for (int pass = 0; pass < 2; ++pass) {  // twice, against rounding
        set_.flatten(across_);
        subtract_span(across_);
      }
      if (!add_along_across()) return;
    }
  }

 private:
  [[nodiscard]] bool spans() const {
    return basis_.size() == set_.hull_dimension() * set_.dimension();
  }

  bool add_along_across() {
    const double largest = math::largest_magnitude(across_);
    for (int eighths = 8; eighths >= 0; --eighths) {
      for (const double sign : {1.0, -1.0}) {
        for (std::size_t e = 0; e < d_.size(); ++e) {
          d_[e] = sign * across_[e] + eighths * (largest / 8);
        }
        if (add_if_new()) return true;
      }
    }
    return false;
  }

  bool add_if_new() {
    Vector flow = minimiser();
    if (!widen(flow)) return false;
    flows_.push_back(std::move(flow));
    return true;
  }

  Vector minimiser() {
    Vector flow(d_.size());
    oracle_->minimise(d_).write_to(flow);
    oracle_->settle(flow);
    return flow;
  }

  /// Adds what the flow has outside the span to the basis, unless it is rounding.
  bool widen(const Vector& flow) {
    Vector b(flow.size());
    for (std::size_t e = 0; e < b.size(); ++e) b[e] = flow[e] - flows_.front()[e];
    const double whole = math::norm(b);
    for (int pass = 0; pass < 2; ++pass) subtract_span(b);
    const double length = math::norm(b);
    if (!(length > 1e-6 * whole)) return false;
    for (const double coordinate : b) basis_.push_back(coordinate / length);
    return true;
  }

  void subtract_span(std::span<double> x) const {
    for (std::size_t first = 0; first < basis_.size(); first += x.size()) {
      const std::span<const double> b = std::span(basis_).subspan(first, x.size());
      math::add(x, -math::dot(x, b), b);
    }
  }

  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  math::Ars draws_;
  std::uint64_t drawn_ = 0;
  Vector d_;
  Vector across_;
  std::vector<Vector> flows_;
  Vector basis_;  // row by row
};

SharedPoints acyclic_flows(const Set& set) {
  const std::size_t n = set.dimension();
  FlowList list(set);
  list.add_acyclic(std::max(std::size_t{200}, std::min(10 * n, 4'000'000 / n)));
  list.add_for_unused_edges();
  list.add_for_the_rest();
  const std::vector<Vector>& flows = list.flows();
  try {
    const PointSpace space = space_of(set);
    const Vector weights = optimal_design(space, flows, bearable_steps(n, flows.size()));
    return std::make_shared<const ExploredPoints>(space, flows, weights);
  } catch (const InvalidArgument&) {
    return sampled_vertices(set);
  }
}

}  // namespace

std::unique_ptr<Exploration> explore_acyclic_flows(const Set& set) {
  return KeptExploration::of(set, [&set] { return acyclic_flows(set); });
}

}  // namespace keyhole::sets
