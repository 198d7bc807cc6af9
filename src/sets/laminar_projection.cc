#include "sets/laminar_projection.h"

#include <algorithm>
#include <limits>

#include "math/sums.h"

namespace keyhole {

LaminarProjection::LaminarProjection(const LaminarMatroid& matroid, bool bases)
    : matroid_(matroid), bases_(bases), thresholds_(matroid.size()) {}

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
  const auto total = [&](double mu) {
    return math::reduce(elements.size(),
                        [&](std::size_t k) { return value(elements[k], z[elements[k]], mu); });
  };
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::size_t i : elements) {
    low = std::min(low, z[i]);
    high = std::max(high, z[i]);
  }
  low -= 2;  // where every z_i counts in full
  if (!bases_) low = std::max(low, 0.0);
  if (!(total(low) > limit)) return;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high && high - low > 0x1p-60)) break;
    (total(middle) > limit ? low : high) = middle;
  }
  // Between these two everything is linear: x_i = (z_i - base) + offset where mu decides and does
  // not clamp.
  const double mu = high;
  double base = mu;
  double count = 0;
  const auto decides = [&](std::size_t i) {
    const double x = z[i] - mu;
    return x > 0 && x < 1 && x <= inside(i, z[i]);
  };
  for (const std::size_t i : elements) {
    if (!decides(i)) continue;
    base = z[i];
    ++count;
  }
  const double rest = math::reduce(elements.size(), [&](std::size_t k) {
    const std::size_t i = elements[k];
    return decides(i) ? z[i] - base : value(i, z[i], mu);
  });
  const double offset = count > 0 ? (limit - rest) / count : 0;
  for (const std::size_t i : elements) {
    if (z[i] - mu <= inside(i, z[i])) thresholds_[i] = {base, offset, true};
  }
}

void LaminarProjection::operator()(std::span<const double> z, std::span<double> nearest) {
  std::fill(thresholds_.begin(), thresholds_.end(), Threshold{});
  for (const LaminarSet& set : matroid_.sets()) {
    if (set.rank < set.elements.size()) limit(set, z);
  }
  for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = inside(i, z[i]);
}

}  // namespace keyhole
