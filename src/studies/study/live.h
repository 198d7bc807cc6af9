#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "keyhole/store.h"
#include "studies/image/image.h"
#include "studies/journals/journal.h"
#include "studies/journals/patience.h"
#include "studies/journals/snapshots.h"
#include "studies/study/change.h"
#include "studies/study/rivals.h"
#include "studies/study/snapshot_clock.h"
#include "studies/study/turns.h"

namespace keyhole {

/// A study at work: a lock, a log, and the image that the log leads to. Thread-safe.
///
/// The image is played ahead of the log by the step that is being appended. From then until it has
/// caught up it is `broken`: if anything throws in between, the next call makes it again from the
/// log, as if the study were opened again.
class [[gnu::visibility("hidden")]] Study::Live {
 public:
  using Image = studies::Image;
  using Watch = Image::Watch;

  /// The study of a log, which must have a description. `name` is for messages. It begins with a
  /// snapshot and keeps new ones, if there is a place for them. Plays that come out at other points
  /// than the log says are an error, unless the digits may differ.
  Live(std::string name, std::unique_ptr<studies::Journal> journal, const StoreOptions& options,
       std::shared_ptr<const Catalogue> catalogue,
       std::unique_ptr<studies::Snapshots> snapshots = {},
       studies::Follow follow = studies::Follow::plays, const Watch& watch = {},
       Digits digits = Digits::same);

  /// What is known, as a step has it: the values given and, if these are read, what clocks say now.
  /// Throws InvalidArgument for values that are none of the contexts.
  [[nodiscard]] std::vector<double> context_of(const Values& given, bool reads_clocks = false)
      const;
  /// What is told, as a step has it. Throws TellError, for the tell at that place, if it says
  /// nothing or has metrics that the space does not take.
  [[nodiscard]] studies::Tell tell_of(PlayId id, std::optional<double> loss, double count,
                                      const Values& metrics, bool extra = false,
                                      std::size_t place = 0) const;
  /// append() and harden().
  StudyStep step(const studies::Step& step);
  StudyStep append(const studies::Step& step, std::uint64_t& end);
  void harden(std::uint64_t end);
  void explore(bool on);
  void prove(double share);
  PastReceipt learn(const studies::Past& past);
  Renewal renew();
  /// `told` has taken the log so far.
  StudyChange change(const Space& space, const Values& start, studies::ToldLosses& told);
  /// Shows the steps that were appended since, also those behind a change.
  void follow(const Watch& watch);
  /// What is known of the log so far; of one thread.
  [[nodiscard]] const Image& image() const { return *image_; }

  /// What f(image) gives, once all that is in the log is known.
  template <class Function>
  auto look(Function f) {
    const Lock lock(mutex_, *this);
    catch_up();
    return f(*image_);
  }
  [[nodiscard]] StudyPosition durable_position();

  [[nodiscard]] const StudyDescription& description() const { return *description_; }
  [[nodiscard]] const Set& set() const { return *set_; }

 private:
  /// Holds the mutex, or throws that the study is busy.
  class Lock {
   public:
    Lock(studies::PatientMutex& mutex, const Live& live);

   private:
    std::unique_lock<studies::PatientMutex> lock_;
  };

  [[noreturn]] void fail_as_busy() const;
  void load(const Watch& watch = {});
  [[nodiscard]] bool load_from(const studies::Snapshot& snapshot);
  void catch_up();
  void read_on(const Watch& watch = {});
  void take(std::string_view content, const studies::Mark& end, const Watch& watch);
  StudyStep append_far(const studies::Step& step, std::uint64_t& end);
  [[nodiscard]] bool suffices_for(const studies::Step& step) const;
  [[nodiscard]] bool take_step(const studies::Step& step, StudyStep& result);
  [[nodiscard]] bool seal();
  [[nodiscard]] bool append_event(const studies::Event& event);
  void keep_snapshot_if_due();

  std::string name_;
  std::unique_ptr<studies::Journal> journal_;
  StoreOptions options_;
  std::shared_ptr<const Catalogue> catalogue_;
  std::unique_ptr<studies::Snapshots> snapshots_;
  studies::Follow follow_;
  Digits digits_;
  studies::Turns turns_;    // of those who append to a log that is far...
  studies::Rivals rivals_;  // ...and the processes that do so as well; with a turn only
  studies::PatientMutex mutex_;

  std::optional<Image> image_;
  bool broken_ = true;
  studies::Mark known_;  // the farthest that was in the log: a log without it is another one
  studies::SnapshotClock clock_;
  // Users hold references to these, and the image may be made again.
  std::optional<StudyDescription> description_;
  std::uint64_t description_hash_ = 0;
  SetPtr set_;
};

}  // namespace keyhole
