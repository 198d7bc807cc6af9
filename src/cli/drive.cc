#include "cli/drive.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "base/number_text.h"
#include "base/shortened.h"
#include "cli/child_process.h"
#include "cli/study_text.h"

namespace keyhole::cli {
namespace {

/// Plays given up one after the other, without a loss between them, before driving ends.
constexpr std::uint64_t most_given_up = 3;

/// What the command finds in its environment: KEYHOLE_PLAY, and KEYHOLE_ and the name for each
/// value, shares by spaces; KEYHOLE_POINT for a study on a set; KEYHOLE_CONTEXT_ and the name for
/// each context that is known, and no such variable for the others.
std::vector<std::string> variables_of(const StudyPlay& play,
                                      const std::vector<std::string>& contexts) {
  Json values = studies::values_json(play.values);
  if (play.values.empty()) values["POINT"] = play.point;
  std::vector<std::string> variables = {"KEYHOLE_PLAY=" + std::to_string(play.id)};
  for (const auto& [name, value] : values.items()) {
    variables.push_back("KEYHOLE_" + name + "=" + plain_text(value));
  }
  const Json known = studies::values_json(play.context);
  for (const std::string& name : contexts) {
    const bool is_known = known.contains(name);
    variables.push_back("KEYHOLE_CONTEXT_" + name +
                        (is_known ? "=" + plain_text(known[name]) : std::string()));
  }
  return variables;
}

/// What a line "NAME VALUE" says; nothing if it has another shape.
std::optional<std::pair<std::string, std::string>> named(const std::string& line) {
  const std::size_t end = line.find_first_of(" \t");
  if (end == std::string::npos) return {};
  return std::pair(line.substr(0, end), line.substr(line.find_first_not_of(" \t", end)));
}

/// The metrics in lines: a name and a number each, or the name of a metric and something else,
/// which the study refuses.
Values metrics_in(const std::vector<std::string>& lines, const std::vector<std::string>& metrics) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  Values values;
  for (const std::string& line : lines) {
    const auto is = named(line);
    if (!is || is->first.find_first_not_of(letters) != std::string::npos) continue;
    const Value value = metric_value(is->second);
    if (std::holds_alternative<double>(value) ||
        std::find(metrics.begin(), metrics.end(), is->first) != metrics.end()) {
      values.emplace_back(is->first, value);
    }
  }
  return values;
}

/// What a command gave; else why there is no loss. Its lines before the last one count in a study
/// that has metrics, or with `extra`.
std::variant<Measured, std::string> measured_by(Ended ended,
                                                const std::vector<std::string>& metrics,
                                                bool extra) {
  if (ended.late) return "took too long";
  if (ended.code != 0) return "ended with code " + std::to_string(ended.code);
  if (ended.lines.empty()) return "printed nothing";
  const std::string last = std::move(ended.lines.back());
  ended.lines.pop_back();
  std::optional<Measured> measured = read_measured(last);
  if (!measured || !(std::abs(measured->loss.value_or(NAN)) <= largest_number)) {
    return "printed '" + base::shortened(last) + "' last, which is no loss";
  }
  if (extra || !metrics.empty()) {
    const Values more = metrics_in(ended.lines, metrics);
    measured->metrics.insert(measured->metrics.end(), more.begin(), more.end());
  }
  return *measured;
}

/// The proof of a study; throws where none can come, as no coin is tossed.
Proof proof_with_coin(Study& study) {
  const Proof proof = study.status().proof;
  if (proof.share > 0) return proof;
  throw StudyError("nothing can be proven without a coin: toss one by 'keyhole study prove'",
                   ErrorCode::invalid_argument);
}

}  // namespace

void refuse_hidden_variable(const std::string& name, const std::vector<SpaceContext>& contexts) {
  const bool is_context =
      std::any_of(contexts.begin(), contexts.end(),
                  [&](const SpaceContext& context) { return name == "CONTEXT_" + context.name; });
  if (name != "PLAY" && name != "STORE" && !is_context) return;
  throw StudyError("the parameter '" + name + "' would be KEYHOLE_" + name +
                       " in the environment of the command, which has another meaning: "
                       "'study drive' needs another name for it",
                   ErrorCode::invalid_argument);
}

Drive::Drive(Study& study, const Plan& plan, const experiment::Interrupts& interrupts)
    : study_(study), plan_(plan), interrupts_(interrupts) {
  if (const auto* const space = std::get_if<Space>(&study.description().on)) {
    for (const SpaceParameter& parameter : space->parameters()) {
      refuse_hidden_variable(parameter.name, space->contexts());
    }
  }
  if (plan.until == "proven") (void)proof_with_coin(study);
}

void Drive::run() {
  std::vector<std::thread> threads;
  try {
    for (std::uint64_t k = 1; k <= plan_.workers; ++k) threads.emplace_back([this, k] { work(k); });
  } catch (...) {
    stop();
  }
  for (std::thread& thread : threads) thread.join();
  if (failure_) std::rethrow_exception(failure_);
}

Json Drive::summary() const {
  Json json = {{"told", told_}, {"failed_runs", failed_}, {"given_up", given_up_}};
  if (told_ > 0) json["mean_loss"] = sum_ / static_cast<double>(told_);
  if (!plan_.until.empty()) json[plan_.until] = reached_;
  return json;
}

