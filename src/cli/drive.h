#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study_text.h"
#include "experiment/interrupt.h"
#include "keyhole/study.h"
#include "studies/json/space_json.h"

namespace keyhole::cli {

/// How a study is driven.
struct Plan {
  std::vector<std::string> command;
  std::uint64_t workers = 1;
  std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t tries = 3;
  std::optional<double> seconds = {};
  std::string worker = {};  // the beginning of the workers' names
  bool quiet = false;
  /// "proven", "settled", or nothing: what ends it before all rounds are played.
  std::string until = {};
  /// Whether numbers of other names than metrics are kept.
  bool extra = false;
  /// A command of the shell that prints what is known when a play is asked for; or nothing.
  std::string context_from = {};
  /// What the command gets in place of the values of a play; null for these.
  std::function<Values(const StudyPlay& play)> values = {};
  /// Is told of each loss that counts; true ends it.
  std::function<bool(const StudyPlay& play, double loss)> take = {};
};

/// What the options and the command say.
[[nodiscard]] Plan plan_of(const Arguments& arguments);

/// Throws StudyError for a name that has another meaning in the environment of a command, for a
/// space with those contexts.
void refuse_hidden_variable(const std::string& name,
                            const std::vector<SpaceContext>& contexts = {});

/// Workers that ask a study, run a command and tell what it prints, each in a thread.
class Drive {
 public:
  /// All three must outlive it. Throws StudyError if a parameter of the study cannot
  /// be given to a command.
  Drive(Study& study, const Plan& plan, const experiment::Interrupts& interrupts);

  /// Returns when all rounds are played, what is waited for has come, or when an interrupt was
  /// sent, no round begun after it, and the commands have ended. Throws what a worker has thrown.
  void run();

  /// How many losses were told.
  [[nodiscard]] std::uint64_t told() const { return told_; }
  /// Whether rounds were left out because of an interrupt.
  [[nodiscard]] bool interrupted() const { return begun_ < plan_.rounds && interrupts_.seen(); }
  /// Why nothing was learned from the first loss of a play that had expired; empty if none had.
  [[nodiscard]] const std::string& expired() const { return expired_; }
  /// What was done.
  [[nodiscard]] studies::Json summary() const;

 private:
  void work(std::uint64_t k);
  /// Remembers the exception that is being handled; no round begins any more.
  void stop();
  [[nodiscard]] bool begins_round();
  /// One round; false if its play was given up.
  [[nodiscard]] bool play(const std::string& worker);
  [[nodiscard]] Values context() const;
  /// Returns nothing, or why it cannot be told.
  [[nodiscard]] std::string tell(const StudyPlay& play, const Measured& measured);
  /// Whether what is waited for has come.
  [[nodiscard]] bool is_reached();
  void note_failure(PlayId id, const std::string& why);
  void give_up();

  Study& study_;
  const Plan& plan_;
  const experiment::Interrupts& interrupts_;
  std::mutex mutex_;  // of all that follows
  std::exception_ptr failure_;
  std::uint64_t begun_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t given_up_ = 0;
  std::uint64_t in_a_row_ = 0;
  bool reached_ = false;
  std::vector<double> then_;      // what was recommended...
  std::uint64_t told_then_ = 16;  // ...after so many losses
  double sum_ = 0;
  std::string last_failure_;
  std::string expired_;
};

}  // namespace keyhole::cli
