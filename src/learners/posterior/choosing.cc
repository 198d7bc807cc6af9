// Names that decide what is best for the other numbers of a point: contexts that the learner
// chooses.

#include "learners/posterior/choosing.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/require.h"
#include "keyhole/sets.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/many_dimensions.h"
#include "learners/wrappers/wrapper.h"
#include "sets/combinations/product.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;

/// The first and the last number of "0-3".
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
};

Range range_of(std::string_view text) {
  const char* const end = text.data() + text.size();
  Range range;
  const auto [dash, error] = std::from_chars(text.data(), end, range.first);
  if (error == std::errc() && dash != end && *dash == '-') {
    const auto [behind, other] = std::from_chars(dash + 1, end, range.last);
    if (other == std::errc() && behind == end && range.first < range.last) return range;
  }
  throw InvalidArgument(R"(a choice is a text such as "0-3", the numbers of its names, not ")" +
                        std::string(text) + "\"");
}

/// A product with its choices apart.
struct Parts {
  /// Without the choices.
  SetPtr rest;
  std::vector<std::size_t> choices;
  /// Where each number of the rest, and then each name, stands in a point.
  std::vector<std::size_t> places;
};

Parts parts_of(const SetPtr& set, const std::vector<std::string>& texts) {
  std::vector<SetPtr> rest;
  std::vector<std::size_t> places;
  std::vector<std::optional<SetPtr>> found(texts.size());
  std::size_t first = 0;
  for (const SetPtr& factor : sets::factors_of(set)) {
    bool is_choice = false;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Range range = range_of(texts[i]);
      if (range.first != first || range.last != first + factor->dimension() - 1) continue;
      is_choice = factor->spec() == simplex(factor->dimension())->spec();
      if (is_choice) found[i] = factor;
    }
    if (!is_choice) {
      rest.push_back(factor);
      for (std::size_t i = 0; i < factor->dimension(); ++i) places.push_back(first + i);
    }
    first += factor->dimension();
  }
  Parts parts;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::require(found[i].has_value(), "the choice \"" + texts[i] + "\" is no simplex that " +
                                            set->spec() + " has as a factor");
    parts.choices.push_back((*found[i])->dimension());
    combinations *= parts.choices.back();
    const Range range = range_of(texts[i]);
    for (std::size_t k = range.first; k <= range.last; ++k) places.push_back(k);
    base::require(combinations <= PosteriorConstants::known_contexts,
                  "choices that decide for the others have at most " +
                      std::to_string(PosteriorConstants::known_contexts) +
                      " combinations of names, and these have " + std::to_string(combinations) +
                      " and more: let fewer choices decide");
  }
  base::require(!rest.empty(), "choices need other numbers to decide for, and " + set->spec() +
                                   " has none besides");
  base::require(places.size() == set->dimension(), "a choice is named twice");
  parts.rest = rest.size() == 1 ? rest[0] : product(rest);
  parts.places = std::move(places);
  return parts;
}

/// Around posterior_with_names(), whose points have the choices behind.
class Choosing final : public OnAnotherSet<PosteriorAlgorithm, PosteriorAlgorithm> {
 public:
  Choosing(const SetPtr& set, std::unique_ptr<PosteriorAlgorithm> inner, PosteriorOptions options,
           std::vector<std::size_t> places)
      : OnAnotherSet(set, std::move(inner), "choices"),
        options_(std::move(options)),
        places_(std::move(places)),
        point_(places_.size()) {}

  [[nodiscard]] std::size_t contexts() const noexcept override { return inner().contexts(); }
  [[nodiscard]] std::size_t metrics() const noexcept override { return inner().metrics(); }
  [[nodiscard]] bool can_learn() const noexcept override { return true; }

  void play_in(PlayId t, std::span<const double> context, Randomness& /*random*/,
               std::span<double> y) override {
    inner().play_in(t, context, inside(), point_);
    put(y);
  }
  bool absorb_counted(PlayId s, double loss, double count, Randomness& /*random*/) override {
    return inner().absorb_counted(s, loss, count, inside());
  }
  bool absorb_metric(PlayId s, std::size_t metric, double value, Randomness& /*random*/) override {
    return inner().absorb_metric(s, metric, value, inside());
  }
  void learn(std::span<const double> point, double loss, double count) override {
    learn_in({}, point, loss, count);
  }
  void learn_in(std::span<const double> context, std::span<const double> point, double loss,
                double count) override {
    take(point);
    inner().learn_in(context, point_, loss, count);
  }
  void learn_metric(std::span<const double> context, std::span<const double> point,
                    std::size_t metric, double value) override {
    take(point);
    inner().learn_metric(context, point_, metric, value);
  }

  void recommend(std::span<double> x) const override {
    inner().recommend(point_);
    put(x);
  }
  void recommend_in(std::span<const double> context, std::span<double> x) const override {
    inner().recommend_in(context, point_);
    put(x);
  }

  [[nodiscard]] std::vector<FrontPoint> front(std::size_t metric) const override {
    std::vector<FrontPoint> front = inner().front(metric);
    for (FrontPoint& one : front) {
      std::copy(one.point.begin(), one.point.end(), point_.begin());
      put(one.point);
    }
    return front;
  }

  [[nodiscard]] std::vector<Estimate> estimates(std::span<const double> context,
                                                std::span<const double> points) const override {
    const std::size_t n = places_.size();
    Vector inside(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) inside[i] = points[i - i % n + places_[i % n]];
    return inner().estimates(context, inside);
  }

  [[nodiscard]] PosteriorStatus status() const override { return inner().status(); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    return inner().regret_bound(rounds);
  }
  [[nodiscard]] std::string spec() const override { return spec_of("posterior", options_); }

 private:
  /// A point as the algorithm inside has it.
  void take(std::span<const double> point) {
    for (std::size_t i = 0; i < places_.size(); ++i) point_[i] = point[places_[i]];
  }
  /// The point as the set has it.
  void put(std::span<double> y) const {
    for (std::size_t i = 0; i < places_.size(); ++i) y[places_[i]] = point_[i];
  }

  PosteriorOptions options_;
  std::vector<std::size_t> places_;
  mutable Vector point_;  // workspace: as the algorithm inside has it
};

}  // namespace

std::unique_ptr<PosteriorAlgorithm> choosing(const SetPtr& set, const PosteriorOptions& options) {
  base::require(set != nullptr, "an algorithm needs a set");
  PosteriorOptions own = checked("posterior", options);
  base::require(!own.reach, "posterior takes choices or a reach, not both");
  const Parts parts = parts_of(set, own.choices);
  base::require(parts.rest->hull_dimension() <= most_modelled_dimensions,
                "posterior takes choices in up to 512 dimensions, not in " +
                    std::to_string(parts.rest->hull_dimension()));
  PosteriorOptions of_rest = own;
  of_rest.choices.clear();
  OwnNames names{.choices = parts.choices, .start = {}};
  const std::span<const double> start = start_point(*set, own.start);
  of_rest.start.clear();
  const std::size_t numbers = parts.rest->dimension();
  for (std::size_t i = 0; i < parts.places.size(); ++i) {
    const double at = start[parts.places[i]];
    if (i >= numbers) {
      names.start.push_back(at);
    } else if (!own.start.empty()) {
      of_rest.start.push_back(at);
    }
  }
  for (const std::size_t count : parts.choices) {
    of_rest.contexts.push_back("choice(" + std::to_string(count) + ")");
  }
  return std::make_unique<Choosing>(set, posterior_with_names(parts.rest, of_rest, names),
                                    std::move(own), parts.places);
}

}  // namespace keyhole::algorithms
