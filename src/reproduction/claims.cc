#include "reproduction/claims.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/number_text.h"
#include "keyhole/error.h"
#include "report/text.h"
#include "reproduction/published_curves.h"

namespace keyhole::reproduction {
namespace {

using report::readable;

/// Whether a claim holds of a run, and the numbers that say so.
struct Evidence {
  bool holds = false;
  std::string text;
};

using Judge = std::function<Evidence(const Outcome&)>;

/// "3.24 +- 0.06": of the half width two digits.
std::string with_half_width(double mean, const std::optional<double>& half_width) {
  if (!half_width) return readable(mean);
  return readable(mean) + " +- " + base::digits_text(*half_width, 2);
}

/// The learners in the order of their published ends.
std::vector<std::string> published_order(const PublishedPoint& end) {
  std::vector<std::string> order = paper_learners();
  std::sort(order.begin(), order.end(),
            [&](const std::string& a, const std::string& b) { return end.of(a) < end.of(b); });
  return order;
}

Evidence order_of_curves(const Outcome& outcome) {
  const PublishedPoint& end = published_curve(outcome.run.experiment).back();
  const std::vector<std::string> order = published_order(end);
  Evidence evidence{true, ""};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const bool tie = end.of(order[j]) - end.of(order[i]) < 1e-3 * end.of(order[j]);
      const experiment::Interval excess = outcome.excess(order[j], order[i]);
      if (!tie && excess.mean <= excess.half_width.value_or(0)) evidence.holds = false;
    }
  }
  std::vector<std::string> measured = paper_learners();
  std::sort(measured.begin(), measured.end(), [&](const std::string& a, const std::string& b) {
    return outcome.learner(a).average_loss.mean < outcome.learner(b).average_loss.mean;
  });
  for (const std::string& name : measured) {
    evidence.text += (evidence.text.empty() ? "" : " < ") + name + " " +
                     with_half_width(outcome.learner(name).average_loss.mean,
                                     outcome.learner(name).average_loss.half_width);
  }
  return evidence;
}

/// The point of a curve at the first recorded round from t on.
const report::Point& at_round(const report::Series& curve, double t) {
  const auto found = std::find_if(curve.points.begin(), curve.points.end(),
                                  [&](const report::Point& point) { return point.t >= t; });
  return found == curve.points.end() ? curve.points.back() : *found;
}

std::string quarter_and_end(const report::Point& quarter, const report::Point& end) {
  const auto one = [](const report::Point& point) {
    return with_half_width(point.mean,
                           point.upper ? std::optional(*point.upper - point.mean) : std::nullopt) +
           " at t = " + readable(point.t);
  };
  return one(quarter) + ", " + one(end);
}

Evidence proposed_declines(const Outcome& outcome) {
  const report::Series& curve = outcome.losses("Proposed");
  const report::Point& end = curve.points.back();
  const report::Point& quarter = at_round(curve, end.t / 4);
  return {end.upper.value_or(end.mean) < quarter.lower.value_or(quarter.mean),
          quarter_and_end(quarter, end)};
}

Evidence unregularized_stays(const Outcome& outcome) {
  const report::Series& curve = outcome.losses("Unregularized");
  const report::Point& end = curve.points.back();
  const report::Point& quarter = at_round(curve, end.t / 4);
  return {end.mean >= 0.9 * quarter.mean, quarter_and_end(quarter, end)};
}

Judge relative_time(const std::string& learner) {
  return [learner](const Outcome& outcome) -> Evidence {
    const Spread& spread = outcome.relative_time.at(learner);
    const double ratio = spread.median / published_time(outcome.run.experiment, learner);
    return {ratio <= 1.5 && ratio >= 1 / 1.5, readable(spread.median) + " [" +
                                                  readable(spread.least) + ", " +
                                                  readable(spread.largest) + "]"};
  };
}

Claim held_against(const std::vector<Outcome>& outcomes, const std::string& experiment,
                   const std::string& text, const std::string& paper, const Judge& judge) {
  Claim claim{text, paper, {}, Verdict::not_reproduced};
  bool holds[] = {true, true};    // in each setting...
  bool known[] = {false, false};  // ...that was run
  for (const Outcome& outcome : outcomes) {
    if (outcome.run.experiment != experiment) continue;
    const Evidence evidence = judge(outcome);
    const auto setting = static_cast<std::size_t>(outcome.run.setting);
    if (!outcome.run.counts) {
      claim.measured.push_back(outcome.run.name + ": " + evidence.text + " (for comparison)");
      continue;
    }
    known[setting] = true;
    holds[setting] = holds[setting] && evidence.holds;
    claim.measured.push_back(outcome.run.name + ": " + evidence.text +
                             (evidence.holds ? " (yes)" : " (no)"));
  }
  const bool published = known[0] && holds[0];
  const bool proven = known[1] && holds[1];
  if ((published || !known[0]) && (proven || !known[1]) && (published || proven)) {
    claim.verdict = Verdict::reproduced;
  } else if (published) {
    claim.verdict = Verdict::only_published;
  } else if (proven) {
    claim.verdict = Verdict::only_proven;
  }
  return claim;
}

}  // namespace

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
    case Verdict::not_reproduced:
      break;
  }
  return "not reproduced";
}

const std::vector<std::string>& paper_learners() {
  static const std::vector<std::string> names = {"Proposed", "FKM", "Unregularized", "StochOCG"};
  return names;
}

std::vector<Claim> judge(const std::vector<Outcome>& outcomes) {
  std::vector<Claim> claims;
  const auto add = [&](const std::string& experiment, const std::string& text,
                       const std::string& paper, const Judge& judge) {
    claims.push_back(held_against(outcomes, experiment, text, paper, judge));
  };
  for (const std::string experiment : {"quadratic", "portfolio", "completion"}) {
    const PublishedPoint& end = published_curve(experiment).back();
    std::string order;
    for (const std::string& name : published_order(end)) {
      order += (order.empty() ? "" : " < ") + name + " " + readable(end.of(name));
    }
    add(experiment, experiment + ": the order of the four curves at the end", order,
        order_of_curves);
  }
  add("quadratic", "quadratic: the average loss of Proposed declines",
      "18.5 at t = 501, 11.7 at 2000", proposed_declines);
  add("quadratic", "quadratic: the loss of Unregularized appears to be linear",
      "29.9 at t = 501, 31.4 at 2000", unregularized_stays);
  for (const std::string learner : {"FKM", "StochOCG"}) {
    for (const std::string experiment : {"quadratic", "portfolio", "completion"}) {
      add(experiment, experiment + ": a round of " + learner + " takes as many times Proposed's",
          readable(published_time(experiment, learner)), relative_time(learner));
    }
  }
  return claims;
}

}  // namespace keyhole::reproduction
