#include "client/calls.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error_code.h"
#include "keyhole/catalogue.h"

namespace keyhole::client {
namespace {

using studies::Json;
using Clock = std::chrono::steady_clock;

/// Throws what a study on a disk would have thrown, or ServiceError with the code of the problem.
[[noreturn]] void fail(const Reply& reply) {
  const Json json = Json::parse(reply.body, nullptr, false);
  const bool is_problem = json.is_object() && json.contains("type") && json.contains("detail");
  const std::string type = is_problem ? json["type"].get<std::string>() : "";
  const std::string detail =
      is_problem ? json["detail"].get<std::string>()
                 : "the service answers with status " + std::to_string(reply.status);
  const ErrorCode code = base::error_code_of(type.substr(type.rfind(':') + 1));
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

Calls::Calls(const std::string& address, const ClientOptions& options)
    : http_(address, options), address_(address), patience_(options.patience) {}

std::optional<Reply> Calls::made(const std::string& method, const std::string& path,
                                 const std::string& body, bool again) {
  const auto end = Clock::now() + std::chrono::duration<double>(patience_);
  auto pause = std::chrono::milliseconds(10);
  while (true) {
    auto reply = http_.send(method, path, body);
    // A service that says that it cannot now may have done it, as one that says nothing.
    if (reply && reply->status != 503) {
      if (reply->status >= 300) fail(*reply);
      return reply;
    }
    if (!again) return {};
    if (Clock::now() > end) {
      if (reply) fail(*reply);
      throw ServiceError("the service at " + address_ + " does not answer: is it running?");
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(1000));
  }
}

std::string Calls::text(const std::string& method, const std::string& path,
                        const std::string& body) {
  return made(method, path, body, true)->body;
}

Json Calls::json(const std::string& method, const std::string& path, const std::string& body) {
  return Json::parse(text(method, path, body));
}

}  // namespace keyhole::client
