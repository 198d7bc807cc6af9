#include "problems/places.h"

#include <limits>

#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::problems {

Places::Places(const SetPtr& set, double radius, std::uint64_t stage, ProblemSeed seed)
    : set_(set), radius_(radius), length_(stage), draws_(seed), place_(set->centre()) {
  move_to(0);
}

std::span<const double> Places::of_round(std::uint64_t t) {
  const std::uint64_t stage = length_ > 0 ? (t - 1) / length_ : 0;
  if (stage != stage_) move_to(stage);
  return place_;
}

std::span<const double> Places::sample(std::uint64_t k) {
  move_to(std::numeric_limits<std::uint64_t>::max() - k);
  return place_;
}

void Places::move_to(std::uint64_t stage) {
  stage_ = stage;
  std::vector<double> z(place_.size());
  draws_.normals(Purpose::stages, stage, z);
  set_->flatten(z);
  double u = 0;
  draws_.uniforms(Purpose::stages, stage, {&u, 1});
  const auto m = static_cast<double>(set_->hull_dimension());
  place_ = set_->centre();
  math::add(place_, radius_ * math::pow(u, 1 / m) / math::norm(z), z);
}

}  // namespace keyhole::problems
