#include <atomic>
#include <cmath>
#include <exception>
#include <iostream>
#include <limits>
#include <mutex>
#include <thread>

#include "base/joined.h"
#include "base/number_text.h"
#include "cli/child_process.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "experiment/interrupt.h"

namespace keyhole::cli {
namespace {

/// How a study is driven.
struct Plan {
  std::vector<std::string> command;
  std::uint64_t workers = 1;
  std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t tries = 3;
  std::optional<double> seconds = {};
  std::string worker = {};  // the beginning of the workers' names
  bool quiet = false;
};

Plan plan_of(const Arguments& arguments) {
  constexpr std::uint64_t most_workers = 1024;
  constexpr std::uint64_t most = 1'000'000'000;
  Plan plan{.command = arguments.rest,
            .workers = whole_number("--workers", arguments.get("--workers", "1"), 1, most_workers),
            .tries = whole_number("--tries", arguments.get("--tries", "3"), 1, most),
            .worker = arguments.get("--worker", "drive"),
            .quiet = arguments.has("--quiet")};
  if (arguments.has("--rounds")) {
    plan.rounds = whole_number("--rounds", arguments.get("--rounds", ""), 1, most);
  }
  if (arguments.has("--timeout")) {
    plan.seconds = positive_number("--timeout", arguments.get("--timeout", ""));
  }
  return plan;
}

/// What the command finds in its environment: KEYHOLE_PLAY, and KEYHOLE_ and the name for each
/// value, shares by spaces; KEYHOLE_POINT for a study on a set.
std::vector<std::string> variables_of(const StudyPlay& play) {
  Json values = studies::values_json(play.values);
  if (play.values.empty()) values["POINT"] = play.point;
  std::vector<std::string> variables = {"KEYHOLE_PLAY=" + std::to_string(play.id)};
  for (const auto& [name, value] : values.items()) {
    variables.push_back("KEYHOLE_" + name + "=" + plain_text(value));
  }
  return variables;
}

void refuse_hidden_variables(const StudyDescription& description) {
  const auto* const space = std::get_if<Space>(&description.on);
  if (space == nullptr) return;
  for (const SpaceParameter& parameter : space->parameters()) {
    if (parameter.name != "PLAY" && parameter.name != "STORE") continue;
    throw StudyError("the parameter '" + parameter.name + "' would be KEYHOLE_" + parameter.name +
                     " in the environment of the command, which has another meaning: "
                     "'study drive' needs another name for it");
  }
}

/// The loss that a command gave; else why there is none.
std::variant<double, std::string> loss_of(const Ended& ended) {
  if (ended.late) return "took too long";
  if (ended.code != 0) return "ended with code " + std::to_string(ended.code);
  if (ended.last_line.empty()) return "printed nothing";
  const std::optional<double> loss = base::read_number(ended.last_line);
  if (loss && std::abs(*loss) <= largest_number) return *loss;
  return "printed '" + ended.last_line + "' last, which is no loss";
}

/// Workers that ask, run the command and tell, each in a thread.
class Drive {
 public:
  Drive(Study& study, const Plan& plan) : study_(study), plan_(plan) {}

  /// Returns when all rounds are played, or an interrupt has come and the commands have ended.
  /// Throws what a worker has thrown.
  void run() {
    std::vector<std::thread> threads;
    for (std::uint64_t k = 1; k <= plan_.workers; ++k) threads.emplace_back([this, k] { work(k); });
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  [[nodiscard]] bool interrupted() const { return interrupted_; }
  /// What was done.
  [[nodiscard]] Json summary() const {
    Json json = {{"told", told_}, {"failed_runs", failed_}, {"given_up", given_up_}};
    if (told_ > 0) json["mean_loss"] = sum_ / static_cast<double>(told_);
    return json;
  }

 private:
  /// Plays given up one after the other, without a loss between them, before driving ends.
  static constexpr std::uint64_t most_given_up = 3;

  void work(std::uint64_t k) {
    try {
      // A worker that gives a play up takes another name: by its own it would get it again.
      std::string worker = plan_.worker + "-" + std::to_string(k);
      const std::string name = worker;
      for (std::uint64_t life = 2; begins_round();) {
        if (!play(worker)) worker = name + "." + std::to_string(life++);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  bool begins_round() {
    const std::lock_guard lock(mutex_);
    if (stopped_ || interrupted_ || begun_ == plan_.rounds) return false;
    ++begun_;
    return true;
  }

  /// One round; false if its play was given up.
  bool play(const std::string& worker) {
    const StudyPlay play = study_.ask(worker);
    const std::string input = play_json(play).dump() + "\n";
    for (std::uint64_t attempt = 1; attempt <= plan_.tries; ++attempt) {
      const auto got =
          loss_of(run_command(plan_.command, variables_of(play), input, plan_.seconds));
      if (const auto* const loss = std::get_if<double>(&got)) {
        tell(play.id, *loss);
        return true;
      }
      note_failure(play.id, std::get<std::string>(got));
      if (interrupted_) return true;  // it is asked for again when driving goes on
    }
    give_up();
    return false;
  }

  void tell(PlayId id, double loss) {
    try {
      study_.tell(id, loss);
    } catch (const FeedbackError& error) {
      if (error.code() != ErrorCode::contradiction) throw;
      throw StudyError(std::string(error.what()) +
                       ": somebody else works as one of these workers; give --worker another name");
    }
    const std::lock_guard lock(mutex_);
    ++told_;
    sum_ += loss;
    in_a_row_ = 0;
  }

  void note_failure(PlayId id, const std::string& why) {
    const std::lock_guard lock(mutex_);
    ++failed_;
    last_failure_ = why;
    if (!plan_.quiet) std::cerr << "play " << id << ": the command " << why << "\n";
  }

  void give_up() {
    const std::lock_guard lock(mutex_);
    ++given_up_;
    if (++in_a_row_ < most_given_up) return;
    throw StudyError("the command has failed for " + std::to_string(in_a_row_) +
                     " plays in a row, and " + last_failure_ +
                     ": run it by hand with the values of 'study ask' to see why");
  }

  Study& study_;
  const Plan& plan_;
  const std::atomic<bool>& interrupted_ = experiment::stop_on_interrupt();
  std::mutex mutex_;  // of all that follows
  std::exception_ptr failure_;
  bool stopped_ = false;
  std::uint64_t begun_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t given_up_ = 0;
  std::uint64_t in_a_row_ = 0;
  double sum_ = 0;
  std::string last_failure_;
};

}  // namespace

int study_drive(const Arguments& arguments, const Program& program) {
  const Plan plan = plan_of(arguments);
  Study study = the_study(arguments, program);
  refuse_hidden_variables(study.description());
  Drive drive(study, plan);
  drive.run();
  const std::string format = arguments.get("--format", "text");
  Json sheet = drive.summary();
  sheet["recommend"] = recommendation(study, format == "json");
  print_sheet(sheet, format);
  if (!drive.interrupted() || !arguments.has("--rounds")) return 0;
  std::cerr << program.name << ": interrupted before all rounds were played\n";
  return 1;
}

}  // namespace keyhole::cli
