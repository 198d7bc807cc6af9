// Decides whether a storm was survived: holds what workers were answered against what the log of
// their study says.

#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/store.h"
#include "twin.h"

namespace keyhole::tests {

/// By which the play of a number is told from the play of that number in another history.
inline std::size_t mark_of(const std::vector<double>& point) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(point.data()), point.size() * sizeof(double)});
}

/// What a worker was answered: a play, or that its loss is stored. Plain bytes, for files.
struct Heard {
  int worker = 0;
  PlayId play = 0;
  std::size_t mark = 0;
  bool told = false;
  /// Whether the log may lack it: its server may have died with it.
  bool may_be_lost = false;
};

inline std::string worker_name(int number) { return "w" + std::to_string(number); }

/// What was found.
struct Verdict {
  std::vector<std::string> faults = {};
  std::size_t plays = 0;     // in the log
  std::size_t told = 0;      // of these
  std::size_t repeated = 0;  // tells
  std::size_t unheard = 0;   // losses that are stored, and nobody was told so
  std::uint64_t torn = 0;    // bytes at the end of the log
};

/// Reads the log of a study that was told what plays cost and has not paused. It trusts neither the
/// log nor whoever reads it: a learner plays along.
class Judge {
 public:
  using Loss = std::function<double(const StudyPlay& play)>;

  Judge(const StudyDescription& description, Loss loss)
      : description_(description), twin_(twin_of(description)), loss_(std::move(loss)) {}

  /// The next step of the log.
  void take(const StudyRecord& step) {
    for (const StudyTell& tell : step.tells) take(tell);
    for (const StudyPlay& play : step.gave.plays) take(play, step.worker);
  }
  /// What is wrong with the log, with what was heard, or with the states (State::hash()) that those
  /// have come to who have the study.
  Verdict verdict(const std::vector<Heard>& heard, const std::vector<std::uint64_t>& states) {
    for (const Heard& one : heard) compare(one);
    const std::uint64_t due = twin_.state().hash();
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (states[k] != due) fault("state " + std::to_string(k) + " is not what the log leads to");
    }
    verdict_.plays = log_.size();
    for (const auto& [number, play] : log_) {
      verdict_.told += play.told ? 1 : 0;
      verdict_.unheard += play.told && !play.heard ? 1 : 0;
    }
    return verdict_;
  }

 private:
  struct Logged {
    std::size_t mark = 0;
    std::string worker = {};
    double loss = 0;
    bool told = false;
    bool heard = false;  // that it is told
  };

  void fault(const std::string& text) { verdict_.faults.push_back(text); }
  void fault(PlayId play, const std::string& text) {
    fault("play " + std::to_string(play) + " " + text);
  }
  void take(const StudyTell& tell) {
    const auto found = log_.find(tell.id);
    if (found == log_.end()) return fault(tell.id, "was told, and never given");
    if (tell.loss != found->second.loss) fault(tell.id, "has the loss of another one");
    verdict_.repeated += found->second.told ? 1 : 0;
    found->second.told = true;
    try {
      tell_as(twin_, description_, tell);
    } catch (const FeedbackError& error) {
      fault(error.what());
    }
  }
  void take(const StudyPlay& play, const std::string& worker) {
    const Logged logged{.mark = mark_of(play.point), .worker = worker, .loss = loss_(play)};
    const PlayId due = log_.empty() ? 1 : log_.rbegin()->first + 1;
    if (!log_.emplace(play.id, logged).second) return fault(play.id, "stands in the log twice");
    if (play.id != due) fault(play.id, "stands behind a hole");
    if (play.point != ask_as(twin_, description_, play)) {
      fault(play.id, "is of another history than those before");
    }
  }
  void compare(const Heard& heard) {
    const auto found = log_.find(heard.play);
    const std::string name = worker_name(heard.worker);
    if (found == log_.end()) {
      if (!heard.may_be_lost) fault(heard.play, "of " + name + " is lost");
      return;
    }
    Logged& logged = found->second;
    if (logged.mark != heard.mark || logged.worker != name) {
      // Else its number was given again.
      if (!heard.may_be_lost) {
        fault(heard.play, "of " + logged.worker + " was given to " + name +
                              (logged.mark == heard.mark ? "" : " with another point"));
      }
      return;
    }
    if (!heard.told) return;
    logged.heard = true;
    if (!logged.told && !heard.may_be_lost) fault(heard.play, "has lost its loss");
  }

  StudyDescription description_;
  Learner twin_;
  Loss loss_;
  std::map<PlayId, Logged> log_;
  Verdict verdict_;
};

/// The verdict on a study of a store, with the states of its log, of itself, and others.
inline Verdict verdict_on(const Store& store, const std::string& name, const Judge::Loss& loss,
                          const std::vector<Heard>& heard, std::vector<std::uint64_t> states = {}) {
  try {
    Study study = store.open(name);
    Judge judge(study.description(), loss);
    const StudyLog log = store.replay(
        name, [&](const StudyRecord& step) { judge.take(step); }, {}, Replay::facts);
    states.push_back(study.state().hash());
    states.push_back(store.replay(name, [](const StudyRecord& /*step*/) {}).state_hash);
    Verdict verdict = judge.verdict(heard, states);
    verdict.torn = log.torn;
    return verdict;
  } catch (const Error& error) {
    return {.faults = {error.what()}};
  }
}

}  // namespace keyhole::tests
