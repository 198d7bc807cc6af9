// Where flows of a graph with cycles explore: those that carry little around them.

#pragma once

#include <memory>

#include "keyhole/exploration.h"

namespace keyhole::sets {

/// Flows are mostly paid for by what they carry, so what goes around a cycle is paid for twice and
/// leads nowhere; random directions, half of whose costs are negative, find mostly such flows. With
/// positive costs the cheapest flow carries nothing around a cycle: less there would be cheaper.
/// So the list has the minimisers of max(200, min(10 n, 4e6 / n)) directions whose coordinates are
/// magnitudes of standard normal numbers, from a fixed key.
///
/// They need not span the hull of the set: no path without cycles enters the source. What they do
/// not tell of is added, in two steps.
///
/// 1. For each edge that they do not use, the shortest of the flows that carry as much on it as
///    any does.
/// 2. While the differences of the list span a space L that is not all of H, the directions of the
///    hull: a random direction d of H across L, and the minimiser of +-d + t max |d_e| 1 for the
///    largest of t = 1, 7/8, ..., 0 that is not in the span of the list. There is one at t = 0. For
///    d has the same value c on all the list, and is not constant on the set, since its hull has
///    the direction d; so the least or the largest of its values is not c. Each step adds a
///    dimension to L, so there are at most as many as H has.
///
/// The weights are those of a D-optimal design, as of sampled_vertices(); of k dimensions that only
/// m points have a share in, those points have m / (k + 1) of the weight. A set so thin that
/// rounding hides all this explores sampled_vertices(). A pure function of the set, whose points
/// must be flows: not negative, any of them better the less it carries.
[[nodiscard]] std::unique_ptr<Exploration> explore_acyclic_flows(const Set& set);

}  // namespace keyhole::sets
