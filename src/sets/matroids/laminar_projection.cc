#include "sets/matroids/laminar_projection.h"

#include <algorithm>

#include "math/sums.h"

namespace keyhole::sets {

LaminarProjection::LaminarProjection(const LaminarMatroid& matroid, bool bases)
    : matroid_(matroid), bases_(bases), thresholds_(matroid.size()), places_(2 * matroid.size()) {}

/// What the sets so far leave of z_i; without any, as if z_i were moved up for ever for bases.
double LaminarProjection::inside(std::size_t i, double z) const {
  const Threshold& t = thresholds_[i];
  if (t.active) return std::clamp((z - t.base) + t.offset, 0.0, 1.0);
  return bases_ ? 1.0 : std::clamp(z, 0.0, 1.0);
}

double LaminarProjection::value(std::size_t i, double z, double mu) const {
  return std::min(std::clamp(z - mu, 0.0, 1.0), inside(i, z));
}

void LaminarProjection::limit(const LaminarSet& set, std::span<const double> z) {
  const std::vector<std::size_t>& elements = set.elements;
  const auto limit = static_cast<double>(set.rank);
  const auto sum = [&](const auto& term) {
    return math::reduce(elements.size(), [&](std::size_t k) { return term(elements[k]); });
  };
  if (!(sum([&](std::size_t i) { return inside(i, z[i]); }) > limit)) return;

  // The sum falls with mu, and is linear between the places where a term begins or ends to fall.
  const std::span<double> places = std::span(places_).first(2 * elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    places[2 * k] = z[elements[k]] - inside(elements[k], z[elements[k]]);
    places[2 * k + 1] = z[elements[k]];
  }
  std::sort(places.begin(), places.end());
  const auto after = std::partition_point(places.begin() + 1, places.end() - 1, [&](double mu) {
    return sum([&](std::size_t i) { return value(i, z[i], mu); }) > limit;
  });
  const double low = *(after - 1);
  const double high = *after;

  const auto falls = [&](std::size_t i) { return z[i] - inside(i, z[i]) <= low && z[i] >= high; };
  double base = high;
  double count = 0;
  for (const std::size_t i : elements) {
    if (!falls(i)) continue;
    base = z[i];
    ++count;
  }
  const double rest =
      sum([&](std::size_t i) { return falls(i) ? z[i] - base : value(i, z[i], high); });
  const double offset = count > 0 ? (limit - rest) / count : 0;
  for (const std::size_t i : elements) {
    if (z[i] - inside(i, z[i]) <= low) thresholds_[i] = {base, offset, true};
  }
}

void LaminarProjection::operator()(std::span<const double> z, std::span<double> nearest) {
  std::fill(thresholds_.begin(), thresholds_.end(), Threshold{});
  for (const LaminarSet& set : matroid_.sets()) {
    if (set.rank < set.elements.size()) limit(set, z);
  }
  for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = inside(i, z[i]);
}

}  // namespace keyhole::sets
