#include "keyhole/learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/algorithms.h"
#include "learners/learner/plays.h"
#include "math/elementary.h"

namespace keyhole {

using algorithms::Ledger;

Learner::Learner(std::unique_ptr<Algorithm> algorithm, const LearnerOptions& options)
    : LearnerBase(std::move(algorithm), options, Tells::losses),
      random_(this->algorithm().shared_set(), options.seed, options.stream) {
  base::require(!plays().pace || metrics() == 0,
                "max_step takes no limits: plays on the way are not kept within them");
  this->algorithm().prepare(random_);
  plays().metrics.assign(metrics(), Ledger(options.window, 1, options.expiry));
}

Learner::Learner(SetPtr set, const LearnerOptions& options)
    : Learner(posterior(std::move(set)), options) {}

namespace {

constexpr double largest_count = 1e12;
constexpr double largest_error = 1e6;  // and its count is the least

bool is_count(double count) { return count >= 1 / largest_count && count <= largest_count; }

/// Throws InvalidArgument unless it is a point of the set; `what` names it.
void require_member(const Set& set, std::span<const double> point, const char* what) {
  if (point.size() != set.dimension()) {
    throw InvalidArgument("a point of " + set.spec() + " has " + std::to_string(set.dimension()) +
                          " coordinates, not " + std::to_string(point.size()));
  }
  if (!set.contains(point)) throw InvalidArgument(what + (" is not in the set " + set.spec()));
}

}  // namespace

double count_of_error(double error) {
  if (error >= 1 / largest_error && error <= largest_error) {
    return std::clamp(1 / (error * error), 1 / largest_count, largest_count);
  }
  throw FeedbackError(
      "the error of a loss must be a number from 1e-6 to 1e6, not " + base::number_text(error),
      ErrorCode::unusable_feedback);
}

double count_of_age(double age, double half_life) {
  base::require(half_life > 0 && std::isfinite(half_life),
                "a half-life must be a positive number, not " + base::number_text(half_life));
  base::require(age >= 0, "an age must not be negative, as " + base::number_text(age) + " is");
  return std::max(math::pow(0.5, age / half_life), 1 / largest_count);
}

Receipt Learner::check(PlayId id, double loss, double count) const {
  require_whole();
  plays().ledger.require_asked(id);
  if (!(std::abs(loss) <= largest_number)) {
    throw FeedbackError("the loss of play " + std::to_string(id) +
                            " must be a number of magnitude up to 1e50, not " +
                            base::number_text(loss) +
                            "; leave a play untold if its loss is unknown",
                        ErrorCode::unusable_feedback);
  }
  const auto of_play = [&] { return "the count of the loss of play " + std::to_string(id); };
  if (!is_count(count)) {
    throw FeedbackError(
        of_play() + " must be a number from 1e-12 to 1e12, not " + base::number_text(count),
        ErrorCode::unusable_feedback);
  }
  if (count != 1 && !can_learn()) {
    throw FeedbackError(of_play() + " cannot be used by " + algorithm().spec() +
                            ": tell the loss without it; posterior and linear_thompson use "
                            "counts, in up to 512 dimensions",
                        ErrorCode::unusable_feedback);
  }
  const double cost = cost_of(loss);
  const std::optional<Receipt> receipt = judge(id, {&cost, 1}, count);
  const double known = receipt ? count : plays().ledger.count(id);
  if (known != count) {
    throw FeedbackError(of_play() + " was told as " + base::number_text(known) + " before and as " +
                            base::number_text(count) + " now: the first stands",
                        ErrorCode::contradiction);
  }
  if (!receipt) {
    throw FeedbackError("play " + std::to_string(id) + " was told " +
                            base::number_text(cost_of(plays().ledger.told(id).front())) +
                            " before and " + base::number_text(loss) + " now: the first stands",
                        ErrorCode::contradiction);
  }
  return *receipt;
}

Receipt Learner::tell(PlayId id, double loss, double count) {
  const Receipt receipt = check(id, loss, count);
  const double cost = cost_of(loss);
  plays().ledger.take(id, {&cost, 1}, receipt, std::abs(cost) > algorithm().loss_bound(), count);
  return receipt;
}

/// That there are as many as it takes, and that each is a number or NaN.
void Learner::check_numbers(const std::string& of, const Metrics& metrics) const {
  const std::size_t takes = this->metrics();
  if (metrics.size() != takes) {
    throw FeedbackError(takes == 0 ? algorithm().spec() + " takes no metrics"
                                   : algorithm().spec() + " takes " + std::to_string(takes) +
                                         " metrics, not " + std::to_string(metrics.size()),
                        ErrorCode::unusable_feedback);
  }
  for (std::size_t j = 0; j < metrics.size(); ++j) {
    if (std::isnan(metrics[j]) || std::abs(metrics[j]) <= largest_number) continue;
    throw FeedbackError(
        "metric " + std::to_string(j + 1) + of + " must be a number of magnitude up to 1e50, not " +
            base::number_text(metrics[j]) + "; NaN stands for one that was not measured",
        ErrorCode::unusable_feedback);
  }
}

void Learner::check_metrics(PlayId id, const Metrics& metrics) const {
  require_whole();
  plays().ledger.require_asked(id);
  const std::string of = " of play " + std::to_string(id);
  check_numbers(of, metrics);
  for (std::size_t j = 0; j < metrics.size(); ++j) {
    if (std::isnan(metrics[j])) continue;
    const Ledger& known = plays().metrics[j];
    if (known.judge(id, {&metrics[j], 1})) continue;
    throw FeedbackError("metric " + std::to_string(j + 1) + of + " was told " +
                            base::number_text(known.told(id).front()) + " before and " +
                            base::number_text(metrics[j]) + " now: the first stands",
                        ErrorCode::contradiction);
  }
}

void Learner::measure(PlayId id, const Metrics& metrics) {
  check_metrics(id, metrics);
  for (std::size_t j = 0; j < metrics.size(); ++j) {
    if (std::isnan(metrics[j])) continue;
    Ledger& known = plays().metrics[j];
    const std::span<const double> told(&metrics[j], 1);
    known.take(id, told, *known.judge(id, told), false);
  }
}

Receipt Learner::tell(PlayId id, const Feedback& feedback) {
  check_metrics(id, feedback.metrics);
  const Receipt receipt = tell(id, feedback.loss, feedback.count);
  measure(id, feedback.metrics);
  return receipt;
}

std::vector<FrontPoint> Learner::front(std::size_t metric) const {
  require_whole();
  if (metric >= metrics()) {
    throw InvalidArgument(algorithm().spec() + " takes " + std::to_string(metrics()) +
                          " metrics, and there is none of number " + std::to_string(metric));
  }
  std::vector<FrontPoint> points = algorithm().front(metric);
  for (FrontPoint& each : points) each.loss = cost_of(each.loss);
  return points;
}

std::vector<Estimate> Learner::estimate(const std::vector<std::vector<double>>& points,
                                        const Context& context) const {
  require_whole();
  if (!context.empty()) require_context(context);
  std::vector<double> all;
  for (const std::vector<double>& point : points) {
    require_member(set(), point, "the point to estimate");
    all.insert(all.end(), point.begin(), point.end());
  }
  std::vector<Estimate> estimates = algorithm().estimates(context, all);
  for (Estimate& each : estimates) {
    each.loss = cost_of(each.loss);
    each.excess = cost_of(each.excess);
  }
  return estimates;
}

void Learner::absorb_others() {
  for (std::size_t j = 0; j < plays().metrics.size(); ++j) {
    Ledger& known = plays().metrics[j];
    while (const PlayId s = known.next_received()) {
      const PlayId number = plays().own_number(s);
      if (number == 0) continue;
      if (!algorithm().absorb_metric(number, j, known.told(s).front(), random_)) known.count_late();
    }
  }
}

void Learner::check(std::span<const double> point, double loss, double count) const {
  check(point, {.loss = loss, .count = count});
}

void Learner::check(std::span<const double> point, const Feedback& feedback) const {
  const auto& [loss, metrics, count] = feedback;
  require_whole();
  if (!can_learn()) algorithm().learn(point, loss, count);  // it says that it cannot
  require_member(set(), point, "the point that is taught");
  if (!metrics.empty()) check_numbers(" of a point that is taught", metrics);
  const bool measured =
      std::any_of(metrics.begin(), metrics.end(), [](double value) { return !std::isnan(value); });
  if (!(std::isnan(loss) && measured) && !(std::abs(loss) <= largest_number)) {
    throw FeedbackError("the loss that is taught must be a number of magnitude up to 1e50, not " +
                            base::number_text(loss) + "; leave the point out if it is unknown",
                        ErrorCode::unusable_feedback);
  }
  if (!is_count(count)) {
    throw FeedbackError(
        "the count of a loss that is taught must be a number from 1e-12 to 1e12, "
        "not " +
            base::number_text(count),
        ErrorCode::unusable_feedback);
  }
}

void Learner::learn(std::span<const double> point, double loss, double count) {
  learn_in({}, point, {.loss = loss, .count = count});
}

void Learner::learn(const Context& context, std::span<const double> point, double loss,
                    double count) {
  require_context(context);
  learn_in(context, point, {.loss = loss, .count = count});
}

void Learner::learn(std::span<const double> point, const Feedback& feedback) {
  learn_in({}, point, feedback);
}

void Learner::learn(const Context& context, std::span<const double> point,
                    const Feedback& feedback) {
  require_context(context);
  learn_in(context, point, feedback);
}

void Learner::learn_in(std::span<const double> context, std::span<const double> point,
                       const Feedback& feedback) {
  const auto& [loss, metrics, count] = feedback;
  check(point, feedback);
  PlayId& failed_at = plays().failed_at;
  failed_at = asked() + 1;  // an exception from here on leaves it so
  for (std::size_t j = 0; j < metrics.size(); ++j) {
    if (!std::isnan(metrics[j])) algorithm().learn_metric(context, point, j, metrics[j]);
  }
  if (!std::isnan(loss)) algorithm().learn_in(context, point, cost_of(loss), count);
  failed_at = 0;
}

void Learner::prove(double share, std::span<const double> start) {
  require_whole();
  Plays& its = plays();
  base::require(share >= 0 && share <= 0.5,
                "the share of the plays at the start must be a number "
                "from 0 to 0.5, not " +
                    base::number_text(share));
  if (share == 0) return its.coin.reset();
  base::require(!its.pace,
                "a coin needs plays at the start, and max_step does not let it jump there");
  std::vector<double> point(start.begin(), start.end());
  if (point.empty()) point = recommend();
  base::require(point.size() == its.n && set().contains(point),
                "the start of a proof must be a point of the set " + set().spec());
  if (!its.own) its.own.emplace(its.window, asked());
  its.coin.emplace(share, asked(), std::move(point));
}

bool Learner::toss(PlayId t, double share) {
  std::array<std::uint64_t, 2> words{};
  random_.sub_stream("proof").words(t, words);
  return static_cast<double>(words[0] >> 11U) * 0x1p-53 < share;
}

void Learner::play(PlayId t, std::span<const double> context, std::span<double> y) {
  algorithm().play_in(t, context, random_, y);
}

void Learner::account(std::span<const double> told) { loss_sum_ += told.front(); }

bool Learner::absorb(PlayId s, std::span<const double> told, double count) {
  return algorithm().absorb_counted(s, told.front(), count, random_);
}

std::optional<double> Learner::told(PlayId id) const {
  const Ledger& known = plays().ledger;
  known.require_asked(id);
  if (id < known.oldest() || known.feedback(id) == Ledger::Feedback::pending) return {};
  return cost_of(known.told(id).front());
}

double Learner::average() const {
  const Ledger& known = plays().ledger;
  double sum = loss_sum_;
  for (PlayId id = known.oldest(); id <= asked(); ++id) {
    if (known.feedback(id) == Ledger::Feedback::received) sum += known.told(id).front();
  }
  const std::uint64_t told = known.told_count();
  if (told == 0) return std::numeric_limits<double>::quiet_NaN();
  return (options().maximize ? -sum : sum) / static_cast<double>(told);
}

std::pair<double, std::uint64_t> Learner::recent_mean(std::uint64_t recent) const {
  const Ledger& known = plays().ledger;
  double sum = 0;
  std::uint64_t told = 0;
  const PlayId before = asked() - std::min(recent, asked());
  for (PlayId id = asked(); id > before && id >= known.oldest(); --id) {
    if (known.feedback(id) == Ledger::Feedback::pending) continue;
    sum += cost_of(known.told(id).front());
    ++told;
  }
  return {sum / static_cast<double>(told), told};  // NaN if none was told
}

void Learner::own_fields(Archive& archive) { archive.field(loss_sum_); }

}  // namespace keyhole
