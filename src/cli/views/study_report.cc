// The report of a study: its log played again, seen by report/study.h.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/study.h"
#include "cli/views/view.h"
#include "keyhole/version.h"
#include "report/study.h"
#include "report/text.h"
#include "studies/json/alarms.h"
#include "studies/json/axes.h"
#include "studies/json/study_json.h"

namespace keyhole::cli {
namespace {

using report::readable;
using studies::Axis;
using Vector = std::vector<double>;

/// The coordinates that are followed: all, or those that are farthest from the centre now.
std::vector<std::size_t> followed(const Set& set, const Vector& point) {
  constexpr std::size_t most = 64;
  std::vector<std::size_t> which(set.dimension());
  std::iota(which.begin(), which.end(), std::size_t{0});
  if (which.size() <= most) return which;
  const auto moved = [&](std::size_t i) { return std::abs(point[i] - set.centre()[i]); };
  std::stable_sort(which.begin(), which.end(),
                   [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
  which.resize(most);
  std::sort(which.begin(), which.end());
  return which;
}

/// Takes the steps of a log, and keeps of the recommendations at most so many that they can be
/// drawn.
class Collector {
 public:
  Collector(const Store& store, std::string name, Study& study)
      : store_(store),
        name_(std::move(name)),
        study_(study),
        which_(followed(study.set(), study.recommend())),
        axes_(studies::axes_of(study, which_)),
        space_(std::get_if<Space>(&study.description().on)),
        change_(study.changed().value_or(StudyChange()).after),
        path_(which_.size()) {}

  void take(const StudyRecord& record) {
    if (record.renewed || record.changed) restarts_ = 0;  // another learner counts
    if (record.changed) {
      changes_.push_back(static_cast<double>(record.changed->after + 1));
      said_.push_back("The study was changed " + studies::change_text(*record.changed) +
                      ". A vertical line shows it.");
    }
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const Receipt receipt = record.gave.receipts[k];
      if (receipt != Receipt::fresh && receipt != Receipt::late) continue;
      if (!record.tells[k].loss) continue;
      report::StudyPoint& play = plays_[record.tells[k].id - 1];
      play.loss = *record.tells[k].loss;
      play.delay = static_cast<double>(plays_.size() - record.tells[k].id);
    }
    if (record.gave.plays.empty()) return;
    // Of another version, the points are not known; of another space, they are elsewhere.
    if (record.learner == nullptr || record.learner->set().spec() != study_.set().spec()) {
      plays_.resize(plays_.size() + record.gave.plays.size());
      return;
    }
    const Vector best = record.learner->recommend();
    if (start_.empty()) start_ = best;
    for (const StudyPlay& play : record.gave.plays) {
      plays_.push_back({.distance = distance(play.point, best_for(play, *record.learner, best))});
    }
    if (const std::uint64_t restarts = record.learner->status(1).restarts; restarts > restarts_) {
      restarts_ = restarts;
      marks_.push_back(static_cast<double>(record.gave.plays.front().id));
    }
    if (plays_.size() % stride_ < record.gave.plays.size()) keep(best);
  }

  [[nodiscard]] report::StudyHistory history(const std::string& name) {
    const Vector point = study_.recommend();
    if (start_.empty()) start_ = point;
    if (!plays_.empty()) keep(point);
    return {.name = name,
            .facts = facts(),
            .maximize = study_.description().options.maximize,
            .beliefs = beliefs(),
            .plays = plays_,
            .restarts = marks_,
            .changes = changes_,
            .recommended = most_moved(),
            .deployed = deployed(point),
            .counts = counts()};
  }

 private:
  /// What is recommended in the context of a play; before a change there were other contexts.
  [[nodiscard]] Vector best_for(const StudyPlay& play, const Learner& learner,
                                const Vector& best) const {
    if (play.context.empty() || play.id <= change_) return best;
    return learner.recommend(space_->context(play.context));
  }

  /// Of a space by the places in the ranges, root mean square; of a set as a share of its diameter.
  [[nodiscard]] double distance(const Vector& a, const Vector& b) const {
    double squares = 0;
    if (space_ == nullptr) {
      for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
      return std::sqrt(squares) / study_.set().diameter();
    }
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const double d = axes_[i].place(a[which_[i]]) - axes_[i].place(b[which_[i]]);
      squares += d * d;
    }
    return std::sqrt(squares / static_cast<double>(axes_.size()));
  }

  void keep(const Vector& point) {
    constexpr std::size_t most = 400;
    const auto t = static_cast<double>(plays_.size());
    if (!path_[0].empty() && path_[0].back().t == t) return;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      path_[i].push_back({t, axes_[i].place(point[which_[i]])});
    }
    if (path_[0].size() < most) return;
    stride_ *= 2;
    for (auto& points : path_) {
      for (std::size_t k = 0; 2 * k + 1 < points.size(); ++k) points[k] = points[2 * k + 1];
      points.resize(points.size() / 2);
    }
  }

