// Stores of every kind behind one face, so that each case of store_suite.h is written once.

#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "folder.h"
#include "keyhole/client.h"
#include "keyhole/store.h"

namespace keyhole {

/// So that an assertion names it.
inline void PrintTo(ErrorCode code, std::ostream* out) {
  *out << "error " << static_cast<int>(code);
}

namespace tests {

/// What a study of a store and one of a service have in common.
class StudyUnderTest {
 public:
  StudyUnderTest() = default;
  StudyUnderTest(const StudyUnderTest&) = delete;
  StudyUnderTest& operator=(const StudyUnderTest&) = delete;
  virtual ~StudyUnderTest() = default;

  virtual StudyPlay ask(const std::string& worker) = 0;
  virtual std::vector<StudyPlay> ask_many(std::size_t count) = 0;
  virtual Receipt tell(PlayId id, double loss, double count = 1) = 0;
  virtual PastReceipt learn(const std::vector<StudyPast>& past, Outside outside) = 0;
  virtual std::uint64_t past() = 0;
  virtual StudyStep step(const std::vector<StudyTell>& tells, std::size_t asks,
                         const std::string& worker) = 0;
  virtual void explore(bool on) = 0;
  virtual bool explores() = 0;
  virtual std::vector<double> recommend() = 0;
  virtual Values recommend_values() = 0;
  virtual Summary summary() = 0;
  virtual State state() = 0;
};

/// The same of the stores.
class StoreUnderTest {
 public:
  StoreUnderTest() = default;
  StoreUnderTest(const StoreUnderTest&) = delete;
  StoreUnderTest& operator=(const StoreUnderTest&) = delete;
  virtual ~StoreUnderTest() = default;

  virtual std::unique_ptr<StudyUnderTest> create(const std::string& name,
                                                 const StudyDescription& description) = 0;
  virtual std::unique_ptr<StudyUnderTest> open(const std::string& name) = 0;
  virtual std::vector<std::string> list() = 0;
  virtual StudyLabel label(const std::string& name) = 0;
  virtual void set_label(const std::string& name, const StudyLabel& label) = 0;
  virtual std::vector<LabelledStudy> find(const StudySearch& search) = 0;
  virtual void remove(const std::string& name) = 0;
  virtual Renewal renew(const std::string& name, bool dry_run = false) = 0;
  /// Of a store only.
  virtual void copy(const std::string& name, const Store& to) = 0;
};

/// A Study or a RemoteStudy.
template <class Inner>
class StudyOf final : public StudyUnderTest {
 public:
  explicit StudyOf(Inner inner) : inner_(std::move(inner)) {}

  StudyPlay ask(const std::string& worker) override { return inner_.ask(worker); }
  std::vector<StudyPlay> ask_many(std::size_t count) override { return inner_.ask_many(count); }
  Receipt tell(PlayId id, double loss, double count) override {
    return inner_.tell(id, loss, count);
  }
  PastReceipt learn(const std::vector<StudyPast>& past, Outside outside) override {
    return inner_.learn(past, outside);
  }
  std::uint64_t past() override { return inner_.past(); }
  StudyStep step(const std::vector<StudyTell>& tells, std::size_t asks,
                 const std::string& worker) override {
    return inner_.step(tells, asks, worker);
  }
  void explore(bool on) override { inner_.explore(on); }
  bool explores() override { return inner_.explores(); }
  std::vector<double> recommend() override { return inner_.recommend(); }
  Values recommend_values() override { return inner_.recommend_values(); }
  Summary summary() override { return inner_.summary(); }
  State state() override { return inner_.state(); }

 private:
  Inner inner_;
};

/// A Store or a Client.
template <class Inner>
class StoreOf final : public StoreUnderTest {
 public:
  explicit StoreOf(Inner inner) : inner_(std::move(inner)) {}

  std::unique_ptr<StudyUnderTest> create(const std::string& name,
                                         const StudyDescription& description) override {
    return study(inner_.create(name, description));
  }
  std::unique_ptr<StudyUnderTest> open(const std::string& name) override {
    return study(inner_.open(name));
  }
  std::vector<std::string> list() override { return inner_.list(); }
  StudyLabel label(const std::string& name) override { return inner_.label(name); }
  void set_label(const std::string& name, const StudyLabel& label) override {
    inner_.set_label(name, label);
  }
  std::vector<LabelledStudy> find(const StudySearch& search) override {
    return inner_.find(search);
  }
  void remove(const std::string& name) override { inner_.remove(name); }
  Renewal renew(const std::string& name, bool dry_run) override {
    return inner_.renew(name, dry_run);
  }
  void copy(const std::string& name, const Store& to) override {
    if constexpr (std::is_same_v<Inner, Store>) return inner_.copy(name, to);
    throw std::logic_error("a client copies nothing");
  }

 private:
  template <class Study>
  static std::unique_ptr<StudyUnderTest> study(Study inner) {
    return std::make_unique<StudyOf<Study>>(std::move(inner));
  }

  Inner inner_;
};

/// An empty store of some kind, with what it needs to run.
struct Backend {
  /// The store as another thread or process has it. A child of this process may call it.
  std::function<std::unique_ptr<StoreUnderTest>()> connect;
  /// The same studies where their logs are.
  std::function<Store()> logs;
  /// Of a service.
  std::string address = {};
};

/// A kind of store: one row in the tests of each program.
struct Kind {
  std::string name;
  std::function<Backend()> make;
  /// Whether it is a Store: then it can copy, a tell that is wrong is a TellError, and a study
  /// notices that it was deleted. A study of a service has its name alone: if another one
  /// takes that name, it goes on with it.
  bool is_store = true;
  /// Whether other processes have the same studies; not those of a store in memory.
  bool is_shared = true;
};

inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

/// What steps are promised to survive is tried elsewhere; here they need not wait for a disk.
inline constexpr StoreOptions quick_steps = {.durability = Durability::process};

/// A store whose copies are the same one.
inline Backend store_of(const Store& store) {
  return {.connect = [store] { return std::make_unique<StoreOf<Store>>(store); },
          .logs = [store] { return store; }};
}

/// A store at a place, which `needed` keeps there.
inline Backend store_at(const std::string& place, const std::shared_ptr<void>& needed = {}) {
  const auto open = [place, needed] { return Store(place, quick_steps); };
  return {.connect = [open] { return std::make_unique<StoreOf<Store>>(open()); }, .logs = open};
}

/// A service at an address, over the store at a place.
inline Backend service_at(const std::string& address, const std::string& place,
                          const std::shared_ptr<void>& needed) {
  return {
      .connect = [address, needed] { return std::make_unique<StoreOf<Client>>(Client(address)); },
      .logs = store_at(place, needed).logs,
      .address = address};
}

}  // namespace tests
}  // namespace keyhole
