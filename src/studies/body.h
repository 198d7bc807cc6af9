#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "keyhole/store.h"
#include "studies/journal.h"
#include "studies/step.h"

namespace keyhole {

/// A study at work: the image of its log up to a position. Thread-safe.
class [[gnu::visibility("hidden")]] Study::Body {
 public:
  /// Takes a step that was found in the log.
  using Watch = std::function<void(const StudyRecord& record)>;

  /// The study of a log, which must have a description. `name` is for messages. `watch`, if any,
  /// sees the steps that the log has by now.
  Body(std::string name, std::unique_ptr<studies::Journal> journal, Durability durability,
       Catalogue catalogue, const Watch& watch = {});

  StudyStep step(const studies::Step& step);
  /// Shows the steps that were appended since.
  void follow(const Watch& watch);

  /// What f(learner) gives, once all that is in the log is known.
  template <class Function>
  auto look(Function f) {
    const std::lock_guard lock(mutex_);
    catch_up();
    return f(*learner_);
  }

  [[nodiscard]] const StudyDescription& description() const { return *description_; }
  /// The space; null for a study on a set.
  [[nodiscard]] const Space* space() const { return std::get_if<Space>(&description_->on); }
  /// The text that the log begins with.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Set& set() const { return learner_->set(); }
  /// How many bytes of the log are in the image.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  void catch_up(const Watch& watch = {});
  void begin(const std::string& text);
  void apply(const studies::Step& step, StudyStep* result);
  void check(const studies::Step& step) const;
  [[nodiscard]] std::optional<StudyPlay> pending_play(const std::string& worker) const;
  [[nodiscard]] StudyPlay described(PlayId id) const;

  std::string name_;
  std::unique_ptr<studies::Journal> journal_;
  Durability durability_;
  Catalogue catalogue_;
  std::mutex mutex_;
  std::string text_;
  std::optional<StudyDescription> description_;
  std::optional<Learner> learner_;
  std::map<std::string, StudyPlay> of_worker_;  // the latest play of each
  std::uint64_t position_ = 0;                  // how far the log is in the image
  // Scratch.
  studies::Step replayed_;
  std::vector<double> point_;
};

}  // namespace keyhole
