// The service: studies of tenants, who may do what with them, and the answers.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "keyhole/store.h"
#include "service/live/watch.h"
#include "service/memory.h"
#include "service/metrics.h"
#include "service/modest.h"
#include "service/open_studies.h"
#include "service/quotas.h"
#include "service/request.h"
#include "service/routes.h"
#include "service/tokens.h"

namespace keyhole::service {

/// What a service serves, and how much of it.
struct ServiceOptions {
  /// The folder or the database of the studies, as Store takes it.
  std::string folder = "studies";
  StoreOptions store = {};
  /// The file of tokens; empty to let anyone do anything.
  std::string tokens = {};
  /// Makes the report of a study, as HTML; without it there are none.
  std::function<std::string(const Store& store, const std::string& name)> report = {};
  /// The most studies that are open at a time.
  std::size_t open_studies = 10000;
  /// The most studies of a tenant.
  std::size_t studies = 10000;
  /// For how many seconds a study that is deleted can be brought back.
  double keep_deleted = 0;
  /// The most plays that a call asks for, and the most losses that it tells.
  std::size_t plays = 1000;
  /// The most coordinates of a study.
  std::size_t dimension = 10000;
  /// The longest answer with plays, in bytes.
  std::size_t answer = 16U << 20U;
  /// The most clients of a tenant that read logs at a time.
  std::size_t readers = 8;
  /// The most calls a second of a token; 0 for any number.
  std::uint64_t rate = 0;
  /// The memory that the process may use, in bytes; 0 for half of what the machine has.
  std::uint64_t memory = 0;
};

/// Thread-safe.
class Service {
 public:
  using Clock = std::function<Time()>;

  /// Reads the tokens. Throws Error if that, or the folder, is no good.
  Service(ServiceOptions options, const Catalogue& catalogue, Clock clock = system_time);

  /// What a request is answered. Nothing is thrown.
  [[nodiscard]] Response answer(const Request& request);
  /// The answer to a request of which the head alone has come, if no body can make it another.
  [[nodiscard]] std::optional<Response> early_answer(const Request& head);
  /// The same in two parts, of which only the second waits for the disk. It is for answers that are
  /// unsettled, and takes several of one study: one wait serves all of them. Those that turn out
  /// not to be safe become errors.
  [[nodiscard]] Response begin(const Request& request);
  void finish(std::span<Answered> group);

  /// Whether that header still allows to read a study; tokens end, and are taken back.
  [[nodiscard]] bool allows(const std::string& authorization, const std::string& tenant,
                            const std::string& study) const;
  /// The tenant of that header; empty if it is no token.
  [[nodiscard]] std::string tenant_of(const std::string& authorization) const;
  /// Reads the tokens again. Throws, and keeps those that it has, if they are no good.
  void read_tokens();
  /// Has somebody told of syncs that take more than a second, by a line for the log. From any
  /// thread.
  void watch_syncs(std::function<void(const std::string& line)> told) { told_ = std::move(told); }
  /// From now on the service is not ready.
  void drain() { draining_ = true; }

  [[nodiscard]] bool draining() const { return draining_; }
  [[nodiscard]] bool has_tokens() const { return !options_.tokens.empty(); }
  [[nodiscard]] const ServiceOptions& options() const { return options_; }
  [[nodiscard]] Time now() const { return clock_(); }
  [[nodiscard]] OpenStudies& studies() { return studies_; }
  [[nodiscard]] Metrics& metrics() { return metrics_; }
  [[nodiscard]] Watch& watch() { return watch_; }
  [[nodiscard]] Memory& memory() { return memory_; }
  [[nodiscard]] Readers& readers() { return readers_; }
  /// What a client may make a set of.
  [[nodiscard]] Catalogue modest_catalogue() const {
    return modest(catalogue_, options_.dimension);
  }

  [[nodiscard]] static Time system_time();

 private:
  /// Counts a sync that began then, and says that it took long if it did.
  void note_sync(Metrics::Clock::time_point begin, std::span<const Answered> group);
  /// Counts an answer that is about to be sent.
  void count(const Response& response);
  /// Finds what the sender of a request may do. Throws Problem if that is not this.
  void admit(const Request& request, const Match& match, Grant& grant) const;
  [[nodiscard]] Response checked_answer(const Request& request, const Match& match);
  /// What a header stands for; nothing if it is no token, or one that has ended.
  [[nodiscard]] std::optional<Grant> grant_of(const std::string& authorization) const;

  ServiceOptions options_;
  Clock clock_;
  Catalogue catalogue_;
  Memory memory_;
  Readers readers_;
  Rates rates_;
  OpenStudies studies_;
  bool syncs_;  // whether what is safe was synced here
  std::function<void(const std::string& line)> told_;
  Metrics metrics_;
  Watch watch_{
      [this](const std::string& tenant) -> const Store& { return studies_.store(tenant); }};
  std::atomic<bool> draining_ = false;
  mutable std::mutex mutex_;
  std::shared_ptr<const Tokens> tokens_;
};

}  // namespace keyhole::service
