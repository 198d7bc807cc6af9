#include "reproduction/claims.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "keyhole/error.h"
#include "reproduction/published_curves.h"

namespace keyhole::reproduction {
namespace {

/// Whether a claim holds of a run, and the numbers that say so.
using Judge = std::function<Evidence(const Outcome&)>;

/// The learners in the order of their published ends.
std::vector<std::string> published_order(const PublishedPoint& end) {
  std::vector<std::string> order = paper_learners();
  std::sort(order.begin(), order.end(),
            [&](const std::string& a, const std::string& b) { return end.of(a) < end.of(b); });
  return order;
}

Holds holds_if(bool is_true) { return is_true ? Holds::yes : Holds::no; }

Number number_of(const experiment::Interval& interval, double round) {
  Number number{.value = interval.mean, .round = round};
  if (interval.half_width) {
    number.lower = interval.mean - *interval.half_width;
    number.upper = interval.mean + *interval.half_width;
  }
  return number;
}

Number number_of(const report::Point& point) {
  return {point.mean, point.lower, point.upper, point.t};
}

Evidence order_of_curves(const Outcome& outcome) {
  const PublishedPoint& end = published_curve(outcome.run.experiment).back();
  const std::vector<std::string> order = published_order(end);
  Evidence evidence{.holds = Holds::yes};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const bool tie = end.of(order[j]) - end.of(order[i]) < 1e-3 * end.of(order[j]);
      const experiment::Interval excess = outcome.excess(order[j], order[i]);
      if (!tie && excess.mean <= excess.half_width.value_or(0)) evidence.holds = Holds::no;
    }
  }
  const auto rounds = static_cast<double>(outcome.problem().rounds);
  for (const std::string& name : order) {
    evidence.numbers.push_back(number_of(outcome.learner(name).average_loss, rounds));
  }
  return evidence;
}

Evidence proposed_declines(const Outcome& outcome) {
  const report::Series& curve = outcome.losses("Proposed");
  const report::Point& end = curve.points.back();
  const report::Point& quarter = at_round(curve, end.t / 4);
  return {.holds = holds_if(end.upper.value_or(end.mean) < quarter.lower.value_or(quarter.mean)),
          .numbers = {number_of(quarter), number_of(end)}};
}

Evidence unregularized_stays(const Outcome& outcome) {
  const report::Series& curve = outcome.losses("Unregularized");
  const report::Point& end = curve.points.back();
  const report::Point& quarter = at_round(curve, end.t / 4);
  return {.holds = holds_if(end.mean >= 0.9 * quarter.mean),
          .numbers = {number_of(quarter), number_of(end)}};
}

Judge relative_time(const std::string& learner) {
  return [learner](const Outcome& outcome) -> Evidence {
    const Spread& spread = outcome.relative_time.at(learner);
    const double published = published_time(outcome.run.experiment, learner);
    const auto is_like_it = [&](double time) {
      return time <= 1.5 * published && time >= published / 1.5;
    };
    Evidence evidence{.numbers = {{spread.median, spread.lower, spread.upper}}};
    if (is_like_it(spread.lower) && is_like_it(spread.upper)) {
      evidence.holds = Holds::yes;
    } else if (spread.lower <= 1.5 * published && spread.upper >= published / 1.5) {
      evidence.holds = Holds::undecided;
    }
    return evidence;
  };
}

/// Whether a claim is about the losses that the data of a run decide, or about anything else.
enum class About { losses, other };

/// The verdict on a claim that holds, or does not, in the settings that were run.
Verdict verdict_of(std::optional<Holds> published, std::optional<Holds> proven) {
  const Holds one = published.value_or(proven.value_or(Holds::no));
  const Holds other = proven.value_or(one);
  if (one == Holds::undecided || other == Holds::undecided) return Verdict::undecided;
  if (one == other) return one == Holds::yes ? Verdict::reproduced : Verdict::not_reproduced;
  return one == Holds::yes ? Verdict::only_published : Verdict::only_proven;
}