  /// The paths of the coordinates that have moved most.
  [[nodiscard]] std::vector<report::Series> most_moved() const {
    constexpr std::size_t most = 8;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      double low = 1;
      double high = 0;
      for (const report::Point& point : path_[i]) {
        low = std::min(low, point.mean);
        high = std::max(high, point.mean);
      }
      order.emplace_back(low - high, i);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most));
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<report::Series> series;
    for (const auto& [moved, i] : order) {
      series.push_back({.name = axes_[i].name, .points = path_[i]});
    }
    return series;
  }

  [[nodiscard]] std::vector<report::Fact> facts() const {
    const StudyDescription& description = study_.description();
    const auto* const set = std::get_if<std::string>(&description.on);
    return {{"on",
             set != nullptr ? *set : "a space of " + std::to_string(axes_.size()) + " coordinates"},
            {"learner", description.learner},
            {"seed", std::to_string(description.options.seed)},
            {"version", keyhole::version},
            {"trace revision", std::to_string(trace_revision)}};
  }

  [[nodiscard]] std::vector<std::string> beliefs() {
    const Status status = study_.status();
    const Belief& belief = status.belief;
    std::vector<std::string> said = said_;
    if (const std::uint64_t past = study_.past(); past > 0) {
      said.push_back("It has learned " + studies::counted(past, "loss") + " of the past.");
    }
    if (const std::string proof = studies::proof_text(status.proof); !proof.empty()) {
      said.push_back("What is played is " + proof + ".");
    }
    const std::vector<SpaceLimit> limits = studies::limits_of(study_);
    for (std::size_t j = 0; j < std::min(limits.size(), status.limits.size()); ++j) {
      said.push_back(
          "The limit of " + limits[j].name + " is " +
          studies::limit_text(limits[j], status.limits[j], study_.description().options.maximize) +
          ".");
    }
    studies::TightBounds bounds;
    for (const studies::TightBound& bound : bounds.look(store_, name_, study_)) {
      said.push_back(bound.text());
      said.back().front() = 'T';
    }
    if (!std::isfinite(belief.gain) || !std::isfinite(belief.gain_error)) return said;
    said.push_back("The learner believes that what it recommends is better than the start by " +
                   readable(belief.gain) + " ± " + readable(1.96 * belief.gain_error) +
                   (std::isfinite(belief.noise)
                        ? ", and that the noise of a loss is " + readable(belief.noise)
                        : "") +
                   ".");
    return said;
  }

  [[nodiscard]] report::Table deployed(const Vector& point) const {
    report::Table table{.title = "What to deploy",
                        .header = {{"name"},
                                   {"least", true},
                                   {"largest", true},
                                   {"at the start", true},
                                   {"recommended", true},
                                   {"unit"}}};
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Axis& axis = axes_[i];
      const auto text = [&](double x) { return text_at(axis, x); };
      table.rows.push_back({{axis.name},
                            {text(axis.from)},
                            {text(axis.to)},
                            {text(start_[which_[i]])},
                            {text(point[which_[i]])},
                            {axis.unit}});
    }
    if (point.size() > axes_.size()) {
      table.note =
          "The coordinates farthest from the centre, of " + std::to_string(point.size()) + ".";
    }
    if (!studies::contexts_of(study_).empty()) {
      table.note += (table.note.empty() ? "" : " ") + std::string("What is best ") +
                    in_average_context + ". In another one: keyhole study recommend " + name_ +
                    " --context NAME=VALUE.";
    }
    return table;
  }

  [[nodiscard]] report::Table counts() {
    const Summary summary = study_.summary();
    report::Table table{.title = "What became of the plays",
                        .header = {{"what"}, {"how many", true}}};
    const auto add = [&](const char* what, std::uint64_t count, bool alarm = false) {
      table.rows.push_back({{what},
                            {std::to_string(count),
                             alarm && count > 0 ? report::Verdict::warn : report::Verdict::none}});
    };
    add("plays asked for", summary.asked);
    add("told in time", summary.told);
    add("can still be told", summary.pending);
    add("expired before a loss was told", summary.missing, true);
    add("tells that repeated another one", summary.duplicates);
    add("tells after the play had expired", summary.expired, true);
    add("tells too late to be learned from", summary.late, true);
    add("losses beyond the bound that was promised", summary.above_bound, true);
    return table;
  }

  const Store& store_;
  std::string name_;
  Study& study_;
  std::vector<std::size_t> which_;
  std::vector<Axis> axes_;
  const Space* space_;  // none for a study on a set
  PlayId change_;       // the latest play before the latest change
  std::vector<report::StudyPoint> plays_;
  std::vector<double> marks_;
  std::vector<double> changes_;
  std::vector<std::string> said_;
  std::uint64_t restarts_ = 0;
  Vector start_;
  std::vector<std::vector<report::Point>> path_;  // a list for each axis
  std::size_t stride_ = 1;
};

}  // namespace

report::Report study_report(const Store& live, const std::string& name,
                            const Catalogue& catalogue) {
  // Others play on meanwhile: all of the report is of what is copied here.
  const Store store = Store::in_memory({}, catalogue);
  live.copy(name, store);
  Study study = store.open(name);
  Collector collector(store, name, study);
  store.replay(name, [&](const StudyRecord& record) { collector.take(record); });
  return report::of_study(collector.history(name));
}

}  // namespace keyhole::cli
