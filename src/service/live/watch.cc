#include "service/live/watch.h"

#include <algorithm>
#include <chrono>

namespace keyhole::service {

Millis millis_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::shared_ptr<Watch::Entry> Watch::entry_of(const Key& key) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry>& entry = entries_[key];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

Look Watch::look_at(const Key& key, Entry& entry, Study& study) const {
  Look look = service::look_at(study);
  try {
    look.bounds = entry.bounds.look(store_(key.first), key.second, study);
  } catch (const StudyError&) {  // a log that cannot be read says so elsewhere
  }
  std::vector<SeenLimit> limits;
  for (std::size_t j = 0; j < std::min(look.limits.size(), look.status.limits.size()); ++j) {
    limits.push_back({key.second, look.limits[j], look.status.limits[j]});
  }
  const std::lock_guard lock(mutex_);
  entry.limits = std::move(limits);
  return look;
}

std::vector<SeenLimit> Watch::limits(const std::string& tenant) const {
  std::vector<SeenLimit> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    if (key.first == tenant) all.insert(all.end(), entry->limits.begin(), entry->limits.end());
  }
  return all;
}

void Watch::refresh(const Key& key, Entry& entry, Study& study, Millis now) const {
  if (entry.samples != nullptr && !entry.samples->due(now)) return;
  const Look look = look_at(key, entry, study);
  // Fewer plays than before: it is another study of that name, or was changed.
  const auto goes_on = [&](const Look& before) {
    return look.summary.asked >= before.summary.asked ||
           (look.changed && look.changed != before.changed);
  };
  if (entry.samples != nullptr && goes_on(entry.samples->looked())) {
    entry.samples->look(look, now);
  } else {
    entry.samples = std::make_unique<Samples>(look, study.description().options, now);
  }
}

void Watch::stepped(const std::string& tenant, const std::string& name, Study& study,
                    const std::vector<StudyTell>& tells, const StudyStep& gave,
                    const std::string& worker, Millis now) {
  const std::shared_ptr<Entry> entry = entry_of({tenant, name});
  const std::lock_guard lock(entry->mutex);
  refresh({tenant, name}, *entry, study, now);
  entry->samples->stepped(tells, gave, worker, now);
}

void Watch::contradicted(const std::string& tenant, const std::string& name, Study& study,
                         Millis now) {
  const std::shared_ptr<Entry> entry = entry_of({tenant, name});
  const std::lock_guard lock(entry->mutex);
  refresh({tenant, name}, *entry, study, now);
  entry->samples->contradicted(now);
}

void Watch::changed(const std::string& tenant, const std::string& name, Study& study, Millis now) {
  const std::shared_ptr<Entry> entry = entry_of({tenant, name});
  const std::lock_guard lock(entry->mutex);
  refresh({tenant, name}, *entry, study, now);
  entry->samples->look(look_at({tenant, name}, *entry, study), now);
}

void Watch::look(const std::string& tenant, const std::string& name, Study& study, Millis now,
                 const std::function<void(const Samples& samples)>& take) {
  const std::shared_ptr<Entry> entry = entry_of({tenant, name});
  const std::lock_guard lock(entry->mutex);
  refresh({tenant, name}, *entry, study, now);
  entry->samples->pass(now);
  take(*entry->samples);
}

void Watch::glance(const std::string& tenant, const std::string& name, Millis now,
                   const std::function<void(const Samples& samples)>& take) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find({tenant, name});
    if (found == entries_.end()) return;
    entry = found->second;
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->samples == nullptr) return;
  entry->samples->pass(now);
  take(*entry->samples);
}

void Watch::forget(const std::string& tenant, const std::string& name) {
  const std::lock_guard lock(mutex_);
  entries_.erase({tenant, name});
}

}  // namespace keyhole::service
