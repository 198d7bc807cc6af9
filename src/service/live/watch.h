#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "service/live/samples.h"

namespace keyhole::service {

/// The time now.
[[nodiscard]] Millis millis_now();

/// A limit of a study, and how it is kept.
struct SeenLimit {
  std::string study;
  SpaceLimit limit;
  LimitStatus status = {};
};

/// The samples of the studies that this process has seen. Thread-safe.
class Watch {
 public:
  /// `store` gives that of a tenant, whose logs say which bounds are too tight.
  explicit Watch(std::function<const Store&(const std::string& tenant)> store)
      : store_(std::move(store)) {}

  /// A step of a study was made.
  void stepped(const std::string& tenant, const std::string& name, Study& study,
               const std::vector<StudyTell>& tells, const StudyStep& gave,
               const std::string& worker, Millis now);
  /// A tell of a study was refused that contradicts an earlier one.
  void contradicted(const std::string& tenant, const std::string& name, Study& study, Millis now);
  /// A study was paused, or goes on: its samples say so at once.
  void changed(const std::string& tenant, const std::string& name, Study& study, Millis now);
  /// Hands over the samples of a study as they are now.
  void look(const std::string& tenant, const std::string& name, Study& study, Millis now,
            const std::function<void(const Samples& samples)>& take);
  /// Hands over the samples of a study if it was seen before, without a look at the study.
  void glance(const std::string& tenant, const std::string& name, Millis now,
              const std::function<void(const Samples& samples)>& take);
  /// The limits of the studies of a tenant, as they were seen last. Waits for no study.
  [[nodiscard]] std::vector<SeenLimit> limits(const std::string& tenant) const;
  /// A study was deleted, or closed to make room for others.
  void forget(const std::string& tenant, const std::string& name);

 private:
  using Key = std::pair<std::string, std::string>;  // tenant and name
  struct Entry {
    std::mutex mutex;
    std::unique_ptr<Samples> samples;
    studies::TightBounds bounds;
    std::vector<SeenLimit> limits;  // guarded by the mutex of all
  };

  [[nodiscard]] std::shared_ptr<Entry> entry_of(const Key& key);
  /// Looks at the study, if that is due.
  void refresh(const Key& key, Entry& entry, Study& study, Millis now) const;
  [[nodiscard]] Look look_at(const Key& key, Entry& entry, Study& study) const;

  std::function<const Store&(const std::string& tenant)> store_;

  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<Entry>> entries_;
};

}  // namespace keyhole::service
