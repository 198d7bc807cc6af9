// Above 512 dimensions posterior is face where the set is narrow and parameter_free made safe
// elsewhere. docs/posterior.md says what that costs.

#include "learners/posterior/many_dimensions.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/exploration.h"
#include "learners/option_lists.h"
#include "learners/wrappers/watchful.h"
#include "learners/wrappers/wrapper.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// The logarithm of the number of vertices of a set, about: for N of them, in m dimensions, white
/// noise xi in the coordinates in which the exploration is equally wide has max <xi, v - p> of
/// about sqrt(2 m log N).
double log_vertices(const SetPtr& set) {
  constexpr std::uint64_t draws = 8;
  const Randomness random(set, 0, 0);
  const auto nu = set->exploration();
  const auto oracle = set->oracle();
  std::vector<double> xi(set->dimension());
  double sum = 0;
  for (std::uint64_t k = 1; k <= draws; ++k) {
    random.normals(k, xi);
    for (std::size_t i = 0; i < xi.size(); ++i) xi[i] /= std::sqrt(nu->variance()[i]);
    sum += math::dot(xi, set->centre()) - oracle->minimise(xi).dot(xi);
  }
  const double mean = sum / static_cast<double>(draws);
  return mean * mean / (2 * static_cast<double>(set->hull_dimension()));
}

/// What posterior is there.
enum class Way : std::uint8_t { parameter_free, face };

/// Face where the set has few vertices: below 100 it won on 8 of 9 sets at 2^14 rounds, at 116 it
/// lost. It keeps to no reach.
Way way_for(const SetPtr& set, const PosteriorOptions& options) {
  constexpr double narrow = 100;
  return !options.reach && log_vertices(set) < narrow ? Way::face : Way::parameter_free;
}

std::unique_ptr<Algorithm> made(Way way, SetPtr set, const PosteriorOptions& own) {
  std::unique_ptr<Algorithm> inner;
  if (way == Way::face) {
    inner = face(std::move(set), {.caution = own.caution, .start = own.start});
  } else {
    inner = parameter_free(
        std::move(set),
        {.restarts = false, .reach = own.reach, .caution = own.caution, .start = own.start});
  }
  // A play at the start may be farther from the iterate than the reach allows.
  if (own.restarts && !own.reach) return watchful_from(std::move(inner), own.start);
  return inner;
}

class ManyDimensions final : public Forwarding<PosteriorAlgorithm, Algorithm> {
 public:
  ManyDimensions(Way way, const SetPtr& set, PosteriorOptions options)
      : Forwarding(made(way, set, options)), options_(std::move(options)), way_(way) {}

  void prepare(Randomness& random) override {
    random_ = &random;
    inner().prepare(random);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    const std::uint64_t restarts = activity().restarts;
    if (!inner().absorb(s, loss, random)) return false;
    losses_ = activity().restarts == restarts ? losses_ + 1 : 0;
    return true;
  }

  [[nodiscard]] PosteriorStatus status() const override {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const Activity now = activity();
    return {.losses = losses_,
            .restarts = now.restarts,
            .comparing = false,
            .suspicion = unknown,
            .noise = now.belief.noise,
            .gain = now.belief.gain,
            .reliable = unknown,
            .width = now.belief.gain_error,
            .curvature = now.belief.curvature,
            .fit = now.belief.fit,
            .reach = now.reach,
            .budget = unknown};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    return inner().regret_bound(rounds);
  }

  [[nodiscard]] std::string spec() const override { return spec_of("posterior", options_); }

  void state(Archive& archive) override {
    auto way =
        static_cast<std::uint8_t>(archive.revision() < ways_since ? Way::parameter_free : way_);
    if (archive.revision() >= ways_since) archive.field(way);
    if (way > static_cast<std::uint8_t>(Way::face)) throw StateError("the state has no such way");
    go_on_as(static_cast<Way>(way));
    inner().state(archive);
    archive.field(losses_);
  }

 private:
  /// The first trace revision whose states say which way it is; before there was one.
  static constexpr std::uint64_t ways_since = 9;

  /// Goes on as a state says, which another version may have written.
  void go_on_as(Way way) {
    if (way == way_) return;
    replace(made(way, shared_set(), options_));
    if (random_ != nullptr) inner().prepare(*random_);
    way_ = way;
  }

  PosteriorOptions options_;
  Randomness* random_ = nullptr;
  // State, with the inner algorithm's.
  Way way_;
  std::uint64_t losses_ = 0;  // learned from, since the latest restart
};

}  // namespace

std::unique_ptr<PosteriorAlgorithm> in_many_dimensions(const SetPtr& set,
                                                       const PosteriorOptions& options) {
  PosteriorOptions own = checked("posterior", options);
  if (!own.contexts.empty() || !own.limits.empty() || own.trials) {
    throw InvalidArgument(
        "posterior takes contexts, limits and trials in up to 512 dimensions, not in " +
        std::to_string(set->hull_dimension()));
  }
  const Way way = way_for(set, own);
  return std::make_unique<ManyDimensions>(way, set, std::move(own));
}

}  // namespace keyhole::algorithms
