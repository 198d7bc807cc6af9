#include "service/live/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "studies/json/alarms.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

constexpr std::size_t most_first = 100;
constexpr std::size_t most_workers = 16;
constexpr std::size_t most_marks = 32;
constexpr std::size_t longest_name = 64;
constexpr std::size_t most_metrics = 120;
/// Of points of more coordinates no distances are taken.
constexpr std::size_t most_coordinates = 128;
constexpr std::uint32_t recent_plays = 256;
constexpr const char* started_again = "the learner started again";
constexpr const char* was_paused = "exploring was paused";
constexpr const char* went_on = "exploring went on";
constexpr Millis hour = 3'600'000;
/// How often the point to deploy is remembered.
constexpr Millis between_points = hour / 12;

std::size_t bounded(std::uint64_t count, std::size_t most) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, most));
}

Losses losses_of(std::vector<float> losses) {
  if (losses.empty()) return {};
  float* const begin = losses.data();
  float* const end = begin + losses.size();
  const auto count = static_cast<double>(losses.size());
  const double mean = std::accumulate(begin, end, 0.0) / count;
  const double squares = std::accumulate(
      begin, end, 0.0, [&](double sum, float x) { return sum + (x - mean) * (x - mean); });
  return {.count = losses.size(),
          .mean = mean,
          .p10 = quantile(begin, end, 0.1),
          .p90 = quantile(begin, end, 0.9),
          .error = count > 1 ? std::sqrt(squares / (count - 1) / count) : unknown};
}

