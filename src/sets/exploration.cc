#include "keyhole/exploration.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "math/quotients.h"
#include "math/sums.h"

namespace keyhole {

using Vector = std::vector<double>;

Exploration::Exploration(Vector mean, Vector variance, double squared_radius, RandomNeeds needs,
                         std::optional<double> squared_extent)
    : mean_(std::move(mean)),
      variance_(std::move(variance)),
      squared_radius_(squared_radius),
      squared_extent_(squared_extent.value_or(squared_radius)),
      needs_(needs) {}

Exploration::Exploration(const Set& set, Vector mean, Vector variance, double squared_radius,
                         RandomNeeds needs, std::optional<double> squared_extent)
    : Exploration(std::move(mean), std::move(variance), squared_radius, needs, squared_extent) {
  owned_ = set.weak_from_this().lock();
}

std::unique_ptr<Exploration> Set::exploration() const { return inscribed_sphere(*this); }

namespace {

class InscribedSphere final : public Exploration {
 public:
  explicit InscribedSphere(const Set& set)
      : Exploration(
            set, set.centre(),
            Vector(set.dimension(), set.inner_radius() * set.inner_radius() / hull_dimension(set)),
            hull_dimension(set), {.words = 0, .normals = set.dimension()}, extent(set)),
        set_(set),
        normals_(set.dimension()),
        u_(set.dimension()) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    find_direction(bits);
    const double r = set_.inner_radius();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = mean()[i] + r * u_[i];
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    find_direction(bits);
    const double factor = hull_dimension(set_) / set_.inner_radius();
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = u_[i] * factor;
  }

 private:
  static double extent(const Set& set) {
    const double ratio = set.outer_radius() / set.inner_radius();
    return hull_dimension(set) * ratio * ratio;
  }
  static double hull_dimension(const Set& set) { return static_cast<double>(set.hull_dimension()); }

  /// u uniform on the unit sphere of the hull's directions: a normal vector, flattened, over its
  /// length. It is flattened twice, since a short one has lost digits. What is drawn is mostly
  /// scored next, so the latest is kept.
  void find_direction(const RandomBits& bits) {
    if (std::memcmp(bits.normals.data(), normals_.data(), sizeof(double) * normals_.size()) == 0) {
      return;
    }
    std::copy(bits.normals.begin(), bits.normals.end(), normals_.begin());
    u_ = normals_;
    for (int pass = 0; pass < 2; ++pass) {
      set_.flatten(u_);
      math::divide(u_, math::norm(u_));
    }
  }

  const Set& set_;
  Vector normals_;  // at first zeros, which are never drawn
  Vector u_;
};

}  // namespace

std::unique_ptr<Exploration> inscribed_sphere(const Set& set) {
  return std::make_unique<InscribedSphere>(set);
}

}  // namespace keyhole
