// What a service is sent: bytes of a connection, to the bytes that are answered. Whatever they are,
// every answer is an HTTP answer, none is a failure of the service (5xx but for its end), and the
// service goes on.

#include <unistd.h>

#include <filesystem>

#include "fuzz/fuzz.h"
#include "service/http.h"

namespace {

using namespace keyhole;  // NOLINT

/// A service with one study, in a folder of this process.
class Target {
 public:
  Target()
      : folder_(std::filesystem::temp_directory_path() /
                ("keyhole-fuzz-" + std::to_string(::getpid()))),
        service_(options(folder_), Catalogue::standard()) {
    create();
  }
  ~Target() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string answer(const std::string& bytes) {
    return service::answer_bytes(service_, {.body = 1U << 12U}, bytes);
  }
  void create() {
    const std::string body = R"json({"name": "s", "set": "simplex(3)", "window": 8})json";
    (void)answer("POST /v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                 std::to_string(body.size()) + "\r\n\r\n" + body);
  }

 private:
  static service::ServiceOptions options(const std::string& folder) {
    return {.folder = folder,
            .store = {.durability = Durability::process},
            .open_studies = 2,
            .studies = 3,
            .plays = 10,
            .dimension = 8};
  }

  std::string folder_;
  service::Service service_;
};

/// Every answer of a connection is one of HTTP and no failure of the service.
void promise_answers(std::string_view answers) {
  constexpr std::string_view length = "\r\nContent-Length: ";
  while (!answers.empty()) {
    tests::promise(answers.starts_with("HTTP/1.1 "), "an answer");
    tests::promise(!answers.starts_with("HTTP/1.1 500") && !answers.starts_with("HTTP/1.1 503"),
                   "no failure: " + std::string(answers));
    const std::size_t end = answers.find("\r\n\r\n");
    tests::promise(end < answers.size(), "a whole head");
    const std::size_t at = answers.substr(0, end).find(length);
    const std::size_t body =
        at < end ? std::stoul(std::string(answers.substr(at + length.size(), 20))) : 0;
    tests::promise(body <= answers.size() - end - 4, "a whole body");
    answers.remove_prefix(end + 4 + body);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Target target;
  if (size > 1 << 14) return 0;
  promise_answers(target.answer(std::string(data, data + size)));
  // Two requests of our own cost more than most inputs.
  static std::size_t runs = 0;
  if (++runs % 16 == 0) {
    target.create();  // if it was deleted
    tests::promise(target.answer("GET /v1/studies/s HTTP/1.1\r\nHost: localhost\r\n\r\n")
                       .starts_with("HTTP/1.1 200"),
                   "it goes on");
  }
  return 0;
}
