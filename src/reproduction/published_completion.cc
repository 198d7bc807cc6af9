#include "reproduction/published_completion.h"

#include <utility>

#include "keyhole/sets.h"
#include "problems/completion.h"

namespace keyhole::reproduction {
namespace {

class PublishedOracle final : public Oracle {
 public:
  PublishedOracle(std::unique_ptr<Oracle> ball, std::unique_ptr<Oracle> psd)
      : ball_(std::move(ball)), psd_(std::move(psd)) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    return psd_->minimise(direction);
  }
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    ball_->project(point, nearest);
    return true;
  }
  void settle(std::span<double> point) override { ball_->settle(point); }

 private:
  std::unique_ptr<Oracle> ball_;
  std::unique_ptr<Oracle> psd_;
};

class PublishedRegion final : public Set {
 public:
  PublishedRegion(SetPtr ball, SetPtr psd)
      : Set(ball->dimension(), ball->hull_dimension(), ball->geometry()),
        ball_(std::move(ball)),
        psd_(std::move(psd)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<PublishedOracle>(ball_->oracle(), psd_->oracle());
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return ball_->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  void flatten(std::span<double> direction) const override { ball_->flatten(direction); }
  [[nodiscard]] std::string spec() const override {
    return "as_published(" + ball_->spec() + ", oracle=" + psd_->spec() + ")";
  }

 private:
  SetPtr ball_;
  SetPtr psd_;
};

}  // namespace

SpecEntry published_completion() {
  return {.name = "published_completion",
          .summary = "as the paper's published curves have it",
          .build = [](const Arguments& /*given*/, const ProblemContext& context) {
            const CompletionOptions options{.n = 20, .k = 18};
            auto set = std::make_shared<PublishedRegion>(symmetric_nuclear_ball(20, 18),
                                                         psd_trace_ball(20, 18));
            return problems::completion_on(set, options, "published_completion()", context.seed);
          }};
}

}  // namespace keyhole::reproduction
