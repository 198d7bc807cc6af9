#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/archive.h"
#include "learners/contexts.h"
#include "learners/level.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/life.h"
#include "learners/posterior/model.h"

namespace keyhole::algorithms {

/// Throws InvalidArgument for a limit that has not one bound, or a probability that is none.
void require_sound(const std::vector<Limit>& limits);

/// By how much a model is off where plays are made. Of two metrics at the same place and in the
/// same context, one after the other, the noise has nothing in common: what they have in common is
/// what the model does not fit. So the mean of the products of their residuals is its square.
class Misfit {
 public:
  Misfit(std::size_t m, std::size_t l) : z_(m), psi_(l) {}

  /// Takes the residual of a metric.
  void take(std::span<const double> z, std::span<const double> psi, double residual);
  /// Its square, less one standard error.
  [[nodiscard]] double squared() const;
  /// The fields of a state.
  void state(Archive& archive);

 private:
  double count_ = 0;    // of products
  double mean_ = 0;     // theirs
  double squares_ = 0;  // of what they were off by
  double before_ = 0;   // the residual before
  std::vector<double> z_;
  std::vector<double> psi_;
};

/// What is known of a metric, and its limit. `least` is kept as a limit on the metric's negative.
struct Metric {
  Metric(const Frame& frame, const Contexts& contexts, const Limit& given);

  /// Whether it has a model: until then nothing is known of it, but that it may never vary.
  [[nodiscard]] bool is_modelled() const { return !life.exploring_only(); }
  [[nodiscard]] bool never_varies() const {
    return told.count() >= PosteriorConstants::first_losses && !varies;
  }
  /// What the limit is in the unit of the model.
  [[nodiscard]] double most() const { return life.in_unit(sign * bound); }

  Limit limit;
  double sign;   // -1 of a limit from below
  double bound;  // as it was given
  double kappa;  // how many standard deviations are kept clear of it in each round
  Life life;
  double overspent = 0;  // by how much it was exceeded in all
  double recent = 0;     // and lately, more than noise does
  Misfit misfit;
  double price = 0;  // what the loss would fall by if the limit were one higher
  Level told;        // its values at plays
  Level over;        // 1 where they are over the limit, else 0
  // At the point that is recommended; nothing is known of it while the error is negative.
  double recommended = 0;
  double error = -1;
  bool start_is_over = false;
  bool none_is_within = false;
  double first = 0;     // the first that was told
  bool varies = false;  // whether another one was
};

/// Plays within limits: metrics have models of their own, on the coordinates and contexts of the
/// loss. Our own method; for linear metrics see S-COLTS (Gangrade, Saligrama 2025) and safe linear
/// Thompson sampling (Moradipari et al. 2019).
///
///   least    min loss(z) over the set where every mean_j(z) is within its limit: the sum of models
///            is a model, so the multiplier is bisected, and the points at its two ends are mixed
///   each     the play is drawn in, towards the start, until mean + kappa sd is within the limit
///   misfit   sd is that of the model, and by how much it is seen not to fit, as at a cliff
///   ledger   what was seen above the limit lately, more than noise does, widens that margin: a
///            model that does not fit must not excuse itself
///   over all what was overspent so far is paid back over the next plays (as a virtual queue does:
///            Yu, Neely 2017)
///   anchor   where the start is seen to be over a limit, the point of the least metrics stands for
///            it
///
/// After construction nothing allocates, but for fronts.
class Limits {
  using Chosen = PosteriorConstants;

 public:
  /// Moves z to the least of a model with those coefficients, of one context.
  using Minimise =
      std::function<void(const Model&, std::span<const double> theta, std::span<double> z)>;

  Limits(const Frame& frame, const Contexts& contexts, const std::vector<Limit>& limits,
         Minimise minimise);

  /// How many there are.
  [[nodiscard]] std::size_t size() const noexcept { return metrics_.size(); }
  /// Whether so little is known of some metric that all plays explore near the start.
  [[nodiscard]] bool exploring_only() const;

  /// Learns a metric at z. Returns whether what is known has been fitted anew.
  bool learn(std::size_t j, std::span<const double> z, const Life::Told& told, const Psi& psi);

  /// Moves z to the least of a model in a context, with its coefficients there, where the means of
  /// the metrics are within their limits.
  void find(const Model& model, std::span<const double> theta, std::span<const double> psi,
            std::span<double> z);
  /// Draws z in until all limits of each round are kept clear of.
  void keep_clear(std::span<const double> psi, std::span<double> z);
  /// Whether the latest keep_clear() has seen the start over a limit.
  [[nodiscard]] bool start_is_over() const;
  /// Whether it was over at the latest note_best(): of any limit, or of those over all rounds.
  [[nodiscard]] bool start_was_over() const;
  [[nodiscard]] bool start_was_over_all() const;
  /// Keeps the multipliers of the latest find() as prices, for a loss of that unit.
  void note_prices(double unit);
  /// Notes what is believed of z, the point that is recommended in a context with the best names.
  /// The start has others.
  void note_best(std::span<const double> psi, std::span<const double> z,
                 std::span<const double> start_psi);
  /// How far z is seen to be over the limits: by how much the means are, less a standard deviation.
  [[nodiscard]] double excess(std::span<const double> psi, std::span<const double> z);
  /// Calls f(z) for points of the front of a model, in a context with its coefficients there, and
  /// metric j: the least of the model where the metric is at most so much, from the best that the
  /// others' limits allow on.
  void for_each_of_front(std::size_t j, const Model& model, std::span<const double> theta,
                         std::span<const double> psi,
                         const std::function<void(std::span<const double> z)>& f);
  /// What is known of a metric.
  [[nodiscard]] Metric& metric(std::size_t j) { return metrics_[j]; }
  /// How they are kept.
  [[nodiscard]] std::vector<LimitStatus> status() const;

  /// The fields of a state.
  void state(Archive& archive);

 private:
  /// What the mean of metric j says of z in the context of the latest find().
  [[nodiscard]] double mean_of(std::size_t j, std::span<const double> z);
  /// How far that is above the limit.
  [[nodiscard]] double above(std::size_t j, std::span<const double> z);
  /// find(), but for what is to be known before.
  void find_again(std::span<double> z);
  /// The coefficients of the means in a context, and what they may be at most.
  void go_to(std::span<const double> psi);
  /// Moves z to the least of the sum of the loss and the metrics, each times its share.
  void minimise_sum(double of_loss, std::span<const double> of_metrics, std::span<double> z);
  /// Bisects the multiplier of metric j.
  void bisect(std::size_t j, std::span<double> z);
  /// How far metric j is above its limit, with its margin, on the way from the anchor to z.
  class Way;

  std::size_t m_;
  Minimise minimise_;
  std::vector<Metric> metrics_;
  std::optional<Model> layout_;  // of sums of models: its coefficients alone are used
  // Workspace.
  std::vector<double> loss_;   // its coefficients
  std::vector<double> means_;  // those of the metrics
  std::vector<double> sum_;
  std::vector<double> phi_;
  std::vector<double> most_;    // the limits there, in the units of the models
  std::vector<double> lambda_;  // the multipliers of the latest find()
  std::vector<double> over_;    // 1 where the latest keep_clear() has seen the start over, else 0
  std::vector<double> anchor_;
  std::vector<double> inside_;
  std::vector<double> outside_;
  std::vector<double> between_;
  std::vector<double> here_;
  std::vector<double> room_;
};

}  // namespace keyhole::algorithms
