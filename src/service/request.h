// What a client asks and is answered, without sockets.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::service {

/// What a client sent.
struct Request {
  std::string method = "GET";
  /// Without the query: "/v1/studies/blocks/asks".
  std::string path = "/";
  /// What follows the question mark: "after=blocks&limit=10".
  std::string query = {};
  std::string body = {};
  // Headers.
  std::string host = {};
  std::string origin = {};
  std::string authorization = {};
  std::string last_event_id = {};
  /// When all of it had come.
  std::chrono::steady_clock::time_point received = std::chrono::steady_clock::now();
};

/// Writes a part of an answer; false if the client has left.
using Write = std::function<bool(const std::string& part)>;

/// A log that must be safe up to a position before an answer is sent.
struct Unsettled {
  /// Null if there is nothing to wait for.
  std::shared_ptr<Study> study = {};
  std::string name = {};
  std::uint64_t end = 0;
};

/// What the client is answered: a body, or else a source of what is written bit by bit.
struct Response {
  int status = 200;
  /// A literal.
  std::string_view type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// Server-sent events: asked at once and then once a second for the next text (which may be
  /// empty), until there is none, the client leaves or the server ends.
  std::function<std::optional<std::string>()> events = {};
  /// A long answer: writes its parts in order, and gives up when one cannot be written.
  std::function<void(const Write& write)> stream = {};
  /// What was taken for it: memory, or the place of a reader.
  std::shared_ptr<void> memory = {};
  /// What it says was done.
  Unsettled unsettled = {};
  // For logs and metrics.
  std::size_t route = 0;
  std::chrono::steady_clock::time_point received = {};
  /// Whether whoever asked may do anything here: has a token, or needs none.
  bool known = false;
  std::string tenant = {};
  /// The name of the token, and that of the study.
  std::string token = {};
  std::string study = {};
  /// What went wrong, if anything did; the client may not have been told.
  std::string failure = {};
};

/// Who is sent an answer.
class Recipient {
 public:
  Recipient() = default;
  Recipient(const Recipient&) = delete;
  Recipient& operator=(const Recipient&) = delete;
  virtual ~Recipient() = default;

  virtual void respond(Response response) = 0;
};

/// An answer on its way.
struct Answered {
  std::shared_ptr<Recipient> to = {};
  Response response = {};
};

}  // namespace keyhole::service