void Drive::work(std::uint64_t k) {
  try {
    // A worker that gives a play up takes another name: by its own it would get it again.
    std::string worker = plan_.worker + "-" + std::to_string(k);
    const std::string name = worker;
    for (std::uint64_t life = 2; begins_round();) {
      if (!play(worker)) worker = name + "." + std::to_string(life++);
    }
  } catch (...) {
    stop();
  }
}

void Drive::stop() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
}

bool Drive::begins_round() {
  const std::lock_guard lock(mutex_);
  if (failure_ || reached_ || begun_ == plan_.rounds || interrupts_.seen()) return false;
  ++begun_;
  return true;
}

/// What is known now, as lines of a program say.
Values Drive::context() const {
  Values context;
  if (plan_.context_from.empty()) return context;
  std::string why;
  for (std::uint64_t attempt = 1; attempt <= plan_.tries; ++attempt) {
    const Ended ended = run_command({"sh", "-c", plan_.context_from}, {}, "", plan_.seconds);
    why = ended.late ? "took too long" : "ended with code " + std::to_string(ended.code);
    if (ended.late || ended.code != 0) continue;
    for (const std::string& line : ended.lines) {
      const auto is = named(line);
      if (!is) {
        throw StudyError("--context-from printed '" + line + "', and a line must be NAME VALUE",
                         ErrorCode::invalid_argument);
      }
      context.emplace_back(is->first, context_value(study_, is->first, is->second));
    }
    return context;
  }
  throw StudyError("--context-from: the command '" + plan_.context_from + "' " + why);
}

bool Drive::play(const std::string& worker) {
  const StudyPlay play = study_.ask(worker, context());
  StudyPlay shown = play;
  if (plan_.values) shown = {.id = play.id, .values = plan_.values(play)};
  const std::string input = json_text(play_json(shown)) + "\n";
  const std::vector<std::string> variables = variables_of(shown, context_names(study_));
  const std::vector<std::string> metrics = metric_names(study_);
  std::string failure;
  for (std::uint64_t attempt = 1; attempt <= plan_.tries; ++attempt) {
    const auto got = measured_by(run_command(plan_.command, variables, input, plan_.seconds),
                                 metrics, plan_.extra);
    const auto* const measured = std::get_if<Measured>(&got);
    const std::string why =
        measured != nullptr ? tell(play, *measured) : std::get<std::string>(got);
    if (why.empty()) return true;
    note_failure(play.id, why);
    if (interrupts_.seen()) return true;  // it is asked for again when driving goes on
    if (why == failure) break;            // the same again: a third time is no use
    failure = why;
  }
  give_up();
  return false;
}

std::string Drive::tell(const StudyPlay& play, const Measured& measured) {
  Receipt receipt = Receipt::fresh;
  try {
    const StudyTell told{play.id, measured.loss, measured.count, measured.metrics, plan_.extra};
    receipt = study_.step({told}, 0).receipts.front();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unusable_feedback ||
        error.code() == ErrorCode::invalid_argument) {
      const std::string place = "play " + std::to_string(play.id) + ": ";
      const std::string why = error.what();
      return "printed what cannot be told: " +
             why.substr(why.starts_with(place) ? place.size() : 0);
    }
    if (error.code() != ErrorCode::contradiction) throw;
    throw StudyError(
        std::string(error.what()) +
            ": somebody else works as one of these workers; give --worker another name",
        error.code());
  }
  const std::lock_guard lock(mutex_);
  if (receipt == Receipt::expired && expired_.empty()) expired_ = expired_text(study_, play.id);
  ++told_;
  sum_ += *measured.loss;
  in_a_row_ = 0;
  if (!plan_.until.empty()) reached_ = reached_ || is_reached();
  if (plan_.take && receipt == Receipt::fresh && plan_.take(play, *measured.loss)) reached_ = true;
  return {};
}

/// It has settled if what is recommended has moved by less than a hundredth of the set's diameter
/// while the number of losses doubled.
bool Drive::is_reached() {
  if (plan_.until == "proven") return proof_with_coin(study_).proven > 0;
  const std::uint64_t told = study_.summary().told;
  if (told < 2 * told_then_) return false;
  const std::vector<double> now = study_.recommend();
  double squares = 0;
  for (std::size_t i = 0; i < then_.size(); ++i)
    squares += (now[i] - then_[i]) * (now[i] - then_[i]);
  const bool moved = then_.empty() || std::sqrt(squares) >= study_.set().diameter() / 100;
  then_ = now;
  told_then_ = told;
  return !moved;
}

void Drive::note_failure(PlayId id, const std::string& why) {
  const std::lock_guard lock(mutex_);
  ++failed_;
  last_failure_ = why;
  if (!plan_.quiet) std::cerr << "play " << id << ": the command " << why << "\n";
}

void Drive::give_up() {
  const std::lock_guard lock(mutex_);
  ++given_up_;
  if (++in_a_row_ < most_given_up) return;
  throw StudyError("the command has failed for " + std::to_string(in_a_row_) +
                   " plays in a row, and " + last_failure_ +
                   ": run it by hand with the values of 'study ask' to see why");
}

}  // namespace keyhole::cli
