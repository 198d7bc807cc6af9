// One list of options checks, prints, reads and documents them.

#include "keyhole/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/option_lists.h"
#include "problems/option_lists.h"
#include "sets/option_lists.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

enum class Colour { red, green, blue };

struct Paint {
  std::optional<double> amount = {};
  double gloss = 0.5;
  std::optional<double> price = {};
  std::uint64_t coats = 2;
  std::optional<std::uint64_t> cans = {};
  bool lead = false;
  Colour colour = Colour::red;
  std::vector<double> at = {};
  std::string maker = {};
  std::vector<std::string> brushes = {};
  int thinner = 0;
};

void list_options(OptionVisitor& visit, Paint& paint) {
  visit.required({"amount", "in litres", ranges::positive}, paint.amount);
  visit.number({.key = "gloss", .meaning = "a share", .range = {0, 1}, .always = true},
               paint.gloss);
  visit.number({"price", "in euros", {1, 10, true}, "whatever it costs"}, paint.price);
  visit.whole({"coats", "how many", {1, 5}}, paint.coats);
  visit.whole({"cans", "how many", {1, 3}, "as many as needed"}, paint.cans);
  visit.flag({"lead", "whether there is any"}, paint.lead);
  visit.choice({"colour", "which"}, paint.colour,
               {{"red", Colour::red}, {"green", Colour::green}, {"blue", Colour::blue}});
  visit.coordinates({"at", "where", {-1, 1}, "here"}, paint.at);
  visit.text({"maker", "who", {}, "anyone"}, paint.maker);
  visit.texts({"brushes", "which"}, paint.brushes);
  visit.whole({"thinner", "how much", {0, 9}}, paint.thinner);
}

TEST(Options, TextsNameWhatDiffersFromTheDefaults) {
  EXPECT_EQ(spec_of("paint", Paint{.amount = 2}), "paint(amount=2, gloss=0.5)");
  EXPECT_EQ(spec_of("paint", Paint{.amount = 2}, "wall"), "paint(wall, amount=2, gloss=0.5)");
  EXPECT_EQ(spec_of("paint", Paint{.amount = 2,
                                   .gloss = 1,
                                   .price = 1.5,
                                   .coats = 3,
                                   .cans = 1,
                                   .lead = true,
                                   .colour = Colour::blue,
                                   .at = {0.5, -0.0},
                                   .maker = "A \"B\"",
                                   .brushes = {"x", "y z"},
                                   .thinner = 4}),
            "paint(amount=2, gloss=1, price=1.5, coats=3, cans=1, lead=true, colour=blue, "
            "at=[0.5, -0], maker=\"A \\\"B\\\"\", brushes=[\"x\", \"y z\"], thinner=4)");
  EXPECT_EQ(spec_of("parameter_free", ParameterFreeOptions{}), "parameter_free()");
}

TEST(Options, AreCheckedByTheirRanges) {
  const auto refusal = [](const Paint& paint) {
    return message<InvalidArgument>([&] { checked("paint", paint); });
  };
  EXPECT_EQ(refusal({}), "paint needs amount: in litres");
  EXPECT_EQ(refusal({.amount = 0}), "the amount of paint must be from 1e-50 to 1e+50, not 0");
  EXPECT_EQ(refusal({.amount = 1, .gloss = std::nan("")}),
            "the gloss of paint must be from 0 to 1, not nan");
  EXPECT_EQ(refusal({.amount = 1, .price = 11}),
            "the price of paint must be from 1 to 10 but 0, not 11");
  EXPECT_EQ(refusal({.amount = 1, .coats = 0}), "the coats of paint must be from 1 to 5, not 0");
  EXPECT_EQ(refusal({.amount = 1, .cans = 4}), "the cans of paint must be from 1 to 3, not 4");
  EXPECT_EQ(refusal({.amount = 1, .at = {0, 2}}), "the at of paint must be from -1 to 1, not 2");
  EXPECT_THROW(checked("paint", Paint{.amount = 1, .thinner = -1}), InvalidArgument);
  EXPECT_EQ(checked("paint", Paint{.amount = 1, .colour = Colour::green}).colour, Colour::green);
}

// A number that is none of the values was once taken for the second.
TEST(Options, AValueWithoutAWordIsRefused) {
  const auto refusal = [](auto make) { return message<InvalidArgument>([&] { (void)make(); }); };
  EXPECT_EQ(refusal([] { return checked("paint", Paint{.amount = 1, .colour = Colour{7}}); }),
            "the colour of paint must be red or green or blue");
  EXPECT_EQ(refusal([] { return fkm(ball(2), {.loss_bound = 1, .constants = FkmConstants{2}}); }),
            "the constants of fkm must be zhao or textbook");
  EXPECT_EQ(refusal([] { return parameter_free(ball(2), {.schedule = ExplorationSchedule{2}}); }),
            "the schedule of parameter_free must be measured or fixed");
  EXPECT_EQ(refusal([] { return tracking(ball(2), {.tails = Tails{5}}, {}); }),
            "the tails of tracking must be normal or student or cauchy or lognormal");
}

/// Whether a value can be chosen by words for the values of an enumeration.
template <class Value, class Words>
concept CanChoose = requires(OptionVisitor& visit, Value& value, Words words) {
  visit.choice(options::Option{"", ""}, value, words);
};
static_assert(CanChoose<Colour, std::initializer_list<options::Word<Colour>>>);
static_assert(!CanChoose<Tails, std::initializer_list<options::Word<Colour>>>,
              "words of another type");

