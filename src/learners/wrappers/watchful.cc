// Restarts when what was learned has lost its worth. Our own method; docs/learners/watchful.md has
// the reasons, and what else was measured.

#include "learners/wrappers/watchful.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "learners/play_log.h"
#include "learners/wrappers/watch.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

class Watchful final : public Renewing<WatchfulAlgorithm, Algorithm> {
 public:
  Watchful(std::unique_ptr<Algorithm> algorithm, std::vector<double> start, Watch::Doubts doubts)
      : Renewing(std::move(algorithm)), start_(std::move(start)), watch_(doubts) {}

  void prepare(Randomness& random) override { inner().prepare(of_inner(random)); }

  // Plays come in pairs, both at the centre or both of the learner inside: losses that alternate
  // then alternate for it too.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    latest_ = t;
    if (t % 2 == 1) log_.note(t, {.exploring = watch_.probing()});
    if (at_centre(t, random)) {
      const std::vector<double>& point = start_.empty() ? p() : start_;
      std::copy(point.begin(), point.end(), y.begin());
    } else {
      inner().play(t, of_inner(random), y);
      step_due_ = 1;
    }
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    return absorb_counted(s, loss, 1, random);
  }

  bool absorb_counted(PlayId s, double loss, double count, Randomness& random) override {
    if (is_late(s)) return false;
    const bool of_centre = at_centre(s, random);
    if (!of_centre && !inner().absorb_counted(s, loss, count, of_inner(random))) return false;
    if (of_centre ? watch_.take_from_centre(loss) : watch_.take_from_learner(loss)) {
      begin_again();
      step_due_ = 0;
      first_ = latest_ + 1;
    }
    return true;
  }

  [[nodiscard]] bool can_learn() const noexcept override { return inner().can_learn(); }
  void learn(std::span<const double> point, double loss, double count) override {
    inner().learn(point, loss, count);
  }

  /// Before a restart, or long ago.
  [[nodiscard]] bool is_late(PlayId s) const override {
    return s < first_ || log_.of(s) == nullptr;
  }

  void advance() override {
    if (step_due_ != 0) inner().advance();
    step_due_ = 0;
  }

  [[nodiscard]] Activity activity() const override {
    Activity now = inner().activity();
    now.restarts += watch_.restarts();
    return now;
  }
  [[nodiscard]] WatchfulStatus status() const override {
    return {watch_.restarts(), watch_.doubts(), watch_.worth()};
  }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: it restarts when it notices a change"};
  }
  [[nodiscard]] std::string spec() const override { return "watchful(" + inner().spec() + ")"; }

  void state(Archive& archive) override {
    Renewing::state(archive);
    archive.field(latest_);
    archive.field(first_);
    archive.field(step_due_);
    watch_.state(archive);
    log_.state(archive);
  }

 private:
  /// The numbers of the learner inside, asked for by name only once.
  Randomness& of_inner(Randomness& random) {
    if (of_inner_ == nullptr) of_inner_ = &random.sub_stream("inner");
    return *of_inner_;
  }

  /// Whether play t is made at the centre, by a random number of its pair.
  [[nodiscard]] bool at_centre(PlayId t, const Randomness& random) const {
    const PlayId first_of_pair = t - (t + 1) % 2;
    std::array<std::uint64_t, 2> words{};
    random.words(first_of_pair, words);
    const PlayLog::Sizes* const sizes = log_.of(t);
    return sizes != nullptr && RandomBits{words, {}}.uniform(0) < sizes->exploring;
  }

  std::vector<double> start_;  // stands for the centre, if there is one
  Randomness* of_inner_ = nullptr;
  // State, with the inner algorithm's.
  PlayId latest_ = 0;          // the latest play
  PlayId first_ = 1;           // the first play since the learner inside started
  std::uint8_t step_due_ = 0;  // whether it has played since its latest step
  Watch watch_;
  PlayLog log_;  // how often plays were made at the centre
};

std::unique_ptr<Algorithm> watched(std::unique_ptr<Algorithm> algorithm, std::vector<double> start,
                                   Watch::Doubts doubts) {
  base::require(algorithm != nullptr, "watchful needs an algorithm to watch");
  base::require(algorithm->rounds() == std::numeric_limits<std::uint64_t>::max(),
                "watchful needs an algorithm that plays any number of rounds, and " +
                    algorithm->spec() + " plays " + std::to_string(algorithm->rounds()) +
                    ": wrap it in anytime()");
  require_plain("watchful", *algorithm);
  return std::make_unique<Watchful>(std::move(algorithm), std::move(start), doubts);
}

}  // namespace

std::unique_ptr<Algorithm> watchful(std::unique_ptr<Algorithm> algorithm) {
  return watched(std::move(algorithm), {}, Watch::Doubts::always);
}

std::unique_ptr<Algorithm> watchful_from(std::unique_ptr<Algorithm> algorithm,
                                         std::vector<double> start) {
  return watched(std::move(algorithm), std::move(start), Watch::Doubts::of_worth);
}

}  // namespace keyhole::algorithms
