#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// y = scale x + shift.
struct Map {
  double scale;
  Vector shift;

  [[nodiscard]] double forward(double x, std::size_t i) const { return scale * x + shift[i]; }
  [[nodiscard]] double back(double y, std::size_t i) const { return (y - shift[i]) / scale; }
  /// What roundings there and back come to in a coordinate y, the image of x. That of 0 has none.
  [[nodiscard]] double rounding(double x, double y, std::size_t i) const {
    return x == 0 ? 0
                  : 8 * std::numeric_limits<double>::epsilon() * (std::abs(y) + std::abs(shift[i]));
  }
  void forward(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = forward(x[i], i);
  }
  void back(std::span<const double> y, std::span<double> x) const {
    for (std::size_t i = 0; i < y.size(); ++i) x[i] = back(y[i], i);
  }
};

class ImageOracle final : public Oracle {
 public:
  ImageOracle(const Set& preimage, const Map& map)
      : oracle_(preimage.oracle()),
        map_(map),
        before_(preimage.dimension()),
        dense_(preimage.dimension()),
        values_(preimage.dimension()),
        factor_(shorter_side(preimage.dimension())) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    // <d, scale v + shift> is least where sign(scale) <d, v> is.
    if (map_.scale < 0) {
      for (std::size_t i = 0; i < before_.size(); ++i) before_[i] = -direction[i];
      direction = before_;
    }
    const Vertex& v = oracle_->minimise(direction);
    if (v.dense.empty()) {
      vertex_.dense = map_.shift;
    } else {
      map_.forward(v.dense, dense_);
      settle(dense_);
      vertex_.dense = dense_;
    }
    if (values_.size() < v.values.size()) values_.resize(v.values.size());  // an entry named twice
    for (std::size_t k = 0; k < v.values.size(); ++k) values_[k] = map_.scale * v.values[k];
    vertex_.indices = v.indices;
    vertex_.values = std::span(values_).first(v.values.size());
    vertex_.left = v.left;
    vertex_.right = v.right;
    auto& shorter = v.left.size() <= v.right.size() ? vertex_.left : vertex_.right;
    for (std::size_t k = 0; k < shorter.size(); ++k) factor_[k] = map_.scale * shorter[k];
    shorter = std::span(factor_).first(shorter.size());
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    map_.back(point, nearest);
    oracle_->project(nearest, nearest);
    map_.forward(nearest, nearest);
    settle(nearest);
    return true;
  }

  /// That of the preimage where w comes from.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    map_.back(w, before_);
    const double gamma = oracle_->gauge(before_, subgradient);
    for (double& coordinate : subgradient) coordinate /= map_.scale;
    return gamma;
  }

  /// The bounds of the image are those of the preimage as seen through Map::back. Where the
  /// preimage moves a coordinate the image follows, a rounding of y - shift farther on each pass,
  /// until the preimage is content.
  void settle(std::span<double> point) override {
    constexpr int most_passes = 8;
    double roundings = 0;
    for (int pass = 0; pass < most_passes; ++pass) {
      map_.back(point, before_);
      oracle_->settle(before_);
      bool moved = false;
      for (std::size_t i = 0; i < point.size(); ++i) {
        const double unsettled = map_.back(point[i], i);
        if (before_[i] == unsettled) continue;
        const double inwards = (before_[i] > unsettled) == (map_.scale > 0) ? 1 : -1;
        const double rounding = std::numeric_limits<double>::epsilon() *
                                std::max(std::abs(point[i]), std::abs(map_.shift[i]));
        point[i] = map_.forward(before_[i], i) + inwards * roundings * rounding;
        moved = true;
      }
      if (!moved) return;
      ++roundings;
    }
  }

 private:
  /// The longest that the shorter side of a matrix with n entries can be: floor(sqrt n).
  static std::size_t shorter_side(std::size_t n) {
    auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    while (side * side > n) --side;
    while ((side + 1) * (side + 1) <= n) ++side;
    return side;
  }

  std::unique_ptr<Oracle> oracle_;
  const Map& map_;
  Vector before_;
  Vector dense_;
  Vector values_;
  Vector factor_;  // the shorter factor of a rank-one part, scaled
  Vertex vertex_;
};

Geometry mapped(const Geometry& of, const Map& map) {
  Geometry result = of;
  map.forward(of.centre, result.centre);
  for (double* length : {&result.inner_radius, &result.outer_radius, &result.diameter}) {
    *length *= std::abs(map.scale);
  }
  return result;
}

/// scale v + shift with v from the preimage: Sigma is scale^2 times its own.
class ImageExploration final : public Exploration {
 public:
  ImageExploration(const Set& image, std::unique_ptr<Exploration> of, const Map& map)
      : Exploration(image, mapped_mean(*of, map), scaled_variance(*of, map.scale),
                    of->squared_radius(), of->needs(), of->squared_extent()),
        of_(std::move(of)),
        map_(map) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    of_->draw(bits, v);
    map_.forward(v, v);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    of_->score(bits, w);
    for (double& coordinate : w) coordinate /= map_.scale;
  }

 private:
  static Vector mapped_mean(const Exploration& of, const Map& map) {
    Vector mean(of.mean().size());
    map.forward(of.mean(), mean);
    return mean;
  }
  static Vector scaled_variance(const Exploration& of, double scale) {
    Vector variance(of.variance().begin(), of.variance().end());
    for (double& value : variance) value *= scale * scale;
    return variance;
  }

  std::unique_ptr<Exploration> of_;
  const Map& map_;
};

