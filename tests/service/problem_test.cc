// Errors have the same codes in the library, over HTTP and in the client.

#include "service/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/disk.h"
#include "folder.h"
#include "keyhole/client.h"
#include "served.h"
#include "server.h"
#include "studies/made_study.h"

namespace keyhole::tests {
namespace {

constexpr const char* path = "/srv/studies/x/log";

Json problem_json(const Error& error) { return Json::parse(service::error_response(error).body); }

TEST(Problem, HasTheWordOfItsCodeAndNoPath) {
  for (const auto& [code, status] :
       {std::pair(ErrorCode::unknown_study, 404), std::pair(ErrorCode::needs_renewal, 409),
        std::pair(ErrorCode::damaged_log, 503), std::pair(ErrorCode::newer_log, 503),
        std::pair(ErrorCode::other_digits, 503), std::pair(ErrorCode::replaced, 503),
        std::pair(ErrorCode::disk, 503), std::pair(ErrorCode::database, 503),
        std::pair(ErrorCode::busy, 503)}) {
    const Response response = service::error_response(StudyError(path, code));
    EXPECT_EQ(outcome(response), std::to_string(status) + " " + std::string(error_word(code)));
    EXPECT_EQ(response.body.find("/srv"), std::string::npos) << response.body;
    const bool says_when = std::any_of(response.headers.begin(), response.headers.end(),
                                       [](const auto& h) { return h.first == "Retry-After"; });
    EXPECT_EQ(says_when, status == 503);
  }
  EXPECT_EQ(outcome(service::error_response(base::DiskError(path))), "503 disk");
  EXPECT_EQ(outcome(service::error_response(Error(path, ErrorCode::busy))), "503 busy");
  EXPECT_EQ(outcome(service::error_response(StudyError(path))), "503 study_failed");
  const StudyError of_folder(path, ErrorCode::invalid_argument);
  EXPECT_EQ(outcome(service::error_response(of_folder)), "503 study_failed");
  EXPECT_EQ(outcome(service::error_response(StateError(path))), "500 internal");
}

TEST(Problem, SaysWhetherADatabaseMayHaveStored) {
  for (const ErrorCode code : {ErrorCode::database, ErrorCode::busy}) {
    for (const bool maybe : {false, true}) {
      const Json problem = problem_json(DatabaseError(path, maybe, "", code));
      EXPECT_EQ(problem["type"], "urn:keyhole:" + std::string(error_word(code)));
      EXPECT_EQ(problem["maybe_stored"], maybe);
      const std::string detail = problem["detail"];
      EXPECT_EQ(detail.find("may have stored") != std::string::npos, maybe) << detail;
    }
  }
  EXPECT_FALSE(problem_json(StudyError(path, ErrorCode::busy)).contains("maybe_stored"));
}

/// Puts studies there that cannot go on: of another version, of a newer one, and without a
/// description.
void put_lame_studies(const std::string& store) {
  const std::filesystem::path golden = KEYHOLE_SOURCE_DIR "/tests/golden/study_5";
  std::filesystem::create_directories(store);
  std::filesystem::copy(golden, store + "/old");
  for (const auto& [name, text] :
       {std::pair("newer", R"({"format": 99})"), std::pair("damaged", "{}")}) {
    std::filesystem::create_directories(store + "/" + name);
    write_bytes(store + "/" + name + "/log", first_frame(text));
  }
}

TEST(Problem, SaysWhyAStudyCannotGoOn) {
  Served served;
  put_lame_studies(served.folder.path("studies"));
  for (const auto& [name, expected] :
       {std::pair("old", "409 needs_renewal"), std::pair("newer", "503 newer_log"),
        std::pair("damaged", "503 damaged_log")}) {
    const Response response =
        served.post("/v1/studies/" + std::string(name) + "/asks", Json::object());
    EXPECT_EQ(outcome(response), expected) << response.body;
    EXPECT_NE(response.body.find("ask whoever runs the service"), std::string::npos);
    EXPECT_EQ(response.body.find(served.folder.path("")), std::string::npos);
  }
  EXPECT_EQ(served.get("/v1/studies/old").status, 200);
}

TEST(Problem, OfAnotherVersionEndsByRenewal) {
  Served served;
  put_lame_studies(served.folder.path("studies"));
  EXPECT_EQ(outcome(served.post("/v1/studies/old/asks", Json::object())), "409 needs_renewal");
  const Json renewed = served.posted("/v1/studies/old/renewal", Json::object());
  EXPECT_NE(renewed.at("goes_on_with"), "not_needed");
  EXPECT_EQ(served.post("/v1/studies/old/asks", Json::object()).status, 200);
  EXPECT_EQ(served.posted("/v1/studies/old/renewal", Json::object()).at("goes_on_with"),
            "not_needed");
  EXPECT_EQ(outcome(served.post("/v1/studies/none/renewal", Json::object())), "404 unknown_study");
}

/// The code of the Exception that a call throws.
template <typename Exception, typename Call>
ErrorCode code_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.code();
  }
  return ErrorCode::other;
}

