#include "client/calls.h"

#include <algorithm>
#include <thread>

#include "base/error_code.h"
#include "keyhole/catalogue.h"

namespace keyhole::client {
namespace {

using studies::Json;
using Clock = std::chrono::steady_clock;

/// What an answer says is wrong.
struct Problem {
  ErrorCode code = ErrorCode::other;
  std::string detail = {};
  bool maybe_stored = false;
  bool is_too_fast = false;  // for the rate of the token
};

Problem problem_of(const Reply& reply) {
  const Json json = Json::parse(reply.body, nullptr, false);
  const auto text = [&](const char* key) {
    const bool is_there = json.is_object() && json.contains(key) && json[key].is_string();
    return is_there ? json[key].get<std::string>() : "";
  };
  const std::string type = text("type");
  const std::string detail = text("detail");
  if (type.empty() || detail.empty()) {
    return {.detail = "the service answers with status " + std::to_string(reply.status)};
  }
  const std::string word = type.substr(type.rfind(':') + 1);
  return {.code = base::error_code_of(word),
          .detail = detail,
          .maybe_stored = json.contains("maybe_stored") && json["maybe_stored"] == true,
          .is_too_fast = word == "rate"};
}

/// Whether a service cannot now, and may later.
bool is_not_now(const Reply& reply) {
  return reply.status == 503 || (reply.status == 429 && problem_of(reply).is_too_fast);
}

/// Whether a service that cannot now says that it has done nothing. Others may have, as those who
/// say nothing.
bool is_undone(const Reply& reply) {
  const Problem problem = problem_of(reply);
  return problem.code == ErrorCode::busy || problem.code == ErrorCode::replaced ||
         (problem.code == ErrorCode::database && !problem.maybe_stored) || problem.is_too_fast;
}

/// Throws what a study on a disk would have thrown, or ServiceError with the code of the problem.
[[noreturn]] void fail(const Reply& reply) {
  const auto [code, detail, maybe_stored, is_too_fast] = problem_of(reply);
  switch (code) {
    case ErrorCode::unknown_play:
    case ErrorCode::unusable_feedback:
    case ErrorCode::contradiction:
      throw FeedbackError(detail, code);
    case ErrorCode::invalid_argument:
    case ErrorCode::horizon_used_up:
      throw InvalidArgument(detail, code);
    case ErrorCode::unreadable_spec:
      throw SpecError(detail);
    case ErrorCode::replaced:
      throw ReplacedStudy(detail);
    case ErrorCode::unknown_study:
    case ErrorCode::other_description:
    case ErrorCode::needs_renewal:
    case ErrorCode::damaged_log:
    case ErrorCode::newer_log:
    case ErrorCode::other_digits:
      throw StudyError(detail, code);
    default:
      throw ServiceError(detail, reply.status, code);
  }
}

}  // namespace

Patience::Patience(double seconds)
    : end_(Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

bool Patience::waits() {
  if (Clock::now() > end_) return false;
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(2 * pause_, std::chrono::milliseconds(1000));
  return true;
}

Calls::Calls(const std::string& address, const ClientOptions& options)
    : http_(address, options), address_(address), patience_(options.patience) {}

void Calls::give_up(const std::optional<Reply>& reply) const {
  if (reply) fail(*reply);
  throw ServiceError("the service at " + address_ + " does not answer: is it running?");
}

std::optional<Reply> Calls::made(const std::string& method, const std::string& path,
                                 const std::string& body, Patience& patience, bool again) {
  while (true) {
    auto reply = http_.send(method, path, body);
    const bool is_done = reply && !is_not_now(*reply);
    if (is_done && reply->status >= 300) fail(*reply);
    if (is_done || !(again || (reply && is_undone(*reply)))) return reply;
    if (!patience.waits()) give_up(reply);
  }
}

std::string Calls::text(const std::string& method, const std::string& path,
                        const std::string& body) {
  Patience time = patience();
  return made(method, path, body, time, true)->body;
}

}  // namespace keyhole::client
