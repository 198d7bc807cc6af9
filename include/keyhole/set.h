#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "keyhole/error.h"

#pragma GCC visibility push(default)
namespace keyhole {

class Exploration;
class Set;
struct PolytopeConstraints;
namespace sets {
class KeptExploration;
}

/// How far a sum or a norm may be off for a point to count as a member, as a share of the outer
/// radius. Signs and bounds have no tolerance: they hold exactly.
inline constexpr double membership_tolerance = 1e-9;

/// Balls about a centre p, within the affine hull of K:
/// p + inner_radius B is in K, K is in p + outer_radius B, and no two points of K are farther
/// apart than the diameter.
struct Geometry {
  /// The point p, in the relative interior of K.
  std::vector<double> centre;
  /// r: never larger than the true inscribed radius about p.
  double inner_radius = 0;
  /// R: never smaller than the true circumscribed radius about p.
  double outer_radius = 0;
  /// D: never smaller than the true diameter.
  double diameter = 0;
  /// False where R is only known to be an upper bound.
  bool outer_radius_exact = true;
  /// False where D is only known to be an upper bound.
  bool diameter_exact = true;
};

/// A point of K that minimises a linear function, as its oracle found it: the sum of a dense part,
/// of single entries and of a matrix of rank one, written row by row,
/// v = dense + sum_k values[k] e_{indices[k]} + left right', each part possibly empty.
/// The spans belong to the oracle and hold until its next call.
struct Vertex {
  /// Empty, or one number for each coordinate.
  std::span<const double> dense;
  /// The coordinates of the single entries.
  std::span<const std::size_t> indices;
  /// The values of the single entries.
  std::span<const double> values;
  /// The column of the rank-one part: entry i c + j of v, c = right.size(), gets left_i right_j.
  std::span<const double> left = {};
  /// Its row; left.size() right.size() is 0 or the dimension.
  std::span<const double> right = {};

  /// x += weight v.
  void add_to(std::span<double> x, double weight) const noexcept;
  /// x = v.
  void write_to(std::span<double> x) const noexcept;
  /// The inner product <direction, v>.
  [[nodiscard]] double dot(std::span<const double> direction) const noexcept;
};

/// What a set hands out to do its work: it owns the buffers, so each thread takes its own. It keeps
/// its set alive if a SetPtr holds that; see Set::oracle().
///
/// 1. minimise(d) is a pure function of the set and d; what an oracle keeps between calls only
///    makes it faster, and nothing of it is ever saved.
/// 2. minimise(d) is in K, and <d, minimise(d)> <= <d, x> for every x in K.
/// 3. Ties and the zero direction are resolved by a rule that the set states.
/// 4. After construction no call allocates (closed-form sets), but those for points so far away
/// that
///    they are scaled.
///
/// minimise(), project() and gauge() are the door of every set. They throw InvalidArgument if a
/// number is not finite. What an oracle of your own overrides, do_minimise(), do_project() and
/// do_gauge(), gets numbers whose squares and products neither overflow nor vanish: the door scales
/// all others.
class Oracle {
 public:
  Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  virtual ~Oracle() = default;

  /// v = argmin over K of <direction, v>; the answer holds until the next call.
  const Vertex& minimise(std::span<const double> direction);

  /// nearest = argmin over K of ||x - point||; the two spans may be the same. Only where
  /// Set::can_project() says so; elsewhere it throws InvalidArgument. Throws Error if rounding
  /// prevents an answer.
  void project(std::span<const double> point, std::span<double> nearest);

  /// The gauge of K about its centre p, gamma(w) = inf {l >= 0 : p + (w - p) / l in K}, of a point
  /// w of the hull: at most 1 in K, 1 at its boundary. Writes a subgradient s within the directions
  /// of the hull: gamma(z) >= gamma(w) + <s, z - w> for every z of the hull, s = 0 at p. The two
  /// spans must not overlap. Only where Set::can_gauge() says so; elsewhere it throws
  /// InvalidArgument.
  double gauge(std::span<const double> w, std::span<double> subgradient);

  /// Moves a point that lies in K up to rounding (membership_tolerance R) so that signs and bounds
  /// hold exactly. A larger violation is left as it is, for membership to reject.
  virtual void settle(std::span<double> point);

 protected:
  /// minimise() of a direction that is zero or has a norm between 2^-160 and 2^160.
  virtual const Vertex& do_minimise(std::span<const double> direction) = 0;

  /// project() of a point of a norm up to 2^300 R. False, with the point as it was, if
  /// rounding prevents an answer: nearer points that have the same projection are tried then.
  virtual bool do_project(std::span<const double> point, std::span<double> nearest);

  /// gauge() of the centre, or of a point of a norm between 2^-160 R and 2^160 R.
  virtual double do_gauge(std::span<const double> w, std::span<double> subgradient);

