// What a study was like in the last hour, day and for all time, as far as this process has seen it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "keyhole/study.h"
#include "service/live/ring.h"
#include "service/live/sample.h"
#include "studies/json/tight_bounds.h"

namespace keyhole::service {

/// Milliseconds since 1970.
using Millis = std::int64_t;

/// What a study says of itself.
struct Look {
  Summary summary = {};
  Status status = {};
  /// The point to deploy.
  std::vector<double> point = {};
  /// Whether it explores, and the bound on its regret.
  bool explores = true;
  RegretBound bound = {};
  /// How far the log reaches.
  StudyPosition position = {};
  /// How many losses of the past it has learned, and where it was last changed.
  std::uint64_t past = 0;
  std::optional<StudyChange> changed = {};
  /// That of its set.
  double diameter = 1;
  /// What is measured besides losses.
  std::vector<SpaceLimit> limits = {};
  /// Those that may be too tight.
  std::vector<studies::TightBound> bounds = {};
};
[[nodiscard]] Look look_at(Study& study);

/// Something to mark on the charts.
struct Mark {
  Millis at = 0;
  std::string text;

  /// "restart", "pause", "resume" or "change".
  [[nodiscard]] const char* kind() const;
};

/// What a worker has done.
struct Worker {
  std::string name;
  std::uint64_t asked = 0;
  std::uint64_t told = 0;
  Millis seen = 0;
};

/// A group of losses.
struct Losses {
  std::uint64_t count = 0;
  double mean = unknown;
  double p10 = unknown;
  double p90 = unknown;
  /// The standard error of the mean, if losses are independent; known for two and more.
  double error = unknown;
};

/// A span of time and what happened in it.
struct Stretch {
  Millis from = 0;
  Millis to = 0;
  Span span = {};
};

/// A metric as it was told.
struct Measured {
  Millis at = 0;
  double value = unknown;
};

/// How late losses come, in milliseconds; NaN if not known.
struct Delays {
  double p50 = unknown;
  double p99 = unknown;
};

/// The samples of one study: below 100 KB, no plays, and a pure function of the calls and their
/// times. Times do not go back; one that does counts as the latest.
class Samples {
 public:
  /// A study as it is when it is first seen.
  Samples(const Look& first, LearnerOptions options, Millis now);

  /// A step was made.
  void stepped(const std::vector<StudyTell>& tells, const StudyStep& gave,
               const std::string& worker, Millis now);
  /// A tell was refused that contradicts an earlier one.
  void contradicted(Millis now);
  /// Whether a second has passed since the latest look.
  [[nodiscard]] bool due(Millis now) const { return now >= looked_ + 1000; }
  /// How the study was.
  void look(const Look& look, Millis now);
  /// Ends the seconds before now, also if nothing happens.
  void pass(Millis now);

  /// Since when it is watched, and how many plays were told before.
  [[nodiscard]] Millis since() const { return since_; }
  [[nodiscard]] std::uint64_t told_before() const { return told_before_; }
  /// How many tells were refused that contradict an earlier one.
  [[nodiscard]] std::uint64_t contradictions() const { return contradictions_; }
  /// The summary of the latest 256 to 512 plays that were asked for: what was before has gone.
  [[nodiscard]] Summary recent() const;
  /// The contradictions since these began.
  [[nodiscard]] std::uint64_t recent_contradictions() const;
  /// Those of the learner.
  [[nodiscard]] const LearnerOptions& options() const { return options_; }
  /// What was seen at the latest look.
  [[nodiscard]] const Look& looked() const { return look_; }
  /// Plays a second over the last ten seconds.
  [[nodiscard]] double rate() const;
  /// The latest ask and tell; 0 for none.
  [[nodiscard]] Millis last_ask() const { return last_ask_; }
  [[nodiscard]] Millis last_tell() const { return last_tell_; }
  /// The first losses seen, at most 100 and at most half of all; the latest 256; and of plays that
  /// were followed lately, the tenth that was nearest to the point to deploy.
  [[nodiscard]] Losses first_losses() const;
  [[nodiscard]] Losses latest_losses() const;
  [[nodiscard]] Losses nearest_losses() const;
  /// How much less (with maximize: more) the plays have cost than if each had cost the mean of the
  /// first losses.
  [[nodiscard]] double saved() const;
  /// The mean distance of plays that were followed lately from the point to deploy, over the
  /// diameter.
  [[nodiscard]] double distance() const;
  [[nodiscard]] Delays delays() const;
  /// When the oldest play that waits for its loss was asked, among those that are followed; 0 for
  /// none.
  [[nodiscard]] Millis oldest_pending() const;
  /// Those seen last.
  [[nodiscard]] const std::vector<Worker>& workers() const { return workers_; }
  [[nodiscard]] const std::deque<Mark>& marks() const { return marks_; }
  /// The point to deploy about an hour ago, or at the first look; its first coordinates.
  [[nodiscard]] const std::vector<float>& point_before() const { return points_.front().point; }
  [[nodiscard]] Millis point_before_at() const { return points_.front().at; }

