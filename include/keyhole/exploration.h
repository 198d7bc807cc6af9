#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The random numbers that one draw is made of: 64 random bits a word, standard normal numbers,
/// all independent.
struct RandomBits {
  /// Words of 64 random bits.
  std::span<const std::uint64_t> words;
  /// Standard normal numbers.
  std::span<const double> normals;

  /// The number in [0, 1) that word k makes: its upper 53 bits over 2^53.
  [[nodiscard]] double uniform(std::size_t k) const noexcept {
    return static_cast<double>(words[k] >> 11U) * 0x1p-53;
  }
  /// One of 0, 1, ..., count - 1, each as likely as the others (to count / 2^53), from word k.
  [[nodiscard]] std::size_t below(std::size_t k, std::size_t count) const noexcept {
    return static_cast<std::size_t>(uniform(k) * static_cast<double>(count));
  }
};

/// How many random numbers one draw takes.
struct RandomNeeds {
  /// Words of 64 random bits.
  std::size_t words = 0;
  /// Standard normal numbers.
  std::size_t normals = 0;
};

/// A distribution nu on a set K: where a learner looks for what lies around it. With v from nu, x
/// in K and 0 <= s <= 1 the point y = (1 - s) x + s v is in K, and what y costs tells about the
/// gradient: for a linear loss f
///
///   f(y) / s  Sigma^-1 (v - p),  p = E v,  Sigma = the covariance of v,
///
/// has the mean grad f within the hull. Every set has the sphere inscribed in it about its centre;
/// sets that know their extreme points explore those, which lie farther away and so tell more.
///
/// 1. draw(bits) and score(bits) are pure functions of the bits; draw is in K up to rounding.
/// 2. The mean of draw(bits) is mean(), and the mean of score(bits) (draw(bits) - p)' is the
///    orthogonal projection onto the directions of the hull of K.
/// 3. variance()[i] is positive, and close to the variance of coordinate i; where that is 0, or not
///    known in closed form, any positive number of the right size.
/// 4. squared_radius() >= sum_i (v_i - p_i)^2 / variance()[i] for every draw v.
/// 5. After construction no call allocates.
///
/// It holds buffers, so each thread takes its own. It keeps the set that it refers to alive if a
/// SetPtr holds that; a set that none holds, such as one on the stack, must outlive it.
class Exploration {
 public:
  Exploration(const Exploration&) = delete;
  Exploration& operator=(const Exploration&) = delete;
  virtual ~Exploration() = default;

  /// p, the mean of the distribution.
  [[nodiscard]] std::span<const double> mean() const noexcept {
    return {mean_.data(), mean_.size()};
  }
  /// The size of each coordinate: its variance, or about that.
  [[nodiscard]] std::span<const double> variance() const noexcept {
    return {variance_.data(), variance_.size()};
  }
  /// The largest of sum_i (v_i - p_i)^2 / variance()[i] that can be drawn.
  [[nodiscard]] double squared_radius() const noexcept { return squared_radius_; }
  /// The same for all points of the set: at least the largest where the draws do not reach that
  /// far, as on the inscribed sphere; about the largest for a list of some of the vertices.
  [[nodiscard]] double squared_extent() const noexcept { return squared_extent_; }
  /// What one draw takes.
  [[nodiscard]] RandomNeeds needs() const noexcept { return needs_; }

  /// v, drawn from nu.
  virtual void draw(const RandomBits& bits, std::span<double> v) = 0;
  /// w = Sigma^-1 (v - p) for the same v, within the directions of the hull.
  virtual void score(const RandomBits& bits, std::span<double> w) = 0;

 protected:
  /// Takes what does not change. The extent is the radius if none is given: that of the convex hull
  /// of what is drawn. This one refers to no set.
  Exploration(std::vector<double> mean, std::vector<double> variance, double squared_radius,
              RandomNeeds needs, std::optional<double> squared_extent = {});
  /// The same for one that refers to `set`, or to what belongs to it, and shares in owning it if a
  /// SetPtr does.
  Exploration(const Set& set, std::vector<double> mean, std::vector<double> variance,
              double squared_radius, RandomNeeds needs, std::optional<double> squared_extent = {});

 private:
  std::shared_ptr<const Set> owned_;
  std::vector<double> mean_;
  std::vector<double> variance_;
  double squared_radius_;
  double squared_extent_;
  RandomNeeds needs_;
};

/// Uniform on the sphere inscribed in K about its centre p, within the hull, of dimension k:
/// v = p + r u, Sigma^-1 (v - p) = k / r u. Then f(y) / s Sigma^-1 (v - p) has the mean grad f for
/// every convex f smoothed over the ball (Flaxman, Kalai, McMahan 2005). Every set has it.
[[nodiscard]] std::unique_ptr<Exploration> inscribed_sphere(const Set& set);

/// A fixed list of points of a set, each drawn with its weight (all the same if none are given);
/// mean and covariance are those of the list, exactly. The points must span the hull of the set,
/// and there must be at least as many as its dimension + 1, else InvalidArgument. Holds the list
/// and as much again.
[[nodiscard]] std::unique_ptr<Exploration> point_list(const Set& set,
                                                      const std::vector<std::vector<double>>& list,
                                                      const std::vector<double>& weights = {});

/// Weights for a list of points, summing to 1, under which the covariance has a determinant about
/// as large as it can be (a D-optimal design): draws then tell about all directions of the hull,
/// the points that stick out being drawn more often. By `steps` steps of Titterington's method
/// (1976), w_i <- w_i (1 + (v_i - p) . Sigma^-1 (v_i - p)) / (1 + k), k the dimension of the hull.
/// Throws as point_list does.
[[nodiscard]] std::vector<double> design_weights(const Set& set,
                                                 const std::vector<std::vector<double>>& list,
                                                 std::size_t steps);

}  // namespace keyhole
#pragma GCC visibility pop