std::vector<float> first_coordinates(const std::vector<double>& point) {
  const std::size_t count = std::min(point.size(), Samples::coordinates);
  return {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

const char* Mark::kind() const {
  return text == started_again ? "restart"
         : text == was_paused  ? "pause"
         : text == went_on     ? "resume"
                               : "change";
}

Look look_at(Study& study) {
  Look look{.summary = study.summary(),
            .status = study.status(),
            .explores = study.explores(),
            .bound = study.regret_bound(),
            .position = study.position(),
            .past = study.past(),
            .changed = study.changed(),
            .diameter = study.set().diameter(),
            .limits = studies::limits_of(study)};
  try {
    look.point = study.recommend();
  } catch (const StudyError&) {  // a study that needs renewal may not know
  }
  return look;
}

Samples::Samples(const Look& first, LearnerOptions options, Millis now)
    : since_(now),
      told_before_(first.summary.told),
      diameter_(first.diameter),
      options_(std::move(options)),
      look_(first),
      looked_(now),
      now_(now),
      second_(now / 1000) {
  before_ = between_ = counts();
  options_.max_steps = {};  // as many as coordinates, and nobody asks
  look(first, now);
}

void Samples::stepped(const std::vector<StudyTell>& tells, const StudyStep& gave,
                      const std::string& worker, Millis now) {
  pass(now);
  const std::uint64_t asks_before = asks_;
  std::uint64_t told = 0;
  for (std::size_t k = 0; k < tells.size(); ++k) {
    const Receipt receipt = gave.receipts[k];
    if (receipt != Receipt::fresh && receipt != Receipt::late) continue;
    measure(tells[k].metrics);
    if (!tells[k].loss) continue;
    tell(tells[k].id, *tells[k].loss);
    ++told;
  }
  for (const StudyPlay& play : gave.plays) ask(play);
  if (!worker.empty()) note_worker(worker.substr(0, longest_name), asks_ - asks_before, told);
}

void Samples::contradicted(Millis now) {
  pass(now);
  ++contradictions_;
}

void Samples::ask(const StudyPlay& play) {
  last_ask_ = now_;
  Asked& slot = asked_[play.id % asked_.size()];
  const auto id = static_cast<std::uint32_t>(play.id);
  if (slot.id == id) return;  // a worker has asked again for what it has not told
  ++asks_;
  for (Tally* const tally : {&this_second_, &this_minute_, &this_octave_}) tally->ask(1);
  newest_ = std::max(newest_, play.id);
  // One that waits keeps its place until it cannot be told, so that slow ones are seen too.
  if (waits(slot)) return;
  slot = {.id = id, .distance = std::numeric_limits<float>::quiet_NaN(), .at = now_};
  if (look_.point.size() != play.point.size() || play.point.size() > most_coordinates) return;
  double squares = 0;
  for (std::size_t i = 0; i < play.point.size(); ++i) {
    const double d = play.point[i] - look_.point[i];
    squares += d * d;
  }
  slot.distance = static_cast<float>(std::sqrt(squares) / diameter_);
}

void Samples::tell(PlayId id, double loss) {
  for (Tally* const tally : {&this_second_, &this_minute_, &this_octave_}) tally->tell(loss);
  last_tell_ = now_;
  const auto rounded = static_cast<float>(loss);
  Asked& slot = asked_[id % asked_.size()];
  if (slot.id == static_cast<std::uint32_t>(id)) {
    followed_[follows_++ % followed_.size()] = {rounded, slot.distance,
                                                static_cast<float>(now_ - slot.at)};
    slot = {};
  }
  latest_[tells_ % latest_.size()] = rounded;
  if (first_.size() < most_first) first_.push_back(rounded);
  ++tells_;
  loss_sum_ += loss;
}

void Samples::measure(const Values& metrics) {
  for (const auto& [name, value] : metrics) {
    for (std::size_t j = 0; j < look_.limits.size(); ++j) {
      if (look_.limits[j].name != name) continue;
      const auto* const whole = std::get_if<std::int64_t>(&value);
      const auto* const number = std::get_if<double>(&value);
      if (number == nullptr && whole == nullptr) continue;
      std::deque<Measured>& told = metrics_[j];
      told.push_back({now_, number != nullptr ? *number : static_cast<double>(*whole)});
      if (told.size() > most_metrics) told.pop_front();
    }
  }
}

std::vector<Measured> Samples::metrics(std::size_t limit) const {
  return {metrics_[limit].begin(), metrics_[limit].end()};
}

void Samples::note_worker(const std::string& name, std::uint64_t asked, std::uint64_t told) {
  const auto seen_before = [](const Worker& a, const Worker& b) { return a.seen < b.seen; };
  auto worker = std::find_if(workers_.begin(), workers_.end(),
                             [&](const Worker& each) { return each.name == name; });
  if (worker == workers_.end()) {
    if (workers_.size() < most_workers) {
      worker = workers_.insert(workers_.end(), Worker{});
    } else {
      worker = std::min_element(workers_.begin(), workers_.end(), seen_before);
    }
    *worker = {.name = name};
  }
  worker->asked += asked;
  worker->told += told;
  worker->seen = now_;
}

void Samples::look(const Look& look, Millis now) {
  pass(now);
  if (look.status.restarts > look_.status.restarts) mark(started_again);
  if (look.explores != look_.explores) {
    mark(look.explores ? went_on : was_paused);
  }
  if (look.changed != look_.changed) change(look);
  look_ = look;
  metrics_.resize(look_.limits.size());
  looked_ = now_;
  if (const Counts counted = counts(); counted.asked - between_.asked >= recent_plays) {
    before_ = std::exchange(between_, counted);
  }
  if (look_.point.size() > most_coordinates) look_.point.resize(coordinates);
  if (look_.point.empty()) return;
  if (points_.empty() || now_ >= points_.back().at + between_points) {
    points_.push_back({now_, first_coordinates(look_.point)});
  }
  while (points_.size() > 1 && points_[1].at <= now_ - hour) points_.pop_front();
}

void Samples::change(const Look& look) {
  if (look.changed) mark("the study was changed " + studies::change_text(*look.changed));
  diameter_ = look.diameter;
  asked_ = {};
  follows_ = 0;
  points_.clear();
  metrics_.clear();
  look_.summary = look.summary;
  before_ = between_ = counts();
}

Samples::Counts Samples::counts() const {
  const auto low = [](std::uint64_t count) { return static_cast<std::uint32_t>(count); };
  const Summary& seen = look_.summary;
  return {low(seen.asked), low(seen.missing),     low(seen.expired),
          low(seen.late),  low(seen.above_bound), low(contradictions_)};
}

Summary Samples::recent() const {
  Summary recent = look_.summary;
  const Counts now = counts();
  recent.asked = now.asked - before_.asked;
  recent.missing = now.missing - before_.missing;
  recent.expired = now.expired - before_.expired;
  recent.late = now.late - before_.late;
  recent.above_bound = now.above_bound - before_.above_bound;
  return recent;
}

std::uint64_t Samples::recent_contradictions() const {
  return counts().contradictions - before_.contradictions;
}

void Samples::mark(std::string text) {
  marks_.push_back({now_, std::move(text)});
  if (marks_.size() > most_marks) marks_.pop_front();
}

void Samples::pass(Millis now) {
  now_ = std::max(now_, now);
  const std::int64_t second = now_ / 1000;
  if (second == second_) return;
  seconds_.push(second_, closed(this_second_));
  if (second > second_ + 1) seconds_.push(second - 1, {});
  this_second_ = {};
  if (second / 60 != second_ / 60) {
    minutes_.push(second_ / 60, closed(this_minute_));
    this_minute_ = {};
  }
  if (octave_of(second) != octave_of(second_)) {
    octaves_.push(octave_of(second_), closed(this_octave_));
    this_octave_ = {};
  }
  second_ = second;
}

Sample Samples::closed(const Tally& tally) const {
  Span span = tally.span();
  if (!tally.empty()) {
    span.exploring = look_.status.exploring;
    span.reach = look_.status.reach;
  }
  return Sample(span);
}

// Octave k begins 16 (2^(k/16) - 1) seconds after the first.
std::int64_t Samples::begin_of_octave(std::int64_t octave) const {
  const double after = 16 * (std::exp2(static_cast<double>(octave) / 16) - 1);
  return since_ / 1000 + static_cast<std::int64_t>(std::ceil(after));
}

std::int64_t Samples::octave_of(std::int64_t second) const {
  const std::int64_t first = since_ / 1000;
  const auto after = static_cast<double>(second - first);
  auto octave = static_cast<std::int64_t>(16 * std::log2(after / 16 + 1));
  while (begin_of_octave(octave) > second) --octave;
  while (begin_of_octave(octave + 1) <= second) ++octave;
  return octave;
}

double Samples::rate() const {
  constexpr std::int64_t longest = 10;
  const std::int64_t begin = std::max(seconds_.begin(), seconds_.end() - longest);
  if (begin == seconds_.end()) return unknown;
  double asks = 0;
  for (std::int64_t s = begin; s < seconds_.end(); ++s) asks += seconds_[s].span().asks;
  return asks / static_cast<double>(seconds_.end() - begin);
}

Losses Samples::first_losses() const {
  const auto count = static_cast<std::ptrdiff_t>(bounded(tells_ / 2, first_.size()));
  return losses_of({first_.begin(), first_.begin() + count});
}

std::span<const Samples::Told> Samples::followed() const {
  return std::span(followed_).first(bounded(follows_, followed_.size()));
}

Losses Samples::latest_losses() const {
  const auto end = latest_.begin() + static_cast<std::ptrdiff_t>(bounded(tells_, latest_.size()));
  return losses_of({latest_.begin(), end});
}

Losses Samples::nearest_losses() const {
  constexpr std::size_t parts = 10;
  std::vector<Told> known(followed().begin(), followed().end());
  std::erase_if(known, [](const Told& each) { return std::isnan(each.distance); });
  const std::size_t count = known.size() / parts;
  std::sort(known.begin(), known.end(),
            [](const Told& a, const Told& b) { return a.distance < b.distance; });
  std::vector<float> losses;
  for (std::size_t k = 0; k < count; ++k) losses.push_back(known[k].loss);
  return losses_of(std::move(losses));
}

double Samples::saved() const {
  const Losses first = first_losses();
  if (first.count == 0) return unknown;
  const double less = static_cast<double>(tells_) * first.mean - loss_sum_;
  return options_.maximize ? -less : less;
}

double Samples::distance() const {
  double sum = 0;
  std::uint64_t count = 0;
  for (const Told& each : followed()) {
    if (std::isnan(each.distance)) continue;
    sum += each.distance;
    ++count;
  }
  return count == 0 ? unknown : sum / static_cast<double>(count);
}

Delays Samples::delays() const {
  std::vector<float> known;
  for (const Told& each : followed()) known.push_back(each.delay);
  float* const begin = known.data();
  float* const end = begin + known.size();
  return {quantile(begin, end, 0.5), quantile(begin, end, 0.99)};
}

bool Samples::waits(const Asked& asked) const {
  const std::uint64_t expiry = options_.expiry.value_or(options_.window);
  return asked.id != 0 && static_cast<std::uint32_t>(newest_) - asked.id < expiry;
}

Millis Samples::oldest_pending() const {
  Millis oldest = 0;
  for (const Asked& each : asked_) {
    if (waits(each) && (oldest == 0 || each.at < oldest)) oldest = each.at;
  }
  return oldest;
}

std::vector<Stretch> Samples::curve() const {
  constexpr std::int64_t minute = 60;
  const auto stretch = [](std::int64_t from, std::int64_t to, const Sample& sample) {
    return Stretch{1000 * from, 1000 * to, sample.span()};
  };
  // Seconds begin at the first whole minute that they have, if minutes have what was before.
  std::int64_t seconds_from = seconds_.begin();
  const std::int64_t minutes_begin = std::max(minutes_.begin() * minute, since_ / 1000);
  if (minutes_begin < seconds_from && minutes_.begin() < minutes_.end()) {
    seconds_from = (seconds_from + minute - 1) / minute * minute;
  }
  const std::int64_t minutes_from = std::min(minutes_begin, seconds_from);
  std::vector<Stretch> curve;
  const std::int64_t open_octave = octave_of(second_);
  for (std::int64_t k = octaves_.begin(); k <= open_octave; ++k) {
    const std::int64_t from = begin_of_octave(k);
    const std::int64_t to = std::min(begin_of_octave(k + 1), minutes_from);
    if (from >= to || (k >= octaves_.end() && k < open_octave)) continue;
    curve.push_back(stretch(from, to, k == open_octave ? closed(this_octave_) : octaves_[k]));
  }
  for (std::int64_t m = minutes_.begin(); m < minutes_.end(); ++m) {
    const std::int64_t from = std::max(m * minute, minutes_begin);
    if (from < seconds_from) curve.push_back(stretch(from, (m + 1) * minute, minutes_[m]));
  }
  for (std::int64_t s = seconds_from; s < seconds_.end(); ++s) {
    curve.push_back(stretch(s, s + 1, seconds_[s]));
  }
  return curve;
}

std::size_t Samples::most_bytes() const {
  constexpr std::size_t points = static_cast<std::size_t>(hour / between_points) + 2;
  return sizeof *this + seconds_.most_bytes() + minutes_.most_bytes() + octaves_.most_bytes() +
         most_coordinates * sizeof(double) + most_first * sizeof(float) +
         most_workers * sizeof(Worker) + most_marks * sizeof(Mark) +
         points * (sizeof(PointThen) + coordinates * sizeof(float)) +
         metrics_.size() * most_metrics * sizeof(Measured);
}

}  // namespace keyhole::service