class Image final : public Set {
 public:
  Image(SetPtr preimage, Map map)
      : Set(preimage->dimension(), preimage->hull_dimension(), mapped(preimage->geometry(), map)),
        preimage_(std::move(preimage)),
        map_(std::move(map)) {
    // Sums and norms of the preimage carry the rounding of y - shift.
    const double rounding = std::numeric_limits<double>::epsilon() *
                            std::sqrt(static_cast<double>(dimension())) *
                            math::largest_magnitude(map_.shift);
    base::require(rounding <= 1e-2 * membership_tolerance * outer_radius(),
                  "the shift " + base::number_text(math::largest_magnitude(map_.shift)) +
                      " is too large compared with the outer radius " +
                      base::number_text(outer_radius()) +
                      " of the image: choose coordinates nearer the origin");
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ImageOracle>(*preimage_, map_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<ImageExploration>(*this, preimage_->exploration(), map_);
  }

  /// Where the preimage has exact bounds, the roundings of the map may break them: a member is also
  /// what the preimage settles by no more than that.
  [[nodiscard]] bool contains(std::span<const double> y) const override {
    if (!is_point(y, dimension())) return false;
    Vector before(y.size());
    map_.back(y, before);
    if (preimage_->contains(before)) return true;
    Vector settled = before;
    preimage_->oracle()->settle(settled);
    // A coordinate that is settled onto another one carries that one's rounding, too.
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double moved = std::abs(map_.scale * (settled[i] - before[i]));
      bool by_rounding = moved <= map_.rounding(settled[i], y[i], i);
      for (std::size_t j = 0; j < y.size() && !by_rounding; ++j) {
        by_rounding = settled[j] == settled[i] && moved <= map_.rounding(settled[j], y[j], j);
      }
      if (!by_rounding) return false;
    }
    return preimage_->contains(settled);
  }

  [[nodiscard]] bool can_project() const noexcept override { return preimage_->can_project(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return preimage_->can_gauge(); }

  void flatten(std::span<double> direction) const override { preimage_->flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Vector before(centre.size());
    map_.back(centre, before);
    Geometry result = mapped(preimage_->geometry_about(before), map_);
    result.centre.assign(centre.begin(), centre.end());
    return result;
  }

  /// With y = scale x + shift: a x <= b becomes sign(scale) a y <= sign(scale) (scale b + a shift).
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    std::optional<PolytopeConstraints> of = preimage_->linear_description();
    if (!of) return of;
    const std::size_t n = dimension();
    const bool turned = map_.scale < 0;
    if (turned) std::swap(of->lower, of->upper);
    for (Vector* const bounds : {&of->lower, &of->upper}) {
      for (std::size_t j = 0; j < bounds->size(); ++j) {
        (*bounds)[j] = map_.scale * (*bounds)[j] + map_.shift[j];
      }
    }
    for (LinearRows* const rows : {&of->inequalities, &of->equalities}) {
      for (double& b : rows->right) b *= map_.scale;
      for (std::size_t k = 0; k < rows->dense.size(); ++k) {
        rows->right[k / n] += rows->dense[k] * map_.shift[k % n];
      }
      for (const auto& [row, column, value] : rows->sparse) {
        rows->right[row] += value * map_.shift[column];
      }
    }
    if (turned) {
      for (double& value : of->inequalities.dense) value = -value;
      for (MatrixEntry& entry : of->inequalities.sparse) entry.value = -entry.value;
      for (double& b : of->inequalities.right) b = -b;
    }
    return of;
  }

  [[nodiscard]] std::string spec() const override {
    return "image(" + preimage_->spec() + ", scale=" + base::number_text(map_.scale) +
           ", shift=" + base::list_text(map_.shift, true) + ")";
  }

 private:
  SetPtr preimage_;
  Map map_;
};

}  // namespace

SetPtr image(SetPtr set, double scale, List<double> shift) {
  base::require(set != nullptr, "an image needs a set");
  base::require(base::is_moderate_positive(std::abs(scale)),
                "the scale of an image must be a number of magnitude 1e-50 to 1e50, not " +
                    base::number_text(scale));
  base::require(shift.size() == set->dimension(),
                "the shift of an image of " + set->spec() + " must have " +
                    std::to_string(set->dimension()) + " coordinates, not " +
                    std::to_string(shift.size()));
  for (const double coordinate : shift) {
    base::require(base::is_moderate(coordinate),
                  "the shift of an image must have coordinates of magnitude up to 1e50, not " +
                      base::number_text(coordinate));
  }
  return std::make_shared<Image>(std::move(set), Map{scale, {shift.begin(), shift.end()}});
}

SetPtr image(SetPtr set, double scale, double shift) {
  base::require(set != nullptr, "an image needs a set");
  const Vector everywhere(set->dimension(), shift);
  return image(std::move(set), scale, everywhere);
}

SetPtr scaled(SetPtr set, double scale) { return image(std::move(set), scale, 0.0); }

SetPtr translated(SetPtr set, List<double> shift) { return image(std::move(set), 1, shift); }

}  // namespace keyhole::sets
