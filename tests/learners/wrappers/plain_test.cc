// Wrappers pass on neither contexts nor metrics, so they refuse algorithms that take any.

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// Takes a horizon, and a context and a metric if it is to.
class Demanding final : public HorizonAlgorithm {
 public:
  Demanding(SetPtr set, bool context, bool metric)
      : HorizonAlgorithm(std::move(set)), context_(context), metric_(metric) {}

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override { recommend(y); }
  bool absorb(PlayId /*s*/, double /*loss*/, Randomness& /*random*/) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(p().begin(), p().end(), x.begin());
  }
  [[nodiscard]] std::size_t contexts() const noexcept override { return context_ ? 1 : 0; }
  [[nodiscard]] std::size_t metrics() const noexcept override { return metric_ ? 1 : 0; }
  void restart(std::uint64_t horizon) override { horizon_ = horizon; }
  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }
  [[nodiscard]] std::string family_spec() const override { return "demanding()"; }
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t /*horizon*/) const override { return {}; }

 private:
  bool context_;
  bool metric_;
  std::uint64_t horizon_ = 0;
};

using Wrap = std::function<std::unique_ptr<Algorithm>(const PosteriorOptions& options)>;

TEST(Wrappers, RefuseContextsAndLimitsThatTheyWouldHide) {
  const SetPtr set = box(0, 1, 2);
  const std::vector<std::pair<std::string, Wrap>> wrappers = {
      {"watchful", [&](const auto& options) { return watchful(posterior(set, options)); }},
      {"restarting", [&](const auto& options) { return restarting(posterior(set, options), 100); }},
      {"levelled",
       [&](const auto& options) {
         return levelled(posterior(set, options), {.contexts = {"number"}});
       }},
      {"anchored",
       [&](const auto& options) {
         return anchored(set, posterior(product({set, set}), options));
       }},
      {"fed_constant", [&](const auto& options) { return fed_constant(posterior(set, options)); }},
      {"anytime", [&](const auto& options) {
         return anytime(
             std::make_unique<Demanding>(set, !options.contexts.empty(), !options.limits.empty()));
       }}};
  for (const auto& [name, wrap] : wrappers) {
    EXPECT_NE(wrap({}), nullptr) << name;
    const auto refusal = [&, &wrap = wrap](const PosteriorOptions& options) {
      return message<InvalidArgument>([&] { (void)wrap(options); });
    };
    const std::string of_contexts = refusal({.contexts = {"number"}});
    EXPECT_TRUE(of_contexts.starts_with(name + " needs an algorithm that takes no contexts, and "))
        << of_contexts;
    const std::string of_limits = refusal({.limits = {{.most = 1}}});
    EXPECT_TRUE(of_limits.starts_with(name + " needs an algorithm without limits, and "))
        << of_limits;
  }
}

}  // namespace
}  // namespace keyhole::tests