  /// What was told lately of the metric of a limit, the oldest first.
  [[nodiscard]] std::vector<Measured> metrics(std::size_t limit) const;

  /// The seconds that have ended, by number since 1970: from first_second() to before
  /// end_second().
  [[nodiscard]] std::int64_t first_second() const { return seconds_.begin(); }
  [[nodiscard]] std::int64_t end_second() const { return seconds_.end(); }
  [[nodiscard]] Span second(std::int64_t number) const { return seconds_[number].span(); }
  /// The last hour by seconds, before it the last day by minutes, before it 16 an octave.
  [[nodiscard]] std::vector<Stretch> curve() const;

  /// How much memory a study takes at most, without what it allocates for names.
  [[nodiscard]] std::size_t most_bytes() const;

  /// How many coordinates of points are remembered.
  static constexpr std::size_t coordinates = 32;

 private:
  /// A play that waits for its loss.
  struct Asked {
    std::uint32_t id = 0;  // its lower bits; 0 for none
    float distance = 0;
    Millis at = 0;
  };
  /// One that waited.
  struct Told {
    float loss = 0;
    float distance = 0;
    float delay = 0;
  };
  /// What had been counted at a look: the lower bits, for differences.
  struct Counts {
    std::uint32_t asked = 0;
    std::uint32_t missing = 0;
    std::uint32_t expired = 0;
    std::uint32_t late = 0;
    std::uint32_t above_bound = 0;
    std::uint32_t contradictions = 0;
  };
  struct PointThen {
    Millis at = 0;
    std::vector<float> point;
  };

  void ask(const StudyPlay& play);
  /// Whether its loss can still be told.
  [[nodiscard]] bool waits(const Asked& asked) const;
  void tell(PlayId id, double loss);
  void measure(const Values& metrics);
  /// What has been counted so far.
  [[nodiscard]] Counts counts() const;
  void note_worker(const std::string& name, std::uint64_t asked, std::uint64_t told);
  void mark(std::string text);
  /// The study is on another space: what is known of points is of no use any more.
  void change(const Look& look);
  /// The octave of a second.
  [[nodiscard]] std::int64_t octave_of(std::int64_t second) const;
  [[nodiscard]] std::int64_t begin_of_octave(std::int64_t octave) const;
  [[nodiscard]] Sample closed(const Tally& tally) const;
  /// Plays that were followed from ask to tell, the latest.
  [[nodiscard]] std::span<const Told> followed() const;

  Millis since_;
  std::uint64_t told_before_;
  double diameter_;
  LearnerOptions options_;
  Look look_;
  Millis looked_;
  Millis now_;
  std::int64_t second_;

  Ring<Sample> seconds_{3600};
  Ring<Sample> minutes_{1440};
  Ring<Sample> octaves_{380};
  Tally this_second_;
  Tally this_minute_;
  Tally this_octave_;

  Millis last_ask_ = 0;
  Millis last_tell_ = 0;
  std::array<Asked, 192> asked_ = {};
  std::array<Told, 120> followed_ = {};
  std::uint64_t follows_ = 0;  // so far
  std::array<float, 256> latest_ = {};
  PlayId newest_ = 0;
  std::uint64_t asks_ = 0;   // so far
  std::uint64_t tells_ = 0;  // so far
  double loss_sum_ = 0;
  std::uint64_t contradictions_ = 0;
  Counts before_;   // 256 plays ago or more
  Counts between_;  // less than that
  std::vector<float> first_;
  std::vector<Worker> workers_;
  std::deque<Mark> marks_;
  std::deque<PointThen> points_;
  std::vector<std::deque<Measured>> metrics_;  // of each limit
};

}  // namespace keyhole::service