Claim held_against(const std::vector<Outcome>& outcomes, const std::string& experiment, Claim claim,
                   About about, const Judge& judge) {
  std::optional<Holds> holds[2];  // in each setting that was run
  bool comparable = true;
  for (const Outcome& outcome : outcomes) {
    const Run& run = outcome.run;
    if (run.experiment != experiment) continue;
    Evidence evidence = judge(outcome);
    evidence.run = run.name;
    evidence.label = std::string(name_of(run.setting)) + (run.region.empty() ? "" : ", ") +
                     run.region + (run.counts ? "" : ", for comparison");
    evidence.counts = run.counts;
    if (run.counts) {
      std::optional<Holds>& here = holds[static_cast<std::size_t>(run.setting)];
      here = std::min(here.value_or(Holds::yes), evidence.holds);
      comparable = comparable && (about == About::other || !run.stand_in);
    }
    claim.measured.push_back(std::move(evidence));
  }
  claim.verdict = verdict_of(holds[0], holds[1]);
  if (!comparable && claim.verdict != Verdict::not_reproduced) {
    claim.verdict = Verdict::not_comparable;
  }
  return claim;
}

}  // namespace

Spread spread_of(std::array<double, passes> times) {
  std::sort(times.begin(), times.end());
  return {times[passes / 2], times[1], times[passes - 2]};
}

const experiment::LearnerSummary& Outcome::learner(const std::string& name) const {
  for (const experiment::LearnerSummary& one : problem().learners) {
    if (one.named.name == name) return one;
  }
  throw InvalidArgument("the run " + run.name + " has no learner '" + name + "'");
}

experiment::Interval Outcome::excess(const std::string& one, const std::string& other) const {
  const std::vector<double>& ones = average_losses.at(one);
  const std::vector<double>& others = average_losses.at(other);
  experiment::Moments moments;
  for (std::size_t k = 0; k < ones.size(); ++k) moments.add(ones[k] - others[k]);
  return moments.interval(ones.size() < 2 ? 0 : experiment::student_t_95(ones.size() - 1));
}

const report::Series& Outcome::losses(const std::string& name) const {
  for (const report::Series& series : curves.average_loss) {
    if (series.name == name) return series;
  }
  throw InvalidArgument("the run " + run.name + " has no curve of '" + name + "'");
}

std::string text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::only_published:
      return "reproduced only in setting published";
    case Verdict::only_proven:
      return "reproduced only in setting proven";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_comparable:
      return "not comparable";
    case Verdict::not_reproduced:
      break;
  }
  return "not reproduced";
}

const std::vector<std::string>& paper_learners() {
  static const std::vector<std::string> names = {"Proposed", "FKM", "Unregularized", "StochOCG"};
  return names;
}

const report::Point& at_round(const report::Series& curve, double t) {
  const auto found = std::find_if(curve.points.begin(), curve.points.end(),
                                  [&](const report::Point& point) { return point.t >= t; });
  return found == curve.points.end() ? curve.points.back() : *found;
}

std::vector<Claim> judge(const std::vector<Outcome>& outcomes) {
  std::vector<Claim> claims;
  for (const std::string experiment : {"quadratic", "portfolio", "completion"}) {
    const PublishedPoint& end = published_curve(experiment).back();
    Claim claim{.text = experiment + ": the order of the four curves at the end",
                .quantity = "average loss",
                .columns = published_order(end),
                .paper = {}};
    for (const std::string& name : claim.columns) claim.paper.push_back(end.of(name));
    claims.push_back(
        held_against(outcomes, experiment, std::move(claim), About::losses, order_of_curves));
  }
  const auto points = published_curve("quadratic");
  const PublishedPoint& end = points.back();
  const PublishedPoint& quarter = *std::find_if(
      points.begin(), points.end(), [&](const PublishedPoint& p) { return 4 * p.t >= end.t; });
  const auto add_course = [&](const std::string& learner, const std::string& course,
                              const Judge& judge) {
    claims.push_back(held_against(outcomes, "quadratic",
                                  {.text = "quadratic: the average loss of " + learner + course,
                                   .quantity = "average loss",
                                   .columns = {"a quarter of the way", "the end"},
                                   .paper = {quarter.of(learner), end.of(learner)}},
                                  About::losses, judge));
  };
  add_course("Proposed", " declines", proposed_declines);
  add_course("Unregularized", " does not decline", unregularized_stays);
  for (const std::string learner : {"FKM", "StochOCG"}) {
    for (const std::string experiment : {"quadratic", "portfolio", "completion"}) {
      claims.push_back(
          held_against(outcomes, experiment,
                       {.text = experiment + ": time per round, " + learner + " / Proposed",
                        .quantity = "time per round",
                        .columns = {learner + " / Proposed"},
                        .paper = {published_time(experiment, learner)}},
                       About::other, relative_time(learner)));
    }
  }
  return claims;
}

}  // namespace keyhole::reproduction
