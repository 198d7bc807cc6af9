// Above 512 dimensions posterior is parameter_free made safe. docs/posterior.md says what that
// costs.

#include "learners/posterior/many_dimensions.h"

#include <limits>
#include <string>
#include <utility>

#include "keyhole/parameter_free.h"
#include "learners/option_lists.h"
#include "learners/wrappers/watchful.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

class ManyDimensions final : public Forwarding<PosteriorAlgorithm, Algorithm> {
 public:
  ManyDimensions(std::unique_ptr<Algorithm> inner, PosteriorOptions options)
      : Forwarding(std::move(inner)), options_(std::move(options)) {}

  bool absorb(PlayId s, double loss, Randomness& random) override {
    const std::uint64_t restarts = activity().restarts;
    if (!inner().absorb(s, loss, random)) return false;
    losses_ = activity().restarts == restarts ? losses_ + 1 : 0;
    return true;
  }

  [[nodiscard]] PosteriorStatus status() const override {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {.losses = losses_,
            .restarts = activity().restarts,
            .comparing = false,
            .suspicion = unknown,
            .noise = unknown,
            .gain = unknown,
            .reliable = unknown,
            .width = unknown,
            .curvature = unknown,
            .fit = unknown,
            .reach = activity().reach,
            .budget = unknown};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    return inner().regret_bound(rounds);
  }

  [[nodiscard]] std::string spec() const override { return spec_of("posterior", options_); }

  void state(Archive& archive) override {
    inner().state(archive);
    archive.field(losses_);
  }

 private:
  PosteriorOptions options_;
  // State, with the inner algorithm's.
  std::uint64_t losses_ = 0;  // learned from, since the latest restart
};

}  // namespace

std::unique_ptr<PosteriorAlgorithm> in_many_dimensions(SetPtr set,
                                                       const PosteriorOptions& options) {
  PosteriorOptions own = checked("posterior", options);
  std::unique_ptr<Algorithm> inner = parameter_free(
      std::move(set),
      {.restarts = false, .reach = own.reach, .caution = own.caution, .start = own.start});
  // A play at the start may be farther from the iterate than the reach allows.
  if (own.restarts && !own.reach) inner = watchful_from(std::move(inner), own.start);
  return std::make_unique<ManyDimensions>(std::move(inner), std::move(own));
}

}  // namespace keyhole::algorithms
