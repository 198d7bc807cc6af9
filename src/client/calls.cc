#include "client/calls.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace keyhole::client {
namespace {

using studies::Json;
using Clock = std::chrono::steady_clock;

/// Throws what a problem says.
[[noreturn]] void fail(const Reply& reply) {
  const Json json = Json::parse(reply.body, nullptr, false);
  const bool is_problem = json.is_object() && json.contains("type") && json.contains("detail");
  const std::string type = is_problem ? json["type"].get<std::string>() : "";
  const std::string detail =
      is_problem ? json["detail"].get<std::string>()
                 : "the service answers with status " + std::to_string(reply.status);
  if (type.ends_with(":unknown-play")) throw FeedbackError(detail, ErrorCode::unknown_play);
  if (type.ends_with(":contradicting-loss")) throw FeedbackError(detail, ErrorCode::contradiction);
  if (type.ends_with(":unusable-loss")) throw FeedbackError(detail, ErrorCode::unusable_feedback);
  if (type.ends_with(":horizon-used-up")) {
    throw InvalidArgument(detail, ErrorCode::horizon_used_up);
  }
  throw ServiceError(detail, reply.status);
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