 private:
  friend class Set;

  bool project_from_afar(std::span<const double> z, std::span<double> nearest);

  std::shared_ptr<const Set> owned_;
  const Set* set_ = nullptr;    // that handed this out
  std::vector<double> scaled_;  // a direction
};

/// An immutable, shareable description of a compact convex set K: safe to use from any number of
/// threads at once. A set of your own derives from this class and from Oracle, and check_set() of
/// keyhole/testing.h tells whether it keeps the contract.
///
/// 1. contains(p + r u) for every unit u of the hull's directions, and ||v - p|| <= R for every v.
/// 2. contains(v) for every vertex; !contains(v - e d / ||d||) for the vertex v of a direction d of
///    the hull and every e >= 1e-6 R.
/// 3. flatten is the orthogonal projection onto the hull's directions, of rank hull_dimension().
/// 4. Equal spec() means an equal set.
class Set : public std::enable_shared_from_this<Set> {
 public:
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  virtual ~Set() = default;

  /// The number of coordinates n.
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  /// The dimension of the affine hull; below n for flat sets.
  [[nodiscard]] std::size_t hull_dimension() const noexcept { return hull_dimension_; }
  /// Centre, radii and diameter: a copy, which may outlive the set.
  [[nodiscard]] Geometry geometry() const { return geometry_; }
  /// p; it lives as long as the set.
  [[nodiscard]] const std::vector<double>& centre() const noexcept { return geometry_.centre; }
  /// r.
  [[nodiscard]] double inner_radius() const noexcept { return geometry_.inner_radius; }
  /// R.
  [[nodiscard]] double outer_radius() const noexcept { return geometry_.outer_radius; }
  /// D.
  [[nodiscard]] double diameter() const noexcept { return geometry_.diameter; }
  /// membership_tolerance R: how far a sum or a norm of a member may be off.
  [[nodiscard]] double slack() const noexcept { return membership_tolerance * outer_radius(); }

  /// A new oracle for this set. It keeps the set alive, so that simplex(3)->oracle() is safe; only
  /// a set that no SetPtr holds, such as one on the stack, must outlive it.
  [[nodiscard]] std::unique_ptr<Oracle> oracle() const;

  /// Where to explore: the extreme points of the set where it knows them, else the sphere inscribed
  /// in it; see keyhole/exploration.h. It keeps the set alive as an oracle does. Points that take
  /// long to find are found by the first call and shared by all.
  [[nodiscard]] virtual std::unique_ptr<Exploration> exploration() const;

  /// Whether x is in K: signs and bounds exactly, sums and norms to membership_tolerance R. Points
  /// of the wrong size or with a NaN are not.
  [[nodiscard]] virtual bool contains(std::span<const double> x) const = 0;

  /// Whether Oracle::project() is there.
  [[nodiscard]] virtual bool can_project() const noexcept { return false; }

  /// Whether Oracle::gauge() is there, as a closed form.
  [[nodiscard]] virtual bool can_gauge() const noexcept { return false; }

  /// Projects a direction onto the directions of the affine hull; does nothing unless K is flat.
  virtual void flatten(std::span<double> direction) const;

  /// The geometry about another centre; throws InvalidArgument if that is not in the set. At its
  /// boundary r is 0. By default bounds: r from membership on the line through both centres, R and
  /// D by the distance of the centres.
  [[nodiscard]] virtual Geometry geometry_about(std::span<const double> centre) const;

  /// The set by linear inequalities and equalities, as keyhole/polytope.h has them, where it knows
  /// them and they are few enough to write down: what intersection() is made of.
  [[nodiscard]] virtual std::optional<PolytopeConstraints> linear_description() const;

  /// The canonical one-line description, such as `simplex(100)`: equal text means an equal set.
  [[nodiscard]] virtual std::string spec() const = 0;

  /// A 64-bit hash of spec(), which stands in saved states.
  [[nodiscard]] std::uint64_t fingerprint() const;

 protected:
  /// What oracle() hands out.
  [[nodiscard]] virtual std::unique_ptr<Oracle> make_oracle() const = 0;

  /// Throws InvalidArgument unless the geometry is sound: finite, 0 < r <= R <= D <= 2R (to
  /// rounding), within largest_number, and r large enough compared with the coordinates of p for
  /// points of K to be told apart in double precision.
  Set(std::size_t dimension, std::size_t hull_dimension, Geometry geometry);

 private:
  friend class sets::KeptExploration;

  std::size_t dimension_;
  std::size_t hull_dimension_;
  Geometry geometry_;
  std::shared_ptr<sets::KeptExploration> kept_exploration_;
};

/// Sets are shared: learners, problems and threads hold the same one.
using SetPtr = std::shared_ptr<const Set>;

}  // namespace keyhole
#pragma GCC visibility pop
