#include "service/problem.h"

#include <new>

#include "base/disk.h"
#include "keyhole/spec.h"
#include "keyhole/study.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

/// What an exception of the library is to a client.
Problem problem_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::unknown_play:
      return {404, "unknown-play", error.what()};
    case ErrorCode::contradiction:
      return {409, "contradicting-loss", error.what()};
    case ErrorCode::unusable_feedback:
      return {400, "unusable-loss", error.what()};
    case ErrorCode::horizon_used_up:
      return {409, "horizon-used-up", error.what()};
    case ErrorCode::unreadable_spec:
      return {400, "bad-spec", error.what()};
    case ErrorCode::invalid_argument:
      return {400, "bad-request", error.what()};
    default:
      break;
  }
  if (const auto* const database = dynamic_cast<const DatabaseError*>(&error)) {
    if (!database->maybe_stored()) {
      return {503, "not-stored",
              "the database of the service has failed: nothing was stored, try again"};
    }
    return {503, "maybe-stored",
            "the database of the service was lost, and may have stored this or not: ask again by "
            "the name of the worker, and tell again what was told"};
  }
  // What else goes wrong is not the client's business, and may name files of the server.
  if (dynamic_cast<const base::DiskError*>(&error) != nullptr) {
    return {503, "disk", "the disk of the service has failed: ask whoever runs it, and try again"};
  }
  if (dynamic_cast<const StudyError*>(&error) != nullptr) {
    return {503, "study-failed", "the study cannot go on: ask whoever runs the service"};
  }
  return {500, "internal", "the service has failed: ask whoever runs it"};
}

}  // namespace

std::string status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 421:
      return "Misdirected Request";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Response problem_response(const Problem& problem, std::optional<std::size_t> index) {
  studies::Json json = {{"type", "urn:keyhole:" + problem.type()},
                        {"title", status_text(problem.status())},
                        {"status", problem.status()},
                        {"detail", problem.what()}};
  if (index) json["index"] = *index;
  Response response{.status = problem.status(),
                    .type = "application/problem+json",
                    .body = studies::json_text(json) + "\n"};
  if (problem.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (problem.status() == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

Response error_response(const std::exception& error) {
  if (const auto* const problem = dynamic_cast<const Problem*>(&error)) {
    return problem_response(*problem);
  }
  if (const auto* const tell = dynamic_cast<const TellError*>(&error)) {
    return problem_response(problem_of(*tell), tell->index());
  }
  if (const auto* const ours = dynamic_cast<const Error*>(&error)) {
    return problem_response(problem_of(*ours));
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return problem_response({503, "memory", "there is no memory for this: ask for less"});
  }
  return problem_response({500, "internal", "the service has failed: ask whoever runs it"});
}

}  // namespace keyhole::service
