// A cube as a set of one's own, with an oracle that can be made to fail, and catalogues that have
// it.

#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "keyhole/catalogue.h"
#include "keyhole/own_set.h"

namespace keyhole::tests {

/// Writes a minimiser of a direction.
using Minimise = std::function<void(std::span<const double> d, std::span<double> v)>;

/// The vertex of [0, 1]^n for a direction.
inline void minimise_over_the_cube(std::span<const double> d, std::span<double> v) {
  for (std::size_t i = 0; i < d.size(); ++i) v[i] = d[i] < 0 ? 1 : 0;
}

/// One whose nearly tied coordinates, those of less than a part of the direction, have a value that
/// an update may change.
inline Minimise with_ties_at(double value) {
  return [value](std::span<const double> d, std::span<double> v) {
    minimise_over_the_cube(d, v);
    const double norm = std::hypot(d[0], d[1], d[2]);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (std::abs(d[i]) < 0.01 * norm) v[i] = value;
    }
  };
}

/// What an oracle throws that fails.
class OracleFailed : public std::runtime_error {
 public:
  OracleFailed() : std::runtime_error("the oracle is away") {}
};

/// How an oracle fails.
struct Trouble {
  /// Its calls so far: whether each was made while the set was.
  std::vector<bool> calls = {};
  /// The number of the call that fails; nothing when it has.
  std::optional<std::size_t> fail_at = {};
  /// The directions that always fail, but while the set is made.
  std::function<bool(std::span<const double> direction)> refuses = {};
  /// Whether a set is made now.
  bool makes_a_set = false;

  void call(std::span<const double> direction) {
    calls.push_back(makes_a_set);
    if (fail_at && calls.size() == *fail_at + 1) {
      fail_at.reset();
      throw OracleFailed();
    }
    if (refuses && !makes_a_set && refuses(direction)) throw OracleFailed();
  }
};

/// While a set is made.
class Making {
 public:
  explicit Making(Trouble* trouble) : trouble_(trouble) { note(true); }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() { note(false); }

 private:
  void note(bool makes) {
    if (trouble_ != nullptr) trouble_->makes_a_set = makes;
  }

  Trouble* trouble_;
};

/// A catalogue that also has [0, 1]^3, as "cube()", by that oracle.
inline Catalogue with_cube(const Minimise& minimise, const std::shared_ptr<Trouble>& trouble = {}) {
  const auto build = [minimise, trouble](const Arguments&) {
    const Making making(trouble.get());
    return own_set({.dimension = 3,
                    .minimise = minimise,
                    .name = "cube()",
                    .geometry = Geometry{.centre = {0.5, 0.5, 0.5},
                                         .inner_radius = 0.5,
                                         .outer_radius = 0.8660254037844387,
                                         .diameter = 1.7320508075688774}});
  };
  Catalogue catalogue = Catalogue::standard();
  catalogue.add({.name = "cube", .summary = "[0, 1]^3", .build = SetBuilder(build)});
  return catalogue;
}

/// The same with an oracle that is in trouble.
inline Catalogue with_cube(const std::shared_ptr<Trouble>& trouble,
                           const Minimise& otherwise = minimise_over_the_cube) {
  const Minimise minimise = [trouble, otherwise](std::span<const double> d, std::span<double> v) {
    trouble->call(d);
    otherwise(d, v);
  };
  return with_cube(minimise, trouble);
}

}  // namespace keyhole::tests