/// The same calls to a Store and a Client.
template <typename Studies>
void expect_codes(const Studies& studies) {
  const StudyDescription description{.on = "simplex(3)"};
  auto study = studies.create("here", description);
  using enum ErrorCode;
  EXPECT_EQ(code_of<StudyError>([&] { (void)studies.open("none"); }), unknown_study);
  EXPECT_EQ(code_of<StudyError>([&] { studies.remove("none"); }), unknown_study);
  EXPECT_EQ(code_of<StudyError>([&] { (void)studies.create("here", {.on = "simplex(4)"}); }),
            other_description);
  EXPECT_EQ(code_of<StudyError>([&] { (void)studies.open("newer"); }), newer_log);
  EXPECT_EQ(code_of<StudyError>([&] { (void)studies.open("damaged"); }), damaged_log);
  EXPECT_EQ(code_of<FeedbackError>([&] { (void)study.tell(9, 0.5); }), unknown_play);
  (void)study.ask();
  EXPECT_EQ(code_of<FeedbackError>([&] { (void)study.tell(1, 1e60); }), unusable_feedback);
  (void)study.tell(1, 0.5);
  EXPECT_EQ(code_of<FeedbackError>([&] { (void)study.tell(1, 0.7); }), contradiction);
  EXPECT_EQ(code_of<InvalidArgument>([&] { (void)study.ask("two words"); }), invalid_argument);
  EXPECT_THROW((void)studies.create("new", {.on = "simplx(3)"}), SpecError);
  const StudyDescription three{.on = "ball(2)",
                               .learner = "fkm(loss_bound=1, gradient_bound=1, horizon=3)"};
  auto short_study = studies.create("short", three);
  EXPECT_EQ(code_of<InvalidArgument>([&] { (void)short_study.ask_many(4); }), horizon_used_up);
  studies.remove("here");
  EXPECT_THROW((void)study.ask("w1"), StudyError);
}

TEST(Problem, HasTheCodeThatAStoreThrows) {
  const Folder folder;
  put_lame_studies(folder.path("local"));
  expect_codes(Store(folder.path("local"), {.durability = Durability::process}));
  put_lame_studies(folder.path("studies"));
  const Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const std::string address = "http://127.0.0.1:" + std::to_string(server.port());
  const Client client = connect(address, {.patience = 0});
  expect_codes(client);
  EXPECT_EQ(code_of<StudyError>([&] { (void)client.open("old").tell(1, 0.5); }),
            ErrorCode::needs_renewal);
}

TEST(Problem, OfTheServiceItselfIsAServiceError) {
  const Folder folder;
  const Server server(
      {"--store=" + folder.path("studies"), "--durability=process", "--max-studies=1"});
  const Client client = connect("http://127.0.0.1:" + std::to_string(server.port()));
  (void)client.create("one", {.on = "simplex(3)"});
  try {
    (void)client.create("two", {.on = "simplex(3)"});
    FAIL() << "there may be one study only";
  } catch (const ServiceError& error) {
    EXPECT_EQ(error.status(), 429);
    EXPECT_EQ(error.code(), ErrorCode::other);
  }
}

}  // namespace
}  // namespace keyhole::tests
