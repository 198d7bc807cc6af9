#include "keyhole/learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/number_text.h"
#include "keyhole/posterior.h"
#include "learners/learner/plays.h"

namespace keyhole {

using algorithms::Ledger;

Learner::Learner(std::unique_ptr<Algorithm> algorithm, const LearnerOptions& options)
    : LearnerBase(std::move(algorithm), options, Tells::losses),
      random_(this->algorithm().shared_set(), options.seed, options.stream) {
  this->algorithm().prepare(random_);
}

Learner::Learner(SetPtr set, const LearnerOptions& options)
    : Learner(posterior(std::move(set)), options) {}

Receipt Learner::check(PlayId id, double loss) const {
  require_whole();
  plays().ledger.require_asked(id);
  if (!(std::abs(loss) <= largest_number)) {
    throw FeedbackError("the loss of play " + std::to_string(id) +
                            " must be a number of magnitude up to 1e50, not " +
                            base::number_text(loss) +
                            "; leave a play untold if its loss is unknown",
                        ErrorCode::unusable_feedback);
  }
  const double cost = cost_of(loss);
  const std::optional<Receipt> receipt = judge(id, {&cost, 1});
  if (!receipt) {
    throw FeedbackError("play " + std::to_string(id) + " was told " +
                            base::number_text(cost_of(plays().ledger.told(id).front())) +
                            " before and " + base::number_text(loss) + " now: the first stands",
                        ErrorCode::contradiction);
  }
  return *receipt;
}

Receipt Learner::tell(PlayId id, double loss) {
  const Receipt receipt = check(id, loss);
  const double cost = cost_of(loss);
  plays().ledger.take(id, {&cost, 1}, receipt, std::abs(cost) > algorithm().loss_bound());
  return receipt;
}

void Learner::learn(std::span<const double> point, double loss) {
  require_whole();
  const double cost = cost_of(loss);
  if (!can_learn()) return algorithm().learn(point, cost);  // it says that it cannot
  if (point.size() != set().dimension()) {
    throw InvalidArgument("a point of " + set().spec() + " has " +
                          std::to_string(set().dimension()) + " coordinates, not " +
                          std::to_string(point.size()));
  }
  if (!set().contains(point)) {
    throw InvalidArgument("the point that is taught is not in the set " + set().spec());
  }
  if (!(std::abs(loss) <= largest_number)) {
    throw FeedbackError("the loss that is taught must be a number of magnitude up to 1e50, not " +
                            base::number_text(loss) + "; leave the point out if it is unknown",
                        ErrorCode::unusable_feedback);
  }
  PlayId& failed_at = plays().failed_at;
  failed_at = asked() + 1;  // an exception from here on leaves it so
  algorithm().learn(point, cost);
  failed_at = 0;
}

void Learner::play(PlayId t, std::span<double> y) { algorithm().play(t, random_, y); }

void Learner::account(std::span<const double> told) { loss_sum_ += told.front(); }

bool Learner::absorb(PlayId s, std::span<const double> told) {
  return algorithm().absorb(s, told.front(), random_);
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
