#include "studies/json/alarms.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"

namespace keyhole::studies {

std::string counted(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

std::string proof_text(const Proof& proof) {
  if (!(proof.share > 0)) return "";
  constexpr int digits = 2;
  const std::string paid = "; " + base::number_text(base::rounded(100 * proof.share, digits)) +
                           " % of plays pay for this";
  if (!std::isfinite(proof.gain)) return "too few plays at the start yet" + paid;
  return (proof.gain < 0 ? "worse by " : "better by ") +
         base::number_text(base::rounded(std::abs(proof.gain), digits)) + " +- " +
         base::number_text(base::rounded(proof.error, digits)) + " (95 %, whenever you look), " +
         (proof.proven > 0 ? "proven since play " + std::to_string(proof.proven)
                           : std::string("not proven")) +
         paid;
}

std::string change_text(const StudyChange& change) {
  return "after play " + std::to_string(change.after) + ": " + counted(change.learned, "loss") +
         " taught, " + std::to_string(change.dropped) + " dropped";
}

std::string price_text(const SpaceLimit& limit, const LimitStatus& status, bool maximize) {
  if (status.price == 0) return "it costs nothing";
  if (!(status.price > 0)) return "";
  const double bound = limit.limit.most ? *limit.limit.most : *limit.limit.least;
  // A twentieth of the limit, as one digit: what somebody may think of giving.
  const double more = bound == 0 ? 1 : base::rounded(std::abs(bound) / 20, 1);
  return base::number_text(more) + (limit.unit.empty() ? "" : " " + limit.unit) +
         (limit.limit.most ? " more" : " less") + (maximize ? " would gain " : " would save ") +
         base::number_text(base::rounded(status.price * more, 2)) + " a round";
}

std::string limit_text(const SpaceLimit& limit, const LimitStatus& status, bool maximize) {
  const double bound = limit.limit.most ? *limit.limit.most : *limit.limit.least;
  const auto number = [](double x, int digits) {
    return base::number_text(base::rounded(x, digits));
  };
  const std::string unit = limit.unit.empty() ? "" : " " + limit.unit;
  std::string text = (limit.limit.most ? "at most " : "at least ") + base::number_text(bound) +
                     unit + (limit.limit.over_all ? " on the average" : "");
  if (std::isfinite(status.recent)) {
    text += ", lately " + number(status.recent, 3) + ", " + number(100 * status.over, 2) + " % " +
            (limit.limit.most ? "over" : "under");
  }
  if (std::isfinite(status.recommended)) {
    text += "; believed to be " + number(status.recommended, 3) + " +- " +
            number(1.96 * status.error, 2) + " where recommended";  // 95 %, as everywhere
  }
  const std::string price = price_text(limit, status, maximize);
  return price.empty() ? text : text + "; " + price;
}

std::vector<std::string> alarms_of(const Summary& summary, const Status& status,
                                   const LearnerOptions& options,
                                   const std::vector<TightBound>& bounds,
                                   const std::vector<SpaceLimit>& limits) {
  std::vector<std::string> alarms;
  const auto add = [&](std::uint64_t count, const char* what, const char* rest) {
    if (count > 0) alarms.push_back(counted(count, what) + " " + rest);
  };
  // A tenth that is lost makes learning take a tenth longer, which is nothing to look at.
  const auto add_lost = [&](std::uint64_t count, const char* what, const char* rest) {
    if (10 * count > summary.asked) add(count, what, rest);
  };
  add_lost(summary.missing, "play", "expired before a loss was told");
  add_lost(summary.expired, "tell", "came after the play had expired");
  add_lost(summary.late, "tell", "came too late to be learned from");
  add(summary.above_bound, "time", "a loss was beyond the bound that was promised");
  const std::uint64_t expiry = options.expiry.value_or(options.window);
  if (summary.oldest_pending > expiry / 2) {
    alarms.push_back("the oldest pending play expires in " +
                     counted(expiry - summary.oldest_pending, "play"));
  }
  if (status.proof.worse > 0) {
    alarms.push_back("since play " + std::to_string(status.proof.worse) +
                     " what is played is worse than the start");
  }
  for (std::size_t j = 0; j < std::min(limits.size(), status.limits.size()); ++j) {
    const std::string name = "the limit of " + limits[j].name;
    if (status.limits[j].none_is_within) {
      alarms.push_back("no point is within " + name);
    } else if (status.limits[j].start_is_over) {
      alarms.push_back("the start is over " + name);
    }
  }
  if (status.belief.fit < 0) alarms.emplace_back("the model does not fit the losses");
  for (const TightBound& bound : bounds) alarms.push_back(bound.text());
  return alarms;
}

}  // namespace keyhole::studies
