#include "service/problem.h"

#include <new>

#include "keyhole/study.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

/// What an exception of the library is to a client. Its type is the word of its code. What it says
/// may name files of the server, and is then said without them.
Problem problem_of(const Error& error) {
  const ErrorCode code = error.code();
  const auto* const database = dynamic_cast<const DatabaseError*>(&error);
  if (database != nullptr && database->maybe_stored()) {
    return {503, code,
            "the database of the service was lost, and may have stored this or not: ask again by "
            "the name of the worker, and tell again what was told"};
  }
  const bool is_of_study = dynamic_cast<const StudyError*>(&error) != nullptr;
  switch (code) {
    case ErrorCode::invalid_argument:
      if (is_of_study) break;  // the folder of the studies, which is none of the client's
      return {400, code, error.what()};
    case ErrorCode::unreadable_spec:
    case ErrorCode::unusable_feedback:
      return {400, code, error.what()};
    case ErrorCode::unknown_play:
      return {404, code, error.what()};
    case ErrorCode::unknown_study:
      return {404, code, "there is no such study: GET /v1/studies lists them"};
    case ErrorCode::contradiction:
    case ErrorCode::horizon_used_up:
    case ErrorCode::other_description:
      return {409, code, error.what()};
    case ErrorCode::needs_renewal:
      return {
          409, code,
          "another version made the study: POST /v1/studies/{name}/renewal lets it go on, or ask "
          "whoever runs the service"};
    case ErrorCode::damaged_log:
      return {503, code,
              "the log of the study has changed since it was written: ask whoever runs the service "
              "to restore it from a copy"};
    case ErrorCode::newer_log:
      return {503, code,
              "a newer version has written the log of the study: ask whoever runs the service to "
              "use that version"};
    case ErrorCode::other_digits:
      return {503, code,
              "this version cannot continue the digits of the study: ask whoever runs the service "
              "to use the version that made it"};
    case ErrorCode::replaced:
      return {503, code,
              "the study was deleted or replaced during the call, and nothing was stored: try "
              "again"};
    case ErrorCode::disk:
      return {503, code, "the disk of the service has failed: ask whoever runs it, and try again"};
    case ErrorCode::database:
      return {503, code, "the database of the service has failed: nothing was stored, try again"};
    case ErrorCode::busy:
      return {503, code,
              "others have held what this needs for too long: try again, or ask whoever runs the "
              "service to raise --wait"};
    default:
      break;
  }
  if (is_of_study) {
    return {503, "study_failed", "the study cannot go on: ask whoever runs the service"};
  }
  return {500, "internal", "the service has failed: ask whoever runs it"};
}

/// What a program is told besides: the place of the tell that it is about, and whether the call may
/// have been stored.
studies::Json more_of(const Error& error) {
  studies::Json more = studies::Json::object();
  if (const auto* const tell = dynamic_cast<const TellError*>(&error)) {
    more["index"] = tell->index();
  }
  if (const auto* const past = dynamic_cast<const PastError*>(&error)) {
    more["index"] = past->index();
  }
  if (const auto* const database = dynamic_cast<const DatabaseError*>(&error)) {
    more["maybe_stored"] = database->maybe_stored();
  }
  return more;
}

Response response_of(const Problem& problem, const studies::Json& more) {
  studies::Json json = {{"type", "urn:keyhole:" + problem.type()},
                        {"title", status_text(problem.status())},
                        {"status", problem.status()},
                        {"detail", problem.what()}};
  json.update(more);
  Response response{.status = problem.status(),
                    .type = "application/problem+json",
                    .body = studies::json_text(json) + "\n"};
  if (problem.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  // A tenant that has as many studies as it may has them later too.
  const bool is_quota = problem.type() == "quota";
  if (problem.status() == 503 || (problem.status() == 429 && !is_quota)) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
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
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Response problem_response(const Problem& problem) {
  return response_of(problem, studies::Json::object());
}

Response error_response(const std::exception& error) {
  if (const auto* const problem = dynamic_cast<const Problem*>(&error)) {
    return problem_response(*problem);
  }
  if (const auto* const ours = dynamic_cast<const Error*>(&error)) {
    return response_of(problem_of(*ours), more_of(*ours));
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return problem_response({503, "memory", "there is no memory for this: ask for less"});
  }
  return problem_response({500, "internal", "the service has failed: ask whoever runs it"});
}

}  // namespace keyhole::service