/// Sets one option after the other to the ends of its range, and beyond.
class AtTheEnds final : public OptionVisitor {
 public:
  AtTheEnds(std::size_t which, int end) : which_(which), end_(end) {}

  [[nodiscard]] bool done() const { return done_; }
  /// Whether the option has a range.
  [[nodiscard]] bool changed() const { return changed_; }

  void required(const options::Option& option, std::optional<double>& value) override {
    value = 1;
    number(option, value);
  }
  void number(const options::Option& option, double& value) override { set(option, value); }
  void number(const options::Option& option, std::optional<double>& value) override {
    double number = 1;
    if (set(option, number)) value = number;
  }
  void whole(const options::Option& option, std::uint64_t& value) override {
    auto number = static_cast<double>(value);
    if (set(option, number, true)) value = number < 0 ? ~0ULL : static_cast<std::uint64_t>(number);
  }
  void whole(const options::Option& option, std::optional<std::uint64_t>& value) override {
    std::uint64_t number = 1;
    whole(option, number);
    value = number;
  }
  void seed(const options::Option&, std::uint64_t&) override {}
  void flag(const options::Option&, bool&) override {}
  void word(const options::Option&, std::size_t&, const std::vector<std::string>&) override {}
  void coordinates(const options::Option&, std::vector<double>&) override {}
  void text(const options::Option&, std::string&) override {}
  void file(const options::Option&, std::string&) override {}
  void texts(const options::Option&, std::vector<std::string>&) override {}

 private:
  bool set(const options::Option& option, double& value, bool is_whole = false) {
    if (seen_++ != which_) return false;
    done_ = false;
    if (option.range.text().empty()) return false;
    changed_ = true;
    const auto [low, high, nonzero] = option.range;
    const double below = is_whole ? low - 1 : std::nextafter(low, -HUGE_VAL);
    const double above = is_whole && high < 0x1p53 ? high + 1 : std::nextafter(high, HUGE_VAL);
    value = end_ == 0 ? low : end_ == 1 ? high : end_ == 2 ? below : above;
    return true;
  }

  std::size_t which_;
  int end_;
  std::size_t seen_ = 0;
  bool done_ = true;
  bool changed_ = false;
};

template <class Options>
std::size_t expect_ranges_hold(const std::string& owner) {
  std::size_t ranges = 0;
  for (std::size_t which = 0;; ++which) {
    for (const int end : {0, 1, 2, 3}) {
      Options options;
      AtTheEnds visitor(which, end);
      list_options(visitor, options);
      if (visitor.done()) return ranges;
      if (!visitor.changed()) continue;
      ++ranges;
      if (end < 2) {
        EXPECT_NO_THROW(checked(owner, options)) << owner << " " << which << " " << end;
      } else {
        EXPECT_THROW(checked(owner, options), InvalidArgument)
            << owner << " " << which << " " << end;
      }
    }
  }
}

TEST(Options, RangesOfEveryStructHoldAtBothEnds) {
  const std::size_t ranges =
      expect_ranges_hold<ParameterFreeOptions>("parameter_free") +
      expect_ranges_hold<PosteriorOptions>("posterior") + expect_ranges_hold<FaceOptions>("face") +
      expect_ranges_hold<LinearThompsonOptions>("linear_thompson") +
      expect_ranges_hold<SpsaOptions>("spsa") + expect_ranges_hold<CmaEsOptions>("cma_es") +
      expect_ranges_hold<ProjectionFreeOptions>("projection_free") +
      expect_ranges_hold<FkmOptions>("fkm") + expect_ranges_hold<BbcgOptions>("bbcg") +
      expect_ranges_hold<TwoPointOptions>("two_point") + expect_ranges_hold<GaugeOptions>("gauge") +
      expect_ranges_hold<OnlineNewtonOptions>("online_newton") +
      expect_ranges_hold<OgdOptions>("ogd") + expect_ranges_hold<OcgOptions>("ocg") +
      expect_ranges_hold<StochasticOcgOptions>("stochastic_ocg") +
      expect_ranges_hold<OneShotOptions>("one_shot") +
      expect_ranges_hold<QuadraticOptions>("quadratic") +
      expect_ranges_hold<PortfolioOptions>("portfolio") +
      expect_ranges_hold<CompletionOptions>("completion") +
      expect_ranges_hold<TrackingOptions>("tracking") +
      expect_ranges_hold<SeparableOptions>("separable") +
      expect_ranges_hold<ContextualOptions>("contextual") +
      expect_ranges_hold<RegressionOptions>("regression") +
      expect_ranges_hold<LinearOptions>("linear") +
      expect_ranges_hold<AlternatingOptions>("alternating") +
      expect_ranges_hold<MaxAffineOptions>("max_affine") +
      expect_ranges_hold<CurvedOptions>("curved") + expect_ranges_hold<ThinOptions>("thin") +
      expect_ranges_hold<RoadGridOptions>("road_grid") +
      expect_ranges_hold<LognormalMarketOptions>("lognormal_market") +
      expect_ranges_hold<RoutingOptions>("routing") +
      expect_ranges_hold<LatencyOptions>("latency") +
      expect_ranges_hold<MatrixOracleOptions>("nuclear_ball");
  EXPECT_GT(ranges, 4 * 50u);
}

}  // namespace
}  // namespace keyhole::tests
